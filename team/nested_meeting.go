package team

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// column is a cell of any type.
type column interface {
	place() any
	bytes() int // of an accumulator
	join()
	settle()
	put(m *Member, number int, r round, next lane.Combiner) lane.Combiner
	take(m *Member)
	store()
	release()
}

// round is what the members of a team must agree about in a nested reduction.
type round struct {
	spread
	takers int // members that have an item
}

// bid is what one member brought to a meeting, apart from its value.
type bid struct {
	reducer reflect.Type
	ordered bool
	initial bool
	spread
}

// meeting joins the values of the members of a team.
type meeting[A any] struct {
	slot   *any // which of a scope's meetings it is for, and
	number int  // for which of the accumulators of the call

	r       reducers.Reducer[A] // that of member 0
	flat    bool
	values  []A // by rank
	bids    []bid
	takers  int
	initial A
	stray   int // the lowest rank with another bid than member 0, or 0
	next    lane.Combiner

	scan bool
	tree tree.Sweep[A] // of a scan: over the values, and what comes before each member
}

// next returns the meeting that the members come to next. Two are used in turn, as
// the slots of a scope are, so that none is written while a member still reads it.
func (p *pool[A]) next(m *Member, number int) *meeting[A] {
	slot := m.all.Slot()
	for _, b := range p.meetings {
		if b.slot == slot && b.number == number {
			return b
		}
	}
	b := &meeting[A]{slot: slot, number: number, flat: p.flat, values: make([]A, m.size), bids: make([]bid, m.size)}
	p.meetings = append(p.meetings, b)
	return b
}

// put brings the member's value to the meeting, which is also that of next.
func (c *cell[A]) put(m *Member, number int, r round, next lane.Combiner) lane.Combiner {
	b := c.pool.next(m, number)
	c.meeting = b
	if c.used > 0 {
		b.values[m.rank], c.lanes[0] = c.lanes[0], b.values[m.rank]
	}
	b.bids[m.rank] = bid{reflect.TypeOf(c.r), c.traits.Ordered, c.traits.Initial, r.spread}
	if m.rank == 0 {
		b.r = c.r
		b.initial, c.initial = c.initial, b.initial
	}
	b.takers, b.next, b.scan = r.takers, next, c.scan
	return b
}

// Combine joins the values of the members.
func (b *meeting[A]) Combine(s *lane.Scope) {
	b.stray = 0
	for rank, x := range b.bids {
		if x != b.bids[0] {
			b.stray = rank
			break
		}
	}
	if b.stray == 0 {
		b.combine()
	}
	if b.next != nil {
		b.next.Combine(s)
	}
}

func (b *meeting[A]) combine() {
	if b.takers == 0 {
		b.r.Init(&b.values[0])
	}
	if b.scan {
		b.sweep()
	} else {
		reducers.JoinTree(b.r, b.values[:b.takers])
	}
	if b.bids[0].initial {
		b.r.Join(&b.initial, &b.values[0])
		b.values[0], b.initial = b.initial, b.values[0]
	}
	if b.flat {
		b.r.Final(&b.values[0])
	}
}

// take gets a copy of the result, of a member's own.
func (c *cell[A]) take(m *Member) {
	b := c.meeting
	if b.stray != 0 {
		x, y := b.bids[0], b.bids[b.stray]
		misuse("the members of a team disagree about a nested reduction: member 0 gave %v, member %d gave %v", x, b.stray, y)
	}
	if b.scan {
		c.prefix, b.tree.Prefix[m.rank] = b.tree.Prefix[m.rank], c.prefix
	}
	val := &c.lanes[0]
	if c.flat {
		*val = b.values[0]
		return
	}
	c.r.Init(val)
	c.r.Join(val, &b.values[0])
	c.r.Final(val)
}

func (x bid) String() string {
	s := x.reducer.String()
	if x.ordered {
		s += " (ordered)"
	}
	if x.initial {
		s += " (with its initial value)"
	}
	return s + " over " + x.text()
}
