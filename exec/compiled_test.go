package exec_test

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// What a generator writes: a kernel with its parameters and the closure, and its loop in Go, which
// stops where an index is out of range.

func axpy(a float64, x, y []float64) func(i int) {
	return func(i int) { y[i] += float64(a * x[i]) }
}

func Axpy(a float64, x, y []float64) func(i int) {
	return (&axpyKernel{a: a, x: x, y: y, f: axpy(a, x, y)}).at
}

type axpyKernel struct {
	a    float64
	x, y []float64
	f    func(i int)
}

func (k *axpyKernel) at(i int) { k.f(i) }

type axpyGo axpyKernel

func (k *axpyGo) Span(begin, end int) (next int) {
	spans.Add(1)
	a, x, y := k.a, k.x, k.y
	if begin < 0 {
		return begin
	}
	end = min(end, max(begin, min(len(x), len(y))))
	for i := begin; i < end; i++ {
		y[i] += float64(a * x[i])
	}
	return end
}

func (k *axpyGo) Lanes() int { return 8 }

// spans counts the calls of loops.
var spans atomic.Int64

func dot(x, y []float64) func(i int, acc *float64) {
	return func(i int, acc *float64) { *acc += float64(x[i] * y[i]) }
}

func Dot(x, y []float64) func(i int, acc *float64) {
	return (&dotKernel{x: x, y: y, f: dot(x, y)}).at
}

type dotKernel struct {
	x, y []float64
	f    func(i int, acc *float64)
}

func (k *dotKernel) at(i int, acc *float64) { k.f(i, acc) }

type dotGo dotKernel

func (k *dotGo) Span(begin, end, item int, a []float64) (next int) {
	spans.Add(1)
	if begin < 0 {
		return begin
	}
	end = min(end, max(begin, min(len(k.x), len(k.y))))
	for i := begin; i < end; i++ {
		a[(item+i-begin)&(len(a)-1)] += float64(k.x[i] * k.y[i])
	}
	return end
}

// An each is a functor of one accumulator or more, with a loop that leaves some items to it.
type each struct {
	x      []float64
	leaves func(i int) bool
	next   int // of a loop that returns what it should not, if it leaves all items
}

func (k *each) at2(i int, a *float64, b *int)             { *a += k.x[i]; *b ^= i }
func (k *each) at3(i int, a *float64, b *int, c *float64) { k.at2(i, a, b); *c = max(*c, k.x[i]) }
func (k *each) at4(i int, a *float64, b *int, c *float64, d *float32) {
	k.at3(i, a, b, c)
	*d += float32(k.x[i])
}

type (
	each0 each
	each1 each
	each2 each
	each3 each
	each4 each
)

func (k *each0) at(i int)               { k.x[i]++ }
func (k *each1) at(i int, acc *float64) { *acc += k.x[i] }

// lane returns the accumulator of item i of a span.
func lane[A any](begin, item, i int, a []A) *A { return &a[(item+i-begin)&(len(a)-1)] }

func (k *each) run(begin, end int, f func(i int)) (next int) {
	spans.Add(1)
	for i := begin; i < end; i++ {
		if k.leaves(i) {
			return i
		}
		f(i)
	}
	return end + k.next
}

func (k *each0) Span(begin, end int) (next int) { return (*each)(k).run(begin, end, k.at) }
func (k *each1) Span(begin, end, item int, a []float64) (next int) {
	return (*each)(k).run(begin, end, func(i int) { k.at(i, lane(begin, item, i, a)) })
}
func (k *each2) Span(begin, end, item int, a []float64, b []int) (next int) {
	return (*each)(k).run(begin, end, func(i int) { (*each)(k).at2(i, lane(begin, item, i, a), lane(begin, item, i, b)) })
}
func (k *each3) Span(begin, end, item int, a []float64, b []int, c []float64) (next int) {
	return (*each)(k).run(begin, end, func(i int) {
		(*each)(k).at3(i, lane(begin, item, i, a), lane(begin, item, i, b), lane(begin, item, i, c))
	})
}
func (k *each4) Span(begin, end, item int, a []float64, b []int, c []float64, d []float32) (next int) {
	return (*each)(k).run(begin, end, func(i int) {
		(*each)(k).at4(i, lane(begin, item, i, a), lane(begin, item, i, b), lane(begin, item, i, c), lane(begin, item, i, d))
	})
}

