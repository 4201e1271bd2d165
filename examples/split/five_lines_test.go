package split

import (
	"testing"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/spacetest"
)

// fiveLines is all that a space has to be, and engines for teams.
type fiveLines struct{ *space.Engines }

func (fiveLines) Name() string     { return "five lines" }
func (fiveLines) Concurrency() int { return 1 }
func (fiveLines) Launch(g space.Grid, j space.Job) error {
	space.Alone(g, j)
	return nil
}

func TestFiveLines(t *testing.T) {
	on := fiveLines{new(space.Engines)}
	defer on.Close()
	spacetest.TestSpace(t, on)
}
