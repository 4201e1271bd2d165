package builtin_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

var (
	sizes  = []int{0, 1, 2, 31, 33, 63, 64, 65, 1000, 4097}
	chunks = []int{0, 8, 16, 32, 64, 128, 256, 512} // 1 to 32 lanes
	spaces = []exec.Space{
		exec.Serial{},
		exec.NewGoroutines(1),
		exec.NewGoroutines(2),
		exec.NewGoroutines(3),
		exec.NewGoroutines(7),
	}
)

// trial is one reducer over one element type.
type trial[A, V any] struct {
	reducer func(result *A) builtin.Reduction[A, V]
	functor func(acc *A, x V, i int)
	values  func(rng *rand.Rand) V
	want    func(x []V) A                 // a loop that is obviously right
	near    func(x []V, want, got A) bool // nil if the result is exact
}

// run checks that functor and fold give the same bits on every space, in any
// number of lanes, and that these are right.
func (c trial[A, V]) run(t *testing.T, name string) {
	hidden := func(rng *rand.Rand, n int) round {
		x := make([]V, n)
		for i := range x {
			x[i] = c.values(rng)
		}
		want := c.want(x)
		r := round{n: n, want: want, reduce: func(p policy.RangePolicy) (reduced, folded any, errs [2]error) {
			var a, b A
			errs[0] = exec.ParallelReduce(p, func(i int, acc *A) { c.functor(acc, x[i], i) }, c.reducer(&a))
			errs[1] = exec.ParallelFold(exec.Slice(p, x), c.reducer(&b))
			return a, b, errs
		}}
		if c.near != nil {
			r.near = func(got any) bool { return c.near(x, want, got.(A)) }
		}
		return r
	}
	t.Run(fmt.Sprintf("%s/%v", name, reflect.TypeFor[V]()), func(t *testing.T) { runRounds(t, hidden) })
}

// round is a trial of n values, with all types hidden: they would be compiled for each.
type round struct {
	n      int
	want   any
	near   func(got any) bool                                              // nil if the result is exact
	reduce func(p policy.RangePolicy) (reduced, folded any, errs [2]error) // by the functor, and by the fold
}

func runRounds(t *testing.T, of func(rng *rand.Rand, n int) round) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k, n := range sizes {
		if testing.Short() && k%3 != 0 {
			continue
		}
		r := of(rng, n)
		for k, chunk := range chunks {
			p := policy.Range(0, n)
			on := spaces
			if chunk > 0 {
				p, on = p.Chunk(chunk), spaces[:1+k%len(spaces)]
			}
			r.check(t, p, on)
		}
	}
}

func (r round) check(t *testing.T, p policy.RangePolicy, on []exec.Space) {
	t.Helper()
	var first string
	for k, space := range on {
		got, folded, errs := r.reduce(p.On(space))
		require.NoError(t, errs[0])
		require.NoError(t, errs[1])
		if k == 0 {
			first = text(got)
			if r.near != nil {
				require.True(t, r.near(got), "n = %d: want about %v, got %v", r.n, r.want, got)
			} else {
				require.Equal(t, text(r.want), first, "n = %d", r.n)
			}
		}
		require.Equal(t, first, text(got), "functor, space %d, n = %d", k, r.n)
		require.Equal(t, first, text(folded), "fold, space %d, n = %d", k, r.n)
	}
}

// text tells all values apart, -0 from +0 as well, but not one NaN from another.
func text(x any) string { return fmt.Sprintf("%v", x) }

// loop returns the function that joins all values, beginning with start.
func loop[A, V any](start A, join func(acc *A, x V, i int)) func(x []V) A {
	return func(x []V) A {
		acc := start
		for i, v := range x {
			join(&acc, v, i)
		}
		return acc
	}
}

func isFloat[T builtin.Real]() bool { return T(1)/2 != 0 }

// extremes returns the smallest and the largest value of T.
func extremes[T builtin.Real]() (lo, hi T) {
	v, w := reflect.ValueOf(&lo).Elem(), reflect.ValueOf(&hi).Elem()
	bits := v.Type().Bits()
	switch {
	case v.CanFloat():
		v.SetFloat(math.Inf(-1))
		w.SetFloat(math.Inf(+1))
	case v.CanInt():
		v.SetInt(math.MinInt64 >> (64 - bits))
		w.SetInt(math.MaxInt64 >> (64 - bits))
	default:
		w.SetUint(math.MaxUint64 >> (64 - bits))
	}
	return lo, hi
}

