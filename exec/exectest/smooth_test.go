package exectest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/policy"
)

const n = 10000

func input() []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i % 17)
	}
	return x
}

func TestSmooth(t *testing.T) {
	exectest.TestKernel(t, func(s exec.Space) any {
		x, y := input(), make([]float64, n)
		smooth := func(i int) { y[i] = (x[i-1] + x[i] + x[i+1]) / 3 }
		require.NoError(t, exec.ParallelFor(policy.Range(1, n-1).On(s), smooth))
		return y
	})
}