func init() {
	from := kernel.Source{Name: "exec_test.axpy", File: "compiled_test.go", Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *axpyKernel) func(int) { return k.at }, func(k *axpyKernel) kernel.For { return (*axpyGo)(k) })
	kernel.Attach(kernel.Go, from, func(k *dotKernel) func(int, *float64) { return k.at }, func(k *dotKernel) kernel.Reduce[float64] { return (*dotGo)(k) })
	kernel.Attach(kernel.Go, from, func(k *each0) func(int) { return k.at }, func(k *each0) kernel.For { return k })
	kernel.Attach(kernel.Go, from, func(k *each1) func(int, *float64) { return k.at }, func(k *each1) kernel.Reduce[float64] { return k })
	kernel.Attach(kernel.Go, from, func(k *each) func(int, *float64, *int) { return k.at2 }, func(k *each) kernel.Reduce2[float64, int] { return (*each2)(k) })
	kernel.Attach(kernel.Go, from, func(k *each) func(int, *float64, *int, *float64) { return k.at3 }, func(k *each) kernel.Reduce3[float64, int, float64] { return (*each3)(k) })
	kernel.Attach(kernel.Go, from, func(k *each) func(int, *float64, *int, *float64, *float32) { return k.at4 }, func(k *each) kernel.Reduce4[float64, int, float64, float32] { return (*each4)(k) })
}

func never(int) bool  { return false }
func always(int) bool { return true }

// compiledSpaces are all kinds of spaces, with fewer and with more workers than items.
func compiledSpaces(t *testing.T) []exec.Space {
	list := []exec.Space{exec.Serial{}}
	if !checks() { // it runs the functor then
		list = append(list, exec.NewSimGPU(gpu.H200()))
	}
	for _, workers := range []int{1, 2, 3, 61} {
		s := exec.NewGoroutines(workers)
		t.Cleanup(func() { assert.NoError(t, s.Close()) })
		list = append(list, s)
	}
	return list
}

// compiles reports whether loops run in this build.
func compiles() bool { return kernel.Of(Axpy(1, nil, nil)) != nil }

// called returns how many loops f calls.
func called(f func()) int64 {
	before := spans.Load()
	f()
	return spans.Load() - before
}

// Loops give the bits of the functor, whatever they leave to it, on every space.
func TestCompiledBits(t *testing.T) {
	spaces := compiledSpaces(t)
	for _, n := range []int{0, 1, 2, 7, 31, 32, 33, 100, 255, 1000, 4097, 20011} {
		x, y := make([]float64, n+9), make([]float64, n+9)
		for i := range x {
			x[i], y[i] = 1/float64(i+1), math.Sqrt(float64(i))
		}
		for _, first := range []int{0, 9} {
			p := policy.Range(first, first+n)
			want, wantDot := append([]float64(nil), y...), 0.0
			require.NoError(t, exec.ParallelFor(p.On(exec.Serial{}), axpy(3, x, want)))
			require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), dot(x, y), builtin.Sum(&wantDot)))
			for _, s := range spaces {
				p := p.On(s)
				got, gotDot := append([]float64(nil), y...), 0.0
				loops := called(func() { require.NoError(t, exec.ParallelFor(p, Axpy(3, x, got))) })
				assert.Equal(t, want, got, "%d items on %s", n, s.Name())
				assert.Equal(t, n > 0 && compiles(), loops > 0, "%d items on %s", n, s.Name())
				require.NoError(t, exec.ParallelReduce(p, Dot(x, y), builtin.Sum(&gotDot)))
				assert.Equal(t, math.Float64bits(wantDot), math.Float64bits(gotDot), "%d items on %s", n, s.Name())
				ordered := reducers.Ordered(builtin.Sum(&gotDot))
				require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), dot(x, y), ordered))
				wantOrdered := gotDot
				require.NoError(t, exec.ParallelReduce(p, Dot(x, y), ordered))
				assert.Equal(t, math.Float64bits(wantOrdered), math.Float64bits(gotDot), "%d items on %s", n, s.Name())
			}
		}
	}
}

type four struct {
	a float64
	b int
	c float64
	d float32
}

