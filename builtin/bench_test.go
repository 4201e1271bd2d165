package builtin_test

import (
	"testing"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// BenchmarkFold compares folds with the loop that one would write.
func BenchmarkFold(b *testing.B) {
	const n = 100_000
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i*7919%n) - n/2
	}
	p := policy.Range(0, n).On(exec.Serial{})
	var s float64
	var at builtin.ValLoc[float64, int]
	folds := []struct {
		name string
		r    reducers.Folder[float64]
	}{
		{"Sum", builtin.Sum(&s)},
		{"Prod", builtin.Prod(&s)},
		{"Min", builtin.Min(&s)},
		{"Max", builtin.Max(&s)},
		{"SumSq", builtin.SumSq(&s)},
		{"Norm1", builtin.Norm1(&s)},
		{"AMax", builtin.AMax(&s)},
		{"MinLoc", builtin.MinLoc(&at)},
	}
	perItem := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/item")
	}
	for _, f := range folds {
		b.Run(f.name+"/fold", func(b *testing.B) {
			for b.Loop() {
				if err := exec.ParallelFold(exec.Slice(p, x), f.r); err != nil {
					b.Fatal(err)
				}
			}
			perItem(b)
		})
	}
	loops := []struct {
		name string
		loop func() float64
	}{
		{"Sum", func() float64 {
			sum := 0.0
			for _, v := range x {
				sum += v
			}
			return sum
		}},
		{"Min", func() float64 {
			low := x[0]
			for _, v := range x {
				low = min(low, v)
			}
			return low
		}},
		{"SumSq", func() float64 {
			sum := 0.0
			for _, v := range x {
				sum += float64(v * v)
			}
			return sum
		}},
		{"MinLoc", func() float64 {
			low, loc := x[0], 0
			for i, v := range x {
				if v < low {
					low, loc = v, i
				}
			}
			return low + float64(loc)
		}},
	}
	for _, l := range loops {
		b.Run(l.name+"/loop", func(b *testing.B) {
			for b.Loop() {
				s = l.loop()
			}
			perItem(b)
		})
	}
}
