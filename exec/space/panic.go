package space

import (
	"errors"
	"fmt"
	"strings"
)

// Panic is what a pattern panics with when the functor or a reducer did. It
// describes the panic at the lowest items, on every space the same.
type Panic struct {
	Value      any    // what was panicked with
	Stack      []byte // the whole stack at that moment, as debug.Stack returns it
	Begin, End int    // the item numbers among which it happened, half-open
	Index      string // of the item, such as "9217" or "(3, 7)"; of a row "(3, 0), points 0 to 99"; "" if unknown
	Label      string // the policy's label
	Origin     string // the process in which it happened, as the space names it, or "" for this one
	Found      error  // a *check.Error, if the launch was watched and more than the panic is wrong, or nil
}

// Error describes the panic, with what was found and the functor's part of its stack.
//
// Which item of a leaf panics first depends on the order in which a space runs the leaf. A simulated GPU has other orders
// than items have.
func (p *Panic) Error() string {
	var b strings.Builder
	b.WriteString("exec: panic ")
	if p.Index != "" {
		fmt.Fprintf(&b, "at index %s, ", p.Index)
	}
	fmt.Fprintf(&b, "in items [%d, %d)", p.Begin, p.End)
	if p.Label != "" {
		fmt.Fprintf(&b, " of %q", p.Label)
	}
	if p.Origin != "" {
		fmt.Fprintf(&b, " on %s", p.Origin)
	}
	fmt.Fprintf(&b, ": %v", p.Value)
	if p.Found != nil {
		fmt.Fprintf(&b, "\n%v", p.Found)
	}
	fmt.Fprintf(&b, "\n\n%s", functorStack(p.Stack))
	return b.String()
}

// Unwrap returns the panic's value if that is an error, with what was found.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	if p.Found == nil {
		return err
	}
	return errors.Join(err, p.Found)
}
