package npy

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/gokkos/gokkos/views"
)

// ReadView reads a view of elements of type T and of at most 12 dimensions. Its
// layout is Right if the file is in C order, and Left if in Fortran order.
//
// Memory is taken as [ReadData] does. It is an error of package views if the
// file has more dimensions.
func ReadView[T Element](label string, r io.Reader) (views.View[T], error) {
	h, err := ReadHeader(r)
	if err != nil {
		return views.View[T]{}, err
	}
	data, err := readItems[T](r, h)
	if err != nil {
		return views.View[T]{}, err
	}
	return viewOf(label, h, data)
}

// ReadViewFile reads a view from a file, as [ReadView] does. The label is the
// last element of the path.
func ReadViewFile[T Element](path string) (views.View[T], error) {
	f, r, err := open(path)
	if err != nil {
		return views.View[T]{}, err
	}
	defer f.Close()
	v, err := ReadView[T](filepath.Base(path), r)
	if err != nil {
		return views.View[T]{}, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// WriteView writes a view of any layout: in Fortran order if the layout is
// Left, and otherwise in C order. The bytes are those of numpy.save. It is an
// error if v is nil, or in the memory of a device, which views.MirrorCopy copies.
func WriteView[T Element](w io.Writer, v views.Viewer[T]) error {
	x, err := onHost(v)
	if err != nil {
		return err
	}
	h := Header{TypeOf[T](), x.Extents(), x.Layout() == views.Left}
	switch items, err := h.Items(); {
	case err != nil:
		return err
	case items != x.Len():
		return fmt.Errorf("npy: %v has %d elements, expected %d as its extents say", x, x.Len(), items)
	}
	if _, err := w.Write(h.encode()); err != nil {
		return err
	}
	if h.Fortran {
		x = x.Transpose()
	}
	return writeValues(w, x)
}

// onHost returns a view whose elements can be written.
func onHost[T Element](v views.Viewer[T]) (x views.View[T], err error) {
	if x = views.As(v); x.MemorySpace() != views.Host {
		err = fmt.Errorf("npy: the view %v is in the memory of %v, expected %v", x, x.MemorySpace(), views.Host)
	}
	return x, err
}

// writeValues writes the elements of a view, the last index fastest, a piece at a time.
func writeValues[T Element](w io.Writer, x views.View[T]) error {
	if data, ok := x.Slice(); ok {
		return writeItems(w, data)
	}
	most := chunkBytes / TypeOf[T]().Size()
	data := make([]T, 0, min(x.Len(), most))
	for y := range x.Values() {
		if data = append(data, y); len(data) == most {
			if err := writeItems(w, data); err != nil {
				return err
			}
			data = data[:0]
		}
	}
	return writeItems(w, data)
}

// WriteViewFile writes a view to a file, as [WriteView] does, all of it or
// nothing, as [Create] says.
func WriteViewFile[T Element](path string, v views.Viewer[T]) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := WriteView(f, v); err != nil {
		return err
	}
	return f.Commit()
}

// viewOf returns a view of data that lie as h says.
func viewOf[T Element](label string, h Header, data []T) (views.View[T], error) {
	layout := views.Right
	if h.Fortran {
		layout = views.Left
	}
	v, err := views.Of(label, data, h.Shape, layout)
	if err != nil {
		err = fmt.Errorf("npy: %w", err)
	}
	return v, err
}