// Several accumulators have the lanes that they have without a loop, where one is ordered too.
func TestCompiledReductions(t *testing.T) {
	x := make([]float64, 5000)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	for _, s := range compiledSpaces(t) {
		for what, leaves := range map[string]func(int) bool{"none": never, "all": always, "some": func(i int) bool { return i%97 == 41 }, "rows": func(i int) bool { return i&64 != 0 }} {
			for _, n := range []int{0, 1, 33, 1000, 5000} {
				k := &each{x: x, leaves: leaves}
				p := policy.Range(0, n).On(s)
				var sum [2]float64
				var got, want [3]four
				run := func(on policy.RangePolicy, r *[3]four, f2 func(int, *float64, *int), f3 func(int, *float64, *int, *float64), f4 func(int, *float64, *int, *float64, *float32)) {
					require.NoError(t, exec.ParallelReduce2(on, f2, reducers.Ordered(builtin.Sum(&r[0].a)), reducers.New(&r[0].b, xor)))
					require.NoError(t, exec.ParallelReduce3(on, f3, builtin.Sum(&r[1].a), reducers.New(&r[1].b, xor), builtin.Max(&r[1].c)))
					require.NoError(t, exec.ParallelReduce4(on, f4, builtin.Sum(&r[2].a), reducers.New(&r[2].b, xor), builtin.Max(&r[2].c), builtin.Sum(&r[2].d)))
				}
				run(p.On(exec.Serial{}), &want, func(i int, a *float64, b *int) { k.at2(i, a, b) }, func(i int, a *float64, b *int, c *float64) { k.at3(i, a, b, c) }, func(i int, a *float64, b *int, c *float64, d *float32) { k.at4(i, a, b, c, d) })
				loops := called(func() { run(p, &got, k.at2, k.at3, k.at4) })
				assert.Equal(t, want, got, "%d items on %s, %s left", n, s.Name(), what)
				assert.Equal(t, n > 0 && compiles(), loops > 0)
				one := &each1{x: x, leaves: leaves}
				require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), func(i int, acc *float64) { one.at(i, acc) }, builtin.Sum(&sum[0])))
				require.NoError(t, exec.ParallelReduce(p, one.at, builtin.Sum(&sum[1])))
				assert.Equal(t, math.Float64bits(sum[0]), math.Float64bits(sum[1]), "%d items on %s, %s left", n, s.Name(), what)
			}
		}
	}
}

func xor(dst, src *int) { *dst ^= *src }

// A loop that stops at each item costs a call for 32 items.
func TestCompiledStops(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	const n = 1 << 16
	x := make([]float64, n)
	loops := called(func() {
		require.NoError(t, exec.ParallelFor(policy.Range(0, n).On(exec.Serial{}), (&each0{x: x, leaves: always}).at))
	})
	assert.LessOrEqual(t, loops, int64(n/32))
	for i := range x {
		assert.Equal(t, 1.0, x[i])
	}
	loops = called(func() { // once before each of these items, and once behind the last one
		require.NoError(t, exec.ParallelFor(policy.Range(0, n).Chunk(4096).On(exec.Serial{}), (&each0{x: x, leaves: func(i int) bool { return i%4096 == 1000 }}).at))
	})
	assert.Equal(t, int64(n/4096+1), loops)
}

// Leaves that are run in one call are told apart where the functor runs.
func TestCompiledLeaves(t *testing.T) {
	for _, at := range []int{0, 31, 32, 33, 499, 999} {
		p := func() (p *exec.Panic) {
			defer func() { p = recover().(*exec.Panic) }()
			x := make([]float64, at) // too short for item at
			_ = exec.ParallelFor(policy.Range(0, 1000).On(exec.Serial{}), (&each0{x: x, leaves: func(i int) bool { return i%7 == 3 || i == at }}).at)
			return nil
		}()
		assert.Equal(t, []int{at &^ 31, min(at&^31+32, 1000)}, []int{p.Begin, p.End}, "item %d", at)
	}
}

// A panic of a compiled functor has the value and the items of the functor's, and leaves the memory
// that this leaves.
func TestCompiledPanics(t *testing.T) {
	const n = 5000
	x := make([]float64, n)
	panicOf := func(s exec.Space, f func(int)) (p *exec.Panic) {
		defer func() { p = recover().(*exec.Panic) }()
		_ = exec.ParallelFor(policy.Range(0, n).WithLabel("axpy").On(s), f)
		return nil
	}
	for i := range x {
		x[i] = float64(i)
	}
	for _, short := range []int{0, 1, 31, 700, 4999} {
		y, want := make([]float64, short), make([]float64, short)
		on := panicOf(exec.Serial{}, axpy(3, x, want))
		for _, s := range compiledSpaces(t) {
			clear(y)
			p := panicOf(s, Axpy(3, x, y))
			assert.Equal(t, fmt.Sprint(on.Value), fmt.Sprint(p.Value), s.Name())
			assert.Equal(t, []any{on.Begin, on.End, on.Label}, []any{p.Begin, p.End, p.Label}, s.Name())
			assert.Equal(t, want, y, s.Name())
		}
	}
}

