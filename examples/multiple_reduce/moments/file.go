package moments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"github.com/gokkos/gokkos/views/npy"
)

// input is an open NPY file, read up to its data.
type input struct {
	header  npy.Header
	lengths [4]int
	reduced dims
	file    *os.File
	left    int64 // bytes not yet read

	// Set before the data is read.
	context context.Context
	phase   *phase
}

// openInput opens a file and checks that it holds a tensor for this program.
func openInput(path string, reduced dims) (*input, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() { // opening a pipe could wait forever
		err = errors.New("not a regular file")
	}
	if err != nil {
		return nil, fileError("in", path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError("in", path, err)
	}
	in := &input{reduced: reduced, file: f, left: info.Size(), context: context.Background()}
	if err := in.readHeader(); err != nil {
		f.Close()
		return nil, fileError("in", path, err)
	}
	return in, nil
}

func (in *input) readHeader() (err error) {
	if in.header, err = npy.ReadHeader(in); err != nil {
		return err
	}
	if t := in.header.Type; t != npy.Float32 && t != npy.Float64 {
		return fmt.Errorf("the elements are %v, expected float32 or float64", t)
	}
	if in.header.Fortran {
		return errors.New("the data is in Fortran order, expected C order")
	}
	if n := copy(in.lengths[:], in.header.Shape); n != 4 || len(in.header.Shape) != 4 {
		return fmt.Errorf("the tensor has the shape (%s), expected 4 lengths: N,H,W,C", commas(in.header.Shape))
	}
	return checkSize(in.lengths, in.reduced, in.header.Type)
}

// Read implements [io.Reader]. It fails once the run is to stop.
func (in *input) Read(p []byte) (int, error) {
	if in.context.Err() != nil {
		return 0, context.Cause(in.context)
	}
	n, err := in.file.Read(p)
	in.left -= int64(n)
	in.phase.add(n)
	return n, err
}

// Len tells npy how much data there is.
func (in *input) Len() int { return int(min(max(in.left, 0), math.MaxInt)) }

// readTensor reads the data of a file.
func readTensor[T real](ctx context.Context, in *input, t *terminal) (nhwc[T], error) {
	in.context = ctx
	in.phase = t.begin("reading", in.Len())
	defer in.phase.end()
	data, err := npy.ReadData[T](in, in.header)
	if err != nil {
		return nhwc[T]{}, fileError("in", in.file.Name(), err)
	}
	return nhwc[T]{in.lengths, in.reduced, data}, nil
}

// checkOutput finds out, before the work is done, what would keep the results
// from being written. It creates the temporary file and removes it at once, so
// that none is there while the work may be interrupted.
func checkOutput(path string, in *input) error {
	if in != nil {
		from, err := in.file.Stat()
		if err != nil {
			return fileError("in", in.file.Name(), err)
		}
		if to, err := os.Stat(path); err == nil && os.SameFile(from, to) {
			return fileError("out", path, errors.New("this is the input file, expected another one"))
		}
	}
	f, err := npy.Create(path)
	if err == nil {
		err = f.Close()
	}
	return fileError("out", path, err)
}

// writeResults writes the means and the means of squares, each of the shape kept, all or
// nothing.
func writeResults[T real](ctx context.Context, path string, kept []int, results []T, t *terminal) error {
	ph := t.begin("writing", len(results)*npy.TypeOf[T]().Size())
	defer ph.end()
	f, err := npy.Create(path)
	if err != nil {
		return fileError("out", path, err)
	}
	defer f.Close()
	if err := npy.Write(&output{f, ctx, ph}, append([]int{2}, kept...), results); err != nil {
		return fileError("out", path, err)
	}
	return fileError("out", path, f.Commit())
}

// output is a writer that fails once the run is to stop.
type output struct {
	w       io.Writer
	context context.Context
	phase   *phase
}

// Write implements [io.Writer]. npy writes a piece at a time.
func (o *output) Write(p []byte) (int, error) {
	if o.context.Err() != nil {
		return 0, context.Cause(o.context)
	}
	n, err := o.w.Write(p)
	o.phase.add(n)
	return n, err
}

// fileError says what is wrong with the file of an option. The user knows the
// option, and not the system call that failed.
func fileError(option, path string, err error) error {
	if err == nil {
		return nil
	}
	var system *fs.PathError
	if errors.As(err, &system) {
		err = system.Err
	}
	return fmt.Errorf("-%s %s: %w", option, path, err)
}
