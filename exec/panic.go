package exec

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/gokkos/gokkos/policy"
)

// Panic is what a pattern panics with when the functor or a reducer did. It
// describes the panic at the lowest items, on every space the same.
type Panic struct {
	Value      any    // what was panicked with
	Stack      []byte // the stack at that moment, the functor's frames included
	Begin, End int    // the item numbers among which it happened, half-open
	Label      string // the policy's label
	Origin     string // the process in which it happened, as the space names it, or "" for this one
	Found      error  // a *check.Error, if the launch was watched and more than the panic is wrong, or nil
}

// Error describes the panic, with what was found and its stack.
func (p *Panic) Error() string {
	label := ""
	if p.Label != "" {
		label = fmt.Sprintf(" of %q", p.Label)
	}
	origin := ""
	if p.Origin != "" {
		origin = " on " + p.Origin
	}
	found := ""
	if p.Found != nil {
		found = fmt.Sprintf("\n%v", p.Found)
	}
	return fmt.Sprintf("exec: panic in items [%d, %d)%s%s: %v%s\n\n%s", p.Begin, p.End, label, origin, p.Value, found, p.Stack)
}

// Unwrap returns the panic's value if that is an error, with what was found.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	if p.Found == nil {
		return err
	}
	return errors.Join(err, p.Found)
}

// prepare calls f, which asks the reducers of a launch what they are: a panic in one is the
// launch's, of all items.
func prepare(plan *policy.Plan, f func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if value := recover(); value != nil {
			panic(&Panic{Value: value, Stack: debug.Stack(), End: max(plan.Items, 0), Label: plan.Label})
		}
	}()
	f()
	returned = true
}
