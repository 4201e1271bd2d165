// Package collective is how the members of a group exchange values, for packages team and group.
package collective

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/lane"
)

// A Participant is the calling member of a collective, as one of a group.
type Participant struct {
	Member   Member
	Own      *Exchange // of groups of one: this member
	Scope    *lane.Scope
	Exchange *Exchange // of the group
	Rank     int
	Size     int
}

// A Member is a member of a team.
type Member interface {
	Watched() bool                                                      // the launch is watched, see package watch
	Meet(s *lane.Scope, site uintptr, op lane.Op, c lane.Combiner) bool // see [lane.Lane.Meet]
}

// Of returns the calling member as a participant in the next meeting of a team.Group. Package team
// sets it when the program starts.
var Of func(group any) Participant

// Meet waits for the other members of the group, and c combines what all contribute. In a
// group of one c runs in the member, without a meeting. It returns false where
// [lane.Lane.Meet] does: nothing was combined then.
func (p *Participant) Meet(site uintptr, op lane.Op, c lane.Combiner) bool {
	if p.Size == 1 {
		p.Own.combine(c)
		return true
	}
	return p.Member.Meet(p.Scope, site, op, c)
}

// An Exchange holds the buffers through which the members of a group exchange values. It
// keeps one of each type, so that collectives that alternate allocate none. A meeting uses
// one of them. A group of one has the exchange of its member.
type Exchange struct {
	Calling bool // the member runs a function that was given to a collective
	buffers []any
}

// combine runs c in the member. A function that was given to the collective may panic.
func (x *Exchange) combine(c lane.Combiner) {
	x.Calling = true
	defer x.Called()
	c.Combine(nil)
}

// Called ends the call of a function that was given to the collective, a panic included.
func (x *Exchange) Called() { x.Calling = false }

// Buffer returns the exchange's buffer of type B.
func Buffer[B any](x *Exchange) *B {
	for _, b := range x.buffers {
		if b, ok := b.(*B); ok {
			return b
		}
	}
	b := new(B)
	x.buffers = append(x.buffers, b)
	return b
}

// Grown returns x, or a longer copy if x is shorter than size.
func Grown[T any](x []T, size int) []T {
	if len(x) >= size {
		return x
	}
	return append(x, make([]T, size-len(x))...)
}

// SizeOf returns the size of a T in bytes.
func SizeOf[T any]() int {
	var x T
	return int(unsafe.Sizeof(x))
}
