//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"os"
	osexec "os/exec"
	"strings"
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

// lose is the variable without which no device is lost. In the process that loses one, it says which.
const lose, loseCard, loseStandin = "GOKKOS_LOSE", "card", "stand-in"

// A device that a kernel leaves unusable is an error of all calls, and opens again in no process but another. So
// a process of its own loses it, and the tests of this one may run in any order.
func TestCardIsLost(t *testing.T) {
	switch os.Getenv(lose) {
	case "":
		t.Skip("GOKKOS_LOSE=1 loses the device, in a process of its own")
	case loseCard:
		lost(t, card(t))
	case loseStandin:
		s, lib := open(t)
		lost(t, s)
		lib.Reset()
		lib.Forget()
	default:
		if !lostElsewhere(t, loseCard) {
			t.Skip("no card")
		}
	}
}

// lostElsewhere loses a device in another process, and reports whether it has one.
func lostElsewhere(t *testing.T, which string) bool {
	child := osexec.Command(os.Args[0], "-test.run=^TestCardIsLost$", "-test.v")
	child.Env = append(os.Environ(), lose+"="+which)
	output, err := child.CombinedOutput()
	t.Logf("%s", output)
	require.NoError(t, err)
	return !strings.Contains(string(output), "--- SKIP: TestCardIsLost")
}

// lost loses the device for this process.
func lost(t *testing.T, s *cuda.Space) {
	u := on(t, s, 1, 2, 3)
	err := exec.ParallelFor(policy.Range(0, 3).On(s), Wild(u))
	t.Log(err)
	require.ErrorIs(t, err, cuda.ErrLost)
	assert.ErrorIs(t, views.Fill(u, 1), cuda.ErrLost)
	assert.NoError(t, views.Free(u))
	_, err = cuda.Open(0)
	t.Log("opened again: ", err)
}

// A test that loses a device leaves it to all tests behind it.
func TestAfterALostCardOthersRun(t *testing.T) {
	s, _ := open(t)
	u := on(t, s, 1, 2, 3)
	t.Setenv(lose, "1")
	t.Run("as documented", TestCardIsLost)
	assert.True(t, lostElsewhere(t, loseStandin))
	assert.NoError(t, exec.ParallelFor(policy.Range(0, 3).On(s), Axpy(1, u, u)))
	assert.Equal(t, []float64{2, 4, 6}, back(t, u))
}
