// Package launch says how the algorithms over views run, which package views and those
// that stand on it share. Package views names the type for users.
package launch

import (
	"context"

	"github.com/gokkos/gokkos/policy"
)

// A Launch says on which execution space an algorithm over views runs, and what can cancel
// it. The zero value is the default space and nothing. Its methods return changed copies.
type Launch struct {
	space   policy.Space
	context context.Context
}

// On carries the execution space to launch on; nil means the default one.
func On(space policy.Space) Launch { return Launch{space: space} }

// WithContext carries a context that can cancel the launch.
func (l Launch) WithContext(ctx context.Context) Launch {
	l.context = ctx
	return l
}

// Space returns the execution space that l carries, or nil.
func Space(l Launch) policy.Space { return l.space }

// OnSpace returns l on another execution space.
func OnSpace(l Launch, space policy.Space) Launch {
	l.space = space
	return l
}

// Last returns the last of the launches given, or the zero one: an algorithm takes
// on ...Launch to make it optional.
func Last(on []Launch) Launch {
	if len(on) == 0 {
		return Launch{}
	}
	return on[len(on)-1]
}

// Range returns the policy of items 0 to n-1, one at a time, as l says.
func Range(l Launch, n int) policy.RangePolicy {
	return policy.Range(0, n).On(l.space).WithContext(l.context)
}

// Spans returns the policy of items 0 to n-1, in pieces, as l says.
func Spans(l Launch, n int) policy.SpansPolicy {
	return policy.Spans(0, n).On(l.space).WithContext(l.context)
}
