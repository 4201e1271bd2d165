// Command heat spreads heat over a plate, on any number of ranks. It prints the same numbers, with
// the same bits, on one rank and on many, with any number of workers:
//
//	go build ./examples/heat
//	./heat -n 1000 -m 800 -steps 200
//	mpirun --bind-to none -n 4 ./heat -n 1000 -m 800 -steps 200
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// options are what a run is told.
type options struct {
	n, m, steps, every, workers int
	timed                       bool
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 1000, "rows of the plate")
	flag.IntVar(&o.m, "m", 1000, "columns of the plate")
	flag.IntVar(&o.steps, "steps", 100, "steps of time")
	flag.IntVar(&o.every, "every", 50, "steps between two lines of output")
	flag.IntVar(&o.workers, "workers", 0, "workers of each rank, 0 for one per core")
	flag.BoolVar(&o.timed, "time", false, "tell how long it takes")
	flag.Parse()
	if err := mpi.Run(func(world *mpi.Comm) error { return run(world, o, os.Stdout) }); err != nil {
		fmt.Fprintln(os.Stderr, "heat:", err)
		os.Exit(1)
	}
}

// plate is the temperatures of a step and of the one before.
type plate struct {
	now, before *mpi.Array[float64]
	m           int
}

// run lets heat spread, and prints on the first rank.
func run(world *mpi.Comm, o options, w io.Writer) error {
	if o.n < 3 || o.m < 3 || o.steps < 0 || o.every < 1 {
		return fmt.Errorf("%d rows, %d columns, %d steps and a line for each %d, expected at least 3, 3, 0 and 1", o.n, o.m, o.steps, o.every)
	}
	inner := exec.NewGoroutines(o.workers)
	defer inner.Close()
	rows := policy.Range(0, o.n).Chunk(1).On(mpi.On(world, inner))
	p, err := newPlate(rows, o)
	if err != nil {
		return err
	}
	start := time.Now()
	for step := 0; ; step++ {
		if step%o.every == 0 || step == o.steps {
			if err := p.report(world, rows, step, w); err != nil {
				return err
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
	return p.hash(world, w)
}

// newPlate returns a plate that is hot on one edge and cold elsewhere.
func newPlate(rows policy.RangePolicy, o options) (*plate, error) {
	p := &plate{m: o.m}
	for _, a := range []**mpi.Array[float64]{&p.now, &p.before} {
		var err error
		if *a, err = mpi.NewArray[float64](rows, "temperature", []int{o.m}, 1); err != nil {
			return nil, err
		}
		local := views.Must(views.As2((*a).Local(), nil))
		for i := range local.Extent(0) {
			local.Set(i, 0, 100+math.Sin(float64(i+(*a).First())))
		}
	}
	return p, nil
}

// step computes the next temperatures. The rows that need none of another rank's come first, while
// those are on the way.
func (p *plate) step(inner exec.Space) error {
	p.now, p.before = p.before, p.now
	halo, err := p.before.Begin()
	if err != nil {
		return err
	}
	begin, end := p.now.Rows()
	if err := p.update(inner, begin+1, end-1); err != nil {
		return err
	}
	if err := halo.Wait(); err != nil {
		return err
	}
	if err := p.update(inner, begin, min(begin+1, end)); err != nil {
		return err
	}
	return p.update(inner, max(end-1, begin+1), end)
}

// update computes rows begin to end-1. The edges of the plate keep their temperatures.
func (p *plate) update(inner exec.Space, begin, end int) error {
	begin, end = max(begin, 1), min(end, p.now.Extents()[0]-1)
	if begin >= end {
		return nil
	}
	now, before := views.Must(views.As2(p.now.Local(), nil)), views.Must(views.As2(p.before.Local(), nil))
	first := p.now.First()
	return exec.ParallelFor(policy.Range(begin, end).On(inner), func(i int) {
		k := i - first
		up, row, down := before.Row(k-1), before.Row(k), before.Row(k+1)
		spread(now.Row(k), up, row, down)
	})
}

// spread computes a row from those around it.
func spread(now, up, row, down []float64) {
	m := len(now)
	up, row, down = up[:m], row[:m], down[:m]
	for j := 1; j < m-1; j++ {
		around := up[j] + down[j] + (row[j-1] + row[j+1])
		now[j] = row[j] + float64(.2*(around-float64(4*row[j])))
	}
}

// report prints the heat of the plate, and how much it has changed in the last step.
func (p *plate) report(world *mpi.Comm, rows policy.RangePolicy, step int, w io.Writer) error {
	now, before := views.Must(views.As2(p.now.Local(), nil)), views.Must(views.As2(p.before.Local(), nil))
	first := p.now.First()
	var heat, change float64
	err := exec.ParallelReduce2(rows.WithLabel("report"), func(i int, heat, change *float64) {
		old := before.Row(i - first)
		for j, x := range now.Row(i - first) {
			*heat += x
			*change = max(*change, math.Abs(x-old[j]))
		}
	}, builtin.Sum(&heat), builtin.Max(&change))
	if err == nil && world.Rank() == 0 {
		_, err = fmt.Fprintf(w, "step %d: heat %x, change %x\n", step, heat, change)
	}
	return err
}

// hash prints a hash of all temperatures.
func (p *plate) hash(world *mpi.Comm, w io.Writer) error {
	if world.Rank() != 0 {
		return p.now.Gather(nil, 0)
	}
	whole, err := views.New[float64]("whole", p.now.Extents())
	if err != nil {
		return err
	}
	if err := p.now.Gather(whole, 0); err != nil {
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
