package exec_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// BenchmarkParallelFold compares folds with the loop that one would write, and with what
// reading the values takes.
func BenchmarkParallelFold(b *testing.B) {
	two := exec.NewGoroutines(2)
	b.Cleanup(func() { _ = two.Close() })
	for _, n := range []int{1_000, 100_000, 50_000_000} {
		if testing.Short() && n > 1_000_000 {
			continue
		}
		x, y, bits := make([]float64, n), make([]float64, n), make([]int64, n)
		for i := range x {
			x[i], y[i], bits[i] = float64(i*7919%n)-float64(n/2), float64(i), int64(i)
		}
		run := func(name string, f func() error) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/item")
			})
		}
		lanes := make([]int64, simd.Lanes)
		run("Read", func() error { simd.Fold(simd.Or, lanes, bits); return nil })
		run("Sum/loop", func() error {
			sum := 0.0
			for _, v := range x {
				sum += v
			}
			foldSink = sum
			return nil
		})
		run("MinLoc/loop", func() error {
			low, at := x[0], 0
			for i, v := range x {
				if v < low {
					low, at = v, i
				}
			}
			foldSink = low + float64(at)
			return nil
		})
		run("Dot/loop", func() error {
			sum := 0.0
			for i, v := range x {
				sum += float64(v * y[i])
			}
			foldSink = sum
			return nil
		})
		var sum, squares, low, high float64
		var at builtin.ValLoc[float64, int]
		for workers, space := range []exec.Space{exec.Serial{}, two} {
			p := policy.Range(0, n).On(space)
			of := func(name string, s exec.Source[float64], r ...reducers.Folder[float64]) {
				run(fmt.Sprintf("%s/workers=%d", name, workers+1), func() error { return exec.ParallelFold(s, r[0], r[1:]...) })
			}
			of("Sum", exec.Slice(p, x), builtin.Sum(&sum))
			of("Min", exec.Slice(p, x), builtin.Min(&low))
			of("MinLoc", exec.Slice(p, x), builtin.MinLoc(&at))
			of("Sum+SumSq+Min+Max", exec.Slice(p, x), builtin.Sum(&sum), builtin.SumSq(&squares), builtin.Min(&low), builtin.Max(&high))
			of("Dot", exec.Products(p, x, y), builtin.Sum(&sum))
		}
	}
}

var foldSink float64

// BenchmarkTree compares sums over the fixed tree with free chunks, on two workers: each
// takes half of the items as one leaf of as many lanes.
func BenchmarkTree(b *testing.B) {
	two := exec.NewGoroutines(2)
	b.Cleanup(func() { _ = two.Close() })
	for _, n := range []int{1_000_000, 50_000_000} {
		if testing.Short() && n > 1_000_000 {
			continue
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i*7919%n) - float64(n/2)
		}
		var sum float64
		r, source := builtin.Sum(&sum), exec.Slice(policy.Range(0, n).On(two), x)
		lanes := [2][]float64{make([]float64, simd.Lanes), make([]float64, simd.Lanes)}
		halves := policy.Range(0, 2).On(two).Chunk(1)
		half := func(k int) { simd.Fold(simd.Sum, lanes[k], x[k*n/2:(k+1)*n/2]) }
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var tree, free time.Duration
			for b.Loop() { // in turns, as the machine is noisy
				start := time.Now()
				if err := exec.ParallelFold(source, r); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				if err := exec.ParallelFor(halves, half); err != nil {
					b.Fatal(err)
				}
				tree, free = tree+middle.Sub(start), free+time.Since(middle)
			}
			b.ReportMetric(float64(tree)/float64(free), "tree/free")
		})
	}
}
