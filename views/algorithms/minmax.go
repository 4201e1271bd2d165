package algorithms

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// MinElement returns the index of the smallest element, the first one of equals, or -1 if
// there are no elements. As in [builtin.MinLoc], -0 is less than +0, and the first NaN
// is what is found if there is one.
//
// A card that folds values, see [device.MemoryFolder], compares neighbouring elements in its memory there.
func MinElement[T builtin.Real](v views.Viewer[T], on ...policy.Launch) (int, error) {
	var best builtin.ValLoc[T, int]
	return element("MinElement", v, on, builtin.MinLoc(&best), &best)
}

// MaxElement returns the index of the largest element, the first one of equals, or -1; see
// [MinElement].
func MaxElement[T builtin.Real](v views.Viewer[T], on ...policy.Launch) (int, error) {
	var best builtin.ValLoc[T, int]
	return element("MaxElement", v, on, builtin.MaxLoc(&best), &best)
}

func element[T builtin.Real](name string, v views.Viewer[T], on []policy.Launch, r reducers.Folder[T], best *builtin.ValLoc[T, int]) (int, error) {
	c := newCall(name, on)
	checkFolded(c, v, on)
	if c.err == nil {
		c.err = exec.ParallelFold(views.Source(v, c.on), r)
	}
	if c.err != nil || !best.Found() {
		return -1, c.err
	}
	return best.Loc, nil
}

// MinMaxElement returns the indices of the smallest element, the first one of equals, and of
// the largest, the last one of equals, as in C++; or -1 and -1. See [MinElement].
func MinMaxElement[T builtin.Real](v views.Viewer[T], on ...policy.Launch) (lowest, highest int, err error) {
	c := newCall("MinMaxElement", on)
	checkFolded(c, v, on)
	var best builtin.MinMaxLocVal[T, int]
	if c.err == nil {
		c.err = exec.ParallelFold(views.Source(v, c.on), builtin.MinMaxFirstLastLoc(&best))
	}
	if c.err != nil || !best.Found() {
		return -1, -1, c.err
	}
	return best.MinLoc, best.MaxLoc, nil
}

// checkFolded makes it an error if v has another rank, or if nothing can fold its elements.
func checkFolded[T any](c *call, v views.Viewer[T], on []policy.Launch) {
	if _, ok := far[device.MemoryFolder](on, memoryIn(v)); ok {
		farVectorOf(c, v)
		return
	}
	vectorOf(c, v)
}

// MinElementFunc is [MinElement] in the order of compare; see [SortFunc].
func MinElementFunc[T any](v views.Viewer[T], compare func(a, b T) int, on ...policy.Launch) (int, error) {
	best, _, err := extremes("MinElementFunc", v, compare, on)
	return best, err
}

// MaxElementFunc is [MaxElement] in the order of compare; see [SortFunc].
func MaxElementFunc[T any](v views.Viewer[T], compare func(a, b T) int, on ...policy.Launch) (int, error) {
	var reversed func(a, b T) int
	if compare != nil {
		reversed = func(a, b T) int { return compare(b, a) }
	}
	best, _, err := extremes("MaxElementFunc", v, reversed, on)
	return best, err
}

// MinMaxElementFunc is [MinMaxElement] in the order of compare; see [SortFunc].
func MinMaxElementFunc[T any](v views.Viewer[T], compare func(a, b T) int, on ...policy.Launch) (lowest, highest int, err error) {
	return extremes("MinMaxElementFunc", v, compare, on)
}

// extremes returns the first of the smallest elements and the last of the largest.
func extremes[T any](name string, v views.Viewer[T], compare func(a, b T) int, on []policy.Launch) (lowest, highest int, err error) {
	type ends struct{ lo, hi int }
	c := newCall(name, on, compare == nil)
	x := vectorOf(c, v)
	join := func(dst, src *ends) { // in the order of the elements
		if src.lo < 0 {
			return
		}
		if dst.lo < 0 || compare(x.at(src.lo), x.at(dst.lo)) < 0 {
			dst.lo = src.lo
		}
		if dst.hi < 0 || compare(x.at(src.hi), x.at(dst.hi)) >= 0 {
			dst.hi = src.hi
		}
	}
	best := ends{-1, -1}
	if c.err == nil {
		p := c.items(x.n)
		c.err = exec.ParallelReduce(p, func(s policy.Span, acc *ends) {
			c.pieces(s, func(part policy.Span) {
				for i := range part.All() {
					join(acc, &ends{i, i})
				}
			})
		}, reducers.Reducer[ends](reducers.Ordered(reducers.New(&best, join, reducers.Init(func(e *ends) { *e = ends{-1, -1} })))))
	}
	return best.lo, best.hi, c.err
}
