package builtin_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// leafwise is a Folder whose fold hides that it takes nodes, so that leaves go one by one.
type leafwise[T any] struct{ reducers.Folder[T] }

func (f leafwise[T]) Fold() reducers.Fold[T] {
	fold := f.Folder.Fold()
	reduce.Rejoin(fold, func(own reduce.Adder) reduce.Adder { return own })
	return fold
}

// nodeCase is a reducer and what its result is compared by.
type nodeCase[T any] struct {
	name string
	make func() (reducers.Folder[T], func() string)
}

// exactly tells zeros apart, and no NaN from another.
func exactly[T builtin.Number](x T) string {
	switch v := any(x).(type) {
	case float64:
		return fmt.Sprint(v, math.Signbit(v) && v == v)
	case float32:
		return fmt.Sprint(v, math.Signbit(float64(v)) && v == v)
	}
	return fmt.Sprint(x)
}

func scalars[T builtin.Number](initial bool, folds []named[T]) (c []nodeCase[T]) {
	for _, f := range folds {
		c = append(c, nodeCase[T]{f.name, func() (reducers.Folder[T], func() string) {
			result := new(T)
			*result = 3
			var r reducers.Folder[T] = f.make(result)
			if initial {
				r = reducers.WithInitial[T](f.make(result))
			}
			return r, func() string { return exactly(*result) }
		}})
	}
	return c
}

func pairs[T builtin.Real]() []nodeCase[T] {
	at := func(name string, make func(*builtin.ValLoc[T, int]) builtin.Reduction[builtin.ValLoc[T, int], T]) nodeCase[T] {
		return nodeCase[T]{name, func() (reducers.Folder[T], func() string) {
			var v builtin.ValLoc[T, int]
			return make(&v), func() string { return fmt.Sprint(exactly(v.Val), v.Loc, v.Found()) }
		}}
	}
	ends := func(name string, make func(*builtin.MinMaxLocVal[T, int]) builtin.Reduction[builtin.MinMaxLocVal[T, int], T]) nodeCase[T] {
		return nodeCase[T]{name, func() (reducers.Folder[T], func() string) {
			var v builtin.MinMaxLocVal[T, int]
			return make(&v), func() string {
				return fmt.Sprint(exactly(v.Min), v.MinLoc, exactly(v.Max), v.MaxLoc, v.Found())
			}
		}}
	}
	return []nodeCase[T]{
		at("MinLoc", builtin.MinLoc[T, int]), at("MinLastLoc", builtin.MinLastLoc[T, int]),
		at("MaxLoc", builtin.MaxLoc[T, int]), at("MaxLastLoc", builtin.MaxLastLoc[T, int]),
		ends("MinMaxLoc", builtin.MinMaxLoc[T, int]), ends("MinMaxFirstLastLoc", builtin.MinMaxFirstLastLoc[T, int]),
		{"MinMax", func() (reducers.Folder[T], func() string) {
			var v builtin.MinMaxVal[T]
			return builtin.MinMax(&v), func() string { return exactly(v.Min) + " " + exactly(v.Max) }
		}},
	}
}

// nodeSizes are numbers of items: all small ones and those around powers of two.
func nodeSizes() (n []int) {
	for k := 1; k <= 300; k++ {
		n = append(n, k)
	}
	for k := 512; k <= 1<<18; k *= 2 {
		n = append(n, k-1, k, k+1, k+k/3)
	}
	if testing.Short() {
		n = n[:len(n)-24]
	}
	return n
}

// checkNodes compares folds that take nodes with those that take leaves: alone and several
// together, on one and on two workers, at all levels. From item on gives an item's value.
func checkNodes[T any](t *testing.T, cases []nodeCase[T], item func(k int) T) {
	t.Helper()
	two := exec.NewGoroutines(2)
	t.Cleanup(func() { require.NoError(t, two.Close()) })
	sizes := nodeSizes()
	x := make([]T, sizes[len(sizes)-1]+5)
	for k := range x {
		x[k] = item(k)
	}
	for turn, n := range sizes {
		space := []exec.Space{exec.Serial{}, two}[turn%2]
		p := policy.Range(5, 5+n).On(space)
		if turn%5 == 4 { // leaves that the rule would not give
			p = p.Chunk(1 << (turn % 13))
		}
		want := make([]string, len(cases))
		_, undo := simd.Limit(simd.None)
		for k, c := range cases {
			r, result := c.make()
			require.NoError(t, exec.ParallelFold(exec.Slice(p, x), leafwise[T]{r}))
			want[k] = result()
		}
		undo()
		for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
			if n > 5000 && turn%3 != int(l)%3 {
				continue
			}
			_, undo := simd.Limit(l)
			var all []reducers.Folder[T]
			var results []func() string
			for k, c := range cases {
				r, result := c.make()
				require.NoError(t, exec.ParallelFold(exec.Slice(p, x), r))
				require.Equal(t, want[k], result(), "%s of %d items, %T, %v", c.name, n, x[0], l)
				r, result = c.make()
				all, results = append(all, r), append(results, result)
			}
			require.NoError(t, exec.ParallelFold(exec.Slice(p, x), all[0], all[1:]...))
			for k, result := range results {
				require.Equal(t, want[k], result(), "%s of %d items, %T, %v, among others", cases[k].name, n, x[0], l)
			}
			undo()
		}
	}
}

