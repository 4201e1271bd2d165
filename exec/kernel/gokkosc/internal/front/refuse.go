package front

import (
	"fmt"
	"go/token"
	"strings"
)

// A Refusal says why a kernel is not compiled, where, and what would help.
type Refusal struct {
	Pos    token.Position
	Reason string
	Help   string // may be empty
}

func (r *Refusal) Error() string {
	s := fmt.Sprintf("%v: %s", r.Pos, r.Reason)
	if r.Help != "" {
		s += "; " + r.Help
	}
	return s
}

// caught makes what refuse has panicked with an error.
func caught(err *error) {
	if r := recover(); r != nil {
		refusal, ok := r.(*Refusal)
		if !ok {
			panic(r)
		}
		*err = refusal
	}
}

// internal makes a panic of ours a refusal: a functor in place runs as a closure then, and its program is
// built.
func internal(at token.Position) {
	if r := recover(); r != nil {
		if _, ok := r.(*Refusal); !ok {
			r = &Refusal{Pos: at, Reason: fmt.Sprintf("gokkosc fails with it: %v", r), Help: "please report that"}
		}
		panic(r)
	}
}

// isUnknown reports whether a refusal is for want of such a value alone.
func (r *Refusal) isUnknown() bool {
	return strings.HasSuffix(r.Reason, "a kernel cannot have "+unknown.reason)
}
