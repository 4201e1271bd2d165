package mpi

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/allreduce"
	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// timings is what two ranks time: the least of many short rounds, in nanoseconds a call, as a
// long one takes in whatever else runs on the machine.
func timings(c *Comm) error {
	on, sum := On(c, exec.Serial{}), 0.0
	x, y, all := views.Must(views.New1[float64]("x", 2)), views.Must(views.New1[float64]("y", 2)), views.Must(views.New2[float64]("all", c.Size(), 2))
	send, recv := make([]byte, 16), make([]byte, 16*c.Size())
	next, before := around(c)
	sumOfRanks, err := allreduce.Sum()
	if err != nil {
		return err
	}
	ranks, one := policy.Range(0, 2).Chunk(1).On(on), []float64{1, 1}
	reduce := func(on Space) error {
		return exec.ParallelReduce(policy.Range(0, 2).On(on), func(_ int, acc *float64) { *acc++ }, builtin.Sum(&sum))
	}
	for _, call := range []struct {
		name string
		run  func() error
	}{
		{"allgather-of-the-library", func() error { return c.link.Allgather(send, recv) }},
		{"allreduce-of-the-library", func() error {
			_, err := sumOfRanks(1)
			return err
		}},
		{"fold", func() error { return exec.ParallelFold(exec.Slice(ranks, one), builtin.Sum(&sum)) }},
		{"distributed", func() error { return exec.ParallelFold(Distributed(ranks, one[:1]), builtin.Sum(&sum)) }},
		{"allreduce", func() error { return Allreduce(c, 1, builtin.Sum(&sum)) }},
		{"reduce", func() error { return reduce(on) }},
		{"eager", func() error { return reduce(on.Eager()) }},
		{"allgather", func() error { return Allgather(c, all, x) }},
		{"sendrecv", func() error {
			_, err := Sendrecv(c, next, x, before, y, 0)
			return err
		}},
	} {
		const rounds, calls = 300, 50
		var times []time.Duration
		for range rounds {
			start := time.Now()
			for range calls {
				if err := call.run(); err != nil {
					return err
				}
			}
			times = append(times, time.Since(start)/calls)
		}
		if c.Rank() == 0 {
			fmt.Printf("%s %d\n", call.name, slices.Min(times).Nanoseconds())
		}
	}
	return nil
}

// BenchmarkRanks times calls of two ranks under each MPI.
func BenchmarkRanks(b *testing.B) {
	for _, mpi := range launchtest.MPIs(b) {
		b.Run(mpi.Name, func(b *testing.B) {
			output, err := mpi.Run("timings", 2)
			if err != nil {
				b.Fatal(err, output)
			}
			for line := range strings.Lines(output) {
				var name string
				var ns float64
				if _, err := fmt.Sscan(line, &name, &ns); err == nil {
					b.ReportMetric(ns, name+"-ns")
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
