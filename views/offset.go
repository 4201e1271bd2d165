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

// An Offset2 is a [View2] whose first element has indices of its own: element i, j is element i-Begin[0],
// j-Begin[1] of View. It is Kokkos' OffsetView of rank 2. Indices out of Begin to End panic where those of View do.
type Offset2[T any] struct {
	View  View2[T]
	Begin [2]int
}

// End returns the indices behind the last element: a loop is over policy.MDRange2(v.Begin, v.End()).
func (v Offset2[T]) End() (end [2]int) {
	for d, first := range v.Begin {
		end[d] = first + v.View.Extent(d)
	}
	return end
}

// At returns the element i, j.
func (v Offset2[T]) At(i, j int) T { return v.View.At(i-v.Begin[0], j-v.Begin[1]) }

// Set makes x the element i, j.
func (v Offset2[T]) Set(i, j int, x T) { v.View.Set(i-v.Begin[0], j-v.Begin[1], x) }

// Ptr returns the address of the element i, j, for atomics.
func (v Offset2[T]) Ptr(i, j int) *T { return v.View.Ptr(i-v.Begin[0], j-v.Begin[1]) }

// Row returns the memory of the elements i, Begin[1] and on.
func (v Offset2[T]) Row(i int) []T { return v.View.Row(i - v.Begin[0]) }

// An Offset3 is a [View3] whose first element has indices of its own, as in an [Offset2].
type Offset3[T any] struct {
	View  View3[T]
	Begin [3]int
}

// End returns the indices behind the last element.
func (v Offset3[T]) End() (end [3]int) {
	for d, first := range v.Begin {
		end[d] = first + v.View.Extent(d)
	}
	return end
}

// At returns the element i, j, k.
func (v Offset3[T]) At(i, j, k int) T { return v.View.At(i-v.Begin[0], j-v.Begin[1], k-v.Begin[2]) }

// Set makes x the element i, j, k.
func (v Offset3[T]) Set(i, j, k int, x T) { v.View.Set(i-v.Begin[0], j-v.Begin[1], k-v.Begin[2], x) }

// Ptr returns the address of the element i, j, k, for atomics.
func (v Offset3[T]) Ptr(i, j, k int) *T { return v.View.Ptr(i-v.Begin[0], j-v.Begin[1], k-v.Begin[2]) }

// Row returns the memory of the elements i, j, Begin[2] and on.
func (v Offset3[T]) Row(i, j int) []T { return v.View.Row(i-v.Begin[0], j-v.Begin[1]) }
