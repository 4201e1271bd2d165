// Package launched runs programs under the launchers of the MPIs that are installed, for tests.
package launched

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// launchers start ranks without binding them, by the names that Debian gives them.
var launchers = [][]string{{"mpirun.openmpi", "--bind-to", "none", "--oversubscribe"}, {"mpirun.mpich"}}

// limit ends a run that hangs; no other one meets it.
const limit = 5 * time.Minute

// Run builds the program of a folder, and runs it over ranks with each MPI. It calls check with the number of ranks
// and with what they print. In a short test there are two ranks at most. Without an MPI the test is skipped, unless
// GOKKOS_MPIS says how many there must be.
func Run(t *testing.T, folder string, ranks []int, args []string, check func(ranks int, output string)) {
	t.Helper()
	var found [][]string
	for _, launcher := range launchers {
		if _, err := exec.LookPath(launcher[0]); err == nil {
			found = append(found, launcher)
		}
	}
	if want, _ := strconv.Atoi(os.Getenv("GOKKOS_MPIS")); len(found) < want {
		t.Fatalf("%d MPIs found, expected %d", len(found), want)
	}
	if len(found) == 0 {
		t.Skip("no MPI is installed: apt install openmpi-bin mpich")
	}
	program := filepath.Join(t.TempDir(), "program")
	if output, err := exec.Command("go", "build", "-o", program, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, launcher := range found {
		for _, n := range ranks {
			if testing.Short() && n > 2 {
				continue
			}
			command := append(launcher[1:len(launcher):len(launcher)], "-n", strconv.Itoa(n), program, "-space", "mpi")
			check(n, run(t, launcher[0], append(command, args...)))
		}
	}
}

// run returns what a command prints.
func run(t *testing.T, launcher string, args []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, launcher, args...)
	// As root, Open MPI wants to be asked twice.
	c.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // which the launcher passes on
	c.WaitDelay = 5 * time.Second
	var complaints bytes.Buffer
	c.Stderr = &complaints
	output, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", c, err, output, complaints.String())
	}
	return string(output)
}