func TestNodesOfFloats(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, initial := range []bool{false, true} {
		folds := append(ofReals[float64](), named[float64]{"Norm2", builtin.Norm2[float64]})
		checkNodes(t, scalars(initial, folds), func(int) float64 { return rng.NormFloat64() * math.Exp2(float64(rng.IntN(60))) })
		checkNodes(t, scalars(initial, ofReals[float32]()), func(int) float32 { return float32(rng.NormFloat64()) })
	}
	checkNodes(t, pairs[float64](), func(int) float64 { return float64(rng.IntN(1000)) })
}

// Few and odd values: zeros of both signs, infinities, and now and then NaN.
func TestNodesOfOddFloats(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	minus, inf := math.Copysign(0, -1), math.Inf(1)
	for _, values := range [][]float64{{minus}, {0, minus}, {minus, -5, 0}, {inf, 1}, {-inf, 1}} {
		for _, rare := range []float64{minus, math.NaN(), -math.NaN(), 0} {
			item := func(k int) float64 {
				if k > 50 && rng.IntN(700) == 0 {
					return rare
				}
				return values[rng.IntN(len(values))]
			}
			cases := append(scalars(false, ofReals[float64]()), pairs[float64]()...)
			checkNodesBriefly(t, cases, item)
			checkNodesBriefly(t, append(scalars(false, ofReals[float32]()), pairs[float32]()...), func(k int) float32 { return float32(item(k)) })
		}
	}
}

// checkNodesBriefly is checkNodes of few sizes.
func checkNodesBriefly[T any](t *testing.T, cases []nodeCase[T], item func(k int) T) {
	t.Helper()
	x := make([]T, 3000)
	for k := range x {
		x[k] = item(k)
	}
	for _, n := range []int{1, 3, 17, 100, 130, 257, 640, 1000, 2100, 3000} {
		source := exec.Slice(policy.Range(0, n).On(exec.Serial{}), x)
		for _, c := range cases {
			_, undo := simd.Limit(simd.None)
			r, want := c.make()
			require.NoError(t, exec.ParallelFold(source, leafwise[T]{r}))
			undo()
			for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
				_, undo := simd.Limit(l)
				r, got := c.make()
				require.NoError(t, exec.ParallelFold(source, r))
				require.Equal(t, want(), got(), "%s of %d items, %T, %v", c.name, n, x[0], l)
				undo()
			}
		}
	}
}

func TestNodesOfIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	checkNodes(t, append(scalars(false, append(ofReals[int64](), ofBits[int64]()...)), pairs[int64]()...), func(int) int64 { return int64(rng.Uint64()) })
	checkNodes(t, scalars(true, append(ofReals[uint32](), ofBits[uint32]()...)), func(int) uint32 { return rng.Uint32() })
	checkNodes(t, scalars(false, append(ofReals[int8](), ofBits[int8]()...)), func(int) int8 { return int8(rng.Uint32()) })
	checkNodes(t, scalars(false, []named[complex128]{{"Sum", builtin.Sum[complex128]}, {"SumSq", builtin.SumSq[complex128]}}),
		func(int) complex128 { return complex(rng.NormFloat64(), rng.NormFloat64()) })
}

func TestNodesOfBools(t *testing.T) {
	of := func(name string, f func(*bool) builtin.Reduction[bool, bool]) nodeCase[bool] {
		return nodeCase[bool]{name, func() (reducers.Folder[bool], func() string) {
			var v bool
			return f(&v), func() string { return fmt.Sprint(v) }
		}}
	}
	cases := []nodeCase[bool]{of("LAnd", builtin.LAnd[bool]), of("LOr", builtin.LOr[bool]),
		{"Count", func() (reducers.Folder[bool], func() string) {
			var n int
			return builtin.Count(&n), func() string { return fmt.Sprint(n) }
		}}}
	for _, odd := range []int{-1, 4, 5, 200, 3000} {
		for _, rest := range []bool{false, true} {
			checkNodesBriefly(t, cases, func(k int) bool { return rest != (k == odd) })
		}
	}
}

// A reducer that is marked ordered has one lane, in which values are added in their order.
func TestOrderedFoldsHaveOneLane(t *testing.T) {
	x := make([]float64, 512)
	var sum, want float64
	for k := range x {
		x[k] = math.Exp2(float64(k*37%90)) * (1 - 2*float64(k%2))
		want += x[k]
	}
	p := policy.Range(0, len(x)).Chunk(len(x)).On(exec.Serial{})
	require.NoError(t, exec.ParallelFold(exec.Slice(p, x), reducers.Ordered[float64](builtin.Sum(&sum))))
	require.Equal(t, want, sum)
}
