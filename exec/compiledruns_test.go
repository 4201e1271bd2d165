package exec_test

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// A boxes functor takes points, or rows of these, and has a loop that leaves some points to it.
type boxes[I any] struct {
	x      []float64
	number func(at [6]int) int // of a point in x
	leaves func(n int) bool
	rows   atomic.Int64 // that the functor has got
	next   [2]int
}

func (k *boxes[I]) of(at I) int { return k.number(coordinates(at)) }

// coordinates returns those of a point.
func coordinates(at any) (c [6]int) {
	switch at := at.(type) {
	case policy.Index2:
		c[0], c[1] = at.I, at.J
	case policy.Index3:
		c[0], c[1], c[2] = at.I, at.J, at.K
	}
	return c
}

// value is what a point contributes, and where it is in the order of its lane.
func (k *boxes[I]) value(n int) float64 { return k.x[n] }

func (k *boxes[I]) at(at I)                      { k.x[k.of(at)]++ }
func (k *boxes[I]) at1(at I, a *float64)         { *a += k.value(k.of(at)) }
func (k *boxes[I]) at2(at I, a *float64, b *int) { k.at1(at, a); *b ^= k.of(at) }
func (k *boxes[I]) at3(at I, a *float64, b *int, c *float64) {
	k.at2(at, a, b)
	*c = max(*c, k.value(k.of(at)))
}
func (k *boxes[I]) at4(at I, a *float64, b *int, c *float64, d *float32) {
	k.at3(at, a, b, c)
	*d += float32(k.value(k.of(at)))
}

type (
	boxes0[I any] boxes[I]
	boxes1[I any] boxes[I]
	boxes2[I any] boxes[I]
	boxes3[I any] boxes[I]
	boxes4[I any] boxes[I]
)

// walk runs runs item by item up to the first that the loop leaves, or to each third leaf. f gets the number of the leaf, 0 for
// that of the first item.
func (k *boxes[I]) walk(runs []policy.Run, item, leaf int, f func(n, item, leaf int)) (done, items int) {
	spans.Add(1)
	first := item
	for done := range runs {
		r := &runs[done]
		if r.Len < 1 {
			panic("an empty run")
		}
		for n := range r.Len {
			at := r.At
			at[r.Dim] += n
			number := k.number(at)
			if item > first && item%(3*leaf) == 0 {
				return done, n
			}
			if k.leaves(number) {
				return done + k.next[0], n + k.next[1]
			}
			f(number, item, item/leaf-first/leaf)
			item++
		}
	}
	return len(runs), 0
}

// laneIn returns the accumulator of an item in a leaf behind that with the lanes a.
func laneIn[A any](a []A, item, leaf int) *A {
	for range leaf {
		a = kernel.NextLeaf(a)
	}
	return lane(0, item, 0, a)
}

func (k *boxes0[I]) Runs(runs []policy.Run) (done, items int) {
	return (*boxes[I])(k).walk(runs, 0, math.MaxInt32, func(n, _, _ int) { k.x[n]++ })
}
func (k *boxes1[I]) Runs(runs []policy.Run, item, leaf int, a []float64) (done, items int) {
	return (*boxes[I])(k).walk(runs, item, leaf, func(n, item, leaf int) { *laneIn(a, item, leaf) += k.x[n] })
}
func (k *boxes2[I]) Runs(runs []policy.Run, item, leaf int, a []float64, b []int) (done, items int) {
	return (*boxes[I])(k).walk(runs, item, leaf, func(n, item, leaf int) { *laneIn(a, item, leaf) += k.x[n]; *laneIn(b, item, leaf) ^= n })
}
func (k *boxes3[I]) Runs(runs []policy.Run, item, leaf int, a []float64, b []int, c []float64) (done, items int) {
	return (*boxes[I])(k).walk(runs, item, leaf, func(n, item, leaf int) {
		*laneIn(a, item, leaf) += k.x[n]
		*laneIn(b, item, leaf) ^= n
		*laneIn(c, item, leaf) = max(*laneIn(c, item, leaf), k.x[n])
	})
}
func (k *boxes4[I]) Runs(runs []policy.Run, item, leaf int, a []float64, b []int, c []float64, d []float32) (done, items int) {
	return (*boxes[I])(k).walk(runs, item, leaf, func(n, item, leaf int) {
		*laneIn(a, item, leaf) += k.x[n]
		*laneIn(b, item, leaf) ^= n
		*laneIn(c, item, leaf) = max(*laneIn(c, item, leaf), k.x[n])
		*laneIn(d, item, leaf) += float32(k.x[n])
	})
}

