// Command heat spreads heat over a plate, on any number of ranks. It prints the same numbers, with
// the same bits, on one rank and on many, with any number of workers:
//
//	go build ./examples/heat
//	./heat -n 1000 -m 800 -steps 200
//	mpirun --bind-to none --oversubscribe -n 4 ./heat -n 1000 -m 800 -steps 200
//
// Each rank has some rows of the plate, or with -tile some tiles, a region with shorter edges. The
// temperatures are the same either way; their sum is joined in another order.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/gokkos/gokkos/examples/arguments"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/views"
)

// options are what a run is told.
type options struct {
	n, m, tile, steps, every, workers int
	file                              string
	timed                             bool
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 1000, "rows of the plate")
	flag.IntVar(&o.m, "m", 1000, "columns of the plate")
	flag.IntVar(&o.tile, "tile", 0, "points along a side of a tile, 0 for rows in place of tiles")
	flag.IntVar(&o.steps, "steps", 100, "steps of time")
	flag.IntVar(&o.every, "every", 50, "steps between two lines of output")
	flag.IntVar(&o.workers, "workers", 0, "workers of each rank, 0 for one per core")
	flag.StringVar(&o.file, "o", "", "a file in NumPy's format for the temperatures at the end")
	flag.BoolVar(&o.timed, "time", false, "tell how long it takes")
	arguments.Parse("heat")
	if err := mpi.Run(func(world *mpi.Comm) error { return run(world, o, os.Stdout) }); err != nil {
		fmt.Fprintln(os.Stderr, "heat:", err)
		os.Exit(1)
	}
}

// A plate is the temperatures of a step and of the one before.
type plate interface {
	// step computes the next temperatures: those that need none of another rank come first, while these
	// are on the way.
	step(inner exec.Space) error
	// report returns the heat of the plate, and how much it has changed in the last step.
	report() (heat, change float64, err error)
	write(path string) error
	gather(whole views.Viewer[float64]) error
}

// run lets heat spread, and prints on the first rank.
func run(world *mpi.Comm, o options, w io.Writer) error {
	if o.n < 3 || o.m < 3 || o.tile < 0 || o.steps < 0 || o.every < 1 || o.workers < 0 {
		return fmt.Errorf("%d rows, %d columns, tiles of %d, %d steps, a line for each %d and %d workers, "+
			"expected at least 3, 3, 0, 0, 1 and 0", o.n, o.m, o.tile, o.steps, o.every, o.workers)
	}
	if err := arguments.Fits(3*8, o.n, o.m); err != nil { // parts of two steps, and all on the first rank
		return err
	}
	inner := exec.NewGoroutines(o.workers)
	defer inner.Close()
	p, err := newPlate(mpi.On(world, inner), o)
	if err != nil {
		return err
	}
	start := time.Now()
	for step := 0; ; step++ {
		if step%o.every == 0 || step == o.steps {
			heat, change, err := p.report()
			if err != nil {
				return err
			}
			if world.Rank() == 0 {
				fmt.Fprintf(w, "step %d: heat %x, change %x\n", step, heat, change)
			}
		}
		if step == o.steps {
			break
		}
		if err := p.step(inner); err != nil {
			return err
		}
	}
	if o.timed && world.Rank() == 0 {
		fmt.Fprintf(w, "%.3f ns per point and step\n", float64(time.Since(start).Nanoseconds())/float64(o.n)/float64(o.m)/float64(max(o.steps, 1)))
	}
	if o.file != "" {
		if err := p.write(o.file); err != nil {
			return err
		}
	}
	return hash(world, p, o, w)
}

// newPlate returns a plate that is hot on one edge and cold elsewhere.
func newPlate(on mpi.Space, o options) (plate, error) {
	if o.tile > 0 {
		return newTiles(on, o)
	}
	return newRows(on, o)
}

// hash prints a hash of all temperatures.
func hash(world *mpi.Comm, p plate, o options, w io.Writer) error {
	if world.Rank() != 0 {
		return p.gather(nil)
	}
	whole, err := views.New2[float64]("whole", o.n, o.m)
	if err != nil {
		return err
	}
	if err := p.gather(whole); err != nil {
		return err
	}
	h := sha256.New()
	x, _ := whole.Slice()
	if err := binary.Write(h, binary.LittleEndian, x); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%x\n", h.Sum(nil))
	return err
}
