package exec_test

import (
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// Of a functor that nothing is known of, the leaves may run at one time; and a chunk, or a
// leaf for each item, always asks for helpers.
func TestHelpersAreAskedFor(t *testing.T) {
	space := exec.NewGoroutines(2)
	defer space.Close()
	meet := func(p policy.RangePolicy, first, second int) {
		var both sync.WaitGroup
		both.Add(2)
		require.NoError(t, exec.ParallelFor(p.On(space), func(i int) {
			if i == first || i == second {
				both.Done()
				both.Wait()
			}
		}))
	}
	meet(policy.Range(0, 64), 0, 63)
	for range 50 {
		meet(policy.Range(0, 2), 0, 1)
		meet(policy.Range(0, 64).Chunk(32), 0, 63)
	}
}

// checks reports whether each SimGPU watches what functors do.
func checks() bool { return os.Getenv("GOKKOS_SIMGPU") == "check" }

// skipIfWatched skips a test of a kernel with a bug.
func skipIfWatched(t *testing.T) {
	if checks() {
		t.Skip("a launch that is watched may return an error")
	}
}
