package mpi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// endedVariable has the ranks that end before they do their part.
const endedVariable = "GOKKOS_TEST_ENDED"

// waitsForEnded are calls that wait for ranks which have ended, e of which is one.
var waitsForEnded = map[string]func(c *Comm, e int, x views.View1[float64]) error{
	"Barrier":   func(c *Comm, _ int, _ views.View1[float64]) error { return c.Barrier() },
	"Bcast":     func(c *Comm, e int, x views.View1[float64]) error { return Bcast(c, x, e) },
	"Allreduce": func(c *Comm, _ int, _ views.View1[float64]) error { return usable(On(c, exec.Serial{})) },
	"Allgather": func(c *Comm, _ int, x views.View1[float64]) error {
		all, err := views.New2[float64]("all", c.Size(), x.Len())
		return errors.Join(err, Allgather(c, all, x))
	},
	"launch along the tree": func(c *Comm, _ int, _ views.View1[float64]) error {
		tuning.GatherRanks = 0
		return usable(On(c, exec.Serial{}))
	},
	"Split": func(c *Comm, _ int, _ views.View1[float64]) error {
		_, err := c.Split(0, 0)
		return err
	},
	"Send": func(c *Comm, e int, x views.View1[float64]) error { return Send(c, e, 0, x) },
	"Recv": func(c *Comm, e int, x views.View1[float64]) error {
		_, err := Recv(c, e, 0, x)
		return err
	},
	"Probe": func(c *Comm, e int, _ views.View1[float64]) error {
		_, err := Probe(c, e, AnyTag)
		return err
	},
	"Wait of a Recv": func(c *Comm, e int, x views.View1[float64]) error {
		r, err := Irecv(c, e, 0, x)
		if err == nil {
			err = WaitAll([]*Request{r})
		}
		return err
	},
	"Wait of a Send": func(c *Comm, e int, x views.View1[float64]) error {
		r, err := Isend(c, e, 0, x)
		if err == nil {
			err = WaitAll([]*Request{r})
		}
		return err
	},
	"Recv with a context": func(c *Comm, e int, x views.View1[float64]) error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		_, err := Recv(c, e, 0, x, policy.Launch{}.WithContext(ctx))
		return err
	},
	"Test of a Send": func(c *Comm, e int, x views.View1[float64]) error {
		r, err := Isend(c, e, 0, x)
		for done := false; err == nil && !done; {
			done, _, err = r.Test()
		}
		return err
	},
}

// endsEarly: some ranks return, and the others wait for them.
func endsEarly(kind string) func(c *Comm) error {
	return func(c *Comm) error {
		ended := strings.Split(os.Getenv(endedVariable), ",")
		e, err := strconv.Atoi(ended[0])
		if err != nil || slices.Contains(ended, strconv.Itoa(c.Rank())) {
			return err
		}
		x, err := views.New1[float64]("x", 1<<17)
		if err != nil {
			return err
		}
		if err := waitsForEnded[kind](c, e, x); err != nil {
			return err
		}
		return fmt.Errorf("rank %d has not heard that others have ended", c.Rank())
	}
}

// earlyScenarios returns what ranks run in the tests of this file.
func earlyScenarios() map[string]func() {
	all := map[string]func(){"ends in turn": early(func(c *Comm) error {
		tuning.MessagePatience = 1 << 40 // messages may take as long as they will
		return endsInTurn(c)
	})}
	for kind := range waitsForEnded {
		all["ends early: "+kind] = early(endsEarly(kind))
	}
	return all
}

func early(f func(c *Comm) error) func() {
	return func() {
		tuning.Pulse = 10 * time.Millisecond
		ofRanks(f)
	}
}

// Where a rank returns nil and another one waits for it, the job ends with the words of Local, whichever
// call and rank it is.
func TestRankThatEndsEarlyIsNamed(t *testing.T) {
	for _, mpi := range launchtest.MPIs(t) {
		for n, kind := range slices.Sorted(maps.Keys(waitsForEnded)) {
			for k, ended := range []string{"1", "0", "2", "2,0", "1 of 2"} {
				if testing.Short() && k != n%5 {
					continue
				}
				t.Run(fmt.Sprintf("%s, %s, ranks %s", mpi.Name, kind, ended), func(t *testing.T) {
					ended, _, two := strings.Cut(ended, " of ")
					ranks := 3
					if two { // which wait inside of the library, as each has a core
						ranks = 2
					}
					t.Setenv(endedVariable, ended)
					output, err := mpi.Run("ends early: "+kind, ranks)
					assert.Error(t, err, output)
					assert.NotContains(t, fmt.Sprint(err), "hangs", output)
					assert.Contains(t, output, "aborts the job: ", output)
					assert.Regexp(t, "rank ["+ended+"] of [23] has ended, and is waited for", output)
				})
			}
		}
	}
}

// endsInTurn: ranks end one after the other, long after each other, and none waits for what does not come.
func endsInTurn(c *Comm) error {
	x, err := views.New1[float64]("x", 1)
	if err != nil {
		return err
	}
	others, err := c.Split(min(c.Rank(), 1), 0)
	if err != nil {
		return err
	}
	pause := func() { time.Sleep(50 * tuning.Pulse) }
	if c.Rank() == 0 { // whose messages are received, and whose broadcast is left, when it has ended
		return errors.Join(Bcast(c, x, 0), Send(c, 1, 0, x), Send(c, 2, 0, x), Send(c, 2, 1, x))
	}
	if c.Rank() == 2 {
		pause()
	}
	if err := Bcast(c, x, 0); err != nil {
		return err
	}
	pause()
	for range 3 {
		if err := errors.Join(others.Barrier(), usable(On(others, exec.Serial{}))); err != nil {
			return err
		}
		pause()
	}
	if c.Rank() == 1 {
		_, err := Recv(c, AnySource, 0, x)
		return errors.Join(err, Send(c, 2, 2, x))
	}
	pause()
	for tag, source := range []int{0, 0, 1} {
		if _, err := Recv(c, source, tag, x); err != nil {
			return err
		}
	}
	return nil
}

// Ranks may end at any time: those that have had their part are not waited for.
func TestRanksMayEndInTurn(t *testing.T) {
	for _, mpi := range launchtest.MPIs(t) {
		output, err := mpi.Run("ends in turn", 3)
		assert.NoError(t, err, "%s: %s", mpi.Name, output)
	}
}
