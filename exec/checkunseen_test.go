package exec_test

import (
	"os"
	osexec "os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
)

// blindChild is set in the process that TestBlind starts.
const blindChild = "GOKKOS_TEST_BLIND"

// Who asks for checks by the environment, in a build that shows no accesses, is told so, once.
func TestBlind(t *testing.T) {
	if os.Getenv(blindChild) != "" {
		blind(t)
		return
	}
	child := func(value string) string {
		c := osexec.Command(os.Args[0], "-test.run=^TestBlind$")
		c.Env = append(os.Environ(), blindChild+"=1", "GOKKOS_SIMGPU="+value)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	out, want := child("check"), 1
	if seesAccesses() {
		want = 0
	}
	assert.Equal(t, want, strings.Count(out, "gokkos: GOKKOS_SIMGPU=check: no access "), out)
	unchecked := 1 - want
	if memory.ChecksDimensions {
		unchecked = 0
	}
	assert.Equal(t, unchecked, strings.Count(out, "this build does not see an index that is outside of its dimension"), out)
	assert.NotContains(t, child(""), "GOKKOS_SIMGPU")
	child("chek")
}

// blind launches twice, which is told once.
func blind(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200())
	x := make([]int, 10)
	for range 2 {
		err := exec.ParallelFor(policy.Range(0, len(x)).On(sim), func(i int) { x[i]++ })
		if os.Getenv("GOKKOS_SIMGPU") == "chek" {
			require.EqualError(t, err, `exec: GOKKOS_SIMGPU="chek", expected check, or nothing`)
			continue
		}
		require.NoError(t, err)
	}
	assert.NoError(t, exec.ParallelFor(policy.Range(0, len(x)), func(i int) { x[i]++ }), "another space has nothing to do with it")
}

// seesAccesses reports whether this test was built with -gcflags=-race.
func seesAccesses() bool {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	x := make([]int, 10)
	if err := exec.ParallelFor(policy.Range(0, len(x)).On(sim), func(i int) { x[i]++ }); err != nil {
		return false
	}
	r, _ := sim.LastReport()
	return r.Accesses > 0
}

// A finding names items as a reader counts them.
func TestItemText(t *testing.T) {
	span := policy.Span{Begin: 8, End: 12}
	for want, got := range map[string]string{
		"item 7":                           itemText(7),
		"item (1, 2)":                      itemText(policy.Index2{I: 1, J: 2}),
		"items 8 to 11":                    itemText(span),
		"row at (0, 8), points 8 to 11":    itemText(policy.Row[policy.Index2]{At: policy.Index2{J: 8}, Span: span}),
		"row at (1, 2, 8), points 8 to 11": itemText(policy.Row[policy.Index3]{At: policy.Index3{I: 1, J: 2, K: 8}, Span: span}),
		"tile (0, 0) to (64, 8)":           itemText(policy.Tile[policy.Index2]{Upper: policy.Index2{I: 64, J: 8}}),
		"item (8)":                         itemText(struct{ At int }{8}),
	} {
		assert.Equal(t, want, got)
	}
}
