package witness

// A decision is the assumed result of an unknown condition, the same for all items.
type decision struct {
	key uint64
	at  place
	is  bool
}

// A place is where a decision was made.
type place struct{ in, block, step int }

type arm struct {
	at place
	is bool
}

// An explorer chooses results for unknown conditions, so that each condition is true in one run and false in
// another.
type explorer struct {
	given map[uint64]bool // by the host
	made  map[uint64]bool // in this run
	order []decision      // decisions made in this run
	next  [][]decision    // runs to come
	seen  map[arm]bool
	count map[place]int
}

func newExplorer() *explorer { return &explorer{seen: map[arm]bool{}, next: [][]decision{nil}} }

// once returns an explorer in its first run.
func once() *explorer {
	e := newExplorer()
	e.begin()
	return e
}

// begin begins the next run, and reports whether there is a further run.
func (e *explorer) begin() bool {
	if len(e.next) == 0 {
		return false
	}
	e.made, e.count, e.order = map[uint64]bool{}, map[place]int{}, nil
	for _, d := range e.next[0] {
		e.made[d.key] = d.is
		e.order = append(e.order, d)
	}
	e.next = e.next[1:]
	return true
}

// end ends a run. For each decision of the run, it plans a run with the opposite decision, once.
func (e *explorer) end() {
	for _, d := range e.order {
		e.seen[arm{d.at, d.is}] = true
	}
	for k, d := range e.order {
		other := arm{d.at, !d.is}
		if !e.seen[other] {
			e.seen[other] = true
			d.is = !d.is
			e.next = append(e.next, append(append([]decision{}, e.order[:k]...), d))
		}
	}
}

const turns = 3 // rounds of a loop whose condition is unknown

// decide returns the chosen result of a condition.
func (m *machine) decide(key uint64, not bool) bool {
	e := m.explore
	if m.judge != nil {
		m.judge.unsure = true
	}
	m.doubt()
	if is, ok := e.given[key]; ok {
		return is
	}
	is, ok := e.made[key]
	if !ok {
		at := place{step: -1}
		if m.frame != nil {
			at = place{m.frame.code.number, m.frame.block, m.frame.step}
		}
		e.count[at]++
		is = (e.count[at] <= turns) != not
		e.made[key] = is
		e.order = append(e.order, decision{key, at, is})
	}
	return is
}

// decided returns a condition as true or false.
func (m *machine) decided(v value) value {
	if v.kind == truth {
		return v
	}
	form := v.form()
	is := m.decide(form&^1, form&1 == 1) != (form&1 == 1)
	return value{kind: truth, n: flag(is), mark: v.mark &^ (datum | wide)}
}
