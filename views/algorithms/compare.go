package algorithms

import (
	"cmp"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Mismatch returns the lowest index at which a and b differ, which is the length of the
// shorter one if that is where the other begins, or -1 if they are equal. A NaN differs from
// everything.
func Mismatch[T comparable](a, b views.Viewer[T], on ...policy.Launch) (int, error) {
	return MismatchFunc(a, b, equal[T], on...)
}

// MismatchFunc is [Mismatch] for elements that do not differ if same returns true for them.
func MismatchFunc[T, U any](a views.Viewer[T], b views.Viewer[U], same func(x T, y U) bool, on ...policy.Launch) (int, error) {
	c := newCall("Mismatch", on, same == nil)
	x, y := vectorOf(c, a), vectorOf(c, b)
	n := min(x.n, y.n)
	i := c.lowest(n, func(i int) bool { return !same(x.at(i), y.at(i)) })
	if i < 0 && x.n != y.n && c.err == nil {
		return n, nil
	}
	return i, c.err
}

// Equal reports whether a and b have the same length and equal elements, as [slices.Equal]
// does.
func Equal[T comparable](a, b views.Viewer[T], on ...policy.Launch) (bool, error) {
	return EqualFunc(a, b, equal[T], on...)
}

// EqualFunc is [Equal] for elements that are equal if same says so.
func EqualFunc[T, U any](a views.Viewer[T], b views.Viewer[U], same func(x T, y U) bool, on ...policy.Launch) (bool, error) {
	i, err := MismatchFunc(a, b, same, on...)
	return err == nil && i < 0, err
}

// Compare compares a and b element by element with [cmp.Compare], as [slices.Compare] does: it
// returns -1, 0 or +1 as the first elements that differ say, and a shorter view is less than
// one that begins with it.
func Compare[T cmp.Ordered](a, b views.Viewer[T], on ...policy.Launch) (int, error) {
	return CompareFunc(a, b, cmp.Compare[T], on...)
}

// CompareFunc is [Compare] with compare; see [SortFunc].
func CompareFunc[T, U any](a views.Viewer[T], b views.Viewer[U], compare func(x T, y U) int, on ...policy.Launch) (int, error) {
	c := newCall("Compare", on, compare == nil)
	x, y := vectorOf(c, a), vectorOf(c, b)
	i := c.lowest(min(x.n, y.n), func(i int) bool { return compare(x.at(i), y.at(i)) != 0 })
	sign := cmp.Compare(x.n, y.n)
	if i >= 0 {
		sign = cmp.Compare(compare(x.at(i), y.at(i)), 0)
	}
	return c.result(sign)
}
