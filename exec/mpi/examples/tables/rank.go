package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/exec/mpi/internal/allreduce"
	"github.com/gokkos/gokkos/policy"
)

// work is what a rank is told to measure.
type work struct {
	what             string
	items, workers   int
	rounds, launches int // a round is so many launches
}

// measure prints a name and the nanoseconds of a launch in the best round, on the first rank.
func measure(world *mpi.Comm, o work) error {
	inner := exec.NewGoroutines(o.workers)
	defer inner.Close()
	on := mpi.On(world, inner)
	switch o.what {
	case "launch":
		return launches(world, o)
	case "fold":
		return fold(world, on, o)
	case "compute":
		var sum float64
		if err := o.time(world, "ns", func() error {
			return exec.ParallelReduce(policy.Range(0, o.items).Chunk(64).On(on), func(i int, acc *float64) { *acc += series(i) }, builtin.Sum(&sum))
		}); err != nil {
			return err
		}
		return say(world, "bits %x\n", sum)
	}
	return fmt.Errorf("cannot measure %q", o.what)
}

// launches times a reduction of one value, on ranks without workers beside them.
func launches(world *mpi.Comm, o work) error {
	on, sum := mpi.On(world, exec.Serial{}), 0.0
	ranks, one := policy.Range(0, world.Size()).Chunk(1).On(on), make([]float64, world.Size())
	if err := o.time(world, "reduce", func() error {
		return exec.ParallelReduce(ranks, func(_ int, acc *float64) { *acc++ }, builtin.Sum(&sum))
	}); err != nil {
		return err
	}
	if err := o.time(world, "fold", func() error {
		return exec.ParallelFold(exec.Slice(ranks, one), builtin.Sum(&sum))
	}); err != nil {
		return err
	}
	library, err := allreduce.Sum()
	if err != nil {
		return err
	}
	if err := o.time(world, "allreduce", func() error {
		_, err := library(1)
		return err
	}); err != nil {
		return err
	}
	return say(world, "bits %x\n", sum)
}

// fold times the sum of an array, of which each rank has its part.
func fold(world *mpi.Comm, on mpi.Space, o work) error {
	p := policy.Range(0, o.items).On(on)
	begin, end, err := mpi.Part(on, p)
	if err != nil {
		return err
	}
	x := make([]float64, end-begin)
	if err := exec.ParallelFor(policy.Range(0, len(x)).On(on.Inner()), func(k int) { x[k] = math.Sqrt(float64(begin + k)) }); err != nil {
		return err
	}
	var sum float64
	if err := o.time(world, "ns", func() error { return exec.ParallelFold(mpi.Distributed(p, x), builtin.Sum(&sum)) }); err != nil {
		return err
	}
	return say(world, "bits %x\n", sum)
}

// series takes a while in registers.
func series(i int) float64 {
	x := 1 / float64(i+1)
	for range 64 {
		x = float64(x*(1.5-x)) + 0x1p-20
	}
	return x
}

// time prints the best round.
func (o work) time(world *mpi.Comm, name string, launch func() error) error {
	var times []time.Duration
	for range o.rounds + 1 { // one to warm up
		if err := world.Barrier(); err != nil {
			return err
		}
		start := time.Now()
		for range o.launches {
			if err := launch(); err != nil {
				return err
			}
		}
		times = append(times, time.Since(start))
	}
	return say(world, "%s %.0f\n", name, float64(slices.Min(times[1:]).Nanoseconds())/float64(o.launches))
}

func say(world *mpi.Comm, format string, args ...any) error {
	if world.Rank() != 0 {
		return nil
	}
	_, err := fmt.Printf(format, args...)
	return err
}
