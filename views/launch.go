package views

import (
	"context"

	"github.com/gokkos/gokkos/policy"
)

// A Launch says how [DeepCopy], [Fill] and [Source] run. It is made by [On]; its methods
// return changed copies.
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

// last returns the last of the launches given, or the default one.
func last(l []Launch) Launch {
	if len(l) == 0 {
		return Launch{}
	}
	return l[len(l)-1]
}
