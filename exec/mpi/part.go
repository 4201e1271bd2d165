package mpi

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// A Planner is a policy: what has a plan.
type Planner interface{ Plan() policy.Plan }

// Part returns the items begin to end-1 of a policy that this rank runs in a launch on a space.
// Those of a [policy.Range] have the indices from its first one on, those of a box the order
// of [policy.MDRangePolicy], and those of a team policy are its teams. Parts are neighbours, in the
// order of ranks, begin where leaves do, and have nearly equally many items. On a space that is
// none of [On], it is all items. The policy's own space does not matter.
//
// Errors: what is wrong with the policy.
func Part(on exec.Space, p Planner) (begin, end int, err error) {
	s, ok := on.(Space)
	if ok {
		if err := s.check(); err != nil {
			return 0, 0, err
		}
		return s.comm.part(p, s.comm.Rank())
	}
	plan := p.Plan()
	return 0, plan.Items, plan.Err
}

// PartOf is [Part] of any rank of the communicator.
func (s Space) PartOf(p Planner, rank int) (begin, end int, err error) {
	if err := s.check(); err != nil {
		return 0, 0, err
	}
	if rank < 0 || rank >= s.comm.Size() {
		return 0, 0, fmt.Errorf("mpi: PartOf rank %d of %d", rank, s.comm.Size())
	}
	return s.comm.part(p, rank)
}

func (c *Comm) part(p Planner, rank int) (begin, end int, err error) {
	plan := p.Plan()
	if plan.Err != nil {
		return 0, 0, plan.Err
	}
	g := space.NewGrid(plan.Items, plan.Chunk, plan.Whole)
	first, last := share(g, rank, c.Size())
	return min(first*g.Leaf, g.Items), min(last*g.Leaf, g.Items), nil
}
