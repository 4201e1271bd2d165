package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteFile writes a tensor to a file, all of it or nothing, as [Create] says.
func WriteFile[T Float](path string, shape []int, data []T) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := Write(f, shape, data); err != nil {
		return err
	}
	return f.Commit()
}

// Write writes a tensor in format version 1.0, or 2.0 if the header does not
// fit. The bytes are those of numpy.save.
func Write[T Float](w io.Writer, shape []int, data []T) error {
	h := Header{TypeOf[T](), shape}
	items, err := h.Items()
	switch {
	case err != nil:
		return err
	case items != len(data):
		return fmt.Errorf("npy: a slice of length %d for shape %v, expected %d", len(data), shape, items)
	}
	if _, err := w.Write(h.encode()); err != nil {
		return err
	}
	size := h.Type.Size()
	buf := make([]byte, min(items*size, chunkBytes))
	for len(data) > 0 {
		n := min(len(data), chunkBytes/size)
		encode(buf, data[:n])
		if _, err := w.Write(buf[:n*size]); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// encode returns everything that comes before the data: a multiple of 64 bytes,
// so that a file mapped into memory has its data aligned.
func (h Header) encode() []byte {
	const align = 64
	// NumPy leaves room for the first length to grow in place to 21 digits.
	const grown = 21
	lengths := make([]string, len(h.Shape))
	for k, n := range h.Shape {
		lengths[k] = strconv.Itoa(n)
	}
	tuple := strings.Join(lengths, ", ")
	room := 0
	switch len(h.Shape) {
	case 0:
	case 1:
		tuple += ","
		fallthrough
	default:
		room = grown - len(lengths[0])
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }%*s", string(h.Type), tuple, room, "")

	version, width := byte(1), 2
	padded := func() int { // length of the padded text, with its newline
		begin := len(magic) + 2 + width
		// NumPy pads by 64 where 0 would do.
		return (begin+len(text)+1)/align*align + align - begin
	}
	if padded() > math.MaxUint16 {
		version, width = 2, 4
	}
	b := append([]byte(magic), version, 0)
	if width == 2 {
		b = binary.LittleEndian.AppendUint16(b, uint16(padded()))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(padded()))
	}
	return fmt.Appendf(b, "%-*s\n", padded()-1, text)
}

// encode sets dst to the bytes of src.
func encode[T Float](dst []byte, src []T) {
	switch src := any(src).(type) {
	case []float32:
		for k, x := range src {
			binary.LittleEndian.PutUint32(dst[4*k:], math.Float32bits(x))
		}
	case []float64:
		for k, x := range src {
			binary.LittleEndian.PutUint64(dst[8*k:], math.Float64bits(x))
		}
	}
}
