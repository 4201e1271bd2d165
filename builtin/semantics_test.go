package builtin_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

var (
	inf   = math.Inf(1)
	nan   = math.NaN()
	minus = math.Copysign(0, -1)
)

// fold folds x on the oracle.
func fold[T any](t *testing.T, x []T, r ...reducers.Folder[T]) {
	t.Helper()
	p := policy.Range(0, len(x)).On(exec.Serial{})
	require.NoError(t, exec.ParallelFold(exec.Slice(p, x), r[0], r[1:]...))
}

// TestIdentity checks what an empty range gives, whatever was there before.
func TestIdentity(t *testing.T) {
	testIdentity(t, "Sum", builtin.Sum[int8], 7, 0)
	testIdentity(t, "Prod", builtin.Prod[int8], 7, 1)
	testIdentity(t, "Prod", builtin.Prod[complex128], 7, 1)
	testIdentity(t, "Min", builtin.Min[level], 7, math.MaxInt8)
	testIdentity(t, "Max", builtin.Max[level], 7, math.MinInt8)
	testIdentity(t, "Min", builtin.Min[int64], 7, math.MaxInt64)
	testIdentity(t, "Max", builtin.Max[int64], 7, math.MinInt64)
	testIdentity(t, "Min", builtin.Min[uint32], 7, math.MaxUint32)
	testIdentity(t, "Max", builtin.Max[uint32], 7, 0)
	testIdentity(t, "Min", builtin.Min[celsius], 7, celsius(inf))
	testIdentity(t, "Max", builtin.Max[float32], 7, float32(-inf))
	testIdentity(t, "BAnd", builtin.BAnd[uint32], 7, math.MaxUint32)
	testIdentity(t, "BAnd", builtin.BAnd[int64], 7, -1)
	testIdentity(t, "LAnd", builtin.LAnd[truth], false, true)
	testIdentity(t, "LOr", builtin.LOr[bool], true, false)
	testIdentity(t, "Norm2", builtin.Norm2[float64], 7, 0)
	testIdentity(t, "AMax", builtin.AMax[float64], 7, 0)
	testIdentity(t, "MinMax", builtin.MinMax[uint32], builtin.MinMaxVal[uint32]{Min: 1, Max: 2}, builtin.MinMaxVal[uint32]{Min: math.MaxUint32, Max: 0})
	testIdentity(t, "Mean", builtin.Mean[int64], builtin.Average[int64]{Sum: 1, N: 1}, builtin.Average[int64]{})
	testIdentity(t, "Variance", builtin.Variance[float64], builtin.Moments[float64]{N: 1}, builtin.Moments[float64]{})
	testIdentity(t, "FirstLoc", builtin.FirstLoc[int], builtin.Found[int]{Loc: 3, Found: true}, builtin.Found[int]{})
}

func testIdentity[A, V any](t *testing.T, name string, reducer func(*A) builtin.Reduction[A, V], old, want A) {
	result, partial, other := old, old, old
	err := exec.ParallelFold(exec.Slice(policy.Range(0, 0), []V{}), reducer(&result))

	// Items that contribute nothing are as good as none, and the old content
	// is dropped.
	r := reducer(new(A))
	r.Init(&partial)
	r.Init(&other)
	r.Join(&partial, &other)
	r.Final(&partial)
	checkIdentity(t, name, err, want, result, partial)
}

func checkIdentity(t *testing.T, name string, err error, want, folded, joined any) {
	t.Run(name, func(t *testing.T) {
		require.NoError(t, err)
		assert.Equal(t, want, folded)
		assert.Equal(t, want, joined)
	})
}

// TestNothingIsReduced checks that a launch drops what was there before, as a fold does.
func TestNothingIsReduced(t *testing.T) {
	for _, n := range []int{0, 100} {
		sum, at := 7.0, builtin.ValLoc[float64, int]{Val: 7, Loc: 7}
		p := policy.Range(0, n)
		require.NoError(t, exec.ParallelReduce(p, func(int, *float64) {}, builtin.Prod(&sum)))
		require.NoError(t, exec.ParallelReduce(p, func(int, *builtin.ValLoc[float64, int]) {}, builtin.MinLoc(&at)))
		assert.Equal(t, 1.0, sum)
		assert.Equal(t, inf, at.Val)
		assert.Zero(t, at.Loc)
		assert.False(t, at.Found())
	}
}

