package launch

import (
	"cmp"
	"fmt"

	"github.com/gokkos/gokkos/exec/space/device"
)

// Steps implements [device.Stepper].
func (j *Job) Steps() device.Steps {
	j.toStep = true
	return steps{j}
}

// steps is a job whose leaves a device runs in steps.
type steps struct{ *Job }

func (s steps) Parts() device.Parts {
	a := s.ask()
	p := device.Parts{Label: s.label, Kernel: cmp.Or(a.Kernel, "range"), Before: a.Before, Reorders: a.Order != nil}
	if a.Teams != nil {
		p.Teams = a.Teams.Shape()
	}
	for _, c := range s.Columns {
		p.Columns = append(p.Columns, s.Describe(c))
	}
	return p
}

func (s steps) Memo() *any { return &s.memo }

func (s steps) ObserveTeams(o device.TeamObserver) {
	if s.ask().Teams != nil {
		s.ask().Teams.Observe(o)
	}
}

func (s steps) RunLanes(leaf, slot int, order []int) bool {
	n := Node{leaf, leaf + 1}
	if !s.ready(0, slot, n) {
		return false
	}
	w := &s.Walks[0]
	return s.step(&w.Place, func() bool {
		if s.Past(leaf) || s.Cancelled() {
			return false
		}
		s.Schedule(order)
		begin := leaf * s.Grid.Leaf
		s.kernel.RunNode(w, InLanes, begin, begin+min(s.Grid.Items-begin, s.Grid.Leaf), s.Grid.Leaf)
		return !s.heard.Load()
	})
}

// step is guard for one step. After a failed step, slots may hold parts of nodes.
func (s steps) step(at *Place, f func() bool) bool {
	ok := s.guard(at, f)
	s.torn = s.torn || !ok
	return ok
}

// Schedule sets the order of lanes for the next leaf. It leaves a kernel alone until there is an order: the
// kernel is faster then.
func (s steps) Schedule(order []int) {
	s.laneAt = nil
	k := s.ask().Order
	if k == nil || order == nil && !s.ordered {
		return
	}
	s.ordered = true
	if k.Schedule(order) && order != nil {
		s.laneAt = inverse(order)
	}
}

// inverse returns the place of each lane in an order.
func inverse(order []int) []int {
	at := make([]int, len(order))
	for k, lane := range order {
		at[lane] = k
	}
	return at
}

// place returns the place of a lane in its leaf.
func (s steps) place(lane int) int {
	if s.laneAt != nil {
		return s.laneAt[lane]
	}
	return lane
}

// has reports whether a column and a slot exist, or refuses the space.
func (s steps) has(column, slot int) bool {
	if uint(column) < uint(len(s.Columns)) && uint(slot) < uint(len(s.nodes)) {
		return true
	}
	return s.Refuse(fmt.Errorf("exec: the space took a step with column %d and slot %d, there are %d columns and it opened %d slots", column, slot, len(s.Columns), len(s.nodes)))
}

func (s steps) JoinLanes(column, dst, src int) bool {
	if !s.has(column, 0) {
		return false
	}
	if lanes := s.Columns[column].Profile(s.Grid.Lanes).Lanes; uint(dst) >= uint(lanes) || uint(src) >= uint(lanes) {
		return s.Refuse(fmt.Errorf("exec: the space joined lanes %d and %d of column %d, which has %d", dst, src, column, lanes))
	}
	return s.step(&s.Walks[0].Place, func() bool {
		c, dst, src := s.Columns[column], s.place(dst), s.place(src)
		if s.watched {
			s.sampler(column).OfferLanes(c.LaneValue(0, dst), c.LaneValue(0, src))
		}
		c.JoinLanes(0, dst, src)
		return true
	})
}

func (s steps) EndLanes(column, slot int) bool {
	return s.has(column, slot) && s.step(&s.Walks[0].Place, func() bool {
		s.Columns[column].EndLane(0, s.place(0), slot)
		return true
	})
}

func (s steps) JoinColumns(dst, src int, out []bool) bool {
	n, ok := s.joined(dst, src)
	return ok && s.step(&Place{Node: n}, func() bool {
		for k := range s.Columns {
			if k >= len(out) || !out[k] {
				s.joinColumn(k, dst, src)
			}
		}
		return true
	})
}

func (s steps) Collect(column, dst, src int, first bool) bool {
	if !s.has(column, dst) || !s.has(column, src) {
		return false
	}
	n := s.held(src)
	if n.First == n.Last { // src holds a collected value, of no node
		n = s.All()
	}
	return s.step(&Place{Node: n}, func() bool {
		c := s.Columns[column]
		if first {
			c.Clear(dst)
		}
		s.joinColumn(column, dst, src)
		return true
	})
}
