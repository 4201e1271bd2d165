package exec_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// benchSpaces runs a benchmark on the spaces whose launches are to be quick.
func benchSpaces(b *testing.B, f func(b *testing.B, space exec.Space)) {
	b.Run("serial", func(b *testing.B) { f(b, exec.Serial{}) })
	b.Run("goroutines=2", func(b *testing.B) {
		space := exec.NewGoroutines(2)
		defer space.Close()
		f(b, space)
	})
	b.Run("default", func(b *testing.B) { f(b, nil) })
}

// A launch is a closure that launches once.
type launch struct {
	name string
	run  func() error
}

// launches returns what the benchmarks of a launch and the test of its allocations
// launch over and over. "kept" makes the functor, the reducer and the result place once,
// "made" all of them for each launch.
func launches(space exec.Space) []launch {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = float64(i)
	}
	one, thousand := policy.Range(0, 1).On(space), policy.Range(0, 1000).On(space)
	empty := func(int) {}
	touch := func(i int) { x[i]++ }
	add := func(i int, acc *float64) { *acc += x[i] }
	addLanes := func(s exec.Lanes[float64]) {
		for i, acc := range s.Items() {
			*acc += x[i]
		}
	}
	scan := func(i int, acc *float64, _ bool) { *acc += x[i] }
	var sum float64
	r := reducers.Reducer[float64](builtin.Sum(&sum))
	fold := reducers.Folder[float64](builtin.Sum(&sum))
	return []launch{
		{"For/n=1/kept", func() error { return exec.ParallelFor(one, empty) }},
		{"For/n=1000/kept", func() error { return exec.ParallelFor(thousand, touch) }},
		{"Reduce/n=1/kept", func() error { return exec.ParallelReduce(one, add, r) }},
		{"Reduce/n=1000/kept", func() error { return exec.ParallelReduce(thousand, add, r) }},
		{"Lanes/n=1000/kept", func() error {
			return exec.ParallelReduceLanes(policy.Spans(0, 1000).On(space), addLanes, r)
		}},
		{"Fold/n=1000/kept", func() error { return exec.ParallelFold(exec.Slice(thousand, x), fold) }},
		{"Products/n=1000/kept", func() error { return exec.ParallelFold(exec.Products(thousand, x, x), fold) }},
		{"Scan/n=1000/kept", func() error { return exec.ParallelScan(thousand, scan, r) }},
		{"For/n=1/made", func() error {
			y := x
			return exec.ParallelFor(policy.Range(0, 1).On(space), func(i int) { y[i]++ })
		}},
		{"Reduce/n=1/made", func() error {
			y, sum := x, 0.0
			return exec.ParallelReduce(policy.Range(0, 1).On(space), func(i int, acc *float64) { *acc += y[i] }, builtin.Sum(&sum))
		}},
		{"Fold/n=1000/made", func() error {
			sum := 0.0
			return exec.ParallelFold(exec.Slice(policy.Range(0, 1000).On(space), x), builtin.Sum(&sum))
		}},
	}
}

// boxLaunches are launches over 10 x 100 points.
func boxLaunches(space exec.Space) []launch {
	x := make([]float64, 1000)
	p := policy.MDRange2([2]int{}, [2]int{10, 100}).On(space)
	var sum float64
	r := reducers.Reducer[float64](builtin.Sum(&sum))
	point := func(at policy.Index2) { x[100*at.I+at.J]++ }
	row := func(r policy.Row[policy.Index2]) {
		for j := range r.All() {
			x[100*r.At.I+j]++
		}
	}
	tile := func(t policy.Tile[policy.Index2]) {
		for i := t.Lower.I; i < t.Upper.I; i++ {
			for j := t.Lower.J; j < t.Upper.J; j++ {
				x[100*i+j]++
			}
		}
	}
	add := func(at policy.Index2, acc *float64) { *acc += x[100*at.I+at.J] }
	addRow := func(r policy.Row[policy.Index2], acc *float64) { *acc += x[100*r.At.I+r.Begin] }
	addLanes := func(r exec.RowLanes[policy.Index2, float64]) {
		for j, acc := range r.Items() {
			*acc += x[100*r.At.I+j]
		}
	}
	return []launch{
		{"For/points", func() error { return exec.ParallelFor(p, point) }},
		{"For/rows", func() error { return exec.ParallelFor(p.Rows(), row) }},
		{"For/tiles", func() error { return exec.ParallelFor(p.Tiles([2]int{5, 50}), tile) }},
		{"Reduce/points", func() error { return exec.ParallelReduce(p, add, r) }},
		{"Reduce/rows", func() error { return exec.ParallelReduce(p.Rows(), addRow, r) }},
		{"Lanes/rows", func() error { return exec.ParallelReduceLanes(p.Rows(), addLanes, r) }},
	}
}

func BenchmarkLaunch(b *testing.B) {
	benchSpaces(b, func(b *testing.B, space exec.Space) {
		for _, l := range append(launches(space), boxLaunches(space)...) {
			b.Run(l.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := l.run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	})
}

// BenchmarkRest is a launch after the goroutine has slept, when its caches are cold and its
// thread may be another one, and the loop that one would write.
func BenchmarkRest(b *testing.B) {
	x := make([]float64, 1000)
	var sum float64
	rest := func(b *testing.B, run func() error) {
		var took []time.Duration
		for b.Loop() {
			time.Sleep(time.Millisecond)
			start := time.Now()
			if err := run(); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
		b.ReportMetric(float64(took[len(took)/10]), "p10-ns")
	}
	b.Run("loop", func(b *testing.B) {
		rest(b, func() error {
			sum = 0
			for _, v := range x {
				sum += v
			}
			return nil
		})
	})
	one := exec.NewGoroutines(1)
	defer one.Close()
	for _, space := range []exec.Space{exec.Serial{}, one} {
		for _, l := range launches(space) {
			b.Run(space.Name()+"/"+l.name, func(b *testing.B) { rest(b, l.run) })
		}
	}
}

// BenchmarkLatency tells how long a launch takes while two other goroutines keep the
// machine busy.
func BenchmarkLatency(b *testing.B) {
	space := exec.NewGoroutines(2)
	defer space.Close()
	var stop atomic.Bool
	defer stop.Store(true)
	for range 2 {
		go func() {
			for !stop.Load() {
			}
		}()
	}
	for _, l := range launches(space)[:4] {
		b.Run(l.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if err := l.run(); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
			b.ReportMetric(float64(took[len(took)*9/10]), "p90-ns")
			b.ReportMetric(float64(took[len(took)*99/100]), "p99-ns")
		})
	}
}
