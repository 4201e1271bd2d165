package scatter_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/scatter"
)

// A row has the bits of its values one by one: in lists of one bucket and of many, in partial
// results, from the first contribution on and later, beside other contributions.
func TestRowsHaveTheBitsOfTheirValues(t *testing.T) {
	const n = 3000
	type access = scatter.Access[float64]
	all := spaces(t)
	for _, extents := range [][]int{{1, 3}, {50, 3}, {400, 1}, {200, 100}, {6000, 3}, {40, 7, 3}, {500, 8, 5}} {
		rank := len(extents)
		r := rand.New(rand.NewPCG(5, 6))
		at, x := make([][2]int, n), make([][]float64, n)
		for i := range at {
			at[i] = [2]int{r.IntN(extents[0]), r.IntN(extents[1])}
			for range extents[rank-1] {
				x[i] = append(x[i], r.NormFloat64())
			}
		}
		old := content(views.Must(views.New[float64]("", extents)).Len())
		launch := func(on exec.Space, name string, duplicated bool, f func(i int, acc *access)) []float64 {
			y := slices.Clone(old)
			red := reducerOf(name, views.Must(views.Of("y", y, extents)), policy.On(on))
			if duplicated {
				red = scatter.Duplicated(red)
			}
			require.NoError(t, exec.ParallelReduce(policy.Range(0, n).Chunk(256).On(on), f, red))
			return y
		}
		values := func(i int, acc *access) {
			for k, x := range x[i] {
				if rank == 2 {
					acc.Combine2(at[i][0], k, x)
				} else {
					acc.Combine3(at[i][0], at[i][1], k, x)
				}
			}
		}
		rows := func(i int, acc *access) {
			switch {
			case i%7 == 3:
				values(i, acc)
			case rank == 2:
				acc.CombineRow2(at[i][0], x[i]...)
			default:
				acc.CombineRow3(at[i][0], at[i][1], x[i]...)
			}
		}
		for name := range models {
			for _, duplicated := range []bool{false, true} {
				want := launch(exec.Serial{}, name, duplicated, values)
				for _, s := range all {
					requireBits(t, want, launch(s, name, duplicated, rows), "%s into %v on %s, duplicated: %t", name, extents, s.Name(), duplicated)
				}
			}
		}
	}
}

// A row contributes to atomics, too.
func TestAtomicRows(t *testing.T) {
	y := views.Must(views.New2[int]("y", 2, 3))
	require.NoError(t, exec.ParallelReduce(policy.Range(0, 10), func(i int, acc *scatter.Access[int]) {
		acc.CombineRow2(i%2, i, 1, -i)
	}, scatter.AtomicSum(y)))
	assert.Equal(t, [][]int{{20, 5, -20}, {25, 5, -25}}, [][]int{y.Row(0), y.Row(1)})
}

// A row of another length, or that is not there, panics and adds nothing.
func TestWrongRow(t *testing.T) {
	v2, v3 := views.Must(views.New2[float64]("v", 4, 3)), views.Must(views.New3[float64]("v", 4, 2, 3))
	none := views.Must(views.New2[float64]("v", 4, 0))
	for k, c := range []struct {
		v    views.Viewer[float64]
		f    func(acc *scatter.Access[float64])
		want string
	}{
		{v2, func(acc *scatter.Access[float64]) { acc.CombineRow2(0, 1, 2) }, `scatter: a row of 2 values into "v" [4 3], expected 3`},
		{v2, func(acc *scatter.Access[float64]) { acc.CombineRow2(9) }, `scatter: a row of 0 values into "v" [4 3], expected 3`},
		{v3, func(acc *scatter.Access[float64]) { acc.CombineRow3(0, 0, 1, 2, 3, 4) }, `scatter: a row of 4 values into "v" [4 2 3], expected 3`},
		{v2, func(acc *scatter.Access[float64]) { acc.CombineRow2(4, 1, 2, 3) }, `views: index 4 of view "v" in dimension 0, expected 0 <= index < 4`},
		{v2, func(acc *scatter.Access[float64]) { acc.CombineRow2(-1, 1, 2, 3) }, `views: index -1 of view "v" in dimension 0, expected 0 <= index < 4`},
		{v3, func(acc *scatter.Access[float64]) { acc.CombineRow3(4, 0, 1, 2, 3) }, `views: index 4 of view "v" in dimension 0, expected 0 <= index < 4`},
		{v3, func(acc *scatter.Access[float64]) { acc.CombineRow3(0, 2, 1, 2, 3) }, `views: index 2 of view "v" in dimension 1, expected 0 <= index < 2`},
		{v3, func(acc *scatter.Access[float64]) { acc.CombineRow3(0, -1, 1, 2, 3) }, `views: index -1 of view "v" in dimension 1, expected 0 <= index < 2`},
		{v2, func(acc *scatter.Access[float64]) { acc.CombineRow3(0, 0, 1, 2, 3) }, `views: index [0 0 0] of view "v" [4 3], expected 2 numbers`},
		{v3, func(acc *scatter.Access[float64]) { acc.CombineRow2(0, 1, 2, 3) }, `views: index [0 0] of view "v" [4 2 3], expected 3 numbers`},
		{v3, func(acc *scatter.Access[float64]) { acc.CombineRow2(0, 1) }, `views: index [0 0] of view "v" [4 2 3], expected 3 numbers`},
		{none, func(acc *scatter.Access[float64]) { acc.CombineRow2(4) }, `views: index 4 of view "v" in dimension 0, expected 0 <= index < 4`},
		{none, func(acc *scatter.Access[float64]) { acc.CombineRow2(0); acc.CombineRow2(3) }, "<nil>"},
	} {
		got := "<nil>"
		func() {
			defer func() {
				if p, ok := recover().(*exec.Panic); ok {
					got = fmt.Sprint(p.Value)
				}
			}()
			require.NoError(t, combine(c.v, c.f))
		}()
		assert.Equal(t, c.want, got, k)
	}
	assert.Equal(t, make([]float64, 3), v2.Row(0))
	assert.Equal(t, make([]float64, 3), v3.Row(0, 0))
}
