// Package policy says which items a kernel runs over, and where and how.
//
// A policy is an immutable value. Its methods return changed copies, so they
// chain: policy.Range(0, n).Chunk(1).On(space). What is wrong with a policy is
// kept in it and returned by the launch, before the functor ever runs.
//
//   - [Range]: the integers of a half-open interval, one at a time.
//   - [Spans]: the same integers in contiguous pieces; the functor owns the loop.
//   - [MDRange2] to [MDRange6]: the points of a box, optionally tile by tile.
//   - [MDRangePolicy.Rows]: the same points, row by row; the functor owns the inner loop.
//   - [MDRangePolicy.Tiles]: the tiles of a box; the functor owns the loops over a tile.
//   - [Team]: teams of members that work together, see package team.
//
// Where and how is a [Launch], which every policy carries and the algorithms over views take.
//
// Every policy numbers its items from 0. The reduction tree is built over these
// numbers, so a policy's bounds, tiles and chunk decide the order in which
// partial results are joined, and nothing else does.
package policy

import (
	"context"
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
)

// Plan is what a pattern needs to know of a policy. It is a plain value.
type Plan struct {
	Items   int             // number of items, at least 0
	Chunk   int             // requested items per leaf of the reduction tree, 0 for the rule's own
	Whole   bool            // an index stands for many items, and a leaf has one lane
	Space   space.Space     // nil for the default space
	Context context.Context // nil if the launch cannot be cancelled
	Label   string          // names the launch in messages and tools
	Team    space.TeamShape // what the items are, if they are teams
	Err     error           // why the policy cannot be launched
}

// settings are what every policy carries besides its items.
type settings struct {
	on    Launch
	chunk int
	fault *fault // nil if there is none
}

// fault is why a policy cannot be launched. A policy has a pointer to it, so that a policy of integers is a whole
// number of vector registers: of others, copies of copies wait for parts that overlap.
type fault struct{ err error }

// plan sets what the plan of a policy with that many items has, and not more than that. Both are large, and passed on
// without a copy.
func (s *settings) plan(p *Plan, items int, whole bool) {
	p.Items, p.Chunk, p.Whole = items, s.chunk, whole
	p.Space, p.Context, p.Label = s.on.space, s.on.context, s.on.label
	if s.fault != nil {
		p.Err = s.fault.err
	}
}

// fail returns s with err, unless s is at fault already: the first error is the
// cause of later ones.
func (s settings) fail(format string, args ...any) settings {
	if s.fault == nil {
		s.fault = &fault{fmt.Errorf("policy: "+format, args...)}
	}
	return s
}

func (s settings) withChunk(items int) settings {
	if items < 0 {
		return s.fail("a chunk of %d items, expected at least 1, or 0 for the rule's own", items)
	}
	s.chunk = items
	return s
}
