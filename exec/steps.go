package exec

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reuse"
)

// Steps implements [space.Stepper].
func (j *job) Steps() space.Steps {
	j.stepped = true
	return steps{j}
}

// steps is a job whose leaves a device takes apart.
type steps struct{ *job }

// A scheduler is a kernel whose lanes can take their items in another order. It reports
// whether the lanes move then: the k-th that takes an item has the k-th place.
type scheduler interface {
	schedule(order []int) (moved bool)
}

func (s steps) Parts() space.Parts {
	p := space.Parts{Label: s.label, Kernel: "range"}
	if k, ok := s.kernel.(interface{ parts(p *space.Parts) }); ok {
		k.parts(&p)
	}
	_, p.Reorders = s.kernel.(scheduler)
	for _, c := range s.columns {
		x := c.Profile(s.grid.Lanes)
		p.Columns = append(p.Columns, space.Column{Reducer: c.Name(), Bytes: x.Bytes, Flat: x.Flat, Exact: x.Exact, Lanes: x.Lanes})
	}
	return p
}

func (s steps) Memo() *any { return &s.memo }

func (s steps) ObserveTeams(o space.TeamObserver) {
	if k, ok := s.kernel.(*teamKernel); ok {
		k.observer = observer{o}
	}
}

func (s steps) RunLanes(worker, leaf, slot int, order []int) bool {
	n := node{leaf, leaf + 1}
	if !s.ready(worker, slot, n) {
		return false
	}
	s.lanesAt = reuse.Resize(s.lanesAt, s.workers)
	s.lanesAt[worker] = nil
	at := &s.at[worker].node
	return s.guard(at, func() bool {
		if int64(leaf) >= s.limit.Load() || s.cancelled() {
			return false
		}
		if k, ok := s.kernel.(scheduler); ok && order != nil && k.schedule(order) {
			s.lanesAt[worker] = inverse(order)
		}
		begin := leaf * s.grid.Leaf
		s.kernel.run(worker, leaf, begin, begin+min(s.grid.Items-begin, s.grid.Leaf))
		return !s.heard.Load()
	})
}

// inverse returns the place of each lane in an order.
func inverse(order []int) []int {
	at := make([]int, len(order))
	for k, lane := range order {
		at[lane] = k
	}
	return at
}

// laneAt returns where a worker has a lane.
func (s steps) laneAt(worker, lane int) int {
	if at := s.lanesAt[worker]; at != nil {
		return at[lane]
	}
	return lane
}

func (s steps) JoinLanes(worker, column, dst, src int) bool {
	return s.guard(&s.at[worker].node, func() bool {
		s.columns[column].JoinLanes(worker, s.laneAt(worker, dst), s.laneAt(worker, src))
		return true
	})
}

func (s steps) EndLanes(worker, column, slot int) bool {
	return s.guard(&s.at[worker].node, func() bool {
		s.columns[column].EndLane(worker, s.laneAt(worker, 0), slot)
		return true
	})
}

func (s steps) JoinColumns(dst, src int, out []bool) bool {
	n, ok := s.joined(dst, src)
	return ok && s.guard(&n, func() bool {
		for k, c := range s.columns {
			if out == nil || !out[k] {
				c.Join(dst, src)
			}
		}
		return true
	})
}

func (s steps) Collect(column, dst, src int, first bool) bool {
	n := s.nodes[src]
	if n.first == n.last { // what was collected
		n = s.all()
	}
	return s.guard(&n, func() bool {
		c := s.columns[column]
		if first {
			c.Clear(dst)
		}
		c.Join(dst, src)
		return true
	})
}