// A lines functor takes rows of points of two dimensions, and has a loop that leaves some rows to it.
type lines struct {
	boxes[policy.Index2]
	left bool // runs go along the first dimension
}

func (k *lines) each(r policy.Row[policy.Index2], f func(n int)) {
	k.rows.Add(1)
	for j := range r.All() {
		at := [6]int{r.At.I, j}
		if k.left {
			at = [6]int{j, r.At.J}
		}
		f(k.number(at))
	}
}

func (k *lines) row(r policy.Row[policy.Index2]) { k.each(r, func(n int) { k.x[n]++ }) }
func (k *lines) sum(r policy.Row[policy.Index2], acc *float64) {
	k.each(r, func(n int) { *acc += k.x[n] })
}

type (
	lines0 lines
	lines1 lines
)

// whole runs runs up to one of which the loop leaves a point.
func (k *lines) whole(runs []policy.Run, f func(n int)) (done, items int) {
	for done := range runs {
		r := &runs[done]
		var numbers []int
		for n := range r.Len {
			at := r.At
			at[r.Dim] += n
			numbers = append(numbers, k.number(at))
		}
		spans.Add(1)
		for _, n := range numbers {
			if k.leaves(n) {
				return done, k.next[1]
			}
		}
		for _, n := range numbers {
			f(n)
		}
	}
	return len(runs), 0
}

func (k *lines0) Runs(runs []policy.Run) (done, items int) {
	return (*lines)(k).whole(runs, func(n int) { k.x[n]++ })
}
func (k *lines1) Runs(runs []policy.Run, _, _ int, a []float64) (done, items int) {
	return (*lines)(k).whole(runs, func(n int) { a[0] += k.x[n] })
}

type (
	square = boxes[policy.Index2]
	cube   = boxes[policy.Index3]
)

func init() {
	from := kernel.Source{Name: "exec_test.boxes", File: "compiledruns_test.go", Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *flat) func(policy.Index2) { return k.at }, func(k *flat) kernel.ForRuns { return (*boxes0[policy.Index2])(&k.square) })
	kernel.Attach(kernel.Go, from, func(k *solid) func(policy.Index3) { return k.at }, func(k *solid) kernel.ForRuns { return (*boxes0[policy.Index3])(&k.cube) })
	kernel.Attach(kernel.Go, from, func(k *flat) func(policy.Index2, *float64) { return k.at1 }, func(k *flat) kernel.ReduceRuns[float64] { return (*boxes1[policy.Index2])(&k.square) })
	kernel.Attach(kernel.Go, from, func(k *solid) func(policy.Index3, *float64) { return k.at1 }, func(k *solid) kernel.ReduceRuns[float64] { return (*boxes1[policy.Index3])(&k.cube) })
	kernel.Attach(kernel.Go, from, func(k *flat) func(policy.Index2, *float64, *int) { return k.at2 }, func(k *flat) kernel.ReduceRuns2[float64, int] { return (*boxes2[policy.Index2])(&k.square) })
	kernel.Attach(kernel.Go, from, func(k *flat) func(policy.Index2, *float64, *int, *float64) { return k.at3 }, func(k *flat) kernel.ReduceRuns3[float64, int, float64] { return (*boxes3[policy.Index2])(&k.square) })
	kernel.Attach(kernel.Go, from, func(k *flat) func(policy.Index2, *float64, *int, *float64, *float32) { return k.at4 }, func(k *flat) kernel.ReduceRuns4[float64, int, float64, float32] {
		return (*boxes4[policy.Index2])(&k.square)
	})
	kernel.Attach(kernel.Go, from, func(k *lines) func(policy.Row[policy.Index2]) { return k.row }, func(k *lines) kernel.ForRuns { return (*lines0)(k) })
	kernel.Attach(kernel.Go, from, func(k *lines) func(policy.Row[policy.Index2], *float64) { return k.sum }, func(k *lines) kernel.ReduceRuns[float64] { return (*lines1)(k) })
}

// flat and solid have methods of their own: those of generic types are not found again.
type (
	flat  struct{ square }
	solid struct{ cube }
)

func (k *flat) at(at policy.Index2)                                  { k.square.at(at) }
func (k *flat) at1(at policy.Index2, a *float64)                     { k.square.at1(at, a) }
func (k *flat) at2(at policy.Index2, a *float64, b *int)             { k.square.at2(at, a, b) }
func (k *flat) at3(at policy.Index2, a *float64, b *int, c *float64) { k.square.at3(at, a, b, c) }
func (k *flat) at4(at policy.Index2, a *float64, b *int, c *float64, d *float32) {
	k.square.at4(at, a, b, c, d)
}
func (k *solid) at(at policy.Index3)              { k.cube.at(at) }
func (k *solid) at1(at policy.Index3, a *float64) { k.cube.at1(at, a) }

