package algorithms

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// IsPartitioned reports whether all elements for which pred returns true come before all
// others.
func IsPartitioned[T any](v views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (bool, error) {
	c := newCall("IsPartitioned", on, pred == nil)
	a := vectorOf(c, v)
	var result builtin.Partitioned[int]
	if c.err == nil {
		p := c.items(a.n)
		c.err = exec.ParallelReduce(p, func(s policy.Span, acc *builtin.Partitioned[int]) {
			c.pieces(s, func(part policy.Span) {
				for i := range part.All() {
					acc.Add(i, pred(a.at(i)))
				}
			})
		}, builtin.IsPartitioned(&result))
	}
	return c.err == nil && result.IsPartitioned(), c.err
}

// PartitionPoint returns the index of the first element for which pred returns false, or the
// length if there is none. v need not be partitioned.
func PartitionPoint[T any](v views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (int, error) {
	i, err := findIf("PartitionPoint", v, pred, false, on)
	if i < 0 && err == nil {
		return views.As(v).Len(), nil
	}
	return max(i, 0), err
}

// PartitionCopy copies the elements of src for which pred returns true to yes and the others
// to no, in their order. It returns how many are in yes; elements behind keep their content.
// pred is called once for each element.
//
// It is an error if yes or no has no room, or if any two of the views have elements in common.
// Memory: a bool for each element.
func PartitionCopy[T any](yes, no, src views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (int, error) {
	c := newCall("PartitionCopy", on, pred == nil)
	y, n, s := vectorOf(c, yes), vectorOf(c, no), vectorOf(c, src)
	apart(c, y, n)
	apart(c, y, s)
	apart(c, n, s)
	sel := c.choose(s.n, where(s, pred, true))
	room(c, y, sel.count)
	room(c, n, s.n-sel.count)
	pack(c, sel, y, s, true)
	pack(c, sel, n, s, false)
	return c.result(sel.count)
}

// StablePartition moves the elements for which pred returns true to the front of v and the
// others behind them, both in their order, and returns how many are in front. pred is called
// once for each element.
//
// On an error v keeps its content. Memory: a bool and an element for each.
func StablePartition[T any](v views.Viewer[T], pred func(x T) bool, on ...policy.Launch) (int, error) {
	c := newCall("StablePartition", on, pred == nil)
	x := vectorOf(c, v)
	sel := c.choose(x.n, where(x, pred, true))
	if buf := memoryOf[T](c, x.n); c.err == nil {
		pack(c, sel, wrap(buf[:sel.count]), x, true)
		pack(c, sel, wrap(buf[sel.count:]), x, false)
		storeAll(c, x, buf)
	}
	return c.result(sel.count)
}
