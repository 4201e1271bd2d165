//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// card returns a space on the first device of the machine, or skips the test.
func card(t testing.TB) *cuda.Space {
	if os.Getenv(driver.Variable) == "" {
		t.Setenv(driver.Variable, "") // the system's, whatever tests before have loaded
	}
	s, err := cuda.Open(0)
	if err != nil {
		t.Skip("no card: ", err)
	}
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// A device that a kernel leaves unusable is an error of all calls, and opens again in no process but another.
func TestCardIsLost(t *testing.T) {
	if os.Getenv("GOKKOS_LOSE") == "" {
		t.Skip("GOKKOS_LOSE=1 loses the device for this process")
	}
	s := card(t)
	u := on(t, s, 1, 2, 3)
	err := exec.ParallelFor(policy.Range(0, 3).On(s), Wild(u))
	t.Log(err)
	require.ErrorIs(t, err, cuda.ErrLost)
	assert.ErrorIs(t, views.Fill(u, 1), cuda.ErrLost)
	assert.NoError(t, views.Free(u))
	_, err = cuda.Open(0)
	t.Log("opened again: ", err)
}
