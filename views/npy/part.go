package npy

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
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
