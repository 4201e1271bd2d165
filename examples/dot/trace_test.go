package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program that knows nothing of tools leaves a trace, and report prints its table.
func TestTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := t.TempDir()
	c := exec.Command("go", "run", ".")
	c.Env = append(os.Environ(), "GOKKOS_TOOLS=trace="+filepath.Join(dir, "%p.json"))
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s", out)
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	const report = "github.com/gokkos/gokkos/exec/tools/report"
	out, err = exec.Command("go", "run", report, files[0]).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), "reduce main.go:")
	assert.Contains(t, string(out), "on simgpu")
	out, err = exec.Command("go", "run", report, "nothing").CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "report: open nothing")
}
