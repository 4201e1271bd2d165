package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// WriteFile writes a tensor to a file, all of it or nothing, as [Create] says.
func WriteFile[T Element](path string, shape []int, data []T) error {
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
func Write[T Element](w io.Writer, shape []int, data []T) error {
	h := Header{Type: TypeOf[T](), Shape: shape}
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
	return writeItems(w, data)
}

// writeItems writes elements a piece at a time.
func writeItems[T Element](w io.Writer, data []T) error {
	size := TypeOf[T]().Size()
	for len(data) > 0 {
		n := min(len(data), chunkBytes/size)
		p := bytesOf(data[:n])
		if bigEndian {
			p = slices.Clone(p)
			reverse(p, size)
		}
		if _, err := w.Write(p); err != nil {
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
	order := "False"
	if h.Fortran {
		order = "True"
		if len(h.Shape) > 1 { // the last length is the one that grows
			room = grown - len(lengths[len(h.Shape)-1])
		}
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }%*s", string(h.Type), order, tuple, room, "")

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
