// Command multiple_reduce is examples/multiple_reduce over ranks: the mean and the mean of squares
// over some dimensions of a tensor in an NPY file, in one pass. Each rank maps the file and reads
// its part of it only. The hash that it prints is that of one rank, with any number of workers:
//
//	go build ./examples/multiple_reduce
//	./multiple_reduce -in x.npy
//	mpirun --bind-to none --oversubscribe -n 4 ./multiple_reduce -in x.npy -reduce 1,2,3
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gokkos/gokkos/examples/multiple_reduce/moments"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/npy"
	"github.com/gokkos/gokkos/views/tensor"
)

// options are what a run is told.
type options struct {
	in, reduce string
	workers    int
	timed      bool
}

func main() {
	var o options
	flag.StringVar(&o.in, "in", "", "an NPY file of float32 or float64")
	flag.StringVar(&o.reduce, "reduce", "1,2,3", "the dimensions to reduce over, by number")
	flag.IntVar(&o.workers, "workers", 0, "workers of each rank, 0 for one per core")
	flag.BoolVar(&o.timed, "time", false, "tell how long it takes")
	flag.Parse()
	if err := mpi.Run(func(world *mpi.Comm) error { return run(world, o, os.Stdout) }); err != nil {
		fmt.Fprintln(os.Stderr, "multiple_reduce:", err)
		os.Exit(1)
	}
}

// run reduces the tensor of a file.
func run(world *mpi.Comm, o options, w io.Writer) error {
	f, err := os.Open(o.in)
	if err != nil {
		return err
	}
	h, err := npy.ReadHeader(f)
	f.Close()
	switch {
	case err != nil:
		return err
	case h.Type == npy.Float32:
		return means[float32](world, o, w)
	case h.Type == npy.Float64:
		return means[float64](world, o, w)
	}
	return fmt.Errorf("%s has elements of %v, expected float32 or float64", o.in, h.Type)
}

// means reduces, and prints on the first rank.
func means[T npy.Float](world *mpi.Comm, o options, w io.Writer) error {
	file, err := npy.Map[T](o.in)
	if err != nil {
		return err
	}
	defer file.Close()
	x := file.View()
	dims, kept, err := dimensions(o.reduce, x.Extents())
	if err != nil {
		return err
	}
	mean, err := views.New[T]("means", kept)
	if err != nil {
		return err
	}
	meanSq, err := views.New[T]("means of squares", kept)
	if err != nil {
		return err
	}
	inner := exec.NewGoroutines(o.workers)
	defer inner.Close()
	start := time.Now()
	source := tensor.Over(x, dims...).On(mpi.On(world, inner))
	if err := moments.Reduce(source, mean, meanSq, func() {}); err != nil {
		return err
	}
	took := time.Since(start)
	if world.Rank() == 0 {
		if o.timed {
			fmt.Fprintf(w, "%.4g ms on %d ranks\n", took.Seconds()*1e3, world.Size())
		}
		fmt.Fprintf(w, "hash: %016x\n", moments.Hash(mean.Values(), meanSq.Values()))
	}
	return nil
}

// dimensions returns those that are listed, and the extents of the others.
func dimensions(list string, extents []int) (dims, kept []int, err error) {
	for _, text := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		d, err := strconv.Atoi(text)
		if err != nil || d < 0 || d >= len(extents) || slices.Contains(dims, d) {
			return nil, nil, fmt.Errorf("-reduce %s of a tensor of %d dimensions, expected some of 0 to %d, each once", list, len(extents), len(extents)-1)
		}
		dims = append(dims, d)
	}
	for d, n := range extents {
		if !slices.Contains(dims, d) {
			kept = append(kept, n)
		}
	}
	return dims, kept, nil
}
