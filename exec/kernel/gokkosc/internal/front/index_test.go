package front_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Coordinates are values of the setup, whichever runs go along; the item of a row is its first point along
// the run.
func TestIndices(t *testing.T) {
	kernels := load(t, `
//gokkos:kernel
func flat(m int, x []float64) func(at policy.Index3) {
	return func(p policy.Index3) { x[(p.I*m+p.J)*m+p.K] = 1 }
}

//gokkos:kernel
func rows(x []float64) func(r policy.Row[policy.Index2], acc *float64) {
	return func(r policy.Row[policy.Index2], acc *float64) {
		for j := range r.All() {
			*acc += x[r.At.I+j]
		}
		*acc += float64(r.Len())
	}
}
`, "github.com/gokkos/gokkos/policy")
	require.Len(t, kernels, 2)
	for _, k := range kernels {
		require.Nil(t, k.Refused)
		require.NoError(t, k.IR.Verify())
	}
	flat, rows := kernels[0], kernels[1]
	assert.Equal(t, ir.Index{Rank: 3, Dim: ir.NoDim, Type: "policy.Index3"}, flat.IR.Index)
	for _, coord := range []string{".i i64 = coord 0\n", ".j i64 = coord 1\n", ".k i64 = coord 2\n"} {
		assert.Contains(t, flat.IR.String(), coord)
	}
	assert.NotContains(t, flat.IR.String(), "= item")
	assert.True(t, rows.IR.Index.Row)
	text := rows.IR.String()
	assert.Equal(t, 1, strings.Count(text, ".start i64 = item\n"))
	assert.Equal(t, 3, strings.Count(text, "= coord")+strings.Count(text, "= stop"))
	assert.Contains(t, text, "index policy.Row[policy.Index2]\n")
}

// A functor that returns a value stores the value of its item, and not a value that its constructor has
// computed.
func TestIndexBehindSetup(t *testing.T) {
	for _, k := range load(t, `
//gokkos:kernel
func scaled(n int) func(i int) int {
	m := n * n
	return func(i int) int { return i * m }
}

//gokkos:kernel
func ofPoints(n int) func(p policy.Index2) int {
	m := n * n
	return func(p policy.Index2) int { return p.I * m }
}
`, "github.com/gokkos/gokkos/policy") {
		require.Nil(t, k.Refused)
		var from *ir.Value
		k.IR.Body.Walk(func(v *ir.Value) {
			if v.Op == ir.Sub {
				from = v.Args[0]
			}
		})
		require.NotNil(t, from, k.Func)
		assert.Equal(t, ir.Item, from.Op, "%s\n%s", k.Func, k.IR)
	}
}
