package algorithms

import (
	"cmp"
	"reflect"
	"unsafe"

	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Sort sorts v in ascending order, as [slices.Sort] does. It is Kokkos::sort.
//
// Order: that of [cmp.Compare], so NaNs come first. Beyond it, -0 comes before +0, and NaNs
// are ordered by their bits, without sign first: the same elements in any order give the
// same bits.
//
// On an error v keeps its content.
//
// Cost: numbers take a radix sort, a pass for each byte in which any two of them differ.
// Strings take a merge sort. Sorted items take O(n). Memory: two elements for each.
//
// Numbers in the memory of a card that sorts, see [device.Rearranger], are sorted there.
func Sort[T cmp.Ordered](v views.Viewer[T], on ...policy.Launch) error {
	if s, ok := far[device.Rearranger](on, memoryIn(v)); ok {
		_, err := farRearrange[T, struct{}]("Sort", s, device.Rearrangement{Rule: "sort"}, v, nil, on)
		return err
	}
	c := newCall("Sort", on)
	x := vectorOf(c, v)
	of := kind.Of(reflect.TypeFor[T]())
	if of == kind.None {
		storeAll(c, x, mergeSort(c, x.n, x.load, cmp.Compare[T]))
		return c.err
	}
	sorted := sortNumbers(c, x.n, unsafe.Sizeof(*new(T)), of, false, x.loadAt)
	if sorted.decode == nil {
		return c.err
	}
	c.commit()
	numbers := unsafe.Slice((*T)(sorted.numbers), x.n)
	c.spans(x.n, func(s policy.Span) {
		sorted.decode(s)
		x.store(s.Begin, numbers[s.Begin:s.End])
	})
	return c.err
}

// SortFunc sorts v in the ascending order of compare, which is negative if a comes before b,
// positive if b comes before a, and zero for equal elements: these keep their order. It is
// [slices.SortStableFunc].
//
// compare should be a strict weak order; if it is not, the order is unspecified but the same
// on every space, and no element is lost. On an error or a panic v keeps its content.
//
// Cost: a merge sort; O(n) comparisons for what is sorted already. Memory: two elements
// for each.
func SortFunc[T any](v views.Viewer[T], compare func(a, b T) int, on ...policy.Launch) error {
	c := newCall("SortFunc", on, compare == nil)
	x := vectorOf(c, v)
	storeAll(c, x, mergeSort(c, x.n, x.load, compare))
	return c.err
}

// IsSorted reports whether v is in ascending order, as [slices.IsSorted] does: NaNs first.
func IsSorted[T cmp.Ordered](v views.Viewer[T], on ...policy.Launch) (bool, error) {
	n, err := IsSortedUntil(v, on...)
	return err == nil && n == views.As(v).Len(), err
}

// IsSortedFunc is [IsSorted] in the order of compare; see [SortFunc].
func IsSortedFunc[T any](v views.Viewer[T], compare func(a, b T) int, on ...policy.Launch) (bool, error) {
	n, err := IsSortedUntilFunc(v, compare, on...)
	return err == nil && n == views.As(v).Len(), err
}

// IsSortedUntil returns how many elements, from the first one on, are in ascending order;
// see [IsSorted].
func IsSortedUntil[T cmp.Ordered](v views.Viewer[T], on ...policy.Launch) (int, error) {
	return IsSortedUntilFunc(v, cmp.Compare[T], on...)
}

// IsSortedUntilFunc is [IsSortedUntil] in the order of compare; see [SortFunc].
func IsSortedUntilFunc[T any](v views.Viewer[T], compare func(a, b T) int, on ...policy.Launch) (int, error) {
	c := newCall("IsSortedUntil", on, compare == nil)
	x := vectorOf(c, v)
	i := c.lowest(max(x.n-1, 0), func(i int) bool { return compare(x.at(i+1), x.at(i)) < 0 })
	switch {
	case c.err != nil:
		return 0, c.err
	case i < 0:
		return x.n, nil
	}
	return i + 1, nil
}
