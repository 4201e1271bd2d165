//go:build gokkos_slow && !386 && !arm && !mips && !mipsle

package kernels

import (
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Vector code cannot be preempted: a call is done within about 50 µs, and so the world stops within that,
// half of the time within half of it. Not the longest time is looked at, as the machine may be busy.
func TestCallsAreShort(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("one processor")
	}
	for _, level := range []kernel.Level{kernel.AVX2, kernel.AVX512} {
		t.Run(level.String(), func(t *testing.T) {
			use, undo := kernel.Limit(level)
			defer undo()
			if use < level {
				t.Skip("this processor has no " + level.String())
			}
			testCallsAreShort(t)
		})
	}
}

func testCallsAreShort(t *testing.T) {
	const n, m = 1 << 21, 1 << 10
	x, y, at, lanes := plain(n), plain(n), anywhere(rand.New(rand.NewPCG(1, 2)), n), make([]float64, 32)
	u, v := square(m), square(m)
	low, lower := views.Must(views.Of2("low", plain(n), n/8, 8)), views.Must(views.Of2("lower", plain(n), n/8, 8))
	pixels := make([]int32, 1<<10)
	points, centres, which := table(n/8, 8), table(64, 8), make([]int32, n/8)
	for name, run := range map[string]func(){
		"axpy":     func() { kernel.Of(Axpy(1e-9, x, y)).(kernel.For).Span(0, n) },
		"roots":    func() { kernel.Of(Roots(x)).(kernel.Reduce[float64]).Span(0, n, 0, lanes) },
		"weighted": func() { kernel.Of(Weighted(1e-9, at, x, y)).(kernel.For).Span(0, n) },
		"relax":    func() { kernel.Of(Relax(u, v)).(kernel.For).Span(1, m-1) },
		"gemv":     func() { kernel.Of(Gemv(u, x[:m], y)).(kernel.For).Span(0, m) },
		"nearest":  func() { kernel.Of(Nearest(points, centres, which)).(kernel.Reduce[float64]).Span(0, n/8, 0, lanes) },
		// None of these points leaves: a vector takes a part of a call, or more than one and is left to Go.
		"mandelbrot":      func() { kernel.Of(Mandelbrot(-.1, 0, 1e-9, 64, 5000, pixels)).(kernel.For).Span(0, len(pixels)) },
		"long mandelbrot": func() { kernel.Of(Mandelbrot(-.1, 0, 1e-9, 64, 50_000, pixels)).(kernel.For).Span(0, len(pixels)) },
		"planes": func() {
			kernel.Of(Relaxed(u, v)).(kernel.ForPlanes).Planes([]policy.Plane{{Run: policy.Run{At: [6]int{1, 1}, Dim: 1, Len: m - 2}, Rows: m - 2}})
		},
		"planes of short rows": func() {
			kernel.Of(Relaxed(low, lower)).(kernel.ForPlanes).Planes([]policy.Plane{{Run: policy.Run{At: [6]int{1, 1}, Dim: 1, Len: 6}, Rows: n/8 - 2}})
		},
		"leaves": func() {
			kernel.Of(Dot(x, y)).(kernel.ReduceLeaves[float64]).Leaves(0, n, 4096, 32, make([]float64, n/4096*32), nil)
		},
	} {
		assert.Less(t, stopping(run), 200*time.Microsecond, name)
	}
}

// stopping returns how long it takes to stop the world while f runs again and again, as a median.
func stopping(f func()) time.Duration {
	const pauses = "/sched/pauses/stopping/gc:seconds"
	count := func() *metrics.Float64Histogram {
		s := []metrics.Sample{{Name: pauses}}
		metrics.Read(s)
		return s[0].Value.Float64Histogram()
	}
	var done atomic.Bool
	ended := make(chan bool)
	go func() {
		for !done.Load() {
			f()
		}
		close(ended)
	}()
	before := count()
	counts := append([]uint64(nil), before.Counts...)
	for range 30 {
		runtime.GC()
	}
	done.Store(true)
	<-ended
	after, all := count(), uint64(0)
	for k := range counts {
		counts[k] = after.Counts[k] - counts[k]
		all += counts[k]
	}
	sum := uint64(0)
	for k, c := range counts {
		if sum += c; 2*sum > all {
			return time.Duration(after.Buckets[k+1] * 1e9)
		}
	}
	return 0
}
