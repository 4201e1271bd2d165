package zz

import (
	"math/rand/v2"
	"testing"

	"github.com/gokkos/gokkos/exec/kernel"
)

func BenchmarkMath(b *testing.B) {
	const n = 4000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = rand.Float64()*20 + .01
	}
	for _, c := range []struct {
		name string
		f    func(int)
	}{{"exp", Exps(x, y)}, {"log", Logs(x, y)}, {"sin", Sins(x, y)}, {"cos", Coss(x, y)}} {
		for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
			b.Run(c.name+"/"+level.String(), func(b *testing.B) {
				_, undo := kernel.Limit(level)
				defer undo()
				code := kernel.Of(c.f).(kernel.For)
				for b.Loop() {
					for i := 0; i < n; {
						i = code.Span(i, n)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/item")
			})
		}
	}
}
