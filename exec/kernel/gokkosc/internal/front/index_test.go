package front_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// The coordinate along a run is the item, and the others are values of the setup; a row is an item.
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
		require.NoError(t, k.Left.Verify())
	}
	flat, rows := kernels[0], kernels[1]
	assert.Equal(t, ir.Index{Rank: 3, Dim: 2, Type: "policy.Index3"}, flat.IR.Index)
	assert.Equal(t, ir.Index{Rank: 3, Dim: 0, Type: "policy.Index3"}, flat.Left.Index)
	assert.Contains(t, flat.IR.String(), ".i i64 = coord 0\n")
	assert.Contains(t, flat.IR.String(), ".j i64 = coord 1\n")
	assert.Contains(t, flat.IR.String(), ".k i64 = item\n")
	assert.Contains(t, flat.Left.String(), ".i i64 = item\n")
	assert.Contains(t, flat.Left.String(), ".k i64 = coord 2\n")
	assert.True(t, rows.IR.Index.Row)
	for _, k := range []*ir.Kernel{rows.IR, rows.Left} {
		text := k.String()
		assert.NotContains(t, text, "= item")
		assert.Equal(t, 3, strings.Count(text, "= coord")+strings.Count(text, "= stop"))
	}
	assert.Contains(t, rows.IR.String(), "index policy.Row[")
}
