package space

// Part returns a node of j, the leaves first to last-1 of g, as a job of its own, to run on
// another space. Its leaves are numbered from 0. It has the optional parts that j has. What
// is done to it is done to j, which so has the node in slot 0 after the launch.
func Part(g Grid, j Carrier, first, last int) (Grid, Job) {
	node := Grid{Leaf: g.Leaf, Leaves: last - first, Lanes: g.Lanes}
	node.Items = min(g.Items-first*g.Leaf, node.Leaves*g.Leaf)
	p := part{j, first}
	if s, ok := j.(Stepper); ok {
		return node, steppedPart{p, s}
	}
	return node, p
}

type part struct {
	job   Carrier
	first int
}

func (p part) Open(workers, slots int) { p.job.Open(workers, slots) }

func (p part) Run(worker, first, last, slot int) bool {
	return p.job.Run(worker, p.first+first, p.first+last, slot)
}

func (p part) Join(dst, src int) bool { return p.job.Join(dst, src) }

// Hints implements [Hinter].
func (p part) Hints() Hints { return HintsOf(p.job) }

type steppedPart struct {
	part
	stepper Stepper
}

// Steps implements [Stepper].
func (p steppedPart) Steps() Steps { return partSteps{p.stepper.Steps(), p.first} }

type partSteps struct {
	Steps
	first int
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
	return s.Steps.RunLanes(s.first+leaf, slot, order)
}