// spread returns values from all over T, or between -1 and 1 for floats.
func spread[T builtin.Real](rng *rand.Rand) T {
	if isFloat[T]() {
		x := 2*rng.Float64() - 1
		return T(x)
	}
	return T(rng.Uint64())
}

// few returns one of few values, so that there are many equal ones.
func few[T builtin.Real](rng *rand.Rand) T { return T(rng.IntN(5)) - 2 }

// wild returns floats that are often special, and integers that are extreme.
func wild[T builtin.Real](rng *rand.Rand) T {
	lo, hi := extremes[T]()
	zero := T(0)
	special := []T{lo, hi, zero, -zero, few[T](rng), few[T](rng), few[T](rng)}
	if isFloat[T]() {
		minus, nan := math.Copysign(0, -1), math.NaN()
		special = append(special, T(minus))
		if rng.IntN(300) == 0 {
			return T(nan)
		}
	}
	return special[rng.IntN(len(special))]
}

func kindsOfReals[T builtin.Real]() map[string]func(*rand.Rand) T {
	return map[string]func(*rand.Rand) T{"spread": spread[T], "few": few[T], "wild": wild[T]}
}

// about returns a check for the sum of n values whose sizes are given by size.
func about[V any, A builtin.Real](size func(x V) float64) func(x []V, want, got A) bool {
	return func(x []V, want, got A) bool {
		if !isFloat[A]() {
			return want == got
		}
		eps, sum := 0x1p-52, math.Abs(float64(want))
		if reflect.TypeFor[A]().Size() == 4 {
			eps = 0x1p-23
		}
		for _, v := range x {
			sum += size(v)
		}
		return math.Abs(float64(got)-float64(want)) <= eps*float64(len(x)+1)*sum
	}
}

func magnitude[T builtin.Real](x T) float64 { return math.Abs(float64(x)) }

func magnitudeSq[T builtin.Real](x T) float64 { return float64(x) * float64(x) }

// Named types.
type (
	celsius float64
	level   int8
	truth   bool
)

// The kinds and sizes that have kernels; TestEveryReal has the others. A launch of partial results of one type is one
// of any, so pairs are launched for one type. Their operations on the others are those of TestKernelsOfPlaces,
// TestExactInAnyOrder and TestOperations.
func TestReal(t *testing.T) {
	testScalars[int64](t)
	testScalars[uint32](t)
	testScalars[float32](t)
	testScalars[float64](t)
	testPairs[float64](t)
	testScalars[celsius](t)
	testScalars[level](t)
}

// testScalars is of reducers whose partial results are numbers.
func testScalars[T builtin.Real](t *testing.T) {
	lo, hi := extremes[T]()
	abs := func(x T) T {
		if x < 0 {
			return -x
		}
		return x
	}
	type joins = func(acc *T, x T, i int)
	add := joins(func(acc *T, x T, _ int) { *acc += x })
	trial[T, T]{reducer: builtin.Sum[T], functor: add, values: spread[T],
		want: loop(0, add), near: about[T, T](magnitude)}.run(t, "Sum")

	addSq := joins(func(acc *T, x T, _ int) { *acc += T(x * x) })
	trial[T, T]{reducer: builtin.SumSq[T], functor: addSq, values: spread[T],
		want: loop(0, addSq), near: about[T, T](magnitudeSq)}.run(t, "SumSq")

	addAbs := joins(func(acc *T, x T, _ int) { *acc += abs(x) })
	trial[T, T]{reducer: builtin.Norm1[T], functor: addAbs, values: spread[T],
		want: loop(0, addAbs), near: about[T, T](magnitude)}.run(t, "Norm1")

	mul := joins(func(acc *T, x T, _ int) { *acc *= x })
	trial[T, T]{reducer: builtin.Prod[T], functor: mul, want: loop(1, mul), near: about[T, T](func(T) float64 { return 0 }),
		values: func(rng *rand.Rand) T {
			if isFloat[T]() {
				x := math.Exp2(rng.Float64() - 0.5)
				return T(x)
			}
			return 2*T(rng.Uint64()) + 1
		}}.run(t, "Prod")

	for name, values := range kindsOfReals[T]() {
		low := joins(func(acc *T, x T, _ int) { *acc = min(*acc, x) })
		trial[T, T]{reducer: builtin.Min[T], functor: low, values: values, want: loop(hi, low)}.run(t, "Min/"+name)

		high := joins(func(acc *T, x T, _ int) { *acc = max(*acc, x) })
		trial[T, T]{reducer: builtin.Max[T], functor: high, values: values, want: loop(lo, high)}.run(t, "Max/"+name)

		highAbs := joins(func(acc *T, x T, _ int) { *acc = max(*acc, abs(x)) })
		trial[T, T]{reducer: builtin.AMax[T], functor: highAbs, values: values, want: loop(0, highAbs)}.run(t, "AMax/"+name)
	}
}

