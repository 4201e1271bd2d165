package algorithms

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// Histogram sets counts[k] to the number of elements of x in bin k. Elements in no bin, NaN
// among them, do not count.
//
// It is an error if counts does not have as many elements as there are bins. On an error
// counts keeps its content.
//
// Memory: the counts, for each worker and for some of the leaves of the reduction tree.
func Histogram[T builtin.Real](counts views.Viewer[int], x views.Viewer[T], bins Bins[T], on ...policy.Launch) error {
	c := newCall("Histogram", on)
	sums, v := vectorOf(c, counts), vectorOf(c, x)
	histogram(c, sums, v.n, bins, func(s policy.Span, acc []int) {
		for i := range s.All() {
			if k := bins.Index(v.at(i)); k >= 0 {
				acc[k]++
			}
		}
	})
	return c.err
}

// WeightedHistogram sets sums[k] to the sum of the weights of the elements of x in bin k; see
// [Histogram].
//
// Order: the weights of a bin are joined in the order of the elements within a leaf, and leaves
// as a tree that depends on the number of elements and of bins alone.
//
// It is an error if x and weights differ in length.
func WeightedHistogram[T builtin.Real, W builtin.Number](sums views.Viewer[W], x views.Viewer[T], weights views.Viewer[W], bins Bins[T], on ...policy.Launch) error {
	c := newCall("WeightedHistogram", on)
	dst, v, w := vectorOf(c, sums), vectorOf(c, x), vectorOf(c, weights)
	equally(c, v, w)
	histogram(c, dst, v.n, bins, func(s policy.Span, acc []W) {
		for i := range s.All() {
			if k := bins.Index(v.at(i)); k >= 0 {
				acc[k] += w.at(i)
			}
		}
	})
	return c.err
}

// histogram sets dst to the sums of what add adds, over n items.
func histogram[W builtin.Number, T builtin.Real](c *call, dst vector[W], n int, bins Bins[T], add func(s policy.Span, acc []W)) {
	switch {
	case bins.err != nil:
		c.fail("%w", bins.err)
	case bins.n == 0:
		c.fail("no bins, expected those of UniformBins or EdgeBins")
	case dst.n != bins.n:
		c.fail("%v for %d bins, expected as many elements", dst.view, bins.n)
	}
	if c.err != nil {
		return
	}
	leaf, _ := leafOf(n, 0)
	leaf, _ = leafOf(n, max(leaf, 4*bins.n)) // joins must not cost more than the items
	result := make([]W, bins.n)
	p := c.items(n).Chunk(leaf)
	c.err = exec.ParallelReduce(p, func(s policy.Span, acc *[]W) {
		c.pieces(s, func(part policy.Span) { add(part, *acc) })
	}, reducers.Slice(&result, builtin.Sum[W]))
	c.hear()
	if c.err == nil {
		dst.store(0, result)
	}
}