func TestFoundNothing(t *testing.T) {
	var lo, hi builtin.ValLoc[int, int]
	var both builtin.MinMaxLocVal[float64, int]
	fold(t, []int{}, builtin.MinLoc(&lo), builtin.MaxLastLoc(&hi))
	fold(t, []float64{}, builtin.MinMaxLoc(&both))
	assert.False(t, lo.Found())
	assert.False(t, hi.Found())
	assert.False(t, both.Found())
	var integers builtin.MinMaxLocVal[int64, int]
	var words builtin.MinMaxLocVal[uint32, int]
	fold(t, []int64{}, builtin.MinMaxFirstLastLoc(&integers))
	fold(t, []uint32{}, builtin.MinMaxFirstLastLoc(&words))
	assert.False(t, integers.Found())
	assert.False(t, words.Found())
	for _, p := range []any{&both, &integers, &words} { // each side says so
		v := reflect.ValueOf(p).Elem()
		assert.True(t, v.FieldByName("noMin").Bool() && v.FieldByName("noMax").Bool(), "%T", p)
	}
	assert.Equal(t, []int{math.MaxInt, 0, math.MinInt, 0}, []int{lo.Val, lo.Loc, hi.Val, hi.Loc})
	assert.Equal(t, []float64{inf, -inf}, []float64{both.Min, both.Max})

	// What was found nowhere is not an item when it is joined in.
	hi = builtin.ValLoc[int, int]{}
	fold(t, []int{}, builtin.MaxLoc(&hi))
	r := reducers.WithInitial(builtin.MaxLoc(&hi))
	require.NoError(t, exec.ParallelReduce(policy.Range(5, 6), func(i int, acc *builtin.ValLoc[int, int]) { acc.Max(math.MinInt, i) }, r))
	assert.Equal(t, builtin.ValLoc[int, int]{Val: math.MinInt, Loc: 5}, hi)
	assert.True(t, hi.Found())
}

// TestItemsEqualToIdentity checks that these win against the identity.
func TestItemsEqualToIdentity(t *testing.T) {
	for _, n := range []int{1, 6, 40, 5000} {
		x, y := make([]float64, n), make([]uint32, n)
		for i := range x {
			x[i], y[i] = inf, math.MaxUint32
		}
		var first, last builtin.ValLoc[float64, int]
		var words builtin.ValLoc[uint32, int]
		var both builtin.MinMaxLocVal[float64, int]
		fold(t, x, builtin.MinLoc(&first), builtin.MinLastLoc(&last), builtin.MinMaxFirstLastLoc(&both))
		fold(t, y, builtin.MinLastLoc(&words))
		assert.Equal(t, builtin.ValLoc[float64, int]{Val: inf, Loc: 0}, first)
		assert.Equal(t, builtin.ValLoc[float64, int]{Val: inf, Loc: n - 1}, last)
		assert.Equal(t, builtin.ValLoc[uint32, int]{Val: math.MaxUint32, Loc: n - 1}, words)
		assert.Equal(t, builtin.MinMaxLocVal[float64, int]{Min: inf, Max: inf, MinLoc: 0, MaxLoc: n - 1}, both)
	}
}

// TestNaN puts a NaN, and then a second one, at every position.
func TestNaN(t *testing.T) {
	const n = 70
	for at := range n {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i - 30)
		}
		x[at] = nan
		second := (at + 37) % n
		for range 2 {
			var lo, hi, amax, sum float64
			var all builtin.MinMaxVal[float64]
			var locs [4]builtin.ValLoc[float64, int]
			var both builtin.MinMaxLocVal[float64, int]
			fold(t, x, builtin.Min(&lo), builtin.Max(&hi), builtin.AMax(&amax), builtin.Sum(&sum), builtin.MinMax(&all),
				builtin.MinLoc(&locs[0]), builtin.MaxLoc(&locs[1]), builtin.MinLastLoc(&locs[2]), builtin.MaxLastLoc(&locs[3]),
				builtin.MinMaxFirstLastLoc(&both))
			for _, v := range []float64{lo, hi, amax, sum, all.Min, all.Max, both.Min, both.Max, locs[0].Val, locs[1].Val, locs[2].Val, locs[3].Val} {
				require.True(t, math.IsNaN(v))
			}
			first, last := at, at
			if math.IsNaN(x[second]) {
				first, last = min(at, second), max(at, second)
			}
			require.Equal(t, []int{first, first, last, last, first, last},
				[]int{locs[0].Loc, locs[1].Loc, locs[2].Loc, locs[3].Loc, both.MinLoc, both.MaxLoc})
			x[second] = nan
		}
	}
}

