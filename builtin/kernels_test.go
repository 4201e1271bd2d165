package builtin_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/reducertest"
)

// TestKernels compares every fold that has kernels with itself without them;
// TestEveryKernel has the other types.
func TestKernels(t *testing.T) {
	checkKernels(t, ofReals[float64]())
	checkKernels(t, ofReals[float32]())
	checkKernels(t, ofReals[int64]())
	checkKernels(t, ofReals[uint32]())
	checkKernels(t, ofBits[int64]())
	checkKernels(t, ofBits[uint32]())
	checkKernels(t, []named[float64]{{"Norm2", builtin.Norm2[float64]}})
	checkKernels(t, []named[complex64]{{"Sum", builtin.Sum[complex64]}, {"SumSq", builtin.SumSq[complex64]}})
}

type named[T any] struct {
	name string
	make func(*T) builtin.Reduction[T, T]
}

func ofReals[T builtin.Real]() []named[T] {
	return []named[T]{
		{"Sum", builtin.Sum[T]}, {"SumSq", builtin.SumSq[T]}, {"Norm1", builtin.Norm1[T]},
		{"Min", builtin.Min[T]}, {"Max", builtin.Max[T]}, {"AMax", builtin.AMax[T]},
	}
}

func ofBits[T builtin.Integer]() []named[T] {
	return []named[T]{{"BAnd", builtin.BAnd[T]}, {"BOr", builtin.BOr[T]}, {"BXor", builtin.BXor[T]}}
}

func checkKernels[T builtin.Number](t *testing.T, folds []named[T]) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, f := range folds {
		for n := 1; n <= 300; n++ {
			x := make([]T, n)
			for k := range x {
				x[k] = anyOf[T](rng.IntN(1000))
			}
			for _, lanes := range []int{1, 4, 8, 16, 32} {
				want := folded(f, simd.None, lanes, x)
				for _, l := range []simd.Level{simd.AVX2, simd.AVX512} {
					got := folded(f, l, lanes, x)
					if got != want && (got == got || want == want) {
						t.Fatalf("%s of %d values in %d lanes, %T: %v, expected %v", f.name, n, lanes, got, got, want)
					}
				}
			}
		}
	}
}

// checkLanes compares JoinLanes of a reducer with Join, and with itself without kernels.
func checkLanes[A any](t *testing.T, r reducers.Reducer[A], samples ...A) {
	t.Helper()
	require.Implements(t, (*interface{ JoinLanes([]A) })(nil), r)
	for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
		_, undo := simd.Limit(l)
		reducertest.Check(t, r, samples, reducertest.ULPs(1))
		undo()
	}
}

func lanesOfReals[T builtin.Real](t *testing.T, samples ...T) {
	var x T
	for _, f := range ofReals[T]() {
		if f.name != "AMax" { // whose partial results have no sign
			checkLanes(t, f.make(&x), samples...)
		}
	}
	magnitudes := []T{0}
	for _, s := range samples {
		if s > 0 {
			magnitudes = append(magnitudes, s)
		}
	}
	checkLanes(t, builtin.AMax(&x), magnitudes...)
}

func lanesOfPairs[T builtin.Real](t *testing.T, samples ...T) {
	var both builtin.MinMaxVal[T]
	var at builtin.ValLoc[T, int]
	pairs, found := []builtin.MinMaxVal[T]{}, []builtin.ValLoc[T, int]{}
	for k, s := range samples {
		v := builtin.MinMaxVal[T]{Min: s, Max: s}
		pairs = append(pairs, v)
		found = append(found, builtin.ValLoc[T, int]{Val: s, Loc: k % 3})
	}
	checkLanes(t, builtin.MinMax(&both), pairs...)
	var ends builtin.MinMaxLocVal[T, int]
	four := make([]builtin.MinMaxLocVal[T, int], len(samples))
	for k, s := range samples {
		four[k].Add(s, k)
	}
	checkLanes(t, builtin.MinMaxLoc(&ends), four...)
	checkLanes(t, builtin.MinMaxFirstLastLoc(&ends), four...)
	checkLanes(t, builtin.MinLoc(&at), found...)
	checkLanes(t, builtin.MinLastLoc(&at), found...)
	checkLanes(t, builtin.MaxLoc(&at), found...)
	checkLanes(t, builtin.MaxLastLoc(&at), found...)
}

