package scans

import (
	"testing"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

const items = 1 << 16

// perItem runs a benchmark that takes some nanoseconds an item.
func perItem(b *testing.B, name string, run func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			run()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/items, "ns/item")
	})
}

// scan returns a launch on one core.
func scan[A any](f func(i int, acc *A, final bool), r reducers.Reducer[A]) func() {
	return func() { exec.Must(exec.ParallelScan(policy.Range(0, items).On(exec.Serial{}), f, r)) }
}

// The loop is that of a program without this library.
func BenchmarkPrefixes(b *testing.B) {
	x, y, z, total := numbers(items), make([]float64, items), make([]float64, items), 0.0
	perItem(b, "closure", scan(prefixes(x, y, z), builtin.Sum(&total)))
	perItem(b, "compiled", scan(Prefixes(x, y, z), builtin.Sum(&total)))
	perItem(b, "loop", func() {
		sum := 0.0
		for i := range z {
			y[i] = sum
			sum += x[i]
			z[i] = sum
		}
		total = sum
	})
}

func BenchmarkCompacted(b *testing.B) {
	x, to, total := numbers(items), make([]int32, items), 0
	perItem(b, "closure", scan(compacted(.25, x, to), builtin.Sum(&total)))
	perItem(b, "compiled", scan(Compacted(.25, x, to), builtin.Sum(&total)))
	perItem(b, "loop", func() {
		n := 0
		for i, v := range x[:items] {
			if v > .25 {
				to[n] = int32(i)
				n++
			}
		}
		total = n
	})
}