func TestZeros(t *testing.T) {
	for _, x := range [][]float64{{0, minus}, {minus, 0}, {0, minus, minus, 0}} {
		var lo, hi, amax float64
		var first, last, high builtin.ValLoc[float64, int]
		fold(t, x, builtin.Min(&lo), builtin.Max(&hi), builtin.AMax(&amax), builtin.MinLoc(&first), builtin.MinLastLoc(&last), builtin.MaxLoc(&high))
		assert.True(t, math.Signbit(lo))
		assert.False(t, math.Signbit(hi))
		assert.False(t, math.Signbit(amax))
		_, f, l := where(x, func(a, b float64) float64 { return min(a, b) })
		assert.Equal(t, "["+text(builtin.ValLoc[float64, int]{Val: minus, Loc: f})+" "+text(builtin.ValLoc[float64, int]{Val: minus, Loc: l})+"]",
			text([]builtin.ValLoc[float64, int]{first, last}))
		_, f, _ = where(x, func(a, b float64) float64 { return max(a, b) })
		assert.Equal(t, f, high.Loc)
	}
}

// TestOrderOfItems joins items with equal values against the order of their
// locations, which come from another iteration order.
func TestOrderOfItems(t *testing.T) {
	type at = builtin.ValLoc[int, policy.Index2]
	type both = builtin.MinMaxLocVal[int, policy.Index2]
	type found = builtin.Found[policy.Index2]
	for _, order := range []policy.Order{policy.Left, policy.Right} {
		p := policy.MDRange2([2]int{0, 0}, [2]int{40, 50}).Iterate(order, order)
		value := func(i policy.Index2) int { return (i.I*3 + i.J*5) % 7 }
		var lo, loLast, hi, hiLast at
		var ends both
		var first, last found
		require.NoError(t, exec.ParallelReduce2(p, func(i policy.Index2, a, b *at) {
			a.Min(value(i), i)
			b.MinLast(value(i), i)
		}, builtin.MinLoc(&lo), builtin.MinLastLoc(&loLast)))
		require.NoError(t, exec.ParallelReduce3(p, func(i policy.Index2, a, b *at, c *both) {
			a.Max(value(i), i)
			b.MaxLast(value(i), i)
			c.AddFirstLast(value(i), i)
		}, builtin.MaxLoc(&hi), builtin.MaxLastLoc(&hiLast), builtin.MinMaxFirstLastLoc(&ends)))
		require.NoError(t, exec.ParallelReduce2(p, func(i policy.Index2, a, b *found) {
			a.First(i, value(i) == 3)
			b.Last(i, value(i) == 3)
		}, builtin.FirstLoc(&first), builtin.LastLoc(&last)))
		assert.Equal(t, at{Val: 0, Loc: policy.Index2{I: 0, J: 0}}, lo)
		assert.Equal(t, at{Val: 0, Loc: policy.Index2{I: 39, J: 48}}, loLast)
		assert.Equal(t, at{Val: 6, Loc: policy.Index2{I: 0, J: 4}}, hi)
		assert.Equal(t, at{Val: 6, Loc: policy.Index2{I: 39, J: 45}}, hiLast)
		assert.Equal(t, both{Min: 0, MinLoc: lo.Loc, Max: 6, MaxLoc: hiLast.Loc}, ends)
		assert.Equal(t, found{Loc: policy.Index2{I: 0, J: 2}, Found: true}, first)
		assert.Equal(t, found{Loc: policy.Index2{I: 39, J: 43}, Found: true}, last)
	}
}

