//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

func truths(r *rand.Rand, n int) []bool {
	x := make([]bool, n)
	for i := range x {
		x[i] = r.IntN(2) == 0
	}
	return x
}

func singles(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(float(r))
	}
	return x
}

func init() {
	for name, make := range map[string]func(r *rand.Rand, n int) run{
		"flags": func(r *rand.Rand, n int) run {
			on, at, x, y, z := r.IntN(2) == 0, anywhere(r, n), floats(r, n), truths(r, n), truths(r, n)
			return run{flags(on, at, x, y, z), Flags(on, at, x, y, z), []any{z}}
		},
		"narrow": func(r *rand.Rand, n int) run {
			x, m, y, z := singles(r, n), make([]int32, n), truths(r, n), truths(r, 2*n)
			for i := range m {
				m[i] = r.Int32N(2)
			}
			return run{narrow(x, m, y, z), Narrow(x, m, y, z), []any{z}}
		},
	} {
		runs[name] = make
	}
}

// Reductions of bools have the lanes of the closure in each number that there may be.
func TestReductionsOfBools(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 300 {
		x, up := singles(r, n), make([]float64, n+1)
		for i := range up {
			up[i] = float64(i)
		}
		if n > 3 && n%3 == 0 {
			up[r.IntN(n)] = -1
		}
		for lanes := 1; lanes <= 32; lanes *= 2 {
			for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
				_, undo := kernel.Limit(level)
				one, two := kernel.Of(Sign(x)).(kernel.Reduce[bool]), kernel.Of(Ordered(up)).(kernel.Reduce[bool])
				undo()
				begin := min(n, n%5)
				want, got := truths(r, lanes), make([]bool, lanes)
				copy(got, want)
				want2, got2 := append([]bool(nil), want...), append([]bool(nil), want...)
				for i := begin; i < n; i++ {
					sign(x)(i, &want[i&(lanes-1)])
					ordered(up)(i, &want2[i&(lanes-1)])
				}
				what := fmt.Sprintf("%d items from %d on, %d lanes, %v", n-begin, begin, lanes, level)
				for next := begin; next < n; next++ {
					if next = one.Span(next, n, next, got); next < n {
						sign(x)(next, &got[next&(lanes-1)])
					}
				}
				for next := begin; next < n; next++ {
					if next = two.Span(next, n, next, got2); next < n {
						ordered(up)(next, &got2[next&(lanes-1)])
					}
				}
				require.Equal(t, want, got, what)
				require.Equal(t, want2, got2, what)
			}
		}
	}
	x := singles(r, 5000)
	testLeavesOfBools(t, x)
	var want, got bool
	odd := func(dst, src *bool) { *dst = *dst != *src }
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 5000).On(exec.Serial{}), sign(x), reducers.New(&want, odd)))
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 5000).On(exec.Serial{}), Sign(x), reducers.New(&got, odd)))
	assert.Equal(t, want, got)
	all := false
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 4999).On(exec.Serial{}), Ordered(make([]float64, 5000)), builtin.LAnd(&all)))
	assert.True(t, all)
}

func testLeavesOfBools(t *testing.T, x []float32) {
	for _, level := range []kernel.Level{kernel.AVX2, kernel.AVX512} {
		if use, undo := kernel.Limit(level); use < level {
			undo()
		} else {
			testLeaves(t, "sign", sign(append(x, make([]float32, 4000)...)), Sign(append(x, make([]float32, 4000)...)), 8, 16, 32)
			undo()
		}
	}
}
