package builtin_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers/concept"
)

// reader is a space that folds by what the documentation of operations says, and by nothing
// else, leaf by leaf.
type reader struct{ unknown bool }

func (*reader) Name() string     { return "reader" }
func (*reader) Concurrency() int { return 1 }

func (r *reader) Launch(g space.Grid, j space.Job) error {
	job := j.(device.Job)
	f, ok := job.Fold()
	if !ok {
		return fmt.Errorf("no fold")
	}
	var parts []parts
	for _, c := range f.Columns {
		r.unknown = !c.Operation.Known()
		parts = append(parts, read(c.Operation, f.X, f.First))
	}
	if r.unknown {
		space.Alone(g, j)
		return nil
	}
	j.Open(1, g.Leaves+1)
	for leaf := range g.Leaves {
		var value []byte
		for k, c := range f.Columns {
			value = append(value, parts[k].leaf(g, c.Lanes, leaf)...)
		}
		job.Accept(0, leaf, leaf+1, leaf, value)
	}
	for w := 1; w < g.Leaves; w *= 2 {
		for k := 0; k+w < g.Leaves; k += 2 * w {
			j.Join(k, k+w)
		}
	}
	return nil
}

// parts are what an operation does with partial results, of whatever type.
type parts struct {
	identity any
	add      func(acc any, item int) any
	join     func(dst, src any) any
}

// leaf returns the bytes of a leaf.
func (p parts) leaf(g space.Grid, count, leaf int) []byte {
	lanes := make([]any, count)
	begin := leaf * g.Leaf
	items := min(g.Leaf, g.Items-begin)
	for k := range items {
		if k < count {
			lanes[k] = p.identity
		}
		lanes[k%count] = p.add(lanes[k%count], begin+k)
	}
	for h := count / 2; h > 0; h /= 2 {
		for l := 0; l < h && l+h < items; l++ {
			lanes[l] = p.join(lanes[l], lanes[l+h])
		}
	}
	return bytesOf(reflect.ValueOf(lanes[0]))
}

// bytesOf returns the memory of a number, or of those in a struct, in their order.
func bytesOf(v reflect.Value) (data []byte) {
	if v.Kind() == reflect.Struct {
		for k := range v.NumField() {
			data = append(data, bytesOf(v.Field(k))...)
		}
		return data
	}
	at := reflect.New(v.Type())
	at.Elem().Set(v)
	return unsafe.Slice((*byte)(at.UnsafePointer()), v.Type().Size())
}

// read returns what an operation does with the values x.
func read(o concept.Operation, x any, first int) parts {
	switch x := x.(type) {
	case []float64:
		return readReals(o, x, first)
	case []float32:
		return readReals(o, x, first)
	case []int64:
		return readIntegers(o, x, first)
	case []int8:
		return readIntegers(o, x, first)
	case []uint32:
		return readIntegers(o, x, first)
	case []complex128:
		times := func(a, b complex128) complex128 {
			re := float64(real(a)*real(b)) - float64(imag(a)*imag(b))
			return complex(re, float64(real(a)*imag(b))+float64(imag(a)*real(b)))
		}
		return readSums(o, x, times, nil)
	case []bool:
		return readBools(o, x, first)
	}
	panic("another type")
}

// scalar returns the parts of an operation whose partial results are values.
func scalar[T any](identity T, value func(item int) T, join func(a, b T) T) parts {
	return parts{
		identity,
		func(acc any, item int) any { return join(acc.(T), value(item)) },
		func(dst, src any) any { return join(dst.(T), src.(T)) },
	}
}

func readSums[T builtin.Number](o concept.Operation, x []T, times func(a, b T) T, abs func(T) T) parts {
	value := func(item int) T {
		switch v := x[item]; o.Map {
		case "":
			return v
		case concept.MapSquare:
			return times(v, v)
		case concept.MapAbs:
			return abs(v)
		}
		panic(o.Map)
	}
	switch o.Join {
	case concept.OpSum:
		return scalar(0, value, func(a, b T) T { return a + b })
	case concept.OpProd:
		return scalar(1, value, times)
	}
	panic(o.Join)
}