// leavers are which points loops leave to their functors.
var leavers = map[string]func(n int) bool{
	"none": never, "all": always, "some": func(n int) bool { return n%97 == 41 }, "many": func(n int) bool { return n&64 != 0 },
}

func harmonic(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	return x
}

// squares are policies over n times m points from (-2, 3) on.
func squares(n, m int) map[string]policy.MDRangePolicy[policy.Index2, [2]int] {
	p := policy.MDRange2([2]int{-2, 3}, [2]int{n - 2, m + 3})
	return map[string]policy.MDRangePolicy[policy.Index2, [2]int]{
		"right": p, "left": p.Iterate(policy.Right, policy.Left), "tiles": p.Tile([2]int{3, 5}), "chunk": p.Chunk(50),
		"left tiles": p.Tile([2]int{4, 3}).Iterate(policy.Left, policy.Left),
	}
}

// Loops over runs give the bits of the functor, whatever they leave to it, for all orders and spaces.
func TestCompiledRuns(t *testing.T) {
	for what, leaves := range leavers {
		for _, s := range compiledSpaces(t) {
			for _, size := range [][2]int{{0, 5}, {1, 1}, {7, 1}, {1, 100}, {13, 37}, {60, 41}} {
				for order, p := range squares(size[0], size[1]) {
					k := &flat{square{x: harmonic(size[0] * size[1]), leaves: leaves, number: func(at [6]int) int { return (at[0]+2)*size[1] + at[1] - 3 }}}
					says := fmt.Sprintf("%v points, %s, on %s, %s left", size, order, s.Name(), what)
					var got, want [4]four
					run := func(on policy.MDRangePolicy[policy.Index2, [2]int], r *[4]four, f func(policy.Index2, *float64), f2 func(policy.Index2, *float64, *int), f3 func(policy.Index2, *float64, *int, *float64), f4 func(policy.Index2, *float64, *int, *float64, *float32)) {
						require.NoError(t, exec.ParallelReduce(on, f, builtin.Sum(&r[0].a)))
						require.NoError(t, exec.ParallelReduce2(on, f2, reducers.Ordered(builtin.Sum(&r[1].a)), reducers.New(&r[1].b, xor)))
						require.NoError(t, exec.ParallelReduce3(on, f3, builtin.Sum(&r[2].a), reducers.New(&r[2].b, xor), builtin.Max(&r[2].c)))
						require.NoError(t, exec.ParallelReduce4(on, f4, builtin.Sum(&r[3].a), reducers.New(&r[3].b, xor), builtin.Max(&r[3].c), builtin.Sum(&r[3].d)))
					}
					run(p.On(exec.Serial{}), &want, k.square.at1, k.square.at2, k.square.at3, k.square.at4)
					loops := called(func() { run(p.On(s), &got, k.at1, k.at2, k.at3, k.at4) })
					require.Equal(t, want, got, says)
					require.Equal(t, size[0] > 0 && compiles(), loops > 0, says)
					before := append([]float64{}, k.x...)
					require.NoError(t, exec.ParallelFor(p.On(s), k.at))
					for n := range before {
						before[n]++
					}
					require.Equal(t, before, k.x, says)
				}
			}
		}
	}
}

// Points of three dimensions run in loops, too.
func TestCompiledRuns3(t *testing.T) {
	for _, s := range compiledSpaces(t) {
		k := &solid{cube{x: harmonic(9 * 8 * 7), leaves: leavers["some"], number: func(at [6]int) int { return (at[0]*8+at[1])*7 + at[2] }}}
		for _, p := range []policy.MDRangePolicy[policy.Index3, [3]int]{
			policy.MDRange3([3]int{}, [3]int{9, 8, 7}),
			policy.MDRange3([3]int{}, [3]int{9, 8, 7}).Tile([3]int{2, 3, 4}).Iterate(policy.Left, policy.Left),
		} {
			var got, want float64
			require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), k.cube.at1, builtin.Sum(&want)))
			require.NoError(t, exec.ParallelReduce(p.On(s), k.at1, builtin.Sum(&got)))
			assert.Equal(t, math.Float64bits(want), math.Float64bits(got), s.Name())
			before := append([]float64{}, k.x...)
			require.NoError(t, exec.ParallelFor(p.On(s), k.at))
			for n := range before {
				before[n]++
			}
			assert.Equal(t, before, k.x, s.Name())
		}
	}
}

