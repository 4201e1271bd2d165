package exec_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// How launches of some ten microseconds gain from helpers.
func BenchmarkShort(b *testing.B) {
	for _, n := range []int{20_000, 100_000, 300_000, 1_000_000} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(i), 1/float64(i+1)
		}
		for _, workers := range []int{1, 2, 4, 8, 16} {
			s := exec.NewGoroutines(workers)
			run := func(name string, f func()) {
				b.Run(fmt.Sprintf("%s/%d/%d", name, n, workers), func(b *testing.B) {
					var took []time.Duration
					for b.Loop() {
						start := time.Now()
						f()
						took = append(took, time.Since(start))
					}
					slices.Sort(took)
					b.ReportMetric(float64(took[len(took)/2])/1000, "us")
					b.ReportMetric(float64(took[len(took)*9/10])/1000, "p90")
				})
			}
			run("axpy", func() {
				exec.Must(exec.ParallelFor(policy.Spans(0, n).On(s), func(s policy.Span) {
					x, y := x[s.Begin:s.End], y[s.Begin:s.End]
					for i := range x {
						y[i] += float64(2 * x[i])
					}
				}))
			})
			var sum float64
			run("sum", func() { exec.Must(exec.ParallelFold(exec.Slice(policy.Range(0, n).On(s), x), builtin.Sum(&sum))) })
			run("dot", func() { exec.Must(exec.ParallelFold(exec.Products(policy.Range(0, n).On(s), x, y), builtin.Sum(&sum))) })
			s.Close()
		}
	}
}
