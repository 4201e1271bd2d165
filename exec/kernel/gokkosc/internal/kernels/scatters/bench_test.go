package scatters

import (
	"fmt"
	"testing"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/scatter"
)

const contributions = 4_000_000

// perContribution runs a benchmark that takes some nanoseconds a contribution.
func perContribution(b *testing.B, name string, run func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			run()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/contributions, "ns/contribution")
		b.ReportMetric(0, "ns/op")
	})
}

// The loops are those of a program without this library.
func BenchmarkContributions(b *testing.B) {
	for _, cells := range []int{1_000, 64_000} {
		cell, x := make([]int32, contributions), make([]float64, contributions+1)
		by := make([]int64, contributions)
		for k := range cell {
			cell[k], x[k], by[k] = int32(uint32(k)*2654435761>>8%uint32(cells)), 1/float64(k+1), int64(k)
		}
		counts, y := make([]int64, cells), make([]float64, cells)
		name := fmt.Sprintf("cells=%d/", cells)
		perContribution(b, name+"int64/closure", into(counts, histogram(cell, by)))
		perContribution(b, name+"int64/compiled", into(counts, Histogram(cell, by)))
		perContribution(b, name+"int64/loop", func() {
			for k, i := range cell {
				counts[i] += by[k]
			}
		})
		perContribution(b, name+"float64/closure", into(y, sums(cell, x)))
		perContribution(b, name+"float64/compiled", into(y, Sums(cell, x)))
		perContribution(b, name+"float64/loop", func() {
			for k, i := range cell {
				y[i] += float64(x[k] * x[k+1])
			}
		})
	}
}

// into returns a launch on one core.
func into[T builtin.Number](y []T, f func(k int, acc *scatter.Access[T])) func() {
	v, on := views.Must(views.Of1("y", y)), policy.On(exec.Serial{})
	return func() {
		exec.Must(exec.ParallelReduce(policy.Range(0, contributions).On(exec.Serial{}), f, scatter.Sum(v, on)))
	}
}
