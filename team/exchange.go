package team

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/lane"
)

// A seat is what a collective knows of the member that calls it.
type seat struct {
	m     *Member
	scope *lane.Scope
	board *board
	rank  int
	size  int
}

// take returns the calling member's seat in g, for the group's next meeting.
func take(g Group) seat {
	m := memberOf(g)
	if m.board.calling {
		misuse("the function of a collective must call no collective")
	}
	s := seat{m, g.scope(), nil, g.Rank(), g.Size()}
	if s.size == 1 {
		s.board = &m.board
		return s
	}
	slot := s.scope.Slot()
	b, ok := (*slot).(*board)
	if !ok {
		b = new(board)
		*slot = b
	}
	s.board = b
	return s
}

// memberOf returns the member that makes a call with g.
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
	default: // one with another inside
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

// meet waits for the other members of the group, then what all have brought is
// combined. A group of one does not wait, and combines in the member. It returns false
// as [lane.Lane.Meet] does: nothing was combined then.
func (s *seat) meet(site uintptr, op lane.Op, c lane.Combiner) bool {
	if s.size == 1 {
		s.m.board.combine(c)
		return true
	}
	return s.m.lane.Meet(s.scope, site, op, c)
}

// A board is where a group keeps its buffers between collectives, one of each type:
// collectives that alternate find theirs again. Only one is in use in a meeting. That of
// groups of one is their member's.
type board struct {
	buffers []any
	calling bool // a function that was given to a collective runs in the member
}

// combine combines in the member. A function that was given to the collective may panic
// or suspend.
func (b *board) combine(c lane.Combiner) {
	b.calling = true
	defer b.called()
	c.Combine(nil)
}

func (b *board) called() { b.calling = false }

// buffer returns the board's buffer of type B.
func buffer[B any](b *board) *B {
	for _, x := range b.buffers {
		if x, ok := x.(*B); ok {
			return x
		}
	}
	x := new(B)
	b.buffers = append(b.buffers, x)
	return x
}

// room returns x, longer if it is shorter than size.
func room[T any](x []T, size int) []T {
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
