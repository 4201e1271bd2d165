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
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers/concept"
)

// exactness says whether reducers are marked exact, and what for.
type exactness struct {
	name string
	want bool
	got  bool
}

func marked[A, V any](name string, want bool, reducer func(*A) builtin.Reduction[A, V]) exactness {
	return exactness{fmt.Sprintf("%s/%v", name, reflect.TypeFor[A]()), want, concept.TraitsOf[A](reducer(new(A))).Exact}
}

func sums[T builtin.Number](want bool) []exactness {
	return []exactness{
		marked("Sum", want, builtin.Sum[T]),
		marked("Prod", want, builtin.Prod[T]),
		marked("SumSq", want, builtin.SumSq[T]),
	}
}

func reals[T builtin.Real](want bool) []exactness {
	return append(sums[T](want),
		marked("Norm1", want, builtin.Norm1[T]),
		marked("Mean", want, builtin.Mean[T]),
		marked("Min", true, builtin.Min[T]),
		marked("Max", true, builtin.Max[T]),
		marked("AMax", true, builtin.AMax[T]),
		marked("MinMax", true, builtin.MinMax[T]),
		marked("MinLoc", true, builtin.MinLoc[T, int]))
}

func locations[L comparable](want bool) []exactness {
	return []exactness{
		marked("MinLoc", want, builtin.MinLoc[float64, L]),
		marked("MinFirstLoc", want, builtin.MinFirstLoc[float64, L]),
		marked("MinLastLoc", want, builtin.MinLastLoc[float64, L]),
		marked("MaxLoc", want, builtin.MaxLoc[float64, L]),
		marked("MaxFirstLoc", want, builtin.MaxFirstLoc[float64, L]),
		marked("MaxLastLoc", want, builtin.MaxLastLoc[float64, L]),
		marked("MinMaxLoc", want, builtin.MinMaxLoc[float64, L]),
		marked("MinMaxFirstLastLoc", want, builtin.MinMaxFirstLastLoc[float64, L]),
		marked("FirstLoc", want, builtin.FirstLoc[L]),
		marked("LastLoc", want, builtin.LastLoc[L]),
		marked("PartitionPoint", want, builtin.PartitionPoint[L]),
		marked("IsPartitioned", want, builtin.IsPartitioned[L]),
	}
}

func TestExact(t *testing.T) {
	for _, list := range [][]exactness{
		reals[int64](true), reals[uint32](true), reals[float32](false), reals[float64](false),
		sums[celsius](false), sums[level](true), sums[complex128](false),
		locations[int](true), locations[*int](false), // which is an error
		{ // TestEveryExactness has more
			marked("row", true, builtin.FirstLoc[row]),
			marked("cell", true, builtin.FirstLoc[cell]),
			marked("place", false, builtin.FirstLoc[place]),
			// Whether their Compare tells apart all that differ is not known.
			marked("version", false, builtin.FirstLoc[version]),
			marked("shape", false, builtin.FirstLoc[shape]),
			marked("Index2", false, builtin.FirstLoc[policy.Index2]),
		},
		{
			marked("BAnd", true, builtin.BAnd[int]),
			marked("BOr", true, builtin.BOr[level]),
			marked("BXor", true, builtin.BXor[uint32]),
			marked("LAnd", true, builtin.LAnd[bool]),
			marked("LOr", true, builtin.LOr[truth]),
			marked("Count", true, builtin.Count),
			marked("Norm2", false, builtin.Norm2[float64]),
			marked("Variance", false, builtin.Variance[float32]),
		},
	} {
		for _, c := range list {
			assert.Equal(t, c.want, c.got, c.name)
		}
	}
}

// anyOrder joins partial results in random orders, each a random tree over a
// random permutation, and checks that every order gives the same bits.
func anyOrder[A, V any](t *testing.T, name string, reducer func(*A) builtin.Reduction[A, V], items []func(acc *A)) {
	t.Run(fmt.Sprintf("%s/%v", name, reflect.TypeFor[A]()), func(t *testing.T) {
		var result A
		r := reducer(&result)
		require.True(t, concept.TraitsOf[A](r).Exact)
		rng := rand.New(rand.NewPCG(3, 4))
		tries := 40
		if testing.Short() {
			tries = 8
		}
		for range tries {
			partials := make([]A, 1+rng.IntN(12))
			for k := range partials {
				r.Init(&partials[k])
				for range rng.IntN(3) { // an identity as well
					items[rng.IntN(len(items))](&partials[k])
				}
			}
			want := ""
			for order := range 200 {
				nodes := append([]A(nil), partials...)
				rng.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
				for len(nodes) > 1 {
					i, j := rng.IntN(len(nodes)), rng.IntN(len(nodes)-1)
					if j >= i {
						j++
					}
					r.Join(&nodes[i], &nodes[j])
					nodes[j] = nodes[len(nodes)-1]
					nodes = nodes[:len(nodes)-1]
				}
				r.Final(&nodes[0])
				if order == 0 {
					want = text(nodes[0])
				}
				require.Equal(t, want, text(nodes[0]), "%v", partials)
			}
		}
	})
}