func readReals[T builtin.Real](o concept.Operation, x []T, first int) parts {
	times := func(a, b T) T { return T(a * b) }
	abs := func(v T) T { return max(v, -v) }
	if T(0)-1 > 0 {
		abs = func(v T) T { return v }
	}
	low, high := extremes[T]()
	value := func(item int) T { return x[item] }
	if o.Map == concept.MapAbs {
		low, value = 0, func(item int) T { return abs(x[item]) }
	}
	switch o.Join {
	case concept.OpMin:
		return scalar(high, value, func(a, b T) T { return min(a, b) })
	case concept.OpMax:
		return scalar(low, value, func(a, b T) T { return max(a, b) })
	case concept.OpMinMax:
		type pair struct{ Min, Max T }
		return scalar(pair{high, low}, func(item int) pair { return pair{x[item], x[item]} }, func(a, b pair) pair {
			return pair{min(a.Min, b.Min), max(a.Max, b.Max)}
		})
	case concept.OpAverage:
		type average struct {
			Sum T
			N   int
		}
		return scalar(average{}, func(item int) average { return average{x[item], 1} }, func(a, b average) average {
			return average{a.Sum + b.Sum, a.N + b.N}
		})
	case concept.OpMoments:
		return readMoments(x)
	case concept.OpMinMaxFirst, concept.OpMinMaxLast:
		type both struct {
			Min, Max       T
			MinLoc, MaxLoc int
			NoMin, NoMax   bool
		}
		one := func(v T, at int) both { return both{v, v, at, at, false, false} }
		return scalar(both{NoMin: true}, func(item int) both { return one(x[item], first+item) }, func(a, b both) both {
			if a.NoMin {
				return b
			}
			if prefers(b.Min, b.MinLoc, a.Min, a.MinLoc, false, false) {
				a.Min, a.MinLoc = b.Min, b.MinLoc
			}
			if prefers(b.Max, b.MaxLoc, a.Max, a.MaxLoc, true, o.Join == concept.OpMinMaxLast) {
				a.Max, a.MaxLoc = b.Max, b.MaxLoc
			}
			return a
		})
	case concept.OpMinFirst, concept.OpMinLast, concept.OpMaxFirst, concept.OpMaxLast:
		type at struct {
			Val  T
			Loc  int
			None bool
		}
		highest := o.Join == concept.OpMaxFirst || o.Join == concept.OpMaxLast
		last := o.Join == concept.OpMinLast || o.Join == concept.OpMaxLast
		return scalar(at{None: true}, func(item int) at { return at{x[item], first + item, false} }, func(a, b at) at {
			if a.None || prefers(b.Val, b.Loc, a.Val, a.Loc, highest, last) {
				return b
			}
			return a
		})
	}
	return readSums(o, x, times, abs)
}

// prefers reports whether a value goes before another.
func prefers[T builtin.Real](v T, at int, w T, other int, highest, last bool) bool {
	if v == w && math.Signbit(float64(v)) == math.Signbit(float64(w)) || v != v && w != w {
		return (at < other) != last
	}
	if v != v || w != w {
		return v != v
	}
	if highest {
		return max(v, w) == v && (v != w || math.Signbit(float64(w)))
	}
	return min(v, w) == v && (v != w || math.Signbit(float64(v)))
}

func readMoments[T builtin.Real](x []T) parts {
	type moments struct {
		N        int
		Mean, M2 T
	}
	return parts{
		moments{},
		func(acc any, item int) any {
			m := acc.(moments)
			m.N++
			d := x[item] - m.Mean
			m.Mean += d / T(m.N)
			m.M2 += T(d * (x[item] - m.Mean))
			return m
		},
		func(dst, src any) any {
			a, b := dst.(moments), src.(moments)
			n := a.N + b.N
			share, d := T(b.N)/T(n), b.Mean-a.Mean
			return moments{n, a.Mean + T(d*share), a.M2 + (b.M2 + T(T(T(d*d)*share)*T(a.N)))}
		},
	}
}

func readIntegers[T builtin.Integer](o concept.Operation, x []T, first int) parts {
	value := func(item int) T { return x[item] }
	switch o.Join {
	case concept.OpAnd:
		return scalar(^T(0), value, func(a, b T) T { return a & b })
	case concept.OpOr:
		return scalar(0, value, func(a, b T) T { return a | b })
	case concept.OpXor:
		return scalar(0, value, func(a, b T) T { return a ^ b })
	}
	return readReals(o, x, first)
}

