package builtin_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// Products are where a compiler may fuse, on some processors, what it does not on
// others. These bits are those of rounded products on all of them.
func TestGoldenProducts(t *testing.T) {
	const n = 5000
	x, z, w := make([]float64, n), make([]complex128, n), make([]complex64, n)
	for i := range x {
		k := float64(i + 1)
		x[i] = 1/k - 1/(k+0.5)
		re, im := 1-1/(k+3), 1/(k+7)
		z[i] = complex(re, im)
		w[i] = complex64(z[i])
	}
	p := policy.Range(0, n).On(exec.Serial{})
	var sumSq, norm float64
	var variance builtin.Moments[float64]
	require.NoError(t, exec.ParallelFold(exec.Slice(p, x), builtin.SumSq(&sumSq), builtin.Norm2(&norm), builtin.Variance(&variance)))
	var prod, squares complex128
	require.NoError(t, exec.ParallelFold(exec.Slice(p, z), builtin.Prod(&prod), builtin.SumSq(&squares)))
	var prod64, squares64 complex64
	require.NoError(t, exec.ParallelFold(exec.Slice(p, w), builtin.Prod(&prod64), builtin.SumSq(&squares64)))

	got := []string{
		bitsOf(sumSq), bitsOf(norm), bitsOf(variance.Mean), bitsOf(variance.M2),
		bitsOf(real(prod)), bitsOf(imag(prod)), bitsOf(real(squares)), bitsOf(imag(squares)),
		bitsOf(float64(real(prod64))), bitsOf(float64(imag(prod64))), bitsOf(float64(real(squares64))), bitsOf(float64(imag(squares64))),
	}
	assert.Equal(t, []string{
		"3fbffa58534fb507", "3fd69e9e7b552183", "3f2015d67c85f274", "3fbff568f60da255",
		"3f436a107eeb24ba", "3f31f5f28657e115", "40b379a08bef1419", "402940e3e9bab149",
		"3f436a1440000000", "3f31f5f680000000", "40b379a0a0000000", "402940e3e0000000",
	}, got)
}

func bitsOf(x float64) string { return fmt.Sprintf("%016x", math.Float64bits(x)) }
