package team

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/lane"
)

// A participant is the calling member of a collective, as one of a group.
type participant struct {
	m        *Member
	scope    *lane.Scope
	exchange *exchange
	rank     int
	size     int
}

// participantOf returns the calling member as a participant in the next meeting of g.
func participantOf(g Group) participant {
	m := memberOf(g)
	if m.exchange.calling {
		misuse("the function of a collective must call no collective")
	}
	p := participant{m, g.scope(), nil, g.Rank(), g.Size()}
	if p.size == 1 {
		p.exchange = &m.exchange
		return p
	}
	slot := p.scope.Slot()
	b, ok := (*slot).(*exchange)
	if !ok {
		b = new(exchange)
		*slot = b
	}
	p.exchange = b
	return p
}

// memberOf returns the member that calls a collective of g.
func memberOf(g Group) (m *Member) {
	switch g := g.(type) {
	case nil:
	case *Member:
		m = g
	case *SubGroup:
		if g != nil && g.m == nil {
			misuse(expired)
		}
		if g != nil {
			m = g.m
		}
	default: // a type of the caller's that embeds a Group
		m = g.member()
	}
	switch {
	case m == nil:
		misuse("the group is nil, expected the Member or its SubGroup")
	case m.run == nil:
		misuse(expired)
	}
	return m
}

// meet waits for the other members of the group, and c combines what all contribute. In a
// group of one c runs in the member, without a meeting. It returns false where
// [lane.Lane.Meet] does: nothing was combined then.
func (p *participant) meet(site uintptr, op lane.Op, c lane.Combiner) bool {
	if p.size == 1 {
		p.m.exchange.combine(c)
		return true
	}
	return p.m.meet(p.scope, site, op, c)
}

// An exchange holds the buffers through which the members of a group exchange values. It
// keeps one of each type, so that collectives that alternate allocate none. A meeting uses
// one of them. A group of one has the exchange of its member.
type exchange struct {
	buffers []any
	calling bool // the member runs a function that was given to a collective
}

// combine runs c in the member. A function that was given to the collective may panic.
func (x *exchange) combine(c lane.Combiner) {
	x.calling = true
	defer x.called()
	c.Combine(nil)
}

func (x *exchange) called() { x.calling = false }

// buffer returns the exchange's buffer of type B.
func buffer[B any](x *exchange) *B {
	for _, b := range x.buffers {
		if b, ok := b.(*B); ok {
			return b
		}
	}
	b := new(B)
	x.buffers = append(x.buffers, b)
	return b
}

// grown returns x, or a longer copy if x is shorter than size.
func grown[T any](x []T, size int) []T {
	if len(x) >= size {
		return x
	}
	return append(x, make([]T, size-len(x))...)
}

// sizeOf returns the size of a T in bytes.
func sizeOf[T any]() int {
	var x T
	return int(unsafe.Sizeof(x))
}
