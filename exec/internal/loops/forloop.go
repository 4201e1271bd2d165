package loops

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/policy"
)

// The loops of functors without an accumulator.

// NewFor returns the loop for the form of functor f, which has no accumulator. It makes items come in the
// form that the loop takes.
func NewFor[I any](f func(i I), x *items.Items) Loop {
	switch f := any(f).(type) {
	case func(int):
		return forInts(f)
	case func(policy.Span):
		if x.Plain {
			return forSpans(f)
		}
	case func(policy.Index2):
		return forPoints2{f}
	case func(policy.Index3):
		return forPoints3{f}
	case func(policy.Index4):
		return forPoints4{f}
	}
	if x.Rows == nil {
		return forEach[I](f)
	}
	x.ByRuns()
	switch f := any(f).(type) {
	case func(policy.Row[policy.Index2]):
		return forRows2{f}
	case func(policy.Row[policy.Index3]):
		return forRows3{f}
	case func(policy.Row[policy.Index4]):
		return forRows4{f}
	}
	return forRows[I]{f}
}