func lanesOfBits[T builtin.Integer](t *testing.T, samples ...T) {
	var x T
	for _, f := range ofBits[T]() {
		checkLanes(t, f.make(&x), samples...)
	}
}

func TestJoinLanes(t *testing.T) {
	minus := math.Copysign(0, -1)
	lanesOfReals(t, 0, minus, 1.5, -3, 1e300, math.Inf(1), math.Inf(-1))
	lanesOfPairs(t, 0, minus, 1.5, -3, 1e300, math.Inf(1), math.Inf(-1))
	lanesOfReals(t, float32(minus), 0, 1.5, -3, 1e30)
	lanesOfReals[int64](t, 0, 1, -7, math.MaxInt64)
	lanesOfReals[uint32](t, 0, 1, 7, math.MaxUint32)
	lanesOfBits[uint32](t, 0, 1, 0x1234, 0xffffffff)
	var norm float64
	checkLanes(t, builtin.Norm2(&norm), 0, 4, 9)
	checkLanes(t, builtin.Prod(&norm), 1, 2, -0.5)
	var z complex128
	checkLanes(t, builtin.Sum(&z), 0, 1i, 4)
	checkLanes(t, builtin.Prod(&z), 1i, 4)
	var holds bool
	checkLanes(t, builtin.LAnd(&holds), false, true)
	checkLanes(t, builtin.LOr(&holds), false, true)
	var n int
	checkLanes(t, builtin.Count(&n), 0, 3)
	var mean builtin.Average[float64]
	checkLanes(t, builtin.Mean(&mean), builtin.Average[float64]{Sum: 3, N: 2}, builtin.Average[float64]{Sum: -1, N: 1})
}

// TestKernelsOfPlaces compares folds that locate values with the loop of their functors.
func TestKernelsOfPlaces(t *testing.T) {
	nan, inf, minus := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	places(t, -inf, -2, minus, 0, 1, 1.5, inf, nan)
	places(t, float32(-inf), -2, float32(minus), 0, 1, 1.5, float32(inf), float32(nan))
	places[int64](t, math.MinInt64, -1, 0, 1, math.MaxInt64)
	places[uint32](t, 0, 1, 1<<31, math.MaxUint32)
}

func places[T builtin.Real](t *testing.T, values ...T) {
	type result = builtin.ValLoc[T, int]
	type both = builtin.MinMaxLocVal[T, int]
	rng := rand.New(rand.NewPCG(5, 6))
	folds := []struct {
		name string
		make func(*result) builtin.Reduction[result, T]
		add  func(*result, T, int)
	}{
		{"MinLoc", builtin.MinLoc[T, int], (*result).Min},
		{"MinLastLoc", builtin.MinLastLoc[T, int], (*result).MinLast},
		{"MaxLoc", builtin.MaxLoc[T, int], (*result).Max},
		{"MaxLastLoc", builtin.MaxLastLoc[T, int], (*result).MaxLast},
	}
	pairs := []struct {
		name string
		make func(*both) builtin.Reduction[both, T]
		add  func(*both, T, int)
	}{
		{"MinMaxLoc", builtin.MinMaxLoc[T, int], (*both).Add},
		{"MinMaxFirstLastLoc", builtin.MinMaxFirstLastLoc[T, int], (*both).AddFirstLast},
	}
	for _, n := range []int{1, 31, 32, 33, 100, 300, 1024, 1025, 3000} {
		for try := range 12 {
			x := make([]T, n)
			few := values[rng.IntN(len(values)):] // often without the smallest ones
			few = few[:1+rng.IntN(len(few))]
			for k := range x {
				x[k] = few[rng.IntN(len(few))]
			}
			for k := try; k > 8; k-- {
				x[rng.IntN(n)] = values[rng.IntN(len(values))]
			}
			for _, f := range folds {
				compareFolds(t, f.name, n, x, f.make, f.add, func(v result) string { return fmt.Sprint(v.Val, 1/float64(v.Val), v.Loc, v.Found()) })
			}
			for _, f := range pairs {
				compareFolds(t, f.name, n, x, f.make, f.add, func(v both) string {
					return fmt.Sprint(v.Min, 1/float64(v.Min), v.MinLoc, v.Max, 1/float64(v.Max), v.MaxLoc, v.Found())
				})
			}
			compareFolds(t, "MinMax", n, x, builtin.MinMax[T], func(v *builtin.MinMaxVal[T], x T, _ int) { v.Add(x) },
				func(v builtin.MinMaxVal[T]) string { return fmt.Sprint(v, 1/float64(v.Min), 1/float64(v.Max)) })
		}
	}
}

