package scatter_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
	"github.com/gokkos/gokkos/views/scatter"
)

// Sums of n random numbers into m random cells: by a plain loop, and by two workers with
// atomics and with scatters.
func BenchmarkSum(b *testing.B) {
	s := exec.NewGoroutines(2)
	defer s.Close()
	for _, c := range []struct{ n, m int }{{1e6, 1e3}, {1e7, 1e3}, {1e6, 1e6}, {1e7, 1e6}} {
		r := rand.New(rand.NewPCG(1, 2))
		cell, x := make([]int32, c.n), make([]float64, c.n)
		for k := range cell {
			cell[k], x[k] = r.Int32N(int32(c.m)), r.Float64()
		}
		y := make([]float64, c.m)
		v := views.Must(views.Of1("y", y, c.m))
		for _, f := range []struct {
			name string
			run  func() error
		}{
			{"loop", func() error {
				for k, i := range cell {
					y[i] += x[k]
				}
				return nil
			}},
			{"atomics", func() error {
				return exec.ParallelFor(policy.Range(0, c.n).On(s), func(k int) {
					atomics.Add(&y[cell[k]], x[k])
				})
			}},
			{"scatter", func() error {
				return exec.ParallelReduce(policy.Range(0, c.n).On(s), func(k int, acc *scatter.Access[float64]) {
					acc.Combine1(int(cell[k]), x[k])
				}, scatter.Sum(v, policy.On(s)))
			}},
			{"scatter/Spans", func() error {
				return exec.ParallelReduce(policy.Spans(0, c.n).On(s), func(p policy.Span, acc *scatter.Access[float64]) {
					for k := range p.All() {
						acc.Combine1(int(cell[k]), x[k])
					}
				}, scatter.Sum(v, policy.On(s)))
			}},
		} {
			b.Run(fmt.Sprintf("n=%.0e/m=%.0e/%s", float64(c.n), float64(c.m), f.name), func(b *testing.B) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for b.Loop() {
					if err := f.run(); err != nil {
						b.Fatal(err)
					}
				}
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.n), "ns/contribution")
				b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/float64(c.n), "B/contribution")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