// items returns one contribution for each value and location.
func items[A, V any](values []V, locs []int, add func(acc *A, x V, at int)) (list []func(acc *A)) {
	for _, x := range values {
		for _, at := range locs {
			list = append(list, func(acc *A) { add(acc, x, at) })
		}
	}
	return list
}

var (
	floats   = []float64{nan, inf, -inf, 0, minus, 1, 1, -1, math.MaxFloat64, 0.1, math.SmallestNonzeroFloat64}
	integers = []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, 2, 3, 17, 1 << 62, math.MaxInt64}
	once     = []int{0}
	several  = []int{0, 1, 2, 7, -3}
)

func TestExactInAnyOrder(t *testing.T) {
	anyOrderOfReals(t, integers)
	anyOrderOfReals(t, []uint32{0, 1, 2, 1 << 31, math.MaxUint32 - 1, math.MaxUint32})
	anyOrderOfReals(t, floats)
	anyOrderOfReals(t, []float32{float32(nan), float32(inf), float32(-inf), 0, float32(minus), 1, 1, -1})

	join := func(reducer func(*int64) builtin.Reduction[int64, int64]) []func(*int64) {
		return items(integers, once, func(acc *int64, x int64, _ int) { reducer(new(int64)).Join(acc, &x) })
	}
	for name, reducer := range map[string]func(*int64) builtin.Reduction[int64, int64]{
		"Sum": builtin.Sum[int64], "Prod": builtin.Prod[int64], "SumSq": builtin.SumSq[int64], "Norm1": builtin.Norm1[int64],
		"BAnd": builtin.BAnd[int64], "BOr": builtin.BOr[int64], "BXor": builtin.BXor[int64],
	} {
		anyOrder(t, name, reducer, join(reducer))
	}
	anyOrder(t, "Mean", builtin.Mean[int64],
		items(integers, once, func(acc *builtin.Average[int64], x int64, _ int) { acc.Add(x) }))
	anyOrder(t, "Count", builtin.Count, items([]int{0, 1}, once, func(acc *int, x, _ int) { *acc += x }))

	bools := []bool{false, true}
	anyOrder(t, "LAnd", builtin.LAnd[bool], items(bools, once, func(acc *bool, x bool, _ int) { *acc = *acc && x }))
	anyOrder(t, "LOr", builtin.LOr[bool], items(bools, once, func(acc *bool, x bool, _ int) { *acc = *acc || x }))
	first := items(bools, several, func(acc *builtin.Found[int], holds bool, at int) { acc.First(at, holds) })
	last := items(bools, several, func(acc *builtin.Found[int], holds bool, at int) { acc.Last(at, holds) })
	anyOrder(t, "FirstLoc", builtin.FirstLoc[int], first)
	anyOrder(t, "PartitionPoint", builtin.PartitionPoint[int], first)
	anyOrder(t, "LastLoc", builtin.LastLoc[int], last)
	anyOrder(t, "IsPartitioned", builtin.IsPartitioned[int],
		items(bools, several, func(acc *builtin.Partitioned[int], holds bool, at int) { acc.Add(at, holds) }))
}

func anyOrderOfReals[T builtin.Real](t *testing.T, values []T) {
	anyOrder(t, "Min", builtin.Min[T], items(values, once, func(acc *T, x T, _ int) { *acc = min(*acc, x) }))
	anyOrder(t, "Max", builtin.Max[T], items(values, once, func(acc *T, x T, _ int) { *acc = max(*acc, x) }))
	anyOrder(t, "AMax", builtin.AMax[T], items(values, once, func(acc *T, x T, _ int) { *acc = max(*acc, x, -x) }))
	anyOrder(t, "MinMax", builtin.MinMax[T], items(values, once, func(acc *builtin.MinMaxVal[T], x T, _ int) { acc.Add(x) }))

	type at = builtin.ValLoc[T, int]
	ported := func(acc *at, x T, i int) { // as a functor may assign to the fields
		if x < acc.Val {
			acc.Val, acc.Loc = x, i
		}
	}
	anyOrder(t, "MinLoc", builtin.MinLoc[T, int], append(items(values, several, (*at).Min), items(values, several, ported)...))
	anyOrder(t, "MinLastLoc", builtin.MinLastLoc[T, int], items(values, several, (*at).MinLast))
	anyOrder(t, "MaxLoc", builtin.MaxLoc[T, int], items(values, several, (*at).Max))
	anyOrder(t, "MaxLastLoc", builtin.MaxLastLoc[T, int], items(values, several, (*at).MaxLast))
	type both = builtin.MinMaxLocVal[T, int]
	anyOrder(t, "MinMaxLoc", builtin.MinMaxLoc[T, int], items(values, several, (*both).Add))
	anyOrder(t, "MinMaxFirstLastLoc", builtin.MinMaxFirstLastLoc[T, int], items(values, several, (*both).AddFirstLast))
}
