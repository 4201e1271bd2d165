package ptx

import (
	"fmt"
	"go/token"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Code is a kernel as PTX.
type Code struct {
	IR    *ir.Kernel // after passes: whose scalars and memories the entry has as parameters
	Text  string     // a module
	Entry string     // the entry that runs items, or leaves of a reduction
	Stops []Stop     // reasons of stops, by the number that an item leaves in the status
	Torn  bool       // an item that stops may have stored before

	Strides bool // a thread of Entry goes on to items that are as many behind as there are threads

	Plain string // the entry for boxes of one tile with less than 2³¹ points, which runs each point of a row as a row; or ""

	Lanes string // of teams: the entry for members of several vector lanes; or ""
	Join  string // of teams with accumulators: the entry that joins their values

	Points string   // the entry that runs each point of a row as a row, or ""
	Apart  [][2]int // memories that must have nothing in common for that
	Steps  []int    // scalars that must not be 0 for that
}

// A Stop is where items stop, and why.
type Stop struct {
	Pos  token.Position
	What string // "index out of range"
}

// A Refusal says why there is no PTX of a kernel.
type Refusal struct {
	Pos    token.Position
	Reason string
}

func (r *Refusal) Error() string { return fmt.Sprintf("%v: %s", r.Pos, r.Reason) }
