package team

import (
	"reflect"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// column is the accumulators of one reducer, of any type.
type column interface {
	place() any
	extent() (e reduce.Extent, known bool)
	bytes() int // of an accumulator
	join()
	finish()
	contribute(m *Member, number int, agreed agreement, next lane.Combiner) lane.Combiner
	receive(m *Member)
	store()
}

// agreement is what the members of a team must agree about in a nested reduction.
type agreement struct {
	rangeShape
	membersWithItems int
}

func (r *Range[I]) agreement(ordered bool) agreement {
	return agreement{r.shape(), r.membersWithItems(ordered)}
}

// contribution is what one member contributes to a meeting, apart from its value.
type contribution struct {
	reducer reflect.Type
	ordered bool
	initial bool
	rangeShape
}

// meeting joins the values of the members of a team for one reducer.
type meeting[A any] struct {
	slot   *any // of the team's scope: which of its two meetings in turn this is
	number int  // of the reducer in the call, from 0

	r                reducers.Reducer[A] // that of member 0
	flat             bool
	values           []A            // by rank; those of membersWithItems come first
	contributions    []contribution // by rank
	membersWithItems int
	initial          A
	mismatch         int           // the lowest rank whose contribution is not that of member 0, or 0
	next             lane.Combiner // the meeting of the next reducer of the call, or nil

	scan bool
	tree tree.Sweep[A] // of a scan: over values, with what comes before each member
}

// next returns the meeting that the members come to next. Two take turns, as the slots of a
// scope do: a member may still read one while others write to the other.
func (p *pool[A]) next(m *Member, number int) *meeting[A] {
	slot := m.all.Slot()
	for _, b := range p.meetings {
		if b.slot == slot && b.number == number {
			return b
		}
	}
	b := &meeting[A]{slot: slot, number: number, flat: p.flat, values: make([]A, m.size), contributions: make([]contribution, m.size)}
	p.meetings = append(p.meetings, b)
	return b
}

// contribute gives the member's value to the meeting of the reducer with that number. It
// returns what combines this meeting and then next.
func (a *accumulators[A]) contribute(m *Member, number int, agreed agreement, next lane.Combiner) lane.Combiner {
	b := a.pool.next(m, number)
	a.meeting = b
	if a.used > 0 {
		b.values[m.rank], a.lanes[0] = a.lanes[0], b.values[m.rank]
	}
	b.contributions[m.rank] = contribution{reflect.TypeOf(a.r), a.traits.Ordered, a.traits.Initial, agreed.rangeShape}
	if m.rank == 0 {
		b.r = a.r
		b.initial, a.initial = a.initial, b.initial
	}
	b.membersWithItems, b.next, b.scan = agreed.membersWithItems, next, a.scan
	return b
}

// Combine joins the values of the members, unless their contributions do not match, and
// combines the next meeting of the call.
func (b *meeting[A]) Combine(s *lane.Scope) {
	b.mismatch = 0
	for rank, c := range b.contributions {
		if c != b.contributions[0] {
			b.mismatch = rank
			break
		}
	}
	if b.mismatch == 0 {
		b.combine()
	}
	if b.next != nil {
		b.next.Combine(s)
	}
}

func (b *meeting[A]) combine() {
	if b.membersWithItems == 0 {
		b.r.Init(&b.values[0])
	}
	if b.scan {
		b.sweep()
	} else {
		reduce.JoinTree(b.r, b.values[:b.membersWithItems])
	}
	if b.contributions[0].initial {
		b.r.Join(&b.initial, &b.values[0])
		b.values[0], b.initial = b.initial, b.values[0]
	}
	if b.flat {
		b.r.Final(&b.values[0])
	}
}

// receive sets lane 0 to the result, in memory that no other member has. In a scan it also
// takes what comes before the member.
func (a *accumulators[A]) receive(m *Member) {
	b := a.meeting
	if b.mismatch != 0 {
		x, y := b.contributions[0], b.contributions[b.mismatch]
		misuse("the members of a team disagree about a nested reduction: member 0 gave %v, member %d gave %v", x, b.mismatch, y)
	}
	if b.scan {
		a.prefix, b.tree.Prefix[m.rank] = b.tree.Prefix[m.rank], a.prefix
	}
	val := &a.lanes[0]
	if a.flat {
		*val = b.values[0]
		return
	}
	a.r.Init(val)
	a.r.Join(val, &b.values[0])
	a.r.Final(val)
}

func (c contribution) String() string {
	s := c.reducer.String()
	if c.ordered {
		s += " (ordered)"
	}
	if c.initial {
		s += " (with its initial value)"
	}
	return s + " over " + c.text()
}
