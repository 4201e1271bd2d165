package npy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/gokkos/gokkos/views"
)

// CreateShaped returns a [File] of a tensor in C order whose elements are zero. [WritePart] writes
// them before [File.Commit], in this process or in others that see the file.
//
// Errors: those of [Create], and a shape of more elements than an int can count.
func CreateShaped[T Element](path string, shape []int) (*File, error) {
	h := Header{Type: TypeOf[T](), Shape: slices.Clone(shape)}
	items, err := h.Items()
	if err != nil {
		return nil, err
	}
	f, err := Create(path)
	if err != nil {
		return nil, err
	}
	head := h.encode()
	if _, err = f.Write(head); err == nil {
		err = f.failed(f.temp.Truncate(int64(len(head)) + int64(items)*int64(h.Type.Size())))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Temporary returns the path of the file that is written until Commit or Close, and then "".
func (f *File) Temporary() string {
	if f.temp == nil {
		return ""
	}
	return f.temp.Name()
}

// WritePart writes the elements first to first+len(x)-1 of a file that [CreateShaped] has made, where
// [File.Temporary] says. Parts that have no elements in common may be written at one time.
//
// Errors: those of the header, another type of elements, elements that the file has not, and those
// of the system.
func WritePart[T Element](temporary string, first int, x []T) error {
	f, err := os.OpenFile(temporary, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = writePart(f, first, x)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", temporary, err)
	}
	return nil
}

func writePart[T Element](f *os.File, first int, x []T) error {
	h, err := ReadHeader(f) // which reads no further
	if err != nil {
		return err
	}
	items, err := itemsOf[T](h)
	switch {
	case err != nil:
		return err
	case h.Fortran:
		return errors.New("npy: a part of a file in Fortran order, expected C order")
	case first < 0 || first > items || len(x) > items-first:
		return fmt.Errorf("npy: %d elements from %d on, of a file of %d", len(x), first, items)
	}
	begin, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	return writeItems(io.NewOffsetWriter(f, begin+int64(first)*int64(h.Type.Size())), x)
}

// WriteViewPart writes the elements of v as a box of a file that [CreateShaped] has made, where
// [File.Temporary] says: that at (i, j, ...) of v is that at (lower[0]+i, lower[1]+j, ...) of the tensor. v
// may have any layout. Parts that have no elements in common may be written at one time.
//
// Errors: those of the header, another type of elements, a box that does not lie in the tensor, a view that
// is nil or in the memory of a device, and those of the system.
func WriteViewPart[T Element](temporary string, lower []int, v views.Viewer[T]) error {
	f, err := os.OpenFile(temporary, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = writeViewPart(f, lower, v)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", temporary, err)
	}
	return nil
}

func writeViewPart[T Element](f *os.File, lower []int, v views.Viewer[T]) error {
	if v == nil {
		return errors.New("npy: a part that is a nil view")
	}
	x, err := onHost(v)
	if err != nil {
		return err
	}
	h, err := ReadHeader(f)
	if err != nil {
		return err
	}
	if _, err := itemsOf[T](h); err != nil {
		return err
	}
	if h.Fortran {
		return errors.New("npy: a part of a file in Fortran order, expected C order")
	}
	fits := len(lower) == len(h.Shape) && x.Rank() == len(h.Shape)
	for d := 0; fits && d < len(lower); d++ {
		fits = lower[d] >= 0 && lower[d] <= h.Shape[d] && x.Extent(d) <= h.Shape[d]-lower[d]
	}
	if !fits {
		return fmt.Errorf("npy: %v from %v on, of a file with shape %v", x, lower, h.Shape)
	}
	begin, err := f.Seek(0, io.SeekCurrent)
	if err != nil || x.Len() == 0 {
		return err
	}
	return writeRuns(x, 0, 0, h.Shape, lower, func(first int, run views.View[T]) error {
		return writeValues(io.NewOffsetWriter(f, begin+int64(first)*int64(h.Type.Size())), run)
	})
}

// writeRuns calls write for the parts of x that are neighbours in the tensor, with the number of their
// first element. The dimensions up to dim have one index only, which is element first of the tensor as far
// as these dimensions tell.
func writeRuns[T Element](x views.View[T], dim, first int, shape, lower []int, write func(first int, run views.View[T]) error) error {
	whole := true // the dimensions behind this one
	for d := dim + 1; d < len(shape); d++ {
		whole = whole && x.Extent(d) == shape[d]
	}
	if dim < len(shape) {
		first = first*shape[dim] + lower[dim]
	}
	if whole {
		for d := dim + 1; d < len(shape); d++ {
			first *= shape[d]
		}
		return write(first, x)
	}
	selectors := make([]views.Selector, len(shape))
	for d := range selectors {
		selectors[d] = views.All()
	}
	for i := range x.Extent(dim) {
		selectors[dim] = views.Range(i, i+1)
		one, err := x.Sub(selectors...)
		if err == nil {
			err = writeRuns(one, dim+1, first+i, shape, lower, write)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