// testPairs is of those whose partial results are numbers and counts, or locations.
func testPairs[T builtin.Real](t *testing.T) {
	lo, hi := extremes[T]()
	type joins = func(acc *T, x T, i int)
	for name, values := range kindsOfReals[T]() {
		low := joins(func(acc *T, x T, _ int) { *acc = min(*acc, x) })
		high := joins(func(acc *T, x T, _ int) { *acc = max(*acc, x) })
		trial[builtin.MinMaxVal[T], T]{reducer: builtin.MinMax[T], values: values,
			functor: func(acc *builtin.MinMaxVal[T], x T, _ int) { acc.Add(x) },
			want: func(x []T) builtin.MinMaxVal[T] {
				return builtin.MinMaxVal[T]{Min: loop(hi, low)(x), Max: loop(lo, high)(x)}
			},
		}.run(t, "MinMax/"+name)

		testLoc(t, name, values)
	}

	add := joins(func(acc *T, x T, _ int) { *acc += x })
	trial[builtin.Average[T], T]{reducer: builtin.Mean[T], values: spread[T],
		functor: func(acc *builtin.Average[T], x T, _ int) { acc.Add(x) },
		want:    func(x []T) builtin.Average[T] { return builtin.Average[T]{Sum: loop(0, add)(x), N: len(x)} },
		near: func(x []T, want, got builtin.Average[T]) bool {
			return want.N == got.N && about[T, T](magnitude)(x, want.Sum, got.Sum)
		},
	}.run(t, "Mean")
}

// same is == that tells -0 from +0, and not one NaN from another.
func same[T builtin.Real](x, y T) bool {
	signs := math.Signbit(float64(x)) == math.Signbit(float64(y))
	return x == y && signs || x != x && y != y
}

// where returns the first and the last location of the value that all values
// join to.
func where[T builtin.Real](x []T, join func(a, b T) T) (val T, first, last int) {
	for i, v := range x {
		if i == 0 {
			val = v
		}
		val = join(val, v)
	}
	for i, v := range x {
		if same(v, val) {
			last = i
		}
	}
	for i := len(x) - 1; i >= 0; i-- {
		if same(x[i], val) {
			first = i
		}
	}
	return val, first, last
}

func testLoc[T builtin.Real](t *testing.T, name string, values func(*rand.Rand) T) {
	type at = builtin.ValLoc[T, int]
	low := func(a, b T) T { return min(a, b) }
	high := func(a, b T) T { return max(a, b) }
	for _, c := range []struct {
		name    string
		reducer func(*at) builtin.Reduction[at, T]
		functor func(*at, T, int)
		join    func(a, b T) T
		last    bool
	}{
		{"MinLoc", builtin.MinLoc[T, int], (*at).Min, low, false},
		{"MinFirstLoc", builtin.MinFirstLoc[T, int], (*at).Min, low, false},
		{"MinLastLoc", builtin.MinLastLoc[T, int], (*at).MinLast, low, true},
		{"MaxLoc", builtin.MaxLoc[T, int], (*at).Max, high, false},
		{"MaxFirstLoc", builtin.MaxFirstLoc[T, int], (*at).Max, high, false},
		{"MaxLastLoc", builtin.MaxLastLoc[T, int], (*at).MaxLast, high, true},
	} {
		trial[at, T]{reducer: c.reducer, functor: c.functor, values: values,
			want: func(x []T) (want at) {
				if len(x) == 0 {
					c.reducer(new(at)).Init(&want)
					return want
				}
				val, loc, last := where(x, c.join)
				if c.last {
					loc = last
				}
				return at{Val: val, Loc: loc}
			}}.run(t, c.name+"/"+name)
	}

	type both = builtin.MinMaxLocVal[T, int]
	for _, c := range []struct {
		name    string
		reducer func(*both) builtin.Reduction[both, T]
		functor func(*both, T, int)
		last    bool
	}{
		{"MinMaxLoc", builtin.MinMaxLoc[T, int], (*both).Add, false},
		{"MinMaxFirstLastLoc", builtin.MinMaxFirstLastLoc[T, int], (*both).AddFirstLast, true},
	} {
		trial[both, T]{reducer: c.reducer, functor: c.functor, values: values,
			want: func(x []T) (want both) {
				if len(x) == 0 {
					c.reducer(new(both)).Init(&want)
					return want
				}
				lo, first, _ := where(x, low)
				hi, loc, last := where(x, high)
				if c.last {
					loc = last
				}
				return both{Min: lo, Max: hi, MinLoc: first, MaxLoc: loc}
			}}.run(t, c.name+"/"+name)
	}
}

