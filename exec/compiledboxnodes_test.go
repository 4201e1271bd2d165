package exec_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// newFlat returns a functor over n times m points from (-2, 3) on that panics at one of them.
func newFlat(n, m, panics int, leaves func(n int) bool) *flat {
	return &flat{square{x: harmonic(n * m), leaves: func(n int) bool { return n < 0 || leaves(n) }, number: func(at [6]int) int {
		if n := (at[0]+2)*m + at[1] - 3; n != panics {
			return n
		}
		return -1
	}}}
}

// Rows that end in another leaf than they begin in, or go over several leaves, have the bits of leaves that are run
// one by one, whatever is left to the functor, and where the launch can be cancelled, too.
func TestBoxNodes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for what, leaves := range leavers {
		for _, s := range compiledSpaces(t) {
			for _, size := range [][2]int{{300, 7}, {2, 9000}, {1, 20_000}, {150, 113}} {
				for order, p := range squares(size[0], size[1]) {
					k := newFlat(size[0], size[1], -1, leaves)
					var want, sum, pieces, own float64
					require.NoError(t, exec.ParallelReduce(oneByOne[policy.Index2]{p.On(exec.Serial{})}, k.square.at1, builtin.Sum(&want)))
					require.NoError(t, exec.ParallelReduce(p.On(s), k.at1, builtin.Sum(&sum)))
					require.NoError(t, exec.ParallelReduce(p.On(s).WithContext(ctx), k.at1, builtin.Sum(&pieces)))
					require.NoError(t, exec.ParallelReduce(p.On(s), k.at1, reducers.New(&own, func(dst, src *float64) { *dst += *src })))
					require.Equal(t, []float64{want, want, want}, []float64{sum, pieces, own}, "%v points, %s, on %s, %s left", size, order, s.Name(), what)
				}
			}
		}
	}
}

// panicOverBox returns the panic of a reduction, which leaves the result as it was. Under an interface there would be no loop.
func panicOverBox[P exec.Policy[policy.Index2]](t *testing.T, p P, f func(policy.Index2, *float64)) (found *exec.Panic) {
	sum := 7.
	defer func() {
		found, _ = recover().(*exec.Panic)
		assert.Equal(t, 7., sum)
	}()
	_ = exec.ParallelReduce(p, f, builtin.Sum(&sum))
	return nil
}

// A panic has the items that it has without a loop.
func TestBoxNodesPanic(t *testing.T) {
	const n, m = 60, 41
	for order, p := range squares(n, m) {
		for at := 0; at < n*m; at += 53 {
			k := newFlat(n, m, at, never)
			want := panicOverBox(t, oneByOne[policy.Index2]{p.On(exec.Serial{})}, k.square.at1)
			require.NotNil(t, want)
			for _, s := range compiledSpaces(t) {
				got := panicOverBox(t, p.On(s), k.at1)
				require.NotNil(t, got)
				require.Equal(t, []any{fmt.Sprint(want.Value), want.Begin, want.End}, []any{fmt.Sprint(got.Value), got.Begin, got.End}, "%s, point %d, on %s", order, at, s.Name())
			}
		}
	}
}

// A launch that is cancelled ends early.
func TestBoxNodesCancel(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	const n, m = 1000, 1000
	ctx, cancel := context.WithCancelCause(t.Context())
	var last int
	k := newFlat(n, m, -1, func(n int) bool {
		if last = n; n == 5000 {
			cancel(assert.AnError)
		}
		return false
	})
	sum := 7.
	err := exec.ParallelReduce(policy.MDRange2([2]int{-2, 3}, [2]int{n - 2, m + 3}).On(exec.Serial{}).WithContext(ctx), k.at1, builtin.Sum(&sum))
	require.ErrorIs(t, err, assert.AnError)
	assert.Equal(t, 7., sum)
	assert.Less(t, last, n*m/2)
}

// A reduction whose functor is compiled makes nothing.
func TestBoxNodesMakeNothing(t *testing.T) {
	if raceEnabled || !compiles() {
		t.Skip("no loops in this build")
	}
	k := newFlat(100, 100, -1, leavers["some"])
	p, f := policy.MDRange2([2]int{-2, 3}, [2]int{98, 103}).On(exec.Serial{}), k.at1
	var sum float64
	r := builtin.Sum(&sum)
	assert.Zero(t, testing.AllocsPerRun(20, func() { _ = exec.ParallelReduce(p, f, r) }))
}