// compareFolds compares a fold at all levels, in pieces and alone, with a functor.
func compareFolds[A, T any](t *testing.T, name string, n int, x []T, reducer func(*A) builtin.Reduction[A, T], add func(*A, T, int), text func(A) string) {
	t.Helper()
	var want, got, other A
	p := policy.Range(0, n).On(exec.Serial{})
	r := reducer(new(A))
	r.Init(&want)
	for i, v := range x {
		add(&want, v, i)
	}
	r.Final(&want)
	compareLevels(t, func(chunk int) (alone, among string, errs [2]error) {
		s := exec.Slice(p.Chunk(chunk), x)
		errs[0] = exec.ParallelFold(s, reducer(&got))
		alone = text(got)
		errs[1] = exec.ParallelFold(s, reducer(&got), reducer(&other))
		return alone, text(got), errs
	}, text(want), func() string { return fmt.Sprintf("%s of %v", name, x) })
}

func compareLevels(t *testing.T, fold func(chunk int) (alone, among string, errs [2]error), want string, what func() string) {
	t.Helper()
	for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
		_, undo := simd.Limit(l)
		for _, chunk := range []int{1, 64, 4096} {
			alone, among, errs := fold(chunk)
			require.NoError(t, errs[0])
			require.NoError(t, errs[1])
			if alone != want || among != want {
				t.Fatalf("%s, %v, chunk %d: %s, with another fold %s, expected %s", what(), l, chunk, alone, among, want)
			}
		}
		undo()
	}
}

// anyOf returns a value for the number k: some are large, and many equal.
func anyOf[T builtin.Number](k int) T {
	v := T(0)
	for range k % 50 {
		v = v*3 + 1
	}
	if k%2 == 0 {
		v = -v
	}
	return v
}

// folded folds x in pieces, as a launch does with a leaf.
func folded[T any](f named[T], l simd.Level, lanes int, x []T) T {
	_, undo := simd.Limit(l)
	defer undo()
	var result T
	fold, _ := reduce.FoldOf(f.make(&result).Fold())
	c := fold.Column()
	c.Open(1, 1, lanes)
	fold.Start(0, len(x))
	for first := 0; first < len(x); first += 96 {
		fold.Add(0, first, reduce.ValuesOf(x[first:min(first+96, len(x))]))
	}
	c.End(0, 0, len(x))
	c.Finish(0)
	c.Store(0)
	return result
}

// Zeros and NaN as Go's min and max have them, whatever the kernel.
func TestKernelsKeepZerosAndNaN(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
		for at := range 70 {
			fold := func(reducer func(*float64) builtin.Reduction[float64, float64], odd, rest float64) float64 {
				x := make64(70, rest)
				x[at] = odd
				return folded(named[float64]{make: reducer}, l, 32, x)
			}
			assert.True(t, math.Signbit(fold(builtin.Min[float64], minus, 0)), "%v at %d", l, at)
			assert.False(t, math.Signbit(fold(builtin.Max[float64], 0, minus)), "%v at %d", l, at)
			assert.False(t, math.Signbit(fold(builtin.AMax[float64], 0, minus)), "%v at %d", l, at)
			for _, r := range ofReals[float64]() {
				assert.True(t, math.IsNaN(fold(r.make, math.NaN(), 1)), "%s, %v at %d", r.name, l, at)
				assert.True(t, math.IsNaN(fold(r.make, -math.NaN(), 1)), "%s, %v at %d", r.name, l, at)
			}
		}
	}
}

func make64(n int, v float64) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = v
	}
	return x
}

func TestFoldsWithKernelsDoNotAllocate(t *testing.T) {
	x, result := make64(1000, 1), 0.0
	for _, r := range ofReals[float64]() {
		fold, err := reduce.FoldOf(r.make(&result).Fold())
		require.NoError(t, err, r.name)
		fold.Column().Open(1, 1, 32)
		fold.Start(0, len(x))
		assert.Zero(t, testing.AllocsPerRun(100, func() { fold.Add(0, 0, reduce.ValuesOf(x)) }), r.name)
	}
}
