package mpi

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
)

// More of them: go test -run Unlucky -timeout 0 . -jobs 20
var jobs = flag.Int("jobs", 2, "how many jobs TestUnluckyProcesses runs under each MPI")

// faultsOfJob is how many launches of a job may go wrong before the job does.
const faultsOfJob = 20

// unlucky makes launches of which one rank or another spoils some, as a seed says, and then one of
// the ranks may die.
func unlucky(c *Comm) error {
	mismatchGrace = 10 * time.Millisecond
	seed, err := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(seed, 0)) // the same on all ranks
	on, names := On(c, innerOf(c)), slices.Sorted(maps.Keys(faults))
	for k := range faultsOfJob {
		rank, n := rng.IntN(c.Size()), rng.IntN(20001)
		name, late := names[rng.IntN(len(names))], time.Duration(rng.IntN(3000))*time.Microsecond
		if c.Rank() == rank {
			time.Sleep(late)
		}
		switch rng.IntN(4) {
		case 0:
			err = ending(c, on, name)
		case 1:
			err = cancelled(c, on, rank)
		case 2:
			err = mismatchOf(c, on, rank)
		default:
			want, _ := patterns["reduce"](exec.Serial{}, n)
			got, err2 := patterns["reduce"](on, n)
			if err = err2; err == nil && !slices.Equal(got, want) {
				err = fmt.Errorf("%x, expected %x", got, want)
			}
		}
		if err != nil {
			return fmt.Errorf("seed %d, launch %d, spoiled by rank %d of %d: %w", seed, k, rank, c.Size(), err)
		}
	}
	end, rank := rng.IntN(4), rng.IntN(c.Size())
	if end == 0 {
		_, err := os.Stdout.WriteString("done\n")
		return err
	}
	if c.Rank() != rank {
		return together(c)
	}
	fmt.Fprintln(os.Stderr, "dies")
	switch end {
	case 1:
		return dies()
	case 2:
		os.Exit(3)
	}
	panic("unlucky")
}

// Launches that are spoiled, and ranks that die, are no hang and no wrong bit.
func TestUnluckyProcesses(t *testing.T) {
	for _, mpi := range launchtest.MPIs(t) {
		for seed := range *jobs {
			t.Setenv("TEST_SEED", strconv.Itoa(seed))
			ranks := 2 + seed%4
			output, err := mpi.Run("unlucky", ranks)
			assert.NotContains(t, output, "seed ", "%s, seed %d", mpi.Name, seed)
			assert.NotContains(t, fmt.Sprint(err), "hangs", "%s, seed %d: %s", mpi.Name, seed, output)
			if strings.Contains(output, "dies\n") {
				assert.Error(t, err, "%s, seed %d: %s", mpi.Name, seed, output)
			} else {
				assert.NoError(t, err, "%s, seed %d: %s", mpi.Name, seed, output)
				assert.Equal(t, ranks, strings.Count(output, "done\n"), "%s, seed %d: %s", mpi.Name, seed, output)
			}
		}
	}
}
