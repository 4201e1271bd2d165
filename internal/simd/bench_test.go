package simd_test

import (
	"fmt"
	"testing"

	"github.com/gokkos/gokkos/internal/simd"
)

// BenchmarkFold compares kernels with the loop that one would write, over values in
// the first cache, the second, and in memory.
func BenchmarkFold(b *testing.B) {
	lanes := make([]float64, simd.Lanes)
	kernels := []struct {
		name string
		op   simd.Op
		loop func(x []float64) float64
	}{
		{"Sum", simd.Sum, func(x []float64) float64 {
			sum := 0.0
			for _, v := range x {
				sum += v
			}
			return sum
		}},
		{"SumSq", simd.SumSq, func(x []float64) float64 {
			sum := 0.0
			for _, v := range x {
				sum += float64(v * v)
			}
			return sum
		}},
		{"Norm1", simd.Norm1, nil},
		{"Min", simd.Min, func(x []float64) float64 {
			low := x[0]
			for _, v := range x {
				low = min(low, v)
			}
			return low
		}},
		{"Max", simd.Max, nil},
		{"AMax", simd.AMax, nil},
	}
	for _, n := range []int{1_000, 100_000, 50_000_000} {
		if testing.Short() && n > 1_000_000 {
			continue
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i*7919%n) - float64(n/2)
		}
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/item")
			})
		}
		for _, k := range kernels {
			for _, l := range []simd.Level{simd.AVX2, simd.AVX512} {
				use, undo := simd.Limit(l)
				if use == l {
					run(k.name+"/"+l.String(), func() {
						for x := x; len(x) > 0; x = x[min(1024, len(x)):] { // as folds do
							simd.Fold(k.op, lanes, x[:min(1024, len(x))])
						}
					})
				}
				undo()
			}
			if k.loop != nil {
				run(k.name+"/loop", func() { sink = k.loop(x) })
			}
		}
	}
}

var sink float64
