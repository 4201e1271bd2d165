//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Errors tell spaces on one device apart, and those on several: each has a memory of its own.
func TestErrorsTellSpacesApart(t *testing.T) {
	s, _ := open(t)
	again, err := cuda.Open(0)
	require.NoError(t, err)
	second, err := cuda.Open(1)
	require.NoError(t, err)
	const first, twice = "CUDA device 0, Stand-in 0", "CUDA device 0, Stand-in 0, opened again (2) with views of its own"
	assert.Equal(t, []string{first, twice, "CUDA device 1, Stand-in 1"},
		[]string{s.Memory().String(), again.Memory().String(), second.Memory().String()})
	u, v := on(t, s, 1, 2, 3), on(t, again, 1, 2, 3)
	var sum float64
	for says, err := range map[string]error{
		"exec: launch on cuda device 0: the parameter x of ":                         exec.ParallelFor(policy.Range(0, 3).On(again), Axpy(1, u, v)),
		"in the memory of " + first + ", expected one in that of " + twice + "; ":    exec.ParallelFor(policy.Range(0, 3).On(again), Axpy(1, u, v)),
		"in the memory of " + twice + ", expected one in that of " + first + "; ":    exec.ParallelFor(policy.Range(0, 3).On(s), Axpy(1, v, u)),
		"exec: launch on cuda device 1: the parameter x of ":                         exec.ParallelFor(policy.Range(0, 3).On(second), Axpy(1, u, u)),
		"in the memory of " + first + " on the space cuda of " + twice + ", which ":  exec.ParallelFold(views.Source(u, policy.On(again)), builtin.Sum(&sum)),
		"in the memory of " + twice + " on the space cuda of " + first + ", which ":  views.Fill(v, 1, policy.On(s)),
		"in the memory of " + twice + " on the space serial, which cannot touch it;": views.Fill(v, 1, policy.On(exec.Serial{})),
	} {
		assert.ErrorContains(t, err, says)
	}
	require.NoError(t, again.Close())
	require.NoError(t, second.Close())
	again, err = cuda.Open(0)
	require.NoError(t, err)
	assert.Equal(t, twice, again.Memory().String(), "in place of the one that was closed")
	require.NoError(t, again.Close())
}
