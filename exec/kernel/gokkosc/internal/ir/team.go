package ir

import (
	"slices"
	"strings"
)

// A TeamForm names the runner of the body of a kernel whose items are teams.
type TeamForm uint8

// The forms.
const (
	NoTeam   TeamForm = iota // items are no teams
	ByMember                 // the body is the work of each member of a team, in operations of teams
	ByTeam                   // the body is the work of a team, in loops over its members: see pass.Phases
	ByThread                 // the body is the work of a thread of a card, whose block is a team: see pass.Threads
)

// A Level says whether a range of a team is spread over members, vector lanes, or both.
type Level int

// The levels, as package team has them.
const (
	OverThreads Level = iota // item j goes to member j mod T of T
	OverVector               // all items are the member's own; item j goes to its vector lane j mod V of V
	OverBoth                 // item j goes to lane j mod V of member j/V mod T
)

func (l Level) String() string { return [...]string{"thread", "vector", "both"}[l] }

// A Scan is the kind of a Prefix.
type Scan int

// The scans. A node of the tree is left joined with right. In scans of items it is the identity joined with
// both.
const (
	OfMembers Scan = iota // the prefix of a member, in a scan of values of members
	OfItems               // the prefix of a member's first item, in a scan of items
	TotalOfItems
)

// InLanes marks a Loop of a team, as its Func. Round j joins into accumulators of lane j mod n, for a power
// of two n.
const InLanes = "lanes"

// TeamSize and VectorLength are the paths of the size of a team and its number of vector lanes. The paths
// begin at the last parameter of a kernel of teams, a *kernel.Team.
var (
	TeamSize     = []Step{{Kind: Field, Field: "Shape"}, {Kind: Field, Field: "Size"}}
	VectorLength = []Step{{Kind: Field, Field: "Shape"}, {Kind: Field, Field: "Vector"}}
)

// TeamPart returns the memory that is a part of that parameter, as numbers of a type.
func TeamPart(field string, n int, goType string) []Step {
	path := []Step{{Kind: Field, Field: field}}
	if n >= 0 {
		path = append(path, Step{Kind: Elem, N: n})
	}
	return append(path, Step{Kind: Flat, Field: goType})
}

// RoomField is the field of a team with the arrays of members and lanes.
const RoomField = "Room"

// IsRoom reports whether a memory holds such arrays.
func (m Mem) IsRoom() bool { return m.Own && m.Local == 0 && m.Path[0].Field == RoomField }

// A Joint is how a nested reduction or a collective joins values.
type Joint struct {
	Op       Op
	Unsigned bool
}

func (j Joint) String() string {
	if j.Unsigned {
		return j.Op.String() + ".u"
	}
	return j.Op.String()
}

// Joints returns how a Fold, a Gather or a Prefix joins values.
func (v *Value) Joints() (list []Joint) {
	for _, name := range strings.Split(v.Func, ",") {
		name, unsigned := strings.CutSuffix(name, ".u")
		for _, op := range []Op{Add, Mul, Min, Max, And, Or, Xor} {
			if op.String() == name {
				list = append(list, Joint{op, unsigned})
			}
		}
	}
	return list
}

// Orders reports whether no access to memory may be moved across a value: other members wait there for stored
// values.
func (v *Value) Orders() bool { return v.Op == Atomic || v.Op == Meet || v.Op == Wait }

// Meets reports whether members meet in a value, or in one of its blocks.
func (v *Value) Meets() bool {
	switch v.Op {
	case Meet, Gather, Prefix, Pass:
		return true
	case Fold:
		return Level(v.Index) != OverVector
	}
	return slices.ContainsFunc(v.Blocks, func(b *Block) bool { return slices.ContainsFunc(b.Values, (*Value).Meets) })
}

// Nested reports whether a value is of a range that is spread over members, or has such a value in its blocks.
func (v *Value) Nested() bool {
	if v.Op == Each || v.Meets() {
		return true
	}
	return slices.ContainsFunc(v.Blocks, func(b *Block) bool { return slices.ContainsFunc(b.Values, (*Value).Nested) })
}

// ranged checks an Each or a Fold.
func (w *verifier) ranged(v *Value) {
	if v.Index < int(OverThreads) || v.Index > int(OverBoth) || len(v.Args) == 0 || v.Args[0].Type != I64 || len(v.Blocks) != 1 {
		w.fail(v, "has %d arguments and %d blocks, expected a number of items, one block and a level", len(v.Args), len(v.Blocks))
		return
	}
	want := typesOf(v.Args[1:])
	if v.Op == Fold && len(v.Joints()) != len(want) || v.Op == Each && len(want) > 0 {
		w.fail(v, "joins %d values, expected an operation for each", len(want))
		return
	}
	w.enter(v.Blocks[0], 1+len(want))
	if w.err == nil {
		w.yields("an item", v.Blocks[0], want)
	}
	w.leave(v.Blocks[0])
}
