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

// ReadFile reads a file of elements of type T, in C order.
func ReadFile[T Element](path string) (Header, []T, error) {
	f, r, err := open(path)
	if err != nil {
		return Header{}, nil, err
	}
	defer f.Close()
	h, data, err := Read[T](r)
	if err != nil {
		return Header{}, nil, fmt.Errorf("%s: %w", path, err)
	}
	return h, data, nil
}

// open opens a file, and returns with it what reads it and knows how much is
// left, if that is known.
func open(path string) (*os.File, io.Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	if info.Mode().IsRegular() {
		return f, &sized{f, info.Size(), info.Size()}, nil
	}
	return f, f, nil
}

// sized is a reader of which it is known how many bytes are left.
type sized struct {
	r          io.Reader
	size, left int64
}

func (s *sized) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.left -= int64(n)
	return n, err
}

func (s *sized) Len() int { return int(min(max(s.left, 0), math.MaxInt)) }

// Read is [ReadHeader] and [ReadData].
func Read[T Element](r io.Reader) (Header, []T, error) {
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

// ReadData reads the data of a header, which must be of type T and in C order,
// and finds that the file ends there. A bool that is neither 0 nor 1 is an
// error.
//
// If r has a method Len() int that returns the number of bytes left, as a
// [bytes.Reader] has, that is compared with the header first and the memory is
// taken at once. Otherwise it grows with the data that comes in.
func ReadData[T Element](r io.Reader, h Header) ([]T, error) {
	if h.Fortran {
		return nil, errors.New("npy: data in Fortran order, expected C order (see numpy.ascontiguousarray, or ReadView)")
	}
	return readItems[T](r, h)
}

// readItems reads the data in the order that they have in the file.
func readItems[T Element](r io.Reader, h Header) ([]T, error) {
	items, err := itemsOf[T](h)
	if err != nil {
		return nil, err
	}
	size := h.Type.Size()
	want := items * size

	data := []T{}
	if l, ok := r.(interface{ Len() int }); ok {
		if err := checkLeft(l.Len(), want, h); err != nil {
			return nil, err
		}
		data = make([]T, 0, items)
	}
	for len(data) < items {
		have := len(data)
		n := min(items-have, chunkBytes/size)
		data = slices.Grow(data, n)[:have+n]
		chunk := bytesOf(data[have:])
		switch k, err := io.ReadFull(r, chunk); {
		case ended(err):
			return nil, truncated(have*size+k, want, h)
		case err != nil:
			return nil, fmt.Errorf("npy: reading the data: %w", err)
		}
		if err := checkBools(h.Type, chunk, have); err != nil {
			return nil, err
		}
		toNative(chunk, size)
	}
	var more [1]byte
	switch _, err := io.ReadFull(r, more[:]); {
	case err == nil:
		return nil, fmt.Errorf("npy: more bytes follow the %d bytes of data of shape %v", want, h.Shape)
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("npy: reading to the end: %w", err)
	}
	return data, nil
}

// itemsOf returns the number of elements of a header, which must be of type T.
func itemsOf[T Element](h Header) (int, error) {
	if t := TypeOf[T](); h.Type != t {
		return 0, fmt.Errorf("npy: the elements are %v, expected %v", h.Type, t)
	}
	return h.Items()
}

// checkLeft compares the bytes left in a file with those that the header wants.
func checkLeft(left, want int, h Header) error {
	switch {
	case left < want:
		return truncated(left, want, h)
	case left > want:
		return fmt.Errorf("npy: %d bytes follow the %d bytes of data of shape %v", left-want, want, h.Shape)
	}
	return nil
}

func truncated(have, want int, h Header) error {
	return fmt.Errorf("npy: the file is truncated in the data: %d bytes are there, expected %d for %v of shape %v", have, want, h.Type, h.Shape)
}

// checkBools finds bytes that are no bool in Go, whose operations would do
// anything. The first byte is that of element first.
func checkBools(t Type, p []byte, first int) error {
	if t != Bool {
		return nil
	}
	for k, b := range p {
		if b > 1 {
			return fmt.Errorf("npy: element %d of type bool is the byte %d, expected 0 or 1", first+k, b)
		}
	}
	return nil
}