func TestFloat(t *testing.T) {
	testNorm2[float32](t)
	testNorm2[float64](t)
	testVariance[float64](t) // TestOperations has the other
}

func testNorm2[T builtin.Float](t *testing.T) {
	trial[T, T]{reducer: builtin.Norm2[T], values: spread[T],
		functor: func(acc *T, x T, _ int) { *acc += T(x * x) },
		want: func(x []T) T {
			sum := 0.0
			for _, v := range x {
				sum += magnitudeSq(v)
			}
			return T(math.Sqrt(sum))
		},
		near: about[T, T](magnitude),
	}.run(t, "Norm2")
}

func testVariance[T builtin.Float](t *testing.T) {
	trial[builtin.Moments[T], T]{reducer: builtin.Variance[T],
		values:  func(rng *rand.Rand) T { return 100 + spread[T](rng) },
		functor: func(acc *builtin.Moments[T], x T, _ int) { acc.Add(x) },
		want: func(x []T) (want builtin.Moments[T]) {
			mean, m2 := 0.0, 0.0
			for _, v := range x {
				mean += float64(v) / float64(len(x))
			}
			for _, v := range x {
				m2 += (float64(v) - mean) * (float64(v) - mean)
			}
			return builtin.Moments[T]{N: len(x), Mean: T(mean), M2: T(m2)}
		},
		near: func(x []T, want, got builtin.Moments[T]) bool {
			close := func(a, b T) bool { return math.Abs(float64(a-b)) <= 1e-3*math.Abs(float64(b)) }
			return want.N == got.N && close(got.Mean, want.Mean) && close(got.M2, want.M2)
		},
	}.run(t, "Variance")
}

func TestComplex(t *testing.T) {
	testComplex(t, func(rng *rand.Rand) complex64 { return complex64(complex(few[float64](rng), few[float64](rng))) })
	testComplex(t, func(rng *rand.Rand) complex128 { return complex(few[float64](rng), few[float64](rng)) })
}

// testComplex sums small integers, which is exact.
func testComplex[T builtin.Complex](t *testing.T, values func(*rand.Rand) T) {
	add := func(acc *T, x T, _ int) { *acc += x }
	trial[T, T]{reducer: builtin.Sum[T], functor: add, values: values, want: loop(0, add)}.run(t, "Sum")
	addSq := func(acc *T, x T, _ int) { *acc += T(x * x) }
	trial[T, T]{reducer: builtin.SumSq[T], functor: addSq, values: values, want: loop(0, addSq)}.run(t, "SumSq")
	mul := func(acc *T, x T, _ int) { *acc *= x }
	units := func(rng *rand.Rand) T { return []T{1, -1}[rng.IntN(2)] }
	trial[T, T]{reducer: builtin.Prod[T], functor: mul, values: units, want: loop(1, mul),
		near: func(_ []T, want, got T) bool { return want == got }}.run(t, "Prod")
}

func TestInteger(t *testing.T) {
	testInteger[int64](t)
	testInteger[uint32](t)
	testInteger[level](t)
}