// A functor of rows gets those that its loop leaves as they are.
func TestCompiledRows(t *testing.T) {
	for what, leaves := range leavers {
		for _, s := range compiledSpaces(t) {
			for _, size := range [][2]int{{0, 5}, {1, 1}, {7, 2}, {1, 100}, {13, 37}, {60, 41}} {
				for order, p := range squares(size[0], size[1]) {
					k := &lines{square{x: harmonic(size[0] * size[1]), leaves: leaves, number: func(at [6]int) int { return (at[0]+2)*size[1] + at[1] - 3 }}, strings.HasPrefix(order, "left")}
					says := fmt.Sprintf("%v points, %s, on %s, %s left", size, order, s.Name(), what)
					var got, want float64
					require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}).Rows(), func(r policy.Row[policy.Index2], acc *float64) { k.sum(r, acc) }, builtin.Sum(&want)))
					wantRows := k.rows.Load()
					k.rows.Store(0)
					loops := called(func() {
						require.NoError(t, exec.ParallelReduce(p.On(s).Rows(), k.sum, builtin.Sum(&got)))
					})
					require.Equal(t, math.Float64bits(want), math.Float64bits(got), says)
					if what == "all" && s.Name() == "serial" { // whole rows, and none cut
						require.Equal(t, wantRows, k.rows.Load(), says)
					}
					require.Equal(t, size[0] > 0 && compiles(), loops > 0, says)
					before := append([]float64{}, k.x...)
					require.NoError(t, exec.ParallelFor(p.On(s).Rows(), k.row))
					for n := range before {
						before[n]++
					}
					require.Equal(t, before, k.x, says)
					if what == "none" && compiles() {
						require.Zero(t, k.rows.Load(), says)
					}
				}
			}
		}
	}
}

// own is a policy of a user, over the points of another one.
type own struct {
	policy.MDRangePolicy[policy.Index2, [2]int]
}

// far is a policy of a user that has runs.
type far struct {
	p policy.MDRangePolicy[policy.Index2, [2]int]
}

func (f far) Plan() policy.Plan { return f.p.Plan() }
func (f far) Next(begin, end int, dst []policy.Index2) (n, next int) {
	return f.p.Next(begin, end, dst)
}
func (f far) NextRuns(begin, end int, dst []policy.Run) (n, next int) {
	return f.p.NextRuns(begin, end, dst)
}

// Policies of others run the functor.
func TestCompiledRunsOfOthers(t *testing.T) {
	k := &flat{square{x: harmonic(100), leaves: never, number: func(at [6]int) int { return at[0]*10 + at[1] }}}
	p := own{policy.MDRange2([2]int{}, [2]int{10, 10}).On(exec.Serial{})}
	assert.Zero(t, called(func() { require.NoError(t, exec.ParallelFor(p, k.at)) }))
	assert.Equal(t, 2.0, k.x[0])
	assert.Zero(t, called(func() { require.NoError(t, exec.ParallelFor(far{p.MDRangePolicy}, k.at)) }))
	assert.Equal(t, 3.0, k.x[0])
}

// A loop that returns what it has not run, or half of a row, is refused.
func TestCompiledRunsRefused(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	p := policy.MDRange2([2]int{}, [2]int{4, 10}).On(exec.Serial{})
	for _, next := range [][2]int{{-1, 0}, {9, 0}, {0, -1}, {0, 10}, {4, 1}} {
		k := &flat{square{x: harmonic(40), leaves: always, number: func(at [6]int) int { return at[0]*10 + at[1] }, next: next}}
		assert.ErrorContains(t, exec.ParallelFor(p, k.at), fmt.Sprintf("ran 1 runs and returned %d of them and %d items of the next one, expected fewer items than that has", next[0], next[1]))
	}
	k := &lines{square{x: harmonic(40), leaves: always, number: func(at [6]int) int { return at[0]*10 + at[1] }, next: [2]int{0, 3}}, false}
	assert.ErrorContains(t, exec.ParallelFor(p.Rows(), k.row), "and 3 items of the next one, expected fewer items than that has, and none of a row")
}

// A launch of a compiled functor over a box makes nothing.
func TestCompiledRunsMakeNothing(t *testing.T) {
	if raceEnabled || !compiles() {
		t.Skip("no loops in this build")
	}
	k := &flat{square{x: harmonic(1000), leaves: leavers["some"], number: func(at [6]int) int { return at[0]*10 + at[1] }}}
	p, f := policy.MDRange2([2]int{}, [2]int{100, 10}).On(exec.Serial{}), k.at
	assert.Zero(t, testing.AllocsPerRun(20, func() { _ = exec.ParallelFor(p, f) }))
	var sum float64
	reduction, r := k.at1, builtin.Sum(&sum)
	assert.Zero(t, testing.AllocsPerRun(20, func() { _ = exec.ParallelReduce(p, reduction, r) }))
}
