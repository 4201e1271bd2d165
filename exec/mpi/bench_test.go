package mpi

import (
	"fmt"
	"testing"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/policy"
)

// What a launch costs beside the items: of one value and of many, on ranks of one process.
func BenchmarkLaunch(b *testing.B) {
	for _, ranks := range []int{1, 2, 4, 64, 1024} {
		b.Run(fmt.Sprintf("reduce/%d", ranks), func(b *testing.B) {
			b.ReportAllocs()
			if err := Local(ranks, func(c *Comm) error {
				on := On(c, exec.Serial{})
				var sum float64
				for range b.N {
					if err := exec.ParallelReduce(policy.Range(0, ranks).On(on), func(_ int, acc *float64) { *acc++ }, builtin.Sum(&sum)); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// echo is a link of two ranks, of which the other one says what this one does.
type echo struct{ link.Link }

func (echo) Size() int { return 2 }

func (echo) Allgather(send, recv []byte) error {
	copy(recv[copy(recv, send):], send)
	return nil
}

// What a launch over two ranks costs beside its messages.
func BenchmarkBesideMessages(b *testing.B) {
	if err := Local(1, func(c *Comm) error {
		c.link, c.launch.link = echo{c.link}, echo{c.launch.link}
		on, sum, x := On(c, exec.Serial{}), 0.0, []float64{1, 2}
		p, eager := policy.Range(0, 2).Chunk(1).On(on), policy.Range(0, 2).Chunk(1).On(on.Eager())
		reduce := func(p policy.RangePolicy) error {
			return exec.ParallelReduce(p, func(_ int, acc *float64) { *acc++ }, builtin.Sum(&sum))
		}
		for _, launch := range []struct {
			name string
			run  func() error
		}{
			{"fold", func() error { return exec.ParallelFold(exec.Slice(p, x), builtin.Sum(&sum)) }},
			{"distributed", func() error { return exec.ParallelFold(Distributed(p, x[:1]), builtin.Sum(&sum)) }},
			{"reduce", func() error { return reduce(p) }},
			{"eager", func() error { return reduce(eager) }},
		} {
			b.Run(launch.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := launch.run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
}

// A fold on two ranks of one worker each, beside one rank of two workers.
func BenchmarkFold(b *testing.B) {
	const n = 50_000_000
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i & 1023)
	}
	fold := func(on exec.Space, times int) error {
		var sum float64
		for range times {
			if err := exec.ParallelFold(exec.Slice(policy.Range(0, n).On(on), x), builtin.Sum(&sum)); err != nil {
				return err
			}
		}
		return nil
	}
	b.Run("2 workers", func(b *testing.B) {
		on := exec.NewGoroutines(2)
		defer on.Close()
		b.SetBytes(8 * n)
		if err := fold(on, b.N); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("2 ranks", func(b *testing.B) {
		b.SetBytes(8 * n)
		if err := Local(2, func(c *Comm) error { return fold(On(c, exec.Serial{}), b.N) }); err != nil {
			b.Fatal(err)
		}
	})
}
