package builtin_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
)

// sent checks that values and the identity come back from bytes with all of their bits, and
// that fewer bytes are an error.
func sent[A, V any](t *testing.T, name string, reducer func(*A) builtin.Reduction[A, V], values ...A) {
	t.Helper()
	r := reducer(new(A))
	f, err := reduce.FoldOf(r.Fold())
	require.NoError(t, err)
	var identity A
	r.Init(&identity)
	sentValues(t, fmt.Sprintf("%s/%v", name, reflect.TypeFor[A]()), f.Column(), reflect.ValueOf(append(values, identity)))
}

func sentValues(t *testing.T, name string, c *reduce.Column, values reflect.Value) {
	t.Run(name, func(t *testing.T) {
		columns := []*reduce.Column{c}
		_, err := reduce.AppendFingerprint(nil, columns)
		require.NoError(t, err)
		c.Open(1, 2, 1)
		for k := range values.Len() {
			val := values.Index(k)
			reflect.ValueOf(c.Value(0)).Elem().Set(val)
			data, err := reduce.AppendNode(nil, columns, 0)
			require.NoError(t, err)
			require.NoError(t, reduce.SetNode(columns, 1, data))
			again, err := reduce.AppendNode(nil, columns, 1)
			require.NoError(t, err)
			assert.Equal(t, data, again)
			assert.Equal(t, fmt.Sprintf("%#v", val), fmt.Sprintf("%#v", reflect.ValueOf(c.Value(1)).Elem()))
			for cut := range data {
				assert.Error(t, reduce.SetNode(columns, 1, data[:cut]))
			}
		}
	})
}

// payload is a NaN that is not the usual one.
var payload = math.Float64frombits(0xfff8_0000_dead_beef)

// odd has the numbers whose bits are lost most easily.
var odd = []float64{payload, nan, minus, 0, inf, -inf, 0.1, math.SmallestNonzeroFloat64}

// each returns make(x) for each odd number x.
func each[A any](make func(x float64) A) (list []A) {
	for _, x := range odd {
		list = append(list, make(x))
	}
	return list
}

func TestValuesComeBackFromBytes(t *testing.T) {
	itself := each(func(x float64) float64 { return x })
	narrow := each(func(x float64) float32 { return float32(x) })
	pairs := each(func(x float64) complex128 { return complex(x, -x) })
	sent(t, "Sum", builtin.Sum[float64], itself...)
	sent(t, "Sum", builtin.Sum[float32], narrow...)
	sent(t, "Sum", builtin.Sum[int64], math.MinInt64, -1)
	sent(t, "Sum", builtin.Sum[complex128], pairs...)
	sent(t, "Prod", builtin.Prod[float64], itself...)
	sent(t, "Prod", builtin.Prod[complex128], pairs...)
	sent(t, "SumSq", builtin.SumSq[float64], itself...)
	sent(t, "Norm1", builtin.Norm1[float64], itself...)
	sent(t, "Norm2", builtin.Norm2[float64], itself...)
	sent(t, "AMax", builtin.AMax[float64], itself...)
	sent(t, "Min", builtin.Min[float64], itself...)
	sent(t, "Max", builtin.Max[float64], itself...)
	sent(t, "Max", builtin.Max[uint32], math.MaxUint32, 7)
	sent(t, "MinMax", builtin.MinMax[float64], each(func(x float64) builtin.MinMaxVal[float64] { return builtin.MinMaxVal[float64]{Min: x, Max: -x} })...)
	sent(t, "Mean", builtin.Mean[float64], each(func(x float64) builtin.Average[float64] { return builtin.Average[float64]{Sum: x, N: 3} })...)
	sent(t, "Variance", builtin.Variance[float64], each(func(x float64) builtin.Moments[float64] { return builtin.Moments[float64]{N: 2, Mean: x, M2: -x} })...)
	sent(t, "BAnd", builtin.BAnd[int64], 0, -1, 5)
	sent(t, "BOr", builtin.BOr[int64], 0, -1, 5)
	sent(t, "BXor", builtin.BXor[int64], 0, -1, 5)
	sent(t, "LAnd", builtin.LAnd[bool], true, false)
	sent(t, "LOr", builtin.LOr[bool], true, false)
	sent(t, "Count", builtin.Count, 0, 9)

	type at = builtin.ValLoc[float64, int]
	locs := each(func(x float64) at { return at{Val: x, Loc: -4} })
	for name, reducer := range map[string]func(*at) builtin.Reduction[at, float64]{
		"MinLoc": builtin.MinLoc[float64, int], "MinFirstLoc": builtin.MinFirstLoc[float64, int], "MinLastLoc": builtin.MinLastLoc[float64, int],
		"MaxLoc": builtin.MaxLoc[float64, int], "MaxFirstLoc": builtin.MaxFirstLoc[float64, int], "MaxLastLoc": builtin.MaxLastLoc[float64, int],
	} {
		sent(t, name, reducer, locs...)
	}
	type both = builtin.MinMaxLocVal[float64, int]
	ends := each(func(x float64) both { return both{Min: x, Max: -x, MinLoc: 3, MaxLoc: -1} })
	sent(t, "MinMaxLoc", builtin.MinMaxLoc[float64, int], ends...)
	sent(t, "MinMaxFirstLastLoc", builtin.MinMaxFirstLastLoc[float64, int], ends...)

	found := builtin.Found[int]{Loc: -5, Found: true}
	sent(t, "FirstLoc", builtin.FirstLoc[int], found)
	sent(t, "LastLoc", builtin.LastLoc[int], found)
	sent(t, "PartitionPoint", builtin.PartitionPoint[int], found)
	sent(t, "IsPartitioned", builtin.IsPartitioned[int], builtin.Partitioned[int]{LastTrue: found}, builtin.Partitioned[int]{FirstFalse: found})
	sentAlone(t, builtin.FirstLoc[place], builtin.Found[place]{Loc: place{"x", [2]float32{float32(minus), 1}, true, 7}, Found: true})
	sentAlone(t, builtin.FirstLoc[policy.Index2], builtin.Found[policy.Index2]{Loc: policy.Index2{I: 1, J: -2}, Found: true})
}

// sentAlone is sent of a reducer that takes no values, and one partial result.
func sentAlone[A any](t *testing.T, reducer func(*A) builtin.Reduction[A, bool], value A) {
	s := reduce.NewSlots[A](reducer(new(A)))
	sentValues(t, reflect.TypeFor[A]().String(), &s.Column, reflect.ValueOf([]A{value}))
}
