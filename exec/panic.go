package exec

import (
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
}

// Error describes the panic, with its stack.
func (p *Panic) Error() string {
	label := ""
	if p.Label != "" {
		label = fmt.Sprintf(" of %q", p.Label)
	}
	return fmt.Sprintf("exec: panic in items [%d, %d)%s: %v\n\n%s", p.Begin, p.End, label, p.Value, p.Stack)
}

// Unwrap returns the panic's value if that is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
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
			panic(&Panic{value, debug.Stack(), 0, max(plan.Items, 0), plan.Label})
		}
	}()
	f()
	returned = true
}