func readBools(o concept.Operation, x []bool, first int) parts {
	type found struct {
		Loc   int
		Found bool
	}
	firstOf := func(a, b found) found {
		if !a.Found || b.Found && b.Loc < a.Loc {
			return b
		}
		return a
	}
	lastOf := func(a, b found) found {
		if !a.Found || b.Found && b.Loc > a.Loc {
			return b
		}
		return a
	}
	where := func(want bool) func(item int) found {
		return func(item int) found {
			if x[item] != want {
				return found{}
			}
			return found{first + item, true}
		}
	}
	value := func(item int) bool { return x[item] }
	switch o {
	case concept.Operation{Join: concept.OpSum, Map: concept.MapOne}:
		return scalar(0, func(item int) int {
			if x[item] {
				return 1
			}
			return 0
		}, func(a, b int) int { return a + b })
	case concept.Operation{Join: concept.OpAnd}:
		return scalar(true, value, func(a, b bool) bool { return a && b })
	case concept.Operation{Join: concept.OpOr}:
		return scalar(false, value, func(a, b bool) bool { return a || b })
	case concept.Operation{Join: concept.OpFirst}:
		return scalar(found{}, where(true), firstOf)
	case concept.Operation{Join: concept.OpFirst, Map: concept.MapNot}:
		return scalar(found{}, where(false), firstOf)
	case concept.Operation{Join: concept.OpLast}:
		return scalar(found{}, where(true), lastOf)
	case concept.Operation{Join: concept.OpPartition}:
		type both struct{ True, False found }
		return scalar(both{}, func(item int) both { return both{where(true)(item), where(false)(item)} }, func(a, b both) both {
			return both{lastOf(a.True, b.True), firstOf(a.False, b.False)}
		})
	}
	panic(fmt.Sprint(o))
}

// readable checks that a reducer gives the bits that its operation says.
func readable[A, V any](t *testing.T, name string, reducer func(*A) builtin.Reduction[A, V], final concept.Op, value func() V) {
	t.Helper()
	readableFold(t, fmt.Sprintf("%s/%v", name, reflect.TypeFor[A]()), final, reducer(new(A)), func(n int) func(s exec.Space) (any, error) {
		x := make([]V, n+3)
		for k := range x {
			x[k] = value()
		}
		var result A
		return func(s exec.Space) (any, error) {
			err := exec.ParallelFold(exec.Slice(policy.Range(3, n+3).On(s), x), reducer(&result))
			return result, err
		}
	})
}

// readableFold is readable with the types hidden: values returns a fold of n values.
func readableFold(t *testing.T, name string, final concept.Op, reducer any, values func(n int) func(s exec.Space) (any, error)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		assert.Equal(t, final, reducer.(interface{ Operation() concept.Operation }).Operation().Final)
		for _, n := range []int{0, 1, 2, 9, 33, 1000, 5000} {
			fold, on := values(n), &reader{}
			want, err := fold(exec.Serial{})
			require.NoError(t, err)
			got, err := fold(on)
			require.NoError(t, err)
			assert.Equal(t, text(want), text(got), "%d items", n)
			assert.False(t, on.unknown)
		}
	})
}

func readableScalars[T builtin.Real](t *testing.T, value func() T) {
	readable(t, "Sum", builtin.Sum[T], "", value)
	readable(t, "SumSq", builtin.SumSq[T], "", value)
	readable(t, "Norm1", builtin.Norm1[T], "", value)
	readable(t, "Prod", builtin.Prod[T], "", value)
	readable(t, "Min", builtin.Min[T], "", value)
	readable(t, "Max", builtin.Max[T], "", value)
	readable(t, "AMax", builtin.AMax[T], "", value)
}

func readablePairs[T builtin.Real](t *testing.T, value func() T) {
	readable(t, "MinMax", builtin.MinMax[T], "", value)
	readable(t, "Mean", builtin.Mean[T], "", value)
	readable(t, "MinLoc", builtin.MinLoc[T, int], "", value)
	readable(t, "MinLastLoc", builtin.MinLastLoc[T, int], "", value)
	readable(t, "MaxLoc", builtin.MaxLoc[T, int], "", value)
	readable(t, "MaxLastLoc", builtin.MaxLastLoc[T, int], "", value)
	readable(t, "MinMaxLoc", builtin.MinMaxLoc[T, int], "", value)
	readable(t, "MinMaxFirstLastLoc", builtin.MinMaxFirstLastLoc[T, int], "", value)
}

