//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/views/random"
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
	testLeaves(t, "attracted", attracted(x), Attracted(x), map[kernel.Level][]int{kernel.AVX2: {32}, kernel.AVX512: {4, 32}}[level]...)
	testLeaves(t, "steps", steps(k), Steps(k), 4, 8, 16, 32)
	testLeaves(t, "ends", ends(x), Ends(x), 4, 8, 16, 32)
	testLeaves(t, "lowest", lowest(x), Lowest(x), 4, 8, 16, 32)
	testLeaves(t, "between", between(f), Between(f), map[kernel.Level][]int{kernel.AVX2: {32}, kernel.AVX512: {8, 16, 32}}[level]...)
	testLeaves(t, "variance", variance(x), Variance(x), 4, 8, 16, 32)
	if level == kernel.AVX512 { // whose vectors are longer than leaves have lanes
		pool := random.New(3)
		testLeaves(t, "mass", mass(pool, x), Mass(pool, x), 4)
	}
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
					next := loop.Leaves(begin, begin+leaves*leaf, leaf, lanes, got, nil)
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

// Leaves whose lanes are joined come to what the butterfly of these makes of them, and leave what they begin with as it
// is. Kernels that join by no operation, or by one that the compiler does not know, join no leaves.
func TestSumsOfLeavesOfKernels(t *testing.T) {
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
			testSumsOfKernels(t, level)
		})
	}
}

func testSumsOfKernels(t *testing.T, level kernel.Level) {
	r := rand.New(rand.NewPCG(7, 8))
	const n = 9000
	x, y, f, k := floats(r, n), floats(r, n), make([]float32, n), make([]int, n)
	words, signed, many := make([]uint64, n), make([]int32, n), make([]uint64, n)
	for i := range n {
		f[i], k[i] = float32(x[i]), r.Int()
		words[i], signed[i] = r.Uint64(), int32(r.Uint32())
		many[i] = ^(1 << r.IntN(64)) | 1<<r.IntN(64)
	}
	testSums(t, "dot", dot(x, y), Dot(x, y), concept.OpSum, 0, added)
	testSums(t, "roots", roots(x), Roots(x), concept.OpSum, 0, added)
	testSums(t, "gains", gains(x), Gains(x), concept.OpSum, 0, added)
	testSums(t, "deficit", deficit(x), Deficit(x), concept.OpSum, 0, added)
	testSums(t, "attracted", attracted(x), Attracted(x), concept.OpSum, 0, added)
	if pool := random.New(3); level == kernel.AVX512 {
		testSums(t, "mass", mass(pool, x), Mass(pool, x), concept.OpSum, 0, added)
	}
	testSums(t, "series", series([8]float64(x), y), Series([8]float64(x), y), concept.OpSum, 0, added)
	testSums(t, "shortened", shortened(x), Shortened(x), concept.OpSum, 0, added)
	testSums(t, "magnitude", magnitude(f), Magnitude(f), concept.OpSum, 0, added)
	testSums(t, "steps", steps(k), Steps(k), concept.OpSum, 0, added)
	testSums(t, "smallest", smallest(x), Smallest(x), concept.OpMin, math.Inf(1), lowerOf)
	testSums(t, "peak", peak(f), Peak(f), concept.OpMax, float32(math.Inf(-1)), higherOf)
	testSums(t, "bottom", bottom(words), Bottom(words), concept.OpMin, math.MaxUint64, lowerOf)
	testSums(t, "flips", flips(signed), Flips(signed), concept.OpXor, 0, func(x, y int32) int32 { return x ^ y })
	testSums(t, "shared", shared(many), Shared(many), concept.OpAnd, math.MaxUint64, func(x, y uint64) uint64 { return x & y })
}

func added[T cmp.Ordered](x, y T) T    { return x + y }
func lowerOf[T cmp.Ordered](x, y T) T  { return min(x, y) }
func higherOf[T cmp.Ordered](x, y T) T { return max(x, y) }

func testSums[A comparable](t *testing.T, name string, plain, compiled func(int, *A), op kernel.Op, unit A, join func(x, y A) A) {
	loop, ok := kernel.Of(compiled).(kernel.ReduceLeaves[A])
	require.True(t, ok, name)
	require.Equal(t, op, loop.Joins(), name)
	for lanes := 2; lanes <= 32; lanes *= 2 {
		for _, leaf := range []int{8 * lanes, 1024} {
			for _, leaves := range []int{1, 2, 7} {
				const begin = 3
				what := fmt.Sprintf("%s: %d leaves of %d, %d lanes", name, leaves, leaf, lanes)
				a, got := slices.Repeat([]A{unit}, lanes), slices.Repeat([]A{unit}, leaves+1)
				next := loop.Leaves(begin, begin+leaves*leaf, leaf, lanes, a, got[:leaves])
				require.Equal(t, slices.Repeat([]A{unit}, lanes), a, what)
				for n := range (next - begin) / leaf {
					own := slices.Clone(a)
					for k := range leaf {
						plain(begin+n*leaf+k, &own[k&(lanes-1)])
					}
					for h := lanes / 2; h > 0; h /= 2 {
						for l := range h {
							own[l] = join(own[l], own[l+h])
						}
					}
					require.Equal(t, hex(own[0]), hex(got[n]), "%s, leaf %d", what, n)
					got[n] = unit
				}
				require.Equal(t, hex(slices.Repeat([]A{unit}, leaves+1)), hex(got), "%s: sums of no leaf", what)
				long := name == "series" || name == "attracted"
				if name == "mass" && lanes == 4 || name != "mass" && (lanes == 32 || lanes >= 8 && !long) {
					require.Equal(t, begin+leaves*leaf, next, what)
				}
			}
		}
	}
}