func testInteger[T builtin.Integer](t *testing.T) {
	for _, c := range []struct {
		name    string
		reducer func(*T) builtin.Reduction[T, T]
		start   T
		join    func(acc *T, x T, i int)
	}{
		{"BAnd", builtin.BAnd[T], ^T(0), func(acc *T, x T, _ int) { *acc &= x }},
		{"BOr", builtin.BOr[T], 0, func(acc *T, x T, _ int) { *acc |= x }},
		{"BXor", builtin.BXor[T], 0, func(acc *T, x T, _ int) { *acc ^= x }},
	} {
		// Sparse bits, lest all be set or cleared at once.
		values := func(rng *rand.Rand) T {
			x := T(1) << rng.IntN(reflect.TypeFor[T]().Bits()-1)
			if c.name == "BAnd" {
				return ^x
			}
			return x
		}
		trial[T, T]{reducer: c.reducer, functor: c.join, values: values, want: loop(c.start, c.join)}.run(t, c.name)
	}
}

func TestBool(t *testing.T) {
	testBool[bool](t)
	testBool[truth](t)
}

func testBool[T ~bool](t *testing.T) {
	and := func(acc *T, x T, _ int) { *acc = *acc && x }
	or := func(acc *T, x T, _ int) { *acc = *acc || x }
	for _, share := range []int{0, 1, 50, 99, 100} {
		values := func(rng *rand.Rand) T { return rng.IntN(100) < share }
		trial[T, T]{reducer: builtin.LAnd[T], functor: and, values: values, want: loop(true, and)}.run(t, "LAnd")
		trial[T, T]{reducer: builtin.LOr[T], functor: or, values: values, want: loop(false, or)}.run(t, "LOr")
	}
}

func TestPredicate(t *testing.T) {
	type found = builtin.Found[int]
	type parts = builtin.Partitioned[int]
	first := func(x []bool, want bool) (f found) {
		for i := len(x) - 1; i >= 0; i-- {
			if x[i] == want {
				f = found{Loc: i, Found: true}
			}
		}
		return f
	}
	last := func(x []bool) (f found) {
		for i, holds := range x {
			if holds {
				f = found{Loc: i, Found: true}
			}
		}
		return f
	}
	for _, share := range []int{0, 1, 500, 999, 1000} {
		values := func(rng *rand.Rand) bool { return rng.IntN(1000) < share }
		tally := func(acc *int, holds bool, _ int) {
			if holds {
				*acc++
			}
		}
		trial[int, bool]{reducer: builtin.Count, functor: tally, values: values, want: loop(0, tally)}.run(t, "Count")
		trial[found, bool]{reducer: builtin.FirstLoc[int], values: values,
			functor: func(acc *found, holds bool, i int) { acc.First(i, holds) },
			want:    func(x []bool) found { return first(x, true) },
		}.run(t, "FirstLoc")
		trial[found, bool]{reducer: builtin.LastLoc[int], values: values,
			functor: func(acc *found, holds bool, i int) { acc.Last(i, holds) },
			want:    last,
		}.run(t, "LastLoc")
		trial[found, bool]{reducer: builtin.PartitionPoint[int], values: values,
			functor: func(acc *found, holds bool, i int) { acc.First(i, !holds) },
			want:    func(x []bool) found { return first(x, false) },
		}.run(t, "PartitionPoint")
		trial[parts, bool]{reducer: builtin.IsPartitioned[int], values: values,
			functor: func(acc *parts, holds bool, i int) { acc.Add(i, holds) },
			want:    func(x []bool) parts { return parts{LastTrue: last(x), FirstFalse: first(x, false)} },
		}.run(t, "IsPartitioned")
	}
}

func TestIsPartitioned(t *testing.T) {
	for _, c := range []struct {
		x    string
		want bool
	}{
		{"", true}, {"+", true}, {"-", true}, {"++", true}, {"--", true},
		{"+-", true}, {"-+", false}, {"++--", true}, {"+-+-", false}, {"---+", false},
	} {
		var got builtin.Partitioned[int]
		p := policy.Range(0, len(c.x)).On(exec.Serial{})
		require.NoError(t, exec.ParallelFold(exec.Map(p, func(i int) bool { return c.x[i] == '+' }), builtin.IsPartitioned(&got)))
		assert.Equal(t, c.want, got.IsPartitioned(), "%q", c.x)
	}
}