func readableIntegers[T builtin.Integer](t *testing.T, value func() T) {
	readableScalars(t, value)
	readable(t, "BAnd", builtin.BAnd[T], "", value)
	readable(t, "BOr", builtin.BOr[T], "", value)
	readable(t, "BXor", builtin.BXor[T], "", value)
}

// The operations of the built-in reducers are what package reducers says of them.
func TestOperations(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	special := []float64{0, minus, 1, -1, 0.1, 3, -7}
	normal := func() float64 {
		if rng.IntN(3) == 0 {
			return special[rng.IntN(len(special))]
		}
		return rng.NormFloat64()
	}
	narrow := func() float32 { return float32(normal()) }
	readableScalars(t, normal)
	readableScalars(t, narrow)
	readablePairs(t, normal)
	readablePairs(t, narrow)
	readable(t, "Norm2", builtin.Norm2[float64], concept.FinalSqrt, normal)
	readable(t, "Norm2", builtin.Norm2[float32], concept.FinalSqrt, narrow)
	readable(t, "Variance", builtin.Variance[float64], "", normal)
	readable(t, "Variance", builtin.Variance[float32], "", narrow)
	readable(t, "NaN", builtin.MinLoc[float64, int], "", func() float64 { return []float64{nan, 1, inf}[rng.IntN(3)] })
	readable(t, "NaN", builtin.MaxLastLoc[float64, int], "", func() float64 { return []float64{nan, 1, -inf}[rng.IntN(3)] })
	readable(t, "NaN", builtin.Min[float64], "", func() float64 { return []float64{nan, 1, inf}[rng.IntN(3)] })

	integer := func() int64 { return int64(rng.Uint64()) }
	readableIntegers(t, integer)
	readableIntegers(t, func() int8 { return int8(rng.Uint64()) })
	readableIntegers(t, rng.Uint32)
	readablePairs(t, integer)
	readablePairs(t, rng.Uint32)
	readable(t, "MinMax", builtin.MinMax[int8], "", func() int8 { return int8(rng.Uint64()) }) // which has no kernels
	readable(t, "Mean", builtin.Mean[int8], "", func() int8 { return int8(rng.Uint64()) })
	readable(t, "MaxLoc", builtin.MaxLoc[int8, int], "", func() int8 { return int8(rng.Uint64()) })
	readable(t, "AMax of the smallest", builtin.AMax[int8], "", func() int8 { return math.MinInt8 })

	pair := func() complex128 { return complex(normal(), normal()) }
	readable(t, "Sum", builtin.Sum[complex128], "", pair)
	readable(t, "SumSq", builtin.SumSq[complex128], "", pair)
	readable(t, "Prod", builtin.Prod[complex128], "", pair)

	for name, rare := range map[string]int{"one in two": 2, "few": 1000, "none": math.MaxInt} {
		t.Run(name, func(t *testing.T) {
			for _, sense := range []bool{true, false} {
				value := func() bool { return (rng.IntN(rare) == 0) == sense }
				readable(t, "Count", builtin.Count, "", value)
				readable(t, "LAnd", builtin.LAnd[bool], "", value)
				readable(t, "LOr", builtin.LOr[bool], "", value)
				readable(t, "FirstLoc", builtin.FirstLoc[int], "", value)
				readable(t, "LastLoc", builtin.LastLoc[int], "", value)
				readable(t, "PartitionPoint", builtin.PartitionPoint[int], "", value)
				readable(t, "IsPartitioned", builtin.IsPartitioned[int], "", value)
			}
		})
	}
}

// Locations that are no numbers have an order of their own.
func TestOperationsOfOtherLocations(t *testing.T) {
	for _, r := range []any{
		builtin.MinLoc(new(builtin.ValLoc[float64, policy.Index2])),
		builtin.MinMaxLoc(new(builtin.MinMaxLocVal[float64, string])),
		builtin.FirstLoc(new(builtin.Found[uint])),
		builtin.IsPartitioned(new(builtin.Partitioned[int32])),
	} {
		assert.False(t, r.(interface{ Operation() concept.Operation }).Operation().Known(), "%T", r)
	}
}
