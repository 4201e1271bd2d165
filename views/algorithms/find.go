package algorithms

import (
	"slices"

	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Find returns the lowest index of an element that equals x, or -1.
//
// What finds something ends early: leaves of the reduction tree behind the lowest index found
// so far are left out.
func Find[T comparable](v views.Viewer[T], x T, on ...policy.Launch) (int, error) {
	c := newCall("Find", on)
	a := vectorOf(c, v)
	i := c.first(a.n, func(s policy.Span) int {
		for i := range s.All() {
			if a.at(i) == x {
				return i
			}
		}
		return -1
	})
	return i, c.err
}

// FindIf returns the lowest index of an element for which pred returns true, or -1. pred may
// have been called for elements behind it.
func FindIf[T any](v views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (int, error) {
	return findIf("FindIf", v, pred, true, on)
}

// FindIfNot returns the lowest index of an element for which pred returns false, or -1; see
// [FindIf].
func FindIfNot[T any](v views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (int, error) {
	return findIf("FindIfNot", v, pred, false, on)
}

func findIf[T any](name string, v views.Viewer[T], pred func(x T) bool, want bool, on []policy.Launch) (int, error) {
	c := newCall(name, on, pred == nil)
	a := vectorOf(c, v)
	i := c.first(a.n, func(s policy.Span) int {
		for i := range s.All() {
			if pred(a.at(i)) == want {
				return i
			}
		}
		return -1
	})
	return i, c.err
}

// FindFirstOf returns the lowest index of an element of v that equals one of set, or -1.
func FindFirstOf[T comparable](v, set views.Viewer[T], on ...policy.Launch) (int, error) {
	c := newCall("FindFirstOf", on)
	a, wanted := vectorOf(c, v), vectorOf(c, set)
	values := make([]T, wanted.n)
	wanted.load(policy.Span{Begin: 0, End: wanted.n}, values)
	return c.lowest(a.n, func(i int) bool { return slices.Contains(values, a.at(i)) }), c.err
}

// AdjacentFind returns the lowest i for which element i equals element i+1, or -1.
func AdjacentFind[T comparable](v views.Viewer[T], on ...policy.Launch) (int, error) {
	return AdjacentFindFunc(v, equal[T], on...)
}

// AdjacentFindFunc returns the lowest i for which same returns true for the elements i and
// i+1, or -1.
func AdjacentFindFunc[T any](v views.Viewer[T], same func(a, b T) bool, on ...policy.Launch) (int, error) {
	c := newCall("AdjacentFind", on, same == nil)
	a := vectorOf(c, v)
	return c.lowest(max(a.n-1, 0), func(i int) bool { return same(a.at(i), a.at(i+1)) }), c.err
}

// Search returns the lowest index at which the elements of pattern begin in v, in their order,
// or -1. An empty pattern begins at 0.
//
// Cost: up to the product of the lengths.
func Search[T comparable](v, pattern views.Viewer[T], on ...policy.Launch) (int, error) {
	return search("Search", v, pattern, on, func(i, _ int) int { return i })
}

// FindEnd returns the highest index at which the elements of pattern begin in v, or -1; see
// [Search]. An empty pattern begins at the length of v.
func FindEnd[T comparable](v, pattern views.Viewer[T], on ...policy.Launch) (int, error) {
	return search("FindEnd", v, pattern, on, func(i, n int) int { return n - 1 - i })
}

// search looks for pattern at the n places where it fits, place(i, n) for i = 0, 1, ....
func search[T comparable](name string, v, pattern views.Viewer[T], on []policy.Launch, place func(i, n int) int) (int, error) {
	c := newCall(name, on)
	a, p := vectorOf(c, v), vectorOf(c, pattern)
	n := max(a.n-p.n+1, 0)
	i := c.lowest(n, func(i int) bool {
		begin := place(i, n)
		for k := range p.n {
			if a.at(begin+k) != p.at(k) {
				return false
			}
		}
		return true
	})
	if i < 0 {
		return -1, c.err
	}
	return place(i, n), nil
}

// SearchN returns the lowest index at which n elements that equal x follow one another, or -1;
// it is 0 if n is 0. A negative n is an error.
func SearchN[T comparable](v views.Viewer[T], n int, x T, on ...policy.Launch) (int, error) {
	c := newCall("SearchN", on)
	a := vectorOf(c, v)
	if n < 0 {
		c.fail("%d elements, expected at least 0", n)
	}
	if n == 0 && c.err == nil {
		return 0, nil
	}
	i := c.firstIn(c.leaves, max(a.n-n+1, 0), func(s policy.Span) int {
		run := 0
		for i := s.Begin; i < s.End+n-1; i++ {
			if (i-s.Begin)%pieceItems == 0 && c.stopped() {
				return -1
			}
			if a.at(i) != x {
				run = 0
			} else if run++; run == n {
				return i - n + 1
			}
		}
		return -1
	})
	return i, c.err
}

// AllOf reports whether pred returns true for every element.
func AllOf[T any](v views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (bool, error) {
	i, err := findIf("AllOf", v, pred, false, on)
	return err == nil && i < 0, err
}

// AnyOf reports whether pred returns true for an element.
func AnyOf[T any](v views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (bool, error) {
	i, err := findIf("AnyOf", v, pred, true, on)
	return i >= 0, err
}

// NoneOf reports whether pred returns true for no element.
func NoneOf[T any](v views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (bool, error) {
	i, err := findIf("NoneOf", v, pred, true, on)
	return err == nil && i < 0, err
}

// Count returns the number of elements that equal x.
func Count[T comparable](v views.Viewer[T], x T, on ...policy.Launch) (int, error) {
	c := newCall("Count", on)
	a := vectorOf(c, v)
	n := c.count(a.n, func(s policy.Span) (n int) {
		for i := range s.All() {
			n += bit(a.at(i) == x)
		}
		return n
	})
	return c.result(n)
}

// CountIf returns the number of elements for which pred returns true.
func CountIf[T any](v views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (int, error) {
	c := newCall("CountIf", on, pred == nil)
	a := vectorOf(c, v)
	n := c.count(a.n, func(s policy.Span) (n int) {
		for i := range s.All() {
			n += bit(pred(a.at(i)))
		}
		return n
	})
	return c.result(n)
}
