package team

import (
	"github.com/gokkos/gokkos/reducers"
)

// pool keeps what the nested reductions of one Runner need for accumulators of type A.
// The members of its teams run one at a time, and nested reductions end in the reverse
// order, so that a pool soon has all that is needed.
type pool[A any] struct {
	flat, laned bool
	free        []*cell[A]
	meetings    []*meeting[A]
}

func poolOf[A any](r *Runner) *pool[A] {
	for _, p := range r.pools {
		if p, ok := p.(*pool[A]); ok {
			return p
		}
	}
	p := &pool[A]{flat: reducers.IsFlat[A](), laned: reducers.TakesLanes[A]()}
	r.pools = append(r.pools, p)
	return p
}

// cell is what one member reduces into during one nested reduction.
type cell[A any] struct {
	*pool[A]
	r       reducers.Reducer[A]
	traits  reducers.Traits[A]
	lanes   []A // all that there may be
	mask    int // lane l of the range is lanes[l&mask]
	used    int // lanes that items reach
	unit    A   // the identity, if flat
	initial A   // the initial value, if asked for and counted by this member
	prefix  A   // in a scan, what comes before the member's items
	scan    bool
	meeting *meeting[A]
}

// open returns a cell for a reduction with red in that many lanes. The initial value, if
// it is the calling member's to count, is read before a functor can change it.
func open[A any](m *Member, lanes int, counts bool, r reducers.Reducer[A], more ...reducers.Reducer[A]) *cell[A] {
	p := poolOf[A](m.run)
	r = reducers.Compose(r, more...)
	t := reducers.TraitsOf(r)
	if t.Err != nil {
		misuse("%w", t.Err)
	}
	var c *cell[A]
	if n := len(p.free); n > 0 {
		c, p.free = p.free[n-1], p.free[:n-1]
	} else {
		c = &cell[A]{pool: p}
	}
	if t.Ordered || !p.laned {
		lanes = 1
	}
	c.r, c.traits, c.scan, c.mask = r, t, false, -1
	if lanes == 1 {
		c.mask = 0
	}
	if lanes > len(c.lanes) {
		c.lanes = make([]A, lanes)
	}
	if p.flat {
		r.Init(&c.unit)
	}
	if t.Initial && counts {
		reducers.Load(r, t, &c.initial)
	}
	return c
}

// begin sets those lanes to the identity that a block of that many items reaches.
func (c *cell[A]) begin(items, lanes int) []A {
	if c.mask == 0 {
		lanes = 1
	}
	c.used = min(items, lanes)
	for l := range c.lanes[:c.used] {
		c.clear(&c.lanes[l])
	}
	return c.lanes
}

func (c *cell[A]) clear(val *A) {
	if c.flat {
		*val = c.unit
		return
	}
	c.r.Init(val)
}

func (c *cell[A]) bytes() int { return sizeOf[A]() }

func (c *cell[A]) place() any { return reducers.Place(c.r, c.traits) }

// join joins the lanes into the first.
func (c *cell[A]) join() { reducers.JoinTree(c.r, c.lanes[:c.used]) }

// settle makes the result of a reduction that is the member's alone.
func (c *cell[A]) settle() {
	val := &c.lanes[0]
	if c.used == 0 {
		c.clear(val)
	}
	if c.traits.Initial {
		c.r.Join(&c.initial, val)
		*val, c.initial = c.initial, *val
	}
	c.r.Final(val)
}

// store writes the result, which may then share memory with the result place.
func (c *cell[A]) store() {
	reducers.Store(c.r, c.traits, &c.lanes[0])
	if !c.flat {
		var none A
		c.lanes[0] = none
	}
}

// release puts the cell back.
func (c *cell[A]) release() {
	if c.traits.Store != nil || c.traits.Load != nil {
		c.traits = reducers.Traits[A]{}
	}
	c.r, c.meeting = nil, nil
	c.free = append(c.free, c)
}
