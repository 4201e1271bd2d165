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
	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// work is what a rank is told to measure.
type work struct {
	what             string
	items, workers   int
	rounds, launches int // a round is so many launches
	budget           time.Duration
}

// measure prints a name and the nanoseconds of a launch in the best round, on the first rank.
func measure(world *mpi.Comm, o work) error {
	if o.rounds < 1 || o.launches < 1 || o.items < 0 {
		return fmt.Errorf("%d rounds of %d launches with %d items, expected at least 1, 1 and 0", o.rounds, o.launches, o.items)
	}
	inner := exec.NewGoroutines(o.workers)
	defer inner.Close()
	on := mpi.On(world, inner)
	switch o.what {
	case "launch":
		return launches(world, o)
	case "crossing":
		return crossings(world, o)
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
	return fmt.Errorf("cannot measure %q, expected launch, crossing, fold or compute", o.what)
}

// launches times a reduction of one value, on ranks without workers beside them.
func launches(world *mpi.Comm, o work) error {
	on, sum := mpi.On(world, exec.Serial{}), 0.0
	ranks, one := policy.Range(0, world.Size()).Chunk(1), make([]float64, world.Size())
	reduce := func(on mpi.Space) error {
		return exec.ParallelReduce(ranks.On(on), func(_ int, acc *float64) { *acc++ }, builtin.Sum(&sum))
	}
	library, err := allreduce.Sum()
	if err != nil {
		return err
	}
	o.budget /= 4
	for _, call := range []struct {
		name string
		run  func() error
	}{
		{"fold", func() error { return exec.ParallelFold(exec.Slice(ranks.On(on), one), builtin.Sum(&sum)) }},
		{"eager", func() error { return reduce(on.Eager()) }},
		{"allreduce", func() error {
			_, err := library(1)
			return err
		}},
		{"reduce", func() error { return reduce(on) }},
	} {
		if err := o.time(world, call.name, call.run); err != nil {
			return err
		}
	}
	return say(world, "bits %x\n", sum)
}

// crossings times reductions of values that are large, by both ways to exchange them.
func crossings(world *mpi.Comm, o work) error {
	bytes, ranks := tuning.GatherBytes, tuning.GatherRanks
	defer func() { tuning.GatherBytes, tuning.GatherRanks = bytes, ranks }()
	o.budget /= time.Duration(len(crossingBytes) * len(crossingWays))
	p := policy.Range(0, world.Size()).Chunk(1).On(mpi.On(world, exec.Serial{}))
	last := 0.0
	for _, size := range crossingBytes {
		for _, way := range crossingWays {
			if size < way.from {
				continue
			}
			tuning.GatherBytes, tuning.GatherRanks = way.set(size)
			if err := world.Barrier(); err != nil {
				return err
			}
			sum := make([]float64, size/8)
			if err := o.time(world, crossingName(way.name, size), func() error {
				return exec.ParallelReduce(p.WithLabel(way.name), func(_ int, acc *[]float64) {
					for k := range *acc {
						(*acc)[k]++
					}
				}, reducers.Slice(&sum, builtin.Sum))
			}); err != nil {
				return err
			}
			last = sum[len(sum)-1]
		}
	}
	return say(world, "bits %x\n", last)
}

// crossingBytes is how large the values are.
var crossingBytes = []int{8, 256, 1 << 10, 8 << 10}

// crossingWays are the ways to exchange them.
var crossingWays = []struct {
	name string
	from int // the least size that goes this way
	set  func(size int) (gatherBytes, gatherRanks int)
}{
	{"Allgather", 0, func(size int) (int, int) { return 160 + size, math.MaxInt }},
	{"both", 160, func(int) (int, int) { return 160, math.MaxInt }}, // into which the value does not fit
	{"tree", 0, func(int) (int, int) { return 160, 0 }},
}

func crossingName(way string, size int) string { return fmt.Sprintf("%s/%d", way, size) }

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

// time prints the best round. The first rank tells the others whether there is time for one more.
func (o work) time(world *mpi.Comm, name string, launch func() error) error {
	goesOn := views.Must(views.Of1("goes on", []bool{true}))
	var times []time.Duration
	for begin := time.Now(); ; {
		enough := len(times) > o.rounds || len(times) > 1 && time.Since(begin) > o.budget // one to warm up
		goesOn.Set(0, !enough)
		if err := mpi.Bcast(world, goesOn, 0); err != nil {
			return err
		}
		if !goesOn.At(0) {
			break
		}
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
	return say(world, "%s %.0f\n%s %d\n", name, float64(slices.Min(times[1:]).Nanoseconds())/float64(o.launches), roundsName, len(times)-1)
}

func say(world *mpi.Comm, format string, args ...any) error {
	if world.Rank() != 0 {
		return nil
	}
	_, err := fmt.Printf(format, args...)
	return err
}
