package space

// Part returns a node of j, the leaves first to last-1 of g, as a job of its own, to run on
// another space. Its leaves are numbered from 0. It has the optional parts that j has. What
// is done to it is done to j, which so has the node in slot 0 after the launch.
func Part(g Grid, j Carrier, first, last int) (Grid, Job) {
	node := Grid{Leaf: g.Leaf, Leaves: last - first, Lanes: g.Lanes}
	node.Items = node.Leaves * g.Leaf
	if last == g.Leaves { // which may have fewer
		node.Items = g.Items - first*g.Leaf
	}
	p := part{j, first, first * g.Leaf, node}
	if s, ok := j.(Stepper); ok {
		return node, steppedPart{p, s}
	}
	return node, p
}

type part struct {
	job    Carrier
	first  int // its first leaf
	before int // items
	grid   Grid
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

// Hints implements [Hinter].
func (p part) Hints() Hints { return HintsOf(p.job) }

// Accept implements [Accepter].
func (p part) Accept(worker, first, last, slot int, value []byte) bool {
	whole, ok := p.job.(Accepter)
	if !ok {
		return false
	}
	first, last = p.leaves(first, last)
	return whole.Accept(worker, first, last, slot, value)
}

// Cancelled implements [Accepter].
func (p part) Cancelled() bool {
	whole, ok := p.job.(Accepter)
	return ok && whole.Cancelled()
}

// Fold implements [Folder]: it is of the values of the part.
func (p part) Fold() (f Fold, ok bool) {
	whole, ok := p.job.(PartFolder)
	if !ok {
		return f, false
	}
	return whole.FoldOf(p.before, p.before+p.grid.Items)
}

// Functor implements [Caller]: the items of its box are those of the part.
func (p part) Functor() Functor {
	whole, ok := p.job.(Caller)
	if !ok {
		return Functor{}
	}
	f := whole.Functor()
	if f.Box != nil {
		box := *f.Box
		box.First += p.before
		f.Box = &box
	}
	return f
}

// Fail implements [Failer]: the items are those of the part.
func (p part) Fail(item int, value any) {
	if whole, ok := p.job.(Failer); ok {
		if item < 0 || item >= p.grid.Items {
			item = -1 - p.before // none of the whole
		}
		whole.Fail(p.before+item, value)
	}
}

type steppedPart struct {
	part
	stepper Stepper
}

// Steps implements [Stepper].
func (p steppedPart) Steps() Steps { return partSteps{p.stepper.Steps(), p.first, p.grid.Leaves} }

type partSteps struct {
	Steps
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