// What a loop returns is looked at: the launch ends with an error, and its result is not stored.
func TestCompiledLoopsThatLie(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	x := make([]float64, 100)
	s := exec.NewGoroutines(2)
	defer s.Close()
	for next, says := range map[int]string{
		1:    "exec: the loop of the functor github.com/gokkos/gokkos/exec_test.(*each0).at ran the integers 10 to 109 and returned 111, expected 10 to 110",
		-101: "returned 9, expected 10 to 110",
	} {
		for _, on := range []exec.Space{exec.Serial{}, s} {
			err := exec.ParallelFor(policy.Range(10, 110).Chunk(128).On(on), (&each0{x: make([]float64, 200), leaves: never, next: next}).at)
			assert.ErrorContains(t, err, says)
			sum := 7.0
			err = exec.ParallelReduce(policy.Range(0, 100).On(on), (&each1{x: x, leaves: never, next: next}).at, builtin.Sum(&sum))
			assert.ErrorContains(t, err, "exec: the loop of the functor github.com/gokkos/gokkos/exec_test.(*each1).at ran the integers")
			assert.Equal(t, 7.0, sum)
		}
	}
}

// A cancelled launch stops between the pieces that a loop is given.
func TestCompiledCancel(t *testing.T) {
	for _, s := range compiledSpaces(t) {
		ctx, cancel := context.WithCancel(t.Context())
		sum := 7.0
		var ran atomic.Int64
		k := &each1{x: make([]float64, 1<<20), leaves: func(i int) bool {
			ran.Add(1)
			cancel()
			return false
		}}
		err := exec.ParallelReduce(policy.Range(0, 1<<20).WithContext(ctx).On(s), k.at, builtin.Sum(&sum))
		if !compiles() {
			require.NoError(t, err)
			cancel()
			continue
		}
		assert.ErrorIs(t, err, context.Canceled, s.Name())
		assert.Equal(t, 7.0, sum)
		assert.Less(t, ran.Load(), int64(1<<19), s.Name())
	}
}

// The functor runs where loops may not: on a space that checks, and under a level without loops.
func TestWatchedFunctorsAreNotCompiled(t *testing.T) {
	x, y := []float64{1, 2, 3}, make([]float64, 3)
	checked := exec.NewSimGPU(gpu.H200()).WithChecks()
	ran := called(func() { require.NoError(t, exec.ParallelFor(policy.Range(0, 3).On(checked), Axpy(2, x, y))) })
	if watch.Possible {
		assert.Zero(t, ran)
	}
	level, undo := kernel.Limit(kernel.Closure)
	defer undo()
	assert.Equal(t, kernel.Closure, level)
	assert.Zero(t, called(func() { require.NoError(t, exec.ParallelFor(policy.Range(0, 3).On(exec.Serial{}), Axpy(2, x, y))) }))
	assert.Equal(t, []float64{4, 8, 12}, y)
}

func TestCompiledLaunchesAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops what it is given at random")
	}
	for _, space := range quickSpaces(t) {
		for _, l := range compiledLaunches(space) {
			launch := func() { require.NoError(t, l.run()) }
			launch()
			least := testing.AllocsPerRun(50, launch)
			for range 10 {
				least = min(least, testing.AllocsPerRun(50, launch))
			}
			assert.Zero(t, least, "%s on %s of %d", l.name, space.Name(), space.Concurrency())
		}
	}
}

// compiledLaunches are launches of functors with loops, made beforehand.
func compiledLaunches(space exec.Space) []launch {
	x, y := make([]float64, 1000), make([]float64, 1000)
	p := policy.Range(0, 1000).On(space)
	f, g, h, l := Axpy(2, x, y), Dot(x, y), (&each{x: x, leaves: never}).at2, newHashed(never).at
	var sum float64
	var n int
	var bits uint64
	r, rn, rl := reducers.Reducer[float64](builtin.Sum(&sum)), reducers.Reducer[int](builtin.Count(&n)), reducers.Reducer[uint64](builtin.Sum(&bits))
	return []launch{
		{"For/n=1000/compiled", func() error { return exec.ParallelFor(p, f) }},
		{"Reduce/n=1000/compiled", func() error { return exec.ParallelReduce(p, g, r) }},
		{"Reduce2/n=1000/compiled", func() error { return exec.ParallelReduce2(p, h, r, rn) }},
		{"Leaves/n=1000/compiled", func() error { return exec.ParallelReduce(p, l, rl) }},
	}
}

func BenchmarkCompiledLaunch(b *testing.B) {
	benchSpaces(b, func(b *testing.B, space exec.Space) {
		for _, l := range compiledLaunches(space) {
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
