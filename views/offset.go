package views

// An Offset1 is a [View1] whose first element has an index of its own, which may be negative: element i is
// element i-Begin of View. It is Kokkos' OffsetView of rank 1. An index that is not from Begin to End()-1 panics
// where that of View does.
type Offset1[T any] struct {
	View  View1[T]
	Begin int
}

// End returns the index behind the last element: a loop is over policy.Range(v.Begin, v.End()).
func (v Offset1[T]) End() int { return v.Begin + v.View.Extent(0) }

// At returns the element i.
func (v Offset1[T]) At(i int) T { return v.View.At(i - v.Begin) }

// Set makes x the element i.
func (v Offset1[T]) Set(i int, x T) { v.View.Set(i-v.Begin, x) }

// Ptr returns the address of the element i, for atomics.
func (v Offset1[T]) Ptr(i int) *T { return v.View.Ptr(i - v.Begin) }
