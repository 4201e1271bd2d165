package mpi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
)

func TestMain(m *testing.M) {
	launchtest.Main(m, map[string]func(){"all": func() { ofRanks(everything) }})
}

// ofRanks runs f as a rank.
func ofRanks(f func(c *Comm) error) {
	if err := Run(f); err != nil {
		launchtest.Fail(err)
	}
}

// everything is what ranks run that are processes.
func everything(c *Comm) error {
	if err := allMessages(c); err != nil {
		return fmt.Errorf("rank %d of %d: %w", c.Rank(), c.Size(), err)
	}
	return nil
}

// What ranks do as goroutines they do as processes, under each MPI.
func TestProcesses(t *testing.T) {
	for _, mpi := range launchtest.MPIs(t) {
		for _, ranks := range []int{1, 2, 3, 4, 5, 6, 7} {
			if testing.Short() && ranks > 3 {
				break
			}
			t.Run(fmt.Sprintf("%s, %d ranks", mpi.Name, ranks), func(t *testing.T) {
				output, err := mpi.Run("all", ranks)
				assert.NoError(t, err, output)
			})
		}
	}
}
