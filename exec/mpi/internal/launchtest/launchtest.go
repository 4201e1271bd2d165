// Package launchtest runs the test binary under the launchers of the MPIs that are installed.
//
// A test names a scenario, a function that each rank runs in a process of its own:
//
//	func TestMain(m *testing.M) {
//		launchtest.Rank(map[string]func(){"ring": ring})
//		os.Exit(m.Run())
//	}
//
//	func TestRing(t *testing.T) {
//		for _, mpi := range launchtest.MPIs(t) {
//			output, err := mpi.Run("ring", 4)
package launchtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// variable names the scenario that a process is to run.
const variable = "GOKKOS_SCENARIO"

// Rank runs a scenario if the process is a rank, and does nothing otherwise. A scenario that
// returns is the end of the process, with status 0.
func Rank(scenarios map[string]func()) {
	name, rank := os.LookupEnv(variable)
	if !rank {
		return
	}
	scenario, ok := scenarios[name]
	if !ok {
		Fail(fmt.Errorf("no scenario %q", name))
	}
	scenario()
	os.Exit(0)
}

// Fail ends a rank with status 1, which ends the job.
func Fail(err error) {
	fmt.Fprintln(os.Stderr, "FAIL:", err)
	os.Exit(1)
}

// An MPI is one that is installed.
type MPI struct {
	Name    string
	command []string // which starts ranks without binding them, before -n
}

// each is what Debian calls the launchers, so that both can be there.
var each = []MPI{
	{"Open MPI", []string{"mpirun.openmpi", "--bind-to", "none", "--oversubscribe"}},
	{"MPICH", []string{"mpirun.mpich"}},
}

// MPIs returns those that are installed. Without one the test is skipped, unless GOKKOS_MPIS
// says how many there must be.
func MPIs(t testing.TB) []MPI {
	var found []MPI
	for _, mpi := range each {
		if _, err := exec.LookPath(mpi.command[0]); err == nil {
			found = append(found, mpi)
		} else {
			t.Logf("%s is not tested: there is no %s", mpi.Name, mpi.command[0])
		}
	}
	if want, err := strconv.Atoi(os.Getenv("GOKKOS_MPIS")); err == nil && len(found) < want {
		t.Fatalf("%d MPIs found, expected %d", len(found), want)
	}
	if len(found) == 0 {
		t.Skip("no MPI is installed: apt install openmpi-bin mpich")
	}
	return found
}

// limit is what a run may take: a hang is a failure.
const limit = 60 * time.Second

// Run runs a scenario of the test binary with so many ranks. extra goes to the launcher, and
// assignments in it to the environment. It returns what all ranks wrote.
func (mpi MPI) Run(scenario string, ranks int, extra ...string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	return mpi.Start(append(os.Environ(), variable+"="+scenario), ranks, append(extra, self)...)
}

// Start runs a command with so many ranks. before the command there may be options of the
// launcher.
func (mpi MPI) Start(env []string, ranks int, command ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := append(append([]string{}, mpi.command[1:]...), "-n", strconv.Itoa(ranks))
	c := exec.CommandContext(ctx, mpi.command[0], append(args, command...)...)
	// As root, Open MPI wants to be asked twice.
	c.Env = append(env, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // which the launcher passes on
	c.WaitDelay = 5 * time.Second
	err := c.Run()
	if ctx.Err() != nil {
		err = fmt.Errorf("%s hangs: not done after %v", filepath.Base(mpi.command[0]), limit)
	}
	return output.String(), err
}
