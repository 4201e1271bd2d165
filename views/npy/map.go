package npy

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/gokkos/gokkos/views"
)

// A Mapping is a view of the data of a file. It is made by [Map].
type Mapping[T Element] struct {
	view   views.View[T]
	memory []byte // what is mapped, nil if nothing is
}

// Map returns a view of the data of a file, without reading them: pages of the
// file come into memory as they are used, and may go again. The layout and the
// label are those of [ReadViewFile].
//
// A file is mapped if it is a regular one with data, on a little-endian system
// that is Linux, macOS or a BSD, and if the data begin at a multiple of the size
// of an element, as NumPy and this package write them. Otherwise it is read.
// [Mapping.Mapped] says which.
//
// The memory is read-only: to write to the view is a fault that ends the
// program, if the file is mapped. So is to read it after Close, or where another
// program has made the file shorter. What others write into the file may show.
//
// The header is checked as in ReadViewFile, and so is the size of the file. A
// bool that is neither 0 nor 1 is an error, for which all bools are read.
func Map[T Element](path string) (*Mapping[T], error) {
	f, r, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := mapView[T](filepath.Base(path), f, r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func mapView[T Element](label string, f *os.File, r io.Reader) (*Mapping[T], error) {
	h, err := ReadHeader(r)
	if err != nil {
		return nil, err
	}
	m := &Mapping[T]{}
	data, err := m.data(f, r, h)
	if err == nil {
		m.view, err = viewOf(label, h, data)
	}
	if err != nil {
		_ = m.Close() // the error that matters is err
		return nil, err
	}
	return m, nil
}

// data returns the elements of a file whose header is read.
func (m *Mapping[T]) data(f *os.File, r io.Reader, h Header) ([]T, error) {
	items, err := itemsOf[T](h)
	if err != nil {
		return nil, err
	}
	size := h.Type.Size()
	s, regular := r.(*sized)
	if !regular || items == 0 || bigEndian && size > 1 {
		return readItems[T](r, h)
	}
	if err := checkLeft(s.Len(), items*size, h); err != nil {
		return nil, err
	}
	begin := s.size - s.left
	if begin%int64(size) != 0 || s.size > math.MaxInt {
		return readItems[T](r, h)
	}
	if m.memory, err = mapFile(f, int(s.size)); err != nil {
		return readItems[T](r, h)
	}
	data := m.memory[begin:]
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), items), checkBools(h.Type, data, 0)
}

// View returns the view. If the file is mapped, it is good until Close.
func (m *Mapping[T]) View() views.View[T] { return m.view }

// Mapped reports whether the view is of the file itself. Otherwise it is of
// memory that the file was read into.
func (m *Mapping[T]) Mapped() bool { return m.memory != nil }

// Close ends the mapping. The view, and all that share its memory, must not be
// used any more. To close again does nothing.
func (m *Mapping[T]) Close() error {
	memory := m.memory
	m.memory, m.view = nil, views.View[T]{}
	if memory == nil {
		return nil
	}
	if err := unmap(memory); err != nil {
		return fmt.Errorf("npy: %w", err)
	}
	return nil
}
