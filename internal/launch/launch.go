// Package launch says how the algorithms over views run, which package views and those
// that stand on it share. Package views names the type for users.
package launch

import (
	"context"
	"fmt"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
)

// A Launch says on which execution space an algorithm over views runs, and what can cancel
// it. The zero value is the default space and nothing. Its methods return changed copies.
type Launch struct {
	space   space.Space
	context context.Context
}

// On carries the execution space to launch on; nil means the default one.
func On(space space.Space) Launch { return Launch{space: space} }

// WithContext carries a context that can cancel the launch.
func (l Launch) WithContext(ctx context.Context) Launch {
	l.context = ctx
	return l
}

// Space returns the execution space that l carries, or nil.
func Space(l Launch) space.Space { return l.space }

// Reach returns l on the device whose memory m is if it carries no space. It is an error if
// its space cannot touch m; what says what is there.
func Reach(l Launch, m memory.Space, what string) (Launch, error) {
	if m.Memory().Owner == nil {
		return l, nil
	}
	if l.space == nil {
		l.space = m.Memory().Owner.(space.Space)
		return l, nil
	}
	if near, ok := l.space.(interface{ Memory() memory.Space }); !ok || near.Memory() != m {
		return l, fmt.Errorf("%s in the memory of %v on the space %s, which cannot touch it; views.MirrorCopy or views.DeepCopy copies it", what, m, l.space.Name())
	}
	return l, nil
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
