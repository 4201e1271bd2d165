package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

const (
	// maxHeader is the longest header that is read, in bytes. That of a tensor
	// takes a few hundred; NumPy itself stops at 10 000 unless told otherwise.
	maxHeader = 1 << 20
	// chunkBytes is how much data is read or written at a time.
	chunkBytes = 1 << 18
)

// ReadFile reads a file of elements of type T.
func ReadFile[T Float](path string) (Header, []T, error) {
	f, err := os.Open(path)
	if err != nil {
		return Header{}, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Header{}, nil, err
	}
	var r io.Reader = f
	if info.Mode().IsRegular() {
		r = &sized{f, info.Size()}
	}
	h, data, err := Read[T](r)
	if err != nil {
		return Header{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	return h, data, nil
}

// sized is a reader of which it is known how many bytes are left.
type sized struct {
	r    io.Reader
	left int64
}

func (s *sized) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.left -= int64(n)
	return n, err
}

func (s *sized) Len() int { return int(min(max(s.left, 0), math.MaxInt)) }

// Read is [ReadHeader] and [ReadData].
func Read[T Float](r io.Reader) (Header, []T, error) {
	h, err := ReadHeader(r)
	if err != nil {
		return Header{}, nil, err
	}
	data, err := ReadData[T](r, h)
	if err != nil {
		return Header{}, nil, err
	}
	return h, data, nil
}

// ReadHeader reads everything that comes before the data, in format version
// 1.0, 2.0 or 3.0. It does not read further.
func ReadHeader(r io.Reader) (Header, error) {
	var begin [len(magic) + 2]byte
	n, err := io.ReadFull(r, begin[:])
	switch {
	case err != nil && !ended(err):
		return Header{}, fmt.Errorf("npy: reading the header: %w", err)
	case n == 0:
		return Header{}, fmt.Errorf("npy: the file is empty, expected it to begin with %q", magic)
	case n < len(magic) && string(begin[:n]) == magic[:n]:
		return Header{}, fmt.Errorf("npy: the file is truncated: it ends after %d bytes, in %q", n, magic)
	case n < len(magic) || string(begin[:len(magic)]) != magic:
		return Header{}, fmt.Errorf("npy: not an NPY file: it begins with %q, expected %q", begin[:min(n, len(magic))], magic)
	case err != nil:
		return Header{}, fmt.Errorf("npy: the file is truncated: it ends after %d bytes, in the format version", n)
	}

	major, minor := begin[len(magic)], begin[len(magic)+1]
	width := 4 // bytes of the header's length
	switch {
	case minor != 0 || major < 1 || major > 3:
		return Header{}, fmt.Errorf("npy: format version %d.%d, expected 1.0, 2.0 or 3.0", major, minor)
	case major == 1:
		width = 2
	}
	var length [4]byte
	if err := readHeaderBytes(r, length[:width], "the header's length"); err != nil {
		return Header{}, err
	}
	size := binary.LittleEndian.Uint32(length[:]) // the bytes not read are 0
	if size > maxHeader {
		return Header{}, fmt.Errorf("npy: a header of %d bytes, expected at most %d", size, maxHeader)
	}
	text := make([]byte, size)
	if err := readHeaderBytes(r, text, "the header"); err != nil {
		return Header{}, err
	}
	h, err := parseHeader(string(text))
	if err != nil {
		return Header{}, err
	}
	_, err = h.Items()
	return h, err
}

func readHeaderBytes(r io.Reader, p []byte, what string) error {
	n, err := io.ReadFull(r, p)
	switch {
	case err == nil:
		return nil
	case ended(err):
		return fmt.Errorf("npy: the file is truncated in %s: %d of %d bytes are there", what, n, len(p))
	}
	return fmt.Errorf("npy: reading %s: %w", what, err)
}

func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// ReadData reads the data of a header, which must be of type T, and finds that
// the file ends there.
//
// If r has a method Len() int that returns the number of bytes left, as a
// [bytes.Reader] has, that is compared with the header first and the memory is
// taken at once. Otherwise it grows with the data that comes in.
func ReadData[T Float](r io.Reader, h Header) ([]T, error) {
	if t := TypeOf[T](); h.Type != t {
		return nil, fmt.Errorf("npy: the elements are %v, expected %v", h.Type, t)
	}
	items, err := h.Items()
	if err != nil {
		return nil, err
	}
	size := h.Type.Size()
	want := items * size

	data := []T{}
	if l, ok := r.(interface{ Len() int }); ok {
		switch left := l.Len(); {
		case left < want:
			return nil, truncated(left, want, h)
		case left > want:
			return nil, fmt.Errorf("npy: %d bytes follow the %d bytes of data of shape %v", left-want, want, h.Shape)
		}
		data = make([]T, 0, items)
	}
	buf := make([]byte, min(max(want, 1), chunkBytes))
	for len(data) < items {
		chunk := buf[:min((items-len(data))*size, chunkBytes)]
		n, err := io.ReadFull(r, chunk)
		switch {
		case ended(err):
			return nil, truncated(len(data)*size+n, want, h)
		case err != nil:
			return nil, fmt.Errorf("npy: reading the data: %w", err)
		}
		have := len(data)
		data = slices.Grow(data, n/size)[:have+n/size]
		decode(data[have:], chunk)
	}
	switch _, err := io.ReadFull(r, buf[:1]); {
	case err == nil:
		return nil, fmt.Errorf("npy: more bytes follow the %d bytes of data of shape %v", want, h.Shape)
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("npy: reading to the end: %w", err)
	}
	return data, nil
}

func truncated(have, want int, h Header) error {
	return fmt.Errorf("npy: the file is truncated in the data: %d bytes are there, expected %d for %v of shape %v", have, want, h.Type, h.Shape)
}

// decode sets dst to the elements in src.
func decode[T Float](dst []T, src []byte) {
	switch dst := any(dst).(type) {
	case []float32:
		for k := range dst {
			dst[k] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*k:]))
		}
	case []float64:
		for k := range dst {
			dst[k] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*k:]))
		}
	}
}
