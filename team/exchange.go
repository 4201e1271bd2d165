package team

import (
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/gokkos/gokkos/internal/lane"
)

// A seat is what a collective knows of the member that calls it.
type seat struct {
	lane  *lane.Lane
	scope *lane.Scope
	board *board
	rank  int
	size  int
}

// take returns the calling member's seat in g, for the group's next meeting.
func take(g Group) seat {
	m := g.member()
	s := seat{m.lane, g.scope(), nil, g.Rank(), g.Size()}
	if s.size == 1 {
		s.board = &m.run.board
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

// meet waits for the other members of the group, then what all have brought is
// combined. A group of one does not wait.
func (s *seat) meet(site uintptr, op lane.Op, c lane.Combiner) {
	if s.size == 1 {
		c.Combine(nil)
		return
	}
	s.lane.Meet(s.scope, site, op, c)
}

// A board is where a group keeps its buffers between collectives, one of each type:
// collectives that alternate find theirs again. Only one is in use in a meeting.
type board struct{ buffers []any }

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

// disagree ends the launch with an error about the call at a site, when it takes all
// members to see what is wrong.
func disagree(site uintptr, format string, args ...any) {
	err := fmt.Errorf("team: "+format, args...)
	if site != 0 {
		line, _ := runtime.CallersFrames([]uintptr{site}).Next()
		err = fmt.Errorf("%w, at %s:%d", err, filepath.Base(line.File), line.Line)
	}
	panic(&lane.Misuse{Err: err})
}
