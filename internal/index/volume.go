// Package index counts the points of boxes, for the multi-dimensional ranges of packages
// policy and team and for the views.
package index

import (
	"math/bits"
	"slices"
)

// Volume returns the product of extents, none of which is negative: the number of points
// of a box. One extent of 0 makes the box empty, however long the others are.
//
// It returns false if an int cannot count the points.
func Volume(extents ...int) (n int, ok bool) {
	if slices.Contains(extents, 0) {
		return 0, true
	}
	n = 1
	for _, x := range extents {
		hi, lo := bits.Mul(uint(n), uint(x))
		if hi != 0 || int(lo) < 0 {
			return 0, false
		}
		n = int(lo)
	}
	return n, true
}
