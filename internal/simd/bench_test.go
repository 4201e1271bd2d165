package simd_test

import (
	"fmt"
	"testing"

	"github.com/gokkos/gokkos/internal/simd"
)

// BenchmarkFold compares kernels with the loop that one would write, and with reading
// alone, over values in the first cache, the second, and in memory. The four folds read
// memory once.
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
		whole := make([]int64, n)
		for i := range whole {
			whole[i] = int64(i)
		}
		bits := make([]int64, simd.Lanes)
		run("Read", func() { simd.Fold(simd.Or, bits, whole) })
		run("MinIndex", func() {
			low, _ := simd.Reduce(simd.Min, x)
			sink = float64(simd.Index(x, low))
		})
		squares, low, high := make([]float64, simd.Lanes), make([]float64, simd.Lanes), make([]float64, simd.Lanes)
		run("Sum+SumSq+Min+Max", func() {
			for x := x; len(x) > 0; x = x[min(1024, len(x)):] {
				piece := x[:min(1024, len(x))]
				simd.Fold(simd.Sum, lanes, piece)
				simd.Fold(simd.SumSq, squares, piece)
				simd.Fold(simd.Min, low, piece)
				simd.Fold(simd.Max, high, piece)
			}
		})
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

// BenchmarkJoin compares the kernel with the loop in Go.
func BenchmarkJoin(b *testing.B) {
	lanes := make([]float64, simd.Lanes)
	b.Run("kernel", func(b *testing.B) {
		for b.Loop() {
			simd.Join(simd.Sum, lanes)
		}
	})
	b.Run("loop", func(b *testing.B) {
		for b.Loop() {
			for h := simd.Lanes / 2; h > 0; h /= 2 {
				for l, x := range lanes[h : 2*h] {
					lanes[l] += x
				}
			}
		}
	})
}

var sink float64

// BenchmarkLeaves reduces leaves that are in the L1 cache, and in the L2 cache.
func BenchmarkLeaves(b *testing.B) {
	x, y, dst := make([]float64, 1<<16), make([]float32, 1<<16), make([]float64, 64)
	for i := range x { // which puts them into memory
		x[i], y[i] = float64(i), float32(i)
	}
	for _, n := range []int{4, 64} {
		for _, op := range []simd.Op{simd.Sum, simd.SumSq, simd.Norm1} {
			b.Run(fmt.Sprintf("op=%d/n=%d", op, n<<10), func(b *testing.B) {
				for b.Loop() {
					simd.Leaves(op, dst[:n], x, 1<<10, simd.Lanes)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n<<10), "ns/item")
			})
		}
	}
	b.Run("float32", func(b *testing.B) {
		dst := make([]float32, 64)
		for b.Loop() {
			simd.Leaves(simd.Sum, dst[:8], y, 1<<10, simd.Lanes)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(8<<10), "ns/item")
	})
	for _, n := range []int{4, 64} {
		b.Run(fmt.Sprintf("min/n=%d", n<<10), func(b *testing.B) {
			for b.Loop() {
				sink, _ = simd.Reduce(simd.Min, x[:n<<10])
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n<<10), "ns/item")
		})
	}
}
