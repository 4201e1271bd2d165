package policy

import (
	"context"

	"github.com/gokkos/gokkos/exec/space"
)

// A Launch says where a kernel or an algorithm over views runs, what can cancel it, and what
// messages call it. It decides no bit of a result. The zero value runs on the default space.
//
// [On] makes it, and its methods return changed copies. Algorithms take it as it is. All
// policies have its methods too, and take it by With:
//
//	on := policy.On(space).WithContext(ctx)
//	err := algorithms.Sort(v, on)
//	err = exec.ParallelFor(policy.Range(0, n).With(on), f)
type Launch struct {
	space   space.Space
	context context.Context
	label   string
}

// On carries the execution space to launch on; nil means the default one.
func On(s space.Space) Launch { return Launch{space: s} }

// On carries another execution space; nil means the default one.
func (l Launch) On(s space.Space) Launch { l.space = s; return l }

// WithContext carries a context that can cancel the launch. Workers then stop within a
// millisecond or at the end of their item, whichever is later; a team is an item, and so is
// a span, a row or a tile. They time items to know when to look: one that comes from cheap items to far
// heavier ones may first run up to 4096 of these.
func (l Launch) WithContext(ctx context.Context) Launch { l.context = ctx; return l }

// WithLabel names the launch in messages, and as a region in traces of runtime/trace.
func (l Launch) WithLabel(label string) Launch { l.label = label; return l }

// With returns l with what others carry, each in place of what was there before: a space, a
// context, a label. What none of them carries stays.
func (l Launch) With(others ...Launch) Launch {
	for _, o := range others {
		if o.space != nil {
			l.space = o.space
		}
		if o.context != nil {
			l.context = o.context
		}
		if o.label != "" {
			l.label = o.label
		}
	}
	return l
}

// Space returns the execution space that l carries, or nil.
func (l Launch) Space() space.Space { return l.space }
