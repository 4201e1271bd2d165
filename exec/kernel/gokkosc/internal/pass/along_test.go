package pass_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// The coordinate along a run is the item of points, and the begin of a row; the kernel itself has no direction still.
func TestDirections(t *testing.T) {
	k := lower(t, "x []float64", "func(p policy.Index3) { x[p.I+10*p.J+100*p.K] = 1 }")
	before := k.String()
	right, left := pass.Right(k), pass.Left(k)
	for dim, along := range map[int]*ir.Kernel{0: left, 2: right} {
		require.NoError(t, along.Verify())
		assert.Equal(t, dim, along.Index.Dim)
		assert.Contains(t, along.String(), []string{".i", ".j", ".k"}[dim]+" i64 = item\n")
		assert.Equal(t, 2, strings.Count(along.String(), "= coord"))
		for _, k := range []*ir.Kernel{along, passed(along)} {
			x := make([]float64, 1000)
			args, err := interp.Bind(k, x)
			require.NoError(t, err)
			require.Equal(t, 2, interp.Run{At: []int{3, 4, 5}, Len: 2}.Do(k, args, 0, nil))
			step := map[int]int{0: 1, 2: 100}[dim]
			assert.Equal(t, 1., x[543], "along %d", dim)
			assert.Equal(t, 1., x[543+step], "along %d", dim)
		}
	}
	assert.Equal(t, before, k.String())
}

func TestDirectionsOfRows(t *testing.T) {
	k := lower(t, "x []float64", "func(r policy.Row[policy.Index2]) { for j := range r.All() { x[100*r.At.I+10*r.At.J+j] = 1 } }")
	for dim, along := range map[int]*ir.Kernel{0: pass.Left(k), 1: pass.Right(k)} {
		for _, k := range []*ir.Kernel{along, passed(along)} {
			require.NoError(t, k.Verify())
			assert.NotContains(t, k.String(), "= item")
			x := make([]float64, 1000)
			args, err := interp.Bind(k, x)
			require.NoError(t, err)
			require.Equal(t, 3, interp.Run{At: []int{2, 7}, Len: 3}.Do(k, args, 0, nil))
			first := 270 + []int{2, 7}[dim]
			assert.Equal(t, []float64{0, 1, 1, 1, 0}, x[first-1:first+4], "along %d", dim)
		}
	}
}

func TestDirectionOfInts(t *testing.T) {
	k := lower(t, "x []float64", "func(i int) { x[i] = 1 }")
	assert.Equal(t, k.String(), pass.Left(k).String())
	assert.NotSame(t, k, pass.Right(k))
}

// passed returns a copy behind all passes.
func passed(k *ir.Kernel) *ir.Kernel {
	k = k.Clone()
	pass.Run(k, pass.All)
	return k
}
