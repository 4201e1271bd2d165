package ranks

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
)

// Part returns a node of j, the leaves first to last-1 of g, as a job of its own, to run on
// another space. Its leaves are numbered from 0. It has the optional parts that j has. What
// is done to it is done to j, which so has the node in slot 0 after the launch.
func Part(g space.Grid, j Carrier, first, last int) (space.Grid, space.Job) {
	node := space.Grid{Leaf: g.Leaf, Leaves: last - first, Lanes: g.Lanes}
	node.Items = node.Leaves * g.Leaf
	if last == g.Leaves { // which may have fewer
		node.Items = g.Items - first*g.Leaf
	}
	p := part{j, first, first * g.Leaf, node}
	if s, ok := j.(device.Stepper); ok {
		return node, steppedPart{p, s}
	}
	return node, p
}

var _ device.Failer = part{}

type part struct {
	job    Carrier
	first  int // its first leaf
	before int // items
	grid   space.Grid
}

func (p part) Open(workers, slots int) { p.job.Open(workers, slots) }

func (p part) Run(worker, first, last, slot int) bool {
	first, last = p.leaves(first, last)
	return p.job.Run(worker, first, last, slot)
}

// leaves returns leaves of the part as leaves of the whole. Those that are not of the part are
// none of the whole, either.
func (p part) leaves(first, last int) (int, int) {
	if first < 0 || last > p.grid.Leaves {
		return -1, -1
	}
	return p.first + first, p.first + last
}

func (p part) Join(dst, src int) bool { return p.job.Join(dst, src) }

// Hints implements [space.Hinter].
func (p part) Hints() space.Hints { return space.HintsOf(p.job) }

// Accept implements [device.Job].
func (p part) Accept(worker, first, last, slot int, value []byte) bool {
	whole, ok := p.job.(device.Job)
	if !ok {
		return false
	}
	first, last = p.leaves(first, last)
	return whole.Accept(worker, first, last, slot, value)
}

// Cancelled implements [device.Job].
func (p part) Cancelled() bool {
	whole, ok := p.job.(device.Job)
	return ok && whole.Cancelled()
}

// Fold implements [device.Job]: it is of the values of the part.
func (p part) Fold() (f device.Fold, ok bool) { return p.FoldOf(0, p.grid.Items) }

// FoldOf implements [device.Job]: the items are those of the part.
func (p part) FoldOf(begin, end int) (f device.Fold, ok bool) {
	whole, ok := p.job.(device.Job)
	if !ok || begin < 0 || end > p.grid.Items {
		return f, false
	}
	return whole.FoldOf(p.before+begin, p.before+end)
}

// Scan implements [device.Job]. A scan of a part needs the items before it, which only Run knows.
func (part) Scan() (s device.Scan, ok bool) { return s, false }

// Functor implements [device.Job]: the items of its box are those of the part.
func (p part) Functor() device.Functor {
	whole, ok := p.job.(device.Job)
	if !ok {
		return device.Functor{}
	}
	f := whole.Functor()
	f.FirstTeam += p.before
	f.Scan = nil // it needs the items before
	if f.Box != nil {
		box := *f.Box
		box.First += p.before
		f.Box = &box
	}
	return f
}

// Fail implements [device.Failer]: the items are those of the part.
func (p part) Fail(item int, value any) {
	if whole, ok := p.job.(device.Failer); ok {
		if item < 0 || item >= p.grid.Items {
			item = -1 - p.before // none of the whole
		}
		whole.Fail(p.before+item, value)
	}
}

type steppedPart struct {
	part
	stepper device.Stepper
}

// Steps implements [device.Stepper].
func (p steppedPart) Steps() device.Steps {
	return partSteps{p.stepper.Steps(), p.first, p.grid.Leaves}
}

type partSteps struct {
	device.Steps
	first, leaves int
}

// Memo returns what the device keeps of this part of the job.
func (s partSteps) Memo() *any {
	all := s.Steps.Memo()
	if *all == nil {
		*all = map[int]*any{}
	}
	parts := (*all).(map[int]*any)
	if parts[s.first] == nil {
		parts[s.first] = new(any)
	}
	return parts[s.first]
}

func (s partSteps) RunLanes(leaf, slot int, order []int) bool {
	if leaf < 0 || leaf >= s.leaves {
		leaf = -1 - s.first // none of the whole
	}
	return s.Steps.RunLanes(s.first+leaf, slot, order)
}