// TestPortedFunctors assign to the fields of their accumulators.
func TestPortedFunctors(t *testing.T) {
	for _, n := range []int{1, 5, 100, 5000} {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64((i*7 + 3) % 11)
		}
		type at = builtin.ValLoc[float64, int]
		var fields, whole, want at
		var ends, wantEnds builtin.MinMaxLocVal[float64, int]
		p := policy.Range(0, n)
		require.NoError(t, exec.ParallelReduce3(p, func(i int, a, b *at, c *builtin.MinMaxLocVal[float64, int]) {
			if x[i] < a.Val {
				a.Val, a.Loc = x[i], i
			}
			if x[i] < b.Val {
				*b = at{Val: x[i], Loc: i}
			}
			if x[i] < c.Min {
				c.Min, c.MinLoc = x[i], i
			}
			if x[i] > c.Max {
				c.Max, c.MaxLoc = x[i], i
			}
		}, builtin.MinLoc(&fields), builtin.MinLoc(&whole), builtin.MinMaxLoc(&ends)))
		fold(t, x, builtin.MinLoc(&want), builtin.MinMaxLoc(&wantEnds))
		assert.Equal(t, want, fields)
		assert.Equal(t, want, whole)
		assert.Equal(t, wantEnds, ends)
		assert.True(t, fields.Found() && ends.Found())
	}

	// Only one side has been assigned to.
	var ends builtin.MinMaxLocVal[float64, int]
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 50), func(i int, acc *builtin.MinMaxLocVal[float64, int]) {
		if i == 7 {
			acc.Max, acc.MaxLoc = 2, i
		}
	}, builtin.MinMaxLoc(&ends)))
	assert.False(t, ends.Found())
	assert.Equal(t, []float64{inf, 2}, []float64{ends.Min, ends.Max})
	assert.Equal(t, []int{0, 7}, []int{ends.MinLoc, ends.MaxLoc})
}

func TestWithInitial(t *testing.T) {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = float64(i%10) - 3
	}
	sum, prod, lo, norm := 1000.0, 2.0, -100.0, 3.0
	n := 5
	mean := builtin.Average[float64]{Sum: 10, N: 2}
	at := builtin.ValLoc[float64, int]{Val: -3, Loc: -1}
	moments := builtin.Moments[float64]{N: 1000, Mean: 1.5, M2: 8250}
	p := policy.Range(0, len(x))
	add := func(i int, acc *float64) { *acc += x[i] }
	require.NoError(t, exec.ParallelReduce(p, add, reducers.WithInitial(builtin.Sum(&sum))))
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *float64) {}, reducers.WithInitial(builtin.Prod(&prod))))
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *float64) { *acc = min(*acc, x[i]) }, reducers.WithInitial(builtin.Min(&lo))))
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 1), func(i int, acc *float64) { *acc += 4 * 4 }, reducers.WithInitial(builtin.Norm2(&norm))))
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *int) { *acc++ }, reducers.WithInitial(builtin.Count(&n))))
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *builtin.Average[float64]) { acc.Add(x[i]) }, reducers.WithInitial(builtin.Mean(&mean))))
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *builtin.ValLoc[float64, int]) { acc.Min(x[i], i) }, reducers.WithInitial(builtin.MinLoc(&at))))
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *builtin.Moments[float64]) { acc.Add(x[i]) }, reducers.WithInitial(builtin.Variance(&moments))))
	assert.Equal(t, 2500.0, sum)
	assert.Equal(t, 2.0, prod)
	assert.Equal(t, -100.0, lo)
	assert.Equal(t, 5.0, norm)
	assert.Equal(t, 1005, n)
	assert.Equal(t, builtin.Average[float64]{Sum: 1510, N: 1002}, mean)
	assert.Equal(t, builtin.ValLoc[float64, int]{Val: -3, Loc: -1}, at)
	assert.InDelta(t, 8.25, moments.Variance(), 1e-12)
	assert.Equal(t, 2000, moments.N)

	fold(t, x, reducers.WithInitial(builtin.Sum(&sum)), reducers.WithInitial(builtin.Max(&lo)))
	assert.Equal(t, 4000.0, sum)
	assert.Equal(t, 6.0, lo)
	norm = 3
	fold(t, []float64{4}, reducers.WithInitial(builtin.Norm2(&norm)))
	assert.Equal(t, 5.0, norm)
}

func TestWrap(t *testing.T) {
	x := make([]int8, 300)
	for i := range x {
		x[i] = 1
	}
	var sum, sq, least, amax int8
	var mean builtin.Average[int8]
	fold(t, x, builtin.Sum(&sum), builtin.SumSq(&sq), builtin.Mean(&mean))
	assert.Equal(t, int8(44), sum)
	assert.Equal(t, int8(44), sq)
	assert.Equal(t, builtin.Average[int8]{Sum: 44, N: 300}, mean)
	fold(t, []int8{-128}, builtin.Norm1(&least), builtin.AMax(&amax))
	assert.Equal(t, int8(-128), least)
	assert.Equal(t, int8(0), amax)
}

