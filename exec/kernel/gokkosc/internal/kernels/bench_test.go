package kernels

import (
	"testing"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// BenchmarkLevels runs kernels under each level, in the cache.
func BenchmarkLevels(b *testing.B) {
	const n = 4096
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i+1), float64(n-i)
	}
	h := make([]uint64, n)
	u, v := views.Must(views.New2[float64]("u", 64, 64)), views.Must(views.New2[float64]("v", 64, 64))
	points, centres := views.Must(views.New2[float32]("p", n, 4)), views.Must(views.New2[float32]("c", 8, 4))
	which := make([]int32, n)
	var sum float64
	p := policy.Range(0, n).On(exec.Serial{})
	add, least := builtin.Sum(&sum), builtin.Min(&sum)
	for _, k := range []struct {
		name  string
		items int
		run   func() error
	}{
		{"axpy", n, func() error { return exec.ParallelFor(p, Axpy(2, x, y)) }},
		{"triad", n, func() error { return exec.ParallelFor(p, Triad(2, x, y, z)) }},
		{"dot", n, func() error { return exec.ParallelReduce(p, Dot(x, y), add) }},
		{"smallest", n, func() error { return exec.ParallelReduce(p, Smallest(x), least) }},
		{"roots", n, func() error { return exec.ParallelReduce(p, Roots(x), add) }},
		{"relax", 62 * 62, func() error { return exec.ParallelFor(policy.Range(1, 63).On(exec.Serial{}), Relax(u, v)) }},
		{"gemv", 64 * 64, func() error { return exec.ParallelFor(policy.Range(0, 64).On(exec.Serial{}), Gemv(u, x, y)) }},
		{"hash", n, func() error { return exec.ParallelFor(p, Hash(1, h)) }},
		{"nearest", n * 32, func() error { return exec.ParallelReduce(p, Nearest(points, centres, which), add) }},
	} {
		for _, level := range []kernel.Level{kernel.Closure, kernel.Go, kernel.AVX2} {
			b.Run(k.name+"/"+level.String(), func(b *testing.B) {
				_, undo := kernel.Limit(level)
				defer undo()
				for b.Loop() {
					if err := k.run(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(k.items), "ns/item")
			})
		}
	}
}
