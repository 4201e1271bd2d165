package mpi

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
)

// A Space is the ranks of a communicator as one execution space, see [On].
type Space struct {
	comm  *Comm
	inner exec.Space
	each  bool // each rank runs the leaf of its number
	eager bool // no functor waits for another rank
}

var (
	_ space.TeamSpace    = Space{}
	_ device.MemoryOwner = Space{}
	_ ranks.Space        = Space{}
)

// On returns the execution space of all ranks of a communicator. All of them make the same
// launches on it, each on its own Space. Each rank runs a part of the items, on its inner space,
// which may be another one on each rank, with any number of workers. All ranks end with the
// same results of reductions and totals of scans, with the bits of [exec.Serial]. What a functor
// writes is written on the rank that ran it; [Part] says which items these are.
//
// A view is of one rank. What takes a policy.Launch to fill, copy, sort or scan a view does so on each rank,
// with all elements of the rank's own view. A scatter into a view is an error: launch it on the space of each
// rank. Bits, maps and numbers of packages views/bitset, views/hashmap and views/token have what the items of
// one rank did.
//
// # What all ranks must agree on
//
// The launch: its pattern, policy, label, functor and reducers, as far as their types and names
// tell. What a functor has captured is each rank's own. Ranks that make different launches all
// get an error that says who launched what, once they have waited two seconds for another
// goroutine to make the right one.
//
// A fold of a slice, of products or of a distributed array into reducers that say what they compute, as those of
// package builtin do (see concept.Operation), runs on each rank before they compare it, which saves a message,
// if its shares took less than 50 µs on all of them when it was made before. Others run once all ranks are known
// to make them, unless the space is [Space.Eager].
//
// Launches may be made by several goroutines. They run one at a time, in one order on all ranks.
// Two that run at one time must be told apart by what ranks agree on, by a label for one:
// else those of two goroutines may be taken for each other, which is an error where it is seen.
//
// A launch that a functor makes on the communicator that it runs on is made by its rank alone, on
// the inner space, with the same bits. The functor must make it on the goroutine that it is called
// on, or as a member of a team. One on a goroutine that it has started, by whatever means, waits for
// the launch around it; after a second that is an error. Two cases wait for ever: the goroutine has
// labels of package runtime/pprof that the functor has not, or a member of a team has started it by
// other means than a go statement, such as [sync.WaitGroup.Go].
//
// # How a launch ends
//
// Alike on all ranks, by the rule in package [space]. A panic is one on every rank, with an
// [exec.Panic] that has its text, the rank where it was and the items; an error, or that one rank
// has cancelled, is an error on all of them; [runtime.Goexit] ends the goroutine of the rank
// where it was called, and is an error on the others. Result places keep their content
// everywhere. A rank that hears of a cancel does not make others end early.
//
// What an inner space cannot run is an error on all ranks, and so is a reduction whose values
// have no form in bytes (see reducers/concept.Form), unless there is only one rank.
func On(c *Comm, inner exec.Space) Space { return Space{comm: c, inner: inner} }

// Eager returns s for functors that wait for nothing that another rank does. A launch whose shares took
// less than 50 µs on all ranks when it was made before then runs on each of them before they compare it,
// with a functor as without: the ranks agree, and have the result, by one message in place of two.
//
// If ranks make different launches, that is the same error; the functor may have been called. Launches
// of several goroutines still run once, but not in one order on all ranks. A functor that does wait, by
// [Recv] or by any other means, may wait for ever for a rank that makes another launch.
func (s Space) Eager() Space {
	s.eager = true
	return s
}

// Comm returns the communicator.
func (s Space) Comm() *Comm { return s.comm }

// Inner returns the space that runs the items of this rank, and what each rank does alone.
func (s Space) Inner() exec.Space { return s.inner }

// Processes implements [ranks.Space]: it is the number of ranks.
func (s Space) Processes() int {
	if s.comm == nil {
		return 1
	}
	return s.comm.Size()
}

// Name names the communicator, the rank and the inner space, with what that says of itself as a [fmt.Stringer]: the
// number of a card.
func (s Space) Name() string {
	if s.check() != nil {
		return "mpi"
	}
	name := fmt.Sprintf("mpi %s, rank %d of %d on %s", s.comm.Name(), s.comm.Rank(), s.comm.Size(), s.inner.Name())
	if inner, ok := s.inner.(fmt.Stringer); ok {
		name += " (" + inner.String() + ")"
	}
	return name
}

// Concurrency returns that of the inner space.
func (s Space) Concurrency() int {
	if s.check() != nil {
		return 1
	}
	return s.inner.Concurrency()
}

// Teams implements [space.TeamSpace]: teams run as they do on the inner space.
func (s Space) Teams() space.Teams {
	if on, ok := s.inner.(space.TeamSpace); ok {
		return on.Teams()
	}
	return space.Teams{}
}

// Memory implements [device.MemoryOwner]: it is that of the inner space.
func (s Space) Memory() device.Memory {
	if s.inner == nil {
		return nil
	}
	return device.MemoryOf(s.inner)
}

func (s Space) check() error {
	switch {
	case s.comm == nil:
		return errors.New("mpi: a Space without a communicator, expected one made by On")
	case s.inner == nil:
		return errors.New("mpi: On was given a nil space, expected the one that runs this rank's items")
	}
	return nil
}

// Launch implements [space.Space]. It returns once all ranks have called it.
func (s Space) Launch(g space.Grid, j space.Job) error {
	if err := s.check(); err != nil {
		return err
	}
	if s.comm.Size() == 1 {
		return s.inner.Launch(g, j)
	}
	c, ok := j.(ranks.Carrier)
	if !ok {
		return fmt.Errorf("mpi: %s cannot run a job that is no ranks.Carrier", s.Name())
	}
	return s.comm.launch.run(g, c, s)
}

// Refuse implements [ranks.Space]: ranks that make the launch which is refused here do not wait.
func (s Space) Refuse(err error) error {
	if s.check() != nil || s.comm.Size() == 1 {
		return err
	}
	return s.comm.launch.refuse(err)
}

// share returns the leaves first to last-1 that rank k of n runs: neighbours, nearly equally
// many for each, of few nodes.
func share(g space.Grid, k, n int) (first, last int) {
	first, last = g.Share(k, n)
	if grain := g.Leaves / n / shareGrain; grain > 1 {
		for grain&(grain-1) != 0 {
			grain &= grain - 1
		}
		first &^= grain - 1
		if last < g.Leaves {
			last &^= grain - 1
		}
	}
	return first, last
}