func TestSlice(t *testing.T) {
	histogram := make([]int, 3)
	lowest := make([]builtin.ValLoc[int, int], 2)
	p := policy.Range(0, 1000)
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *[]int) { (*acc)[i%3]++ }, reducers.Slice(&histogram, builtin.Sum)))
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *[]builtin.ValLoc[int, int]) { (*acc)[i%2].Min(-i/10, i) },
		reducers.Slice(&lowest, builtin.MinLoc)))
	assert.Equal(t, []int{334, 333, 333}, histogram)
	assert.Equal(t, []builtin.ValLoc[int, int]{{Val: -99, Loc: 990}, {Val: -99, Loc: 991}}, lowest)
}

func TestField(t *testing.T) {
	type stats struct {
		sum  float64
		at   builtin.ValLoc[float64, int]
		norm float64
	}
	var sum, norm float64
	var at builtin.ValLoc[float64, int]
	require.NoError(t, exec.ParallelReduce(policy.Range(1, 101), func(i int, acc *stats) {
		x := float64(i)
		acc.sum += x
		acc.at.Max(x, i)
		acc.norm += float64(x * x)
	},
		reducers.Field(func(s *stats) *float64 { return &s.sum }, builtin.Sum(&sum)),
		reducers.Field(func(s *stats) *builtin.ValLoc[float64, int] { return &s.at }, builtin.MaxLoc(&at)),
		reducers.Field(func(s *stats) *float64 { return &s.norm }, builtin.Norm2(&norm)),
	))
	assert.Equal(t, 5050.0, sum)
	assert.Equal(t, builtin.ValLoc[float64, int]{Val: 100, Loc: 100}, at)
	assert.Equal(t, math.Sqrt(338350), norm)
}

func TestJoinKeepsSource(t *testing.T) {
	type at = builtin.ValLoc[int, int]
	for _, r := range []builtin.Reduction[at, int]{builtin.MinLoc(new(at)), builtin.MaxLastLoc(new(at))} {
		var none, dst at
		r.Init(&none)
		r.Init(&dst)
		src := at{Val: 1, Loc: 2}
		r.Join(&dst, &src)
		assert.Equal(t, at{Val: 1, Loc: 2}, src)
		assert.Equal(t, src, dst)
		r.Join(&dst, &none)
		assert.Equal(t, src, dst, "the identity changes nothing")
		assert.False(t, none.Found())
	}
	type moments = builtin.Moments[float64]
	r := builtin.Variance(new(moments))
	dst, src := moments{N: 2, Mean: 1, M2: 2}, moments{N: 2, Mean: 5, M2: 2}
	r.Join(&dst, &src)
	assert.Equal(t, moments{N: 4, Mean: 3, M2: 20}, dst)
	assert.Equal(t, moments{N: 2, Mean: 5, M2: 2}, src)
	var none, empty moments
	r.Join(&dst, &none)
	assert.Equal(t, moments{N: 4, Mean: 3, M2: 20}, dst, "the identity changes nothing")
	r.Join(&empty, &src)
	assert.Equal(t, src, empty)
}

func TestMomentsOfFew(t *testing.T) {
	var m builtin.Moments[float64]
	assert.True(t, math.IsNaN(m.Variance()))
	assert.True(t, math.IsNaN(m.StdDev()))
	m.Add(5)
	assert.Equal(t, 0.0, m.Variance())
	assert.True(t, math.IsNaN(m.SampleVariance()))
	m.Add(7)
	assert.Equal(t, 1.0, m.StdDev())
	assert.Equal(t, 2.0, m.SampleVariance())
	assert.True(t, math.IsNaN(builtin.Average[int64]{}.Value()))
	assert.Equal(t, 2.5, builtin.Average[int64]{Sum: 5, N: 2}.Value())
}

func TestVarianceOfDistantValues(t *testing.T) {
	x := make([]float64, 10_000)
	for i := range x {
		x[i] = 1e9 + float64(i%2)
	}
	var m builtin.Moments[float64]
	fold(t, x, builtin.Variance(&m))
	assert.InDelta(t, 0.25, m.Variance(), 1e-6)
}
