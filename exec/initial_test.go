package exec_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// An initial value is joined to the identity even where there are no items. All but that of
// a sum keep -0: -0 + 0 is 0.
func TestInitialValueOverNoItems(t *testing.T) {
	minusZero := math.Copysign(0, -1)
	p := policy.Range(0, 0).On(exec.Serial{})
	f := func(int, *float64) {}
	for _, test := range []struct {
		name    string
		reducer func(*float64) builtin.Reduction[float64, float64]
		initial float64
		want    float64
	}{
		{"sum", builtin.Sum[float64], 5, 5},
		{"sum of -0", builtin.Sum[float64], minusZero, 0},
		{"product of -0", builtin.Prod[float64], minusZero, minusZero},
		{"minimum of -0", builtin.Min[float64], minusZero, minusZero},
		{"maximum of -0", builtin.Max[float64], minusZero, minusZero},
		{"largest magnitude of -0", builtin.AMax[float64], minusZero, 0},
	} {
		x := test.initial
		exec.Must(exec.ParallelReduce(p, f, reducers.WithInitial(test.reducer(&x))))
		assert.Equal(t, math.Float64bits(test.want), math.Float64bits(x), test.name)
	}
}

// Nor is a sum of items that are all -0 a -0, be it of calls or a fold.
func TestSumOfMinusZeros(t *testing.T) {
	x := slices.Repeat([]float64{math.Copysign(0, -1)}, 100_000)
	for _, n := range []int{1, 7, 1000, len(x)} {
		var calls, fold float64
		p := policy.Range(0, n)
		exec.Must(exec.ParallelReduce(p, func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&calls)))
		exec.Must(exec.ParallelFold(exec.Slice(p, x[:n]), builtin.Sum(&fold)))
		assert.Equal(t, [2]uint64{}, [2]uint64{math.Float64bits(calls), math.Float64bits(fold)}, n)
	}
}
