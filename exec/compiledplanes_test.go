package exec_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
)

// A paved functor takes points, and has a loop that runs whole rows of planes up to one with a point that it leaves.
// Its functor panics at some points.
type paved struct {
	flat
	panics func(n int) bool
	planes atomic.Int64 // calls
	alone  atomic.Int64 // points that the functor got
}

func (k *paved) at(at policy.Index2) {
	n := k.of(at)
	if k.panics(n) {
		panic(fmt.Sprint("point ", n))
	}
	k.alone.Add(1)
	k.x[n]++
}

type pavedLoop paved

func (k *pavedLoop) Runs(runs []policy.Run) (done, items int) {
	return (*boxes0[policy.Index2])(&k.square).Runs(runs)
}

func (k *pavedLoop) Planes(planes []policy.Plane) (done, rows int) {
	k.planes.Add(1)
	for done, p := range planes {
		for row := range p.Rows {
			left := false
			k.each(p.Run, row, p.Outer, func(n int) { left = left || k.leaves(n) })
			if left {
				return done + k.next[0], row + k.next[1]
			}
			k.each(p.Run, row, p.Outer, func(n int) { k.x[n]++ })
		}
	}
	return len(planes), 0
}

// each calls f for the points of a row of a plane.
func (k *pavedLoop) each(run policy.Run, row, outer int, f func(n int)) {
	run.At[outer] += row
	for range run.Len {
		f(k.number(run.At))
		run.At[run.Dim]++
	}
}

func init() {
	from := kernel.Source{Name: "exec_test.paved", File: "compiledplanes_test.go", Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *paved) func(policy.Index2) { return k.at }, func(k *paved) kernel.ForRuns { return (*pavedLoop)(k) })
}

func newPaved(n, m int, leaves, panics func(n int) bool) *paved {
	return &paved{flat: flat{square{x: harmonic(n * m), leaves: leaves, number: func(at [6]int) int { return (at[0]+2)*m + at[1] - 3 }}}, panics: panics}
}

// Each point of a box is run once, whatever rows a loop leaves, in all orders and on all spaces, and where the launch can be
// cancelled, too.
func TestCompiledPlanes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for what, leaves := range leavers {
		for _, s := range compiledSpaces(t) {
			for _, size := range [][2]int{{0, 5}, {1, 1}, {7, 1}, {1, 100}, {13, 37}, {60, 41}, {300, 50}} {
				for order, p := range squares(size[0], size[1]) {
					for _, p := range []policy.MDRangePolicy[policy.Index2, [2]int]{p.On(s), p.On(s).WithContext(ctx)} {
						k := newPaved(size[0], size[1], leaves, never)
						want := harmonic(size[0] * size[1])
						for n := range want {
							want[n]++
						}
						says := fmt.Sprintf("%v points, %s, on %s, %s left", size, order, s.Name(), what)
						require.NoError(t, exec.ParallelFor(p, k.at), says)
						require.Equal(t, want, k.x, says)
						if s.Name() != "simgpu" { // which takes the steps of leaves
							require.Equal(t, size[0] > 0 && compiles(), k.planes.Load() > 0, says)
						}
						if what == "none" && compiles() {
							require.Zero(t, k.alone.Load(), says)
						}
					}
				}
			}
		}
	}
}

// A panic is that of the functor, of the same leaf, with what the items in front of it have stored.
func TestCompiledPlanesPanic(t *testing.T) {
	const n, m = 60, 41
	type result struct {
		value      any
		begin, end int
	}
	launch := func(p policy.MDRangePolicy[policy.Index2, [2]int], f func(policy.Index2)) (r result) {
		defer func() {
			p, ok := recover().(*exec.Panic)
			require.True(t, ok)
			r = result{p.Value, p.Begin, p.End}
		}()
		t.Error("no panic but ", exec.ParallelFor(p, f))
		return r
	}
	for order, p := range squares(n, m) {
		for at := 0; at < n*m; at += 53 {
			panics := func(n int) bool { return n == at || n == at+300 }
			closure := newPaved(n, m, panics, panics)
			want := launch(p.On(exec.Serial{}), func(at policy.Index2) { closure.at(at) })
			for _, s := range compiledSpaces(t) {
				k := newPaved(n, m, panics, panics)
				require.Equal(t, want, launch(p.On(s), k.at), "%s, point %d, on %s", order, at, s.Name())
				if s.Name() == "serial" {
					require.Equal(t, closure.x, k.x, "%s, point %d", order, at)
				}
			}
		}
	}
}

// Work that is cancelled ends early.
func TestCompiledPlanesCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	k := newPaved(1000, 1000, func(n int) bool {
		if n == 5000 {
			cancel(assert.AnError)
		}
		return false
	}, never)
	if !compiles() {
		t.Skip("no loops in this build")
	}
	err := exec.ParallelFor(policy.MDRange2([2]int{-2, 3}, [2]int{998, 1003}).On(exec.Serial{}).WithContext(ctx), k.at)
	require.ErrorIs(t, err, assert.AnError)
	require.Greater(t, harmonic(1e6)[999_999]+1, k.x[999_999], "the last point is run")
}

// A loop that returns what there is not is refused.
func TestCompiledPlanesRefused(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	for _, next := range [][2]int{{-1, 0}, {9, 0}, {0, -1}, {0, 4}, {1, 1}} {
		k := newPaved(4, 10, always, never)
		k.next = next
		err := exec.ParallelFor(policy.MDRange2([2]int{-2, 3}, [2]int{2, 13}).On(exec.Serial{}), k.at)
		assert.ErrorContains(t, err, fmt.Sprintf("ran 1 planes and returned %d of them and %d rows of the next one, expected fewer rows than that has", next[0], next[1]))
	}
}

// A launch that runs planes makes nothing.
func TestCompiledPlanesMakeNothing(t *testing.T) {
	if raceEnabled || !compiles() {
		t.Skip("no loops in this build")
	}
	k := newPaved(100, 10, leavers["some"], never)
	p, f := policy.MDRange2([2]int{-2, 3}, [2]int{98, 13}).On(exec.Serial{}), k.at
	assert.Zero(t, testing.AllocsPerRun(20, func() { _ = exec.ParallelFor(p, f) }))
}

// A loop that refuses all planes is asked for few leaves of many, and one that stops once goes on.
func TestCompiledPlanesAlwaysRefused(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	const n, m = 4000, 100
	p := policy.MDRange2([2]int{-2, 3}, [2]int{n - 2, m + 3}).On(exec.Serial{})
	for what, leaves := range map[string]func(k int) bool{
		"all":        always,
		"the first":  func(k int) bool { return k == 0 },
		"ten in row": func(k int) bool { return k%m == 7 && k/m >= 100 && k/m < 110 },
	} {
		k := newPaved(n, m, leaves, never)
		want := harmonic(n * m)
		for i := range want {
			want[i]++
		}
		require.NoError(t, exec.ParallelFor(p, k.at))
		require.Equal(t, want, k.x, what)
		if what == "all" {
			assert.Less(t, k.planes.Load(), int64(30), "calls, of a loop that refuses all of them")
		} else {
			assert.Less(t, k.alone.Load(), int64(n*m/4), "points that the functor got: %s", what)
		}
	}
}
