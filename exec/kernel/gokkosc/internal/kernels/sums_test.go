//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel"
)

// Several leaves in one call have the lanes that the closure gives them one by one.
func TestLeavesOfKernels(t *testing.T) {
	if closures {
		t.Skip("no loops in this build")
	}
	for _, level := range []kernel.Level{kernel.AVX2, kernel.AVX512} {
		t.Run(level.String(), func(t *testing.T) {
			use, undo := kernel.Limit(level)
			defer undo()
			if use < level {
				t.Skip("this processor has no " + level.String())
			}
			testLeavesOfKernels(t, level)
		})
	}
}

func testLeavesOfKernels(t *testing.T, level kernel.Level) {
	r := rand.New(rand.NewPCG(5, 6))
	const n = 9000
	x, y, f, k := floats(r, n), floats(r, n), make([]float32, n), make([]int, n)
	for i := range n {
		f[i], k[i] = float32(x[i]), r.Int()
	}
	var a [8]float64
	copy(a[:], x)
	testLeaves(t, "dot", dot(x, y), Dot(x, y), 4, 8, 16, 32)
	testLeaves(t, "smallest", smallest(x), Smallest(x), 4, 8, 16, 32)
	testLeaves(t, "roots", roots(x), Roots(x), 4, 8, 16, 32)
	testLeaves(t, "gains", gains(x), Gains(x), 4, 8, 16, 32)
	testLeaves(t, "shortened", shortened(x), Shortened(x), 4, 8, 16, 32)
	testLeaves(t, "magnitude", magnitude(f), Magnitude(f), 8, 16, 32)
	testLeaves(t, "series", series(a, x), Series(a, x), map[kernel.Level][]int{kernel.AVX2: {32}, kernel.AVX512: {4, 32}}[level]...)
	testLeaves(t, "steps", steps(k), Steps(k), 4, 8, 16, 32)
	testLeaves(t, "ends", ends(x), Ends(x), 4, 8, 16, 32)
	testLeaves(t, "lowest", lowest(x), Lowest(x), 4, 8, 16, 32)
	testLeaves(t, "between", between(f), Between(f), map[kernel.Level][]int{kernel.AVX2: {32}, kernel.AVX512: {8, 16, 32}}[level]...)
	testLeaves(t, "variance", variance(x), Variance(x), 4, 8, 16, 32)
}

// testLeaves compares a functor with its loop for all leaves of n items, of which that takes those of so
// many lanes and more.
func testLeaves[A comparable](t *testing.T, name string, plain, compiled func(int, *A), takes ...int) {
	loop, ok := kernel.Of(compiled).(kernel.ReduceLeaves[A])
	require.True(t, ok, name)
	for lanes := 1; lanes <= 64; lanes *= 2 {
		for _, leaf := range []int{8 * lanes, 16 * lanes, 1024, 48, 4096} {
			if leaf%lanes != 0 {
				continue
			}
			for _, leaves := range []int{1, 2, 3, 7} {
				for _, begin := range []int{0, 1, 5} {
					what := fmt.Sprintf("%s: %d leaves of %d from %d on, %d lanes", name, leaves, leaf, begin, lanes)
					got, want := make([]A, (leaves+1)*lanes), make([]A, (leaves+1)*lanes)
					next := loop.Leaves(begin, begin+leaves*leaf, leaf, lanes, got)
					require.Zero(t, (next-begin)%leaf, what)
					end := begin
					for ; end < next; end += leaf {
						for k := range leaf {
							plain(end+k, &want[(end-begin)/leaf*lanes+k&(lanes-1)])
						}
					}
					require.Equal(t, hex(want), hex(got), what)
					fits := (9000 - begin) / leaf
					switch {
					case !slices.Contains(takes, lanes) || leaf%32 != 0:
						require.Equal(t, begin, next, what)
					case leaf <= 1024:
						require.Equal(t, begin+min(leaves, fits)*leaf, next, what)
					}
				}
			}
		}
	}
}
