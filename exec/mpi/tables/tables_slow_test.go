//go:build gokkos_slow

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
)

// cells returns the cells of the rows of numbers.
func cells(output string) (rows [][]string) {
	for line := range strings.Lines(output) {
		if regexp.MustCompile(`^\| \d`).MatchString(line) {
			rows = append(rows, strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | "))
		}
	}
	return rows
}

// The tables have a row for each number of ranks, and the bits of all are the same. What is packed
// runs without a variable of the environment, and with no library of this machine.
func TestTables(t *testing.T) {
	dir := t.TempDir()
	programs := dir + string(filepath.Separator)
	output, err := exec.Command("go", "build", "-o", programs, ".").CombinedOutput()
	require.NoError(t, err, "%s", output)
	output, err = exec.Command("go", "-C", "../../../examples", "build", "-o", programs, "./heat", "./cg").CombinedOutput()
	require.NoError(t, err, "%s", output)
	check := func(c *exec.Cmd) {
		output, err := c.CombinedOutput()
		require.NoError(t, err, "%v: %s", c, output)
		rows := cells(string(output))
		require.Len(t, rows, 1+len(crossingBytes)+2+2, "%s", output)
		assert.Len(t, rows[0], 5)
		assert.Equal(t, "yes", rows[2+len(crossingBytes)][5], "%s", output)
		for k, row := range rows {
			for _, cell := range row {
				var x float64
				_, err := fmt.Sscan(cell, &x)
				named := cell == "yes" || cell == "–" || slices.Contains([]string{"Allgather", "both", "tree"}, cell)
				assert.True(t, named || err == nil && x >= 0, "row %d: %q in\n%s", k, cell, output)
			}
		}
	}
	for _, mpi := range launchtest.MPIs(t) {
		launcher := map[string]string{"Open MPI": "mpirun.openmpi --bind-to none --oversubscribe", "MPICH": "mpirun.mpich"}[mpi.Name]
		check(exec.Command(filepath.Join(dir, "tables"), "-quick", "-budget", "10m", "-cores", "2", "-mpiexec", launcher))
	}
	if _, err := exec.LookPath("mpiexec.hydra"); err != nil {
		return
	}
	packed := filepath.Join(dir, "packed")
	output, err = exec.Command("./pack", packed).CombinedOutput()
	require.NoError(t, err, "%s", output)
	bare := exec.Command(filepath.Join(packed, "tables"), "-quick", "-budget", "10m", "-cores", "2")
	bare.Env, bare.Dir = []string{"LD_DEBUG=files", "LD_DEBUG_OUTPUT=" + filepath.Join(dir, "loaded")}, "/"
	check(bare)
	logs, err := filepath.Glob(filepath.Join(dir, "loaded.*"))
	require.NoError(t, err)
	require.NotEmpty(t, logs)
	for _, name := range logs {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`calling init: (.*)`).FindAllStringSubmatch(string(text), -1) {
			ofShell := regexp.MustCompile(`/(libc\.so\.6|ld-linux.*|libtinfo.*)$`).MatchString(m[1])
			assert.True(t, ofShell || strings.HasPrefix(m[1], packed), m[1])
		}
	}
}
