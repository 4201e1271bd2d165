package algorithms

import (
	"github.com/gokkos/gokkos/policy"
)

// A selection says which of n items an algorithm keeps. Stable compaction, pack, is what
// all that copies or removes some elements is made of.
type selection struct {
	keep   []bool
	leaf   int   // items per leaf
	before []int // how many are kept before each leaf
	count  int   // how many are kept
}

// choose makes a selection. mark sets keep[k] for the items s.Begin+k of a span.
func (c *call) choose(n int, mark func(s policy.Span, keep []bool)) (sel selection) {
	if c.err != nil {
		return sel
	}
	leaf, leaves := leafOf(n, 0)
	sel = selection{keep: memoryOf[bool](c, n), leaf: leaf, before: make([]int, leaves)}
	c.leaves(n, func(s policy.Span) {
		keep := sel.keep[s.Begin:s.End]
		c.pieces(s, func(s policy.Span) { mark(s, sel.keep[s.Begin:s.End]) })
		kept := 0
		for _, k := range keep {
			kept += bit(k)
		}
		sel.before[s.Begin/leaf] = kept
	})
	for k, kept := range sel.before {
		sel.before[k] = sel.count
		sel.count += kept
	}
	if c.err != nil {
		sel.count = 0
	}
	return sel
}

// where marks the elements of x for which pred returns want.
func where[T any](x vector[T], pred func(x T) bool, want bool) func(s policy.Span, keep []bool) {
	data, stride := x.data, x.stride
	return func(s policy.Span, keep []bool) {
		for k := range keep {
			keep[k] = pred(data[(s.Begin+k)*stride]) == want
		}
	}
}

// pack copies the elements of src whose mark is want to dst, in their order. The two are
// apart, and dst has room.
func pack[T any](c *call, sel selection, dst, src vector[T], want bool) {
	data, stride := src.data, src.stride
	c.leaves(len(sel.keep), func(s policy.Span) {
		to := sel.before[s.Begin/sel.leaf]
		if !want {
			to = s.Begin - to
		}
		// A store to the buffer always, and a branch never: what is kept is not
		// predictable. Into dst it would reach into the part of another leaf.
		var buf [64]T
		for i := s.Begin; i < s.End; {
			keep := sel.keep[i:min(i+len(buf), s.End)]
			n := 0
			for k, kept := range keep {
				buf[n&(len(buf)-1)] = data[(i+k)*stride]
				n += bit(kept == want)
			}
			dst.store(to, buf[:n])
			i, to = i+len(keep), to+n
		}
	})
}

// packed returns the elements of src whose mark is true.
func packed[T any](c *call, sel selection, src vector[T]) []T {
	dst := memoryOf[T](c, sel.count)
	pack(c, sel, wrap(dst), src, true)
	return dst
}

// compact moves the elements that are kept to the front.
func compact[T any](c *call, x vector[T], sel selection) (int, error) {
	if sel.count < x.n {
		storeAll(c, x, packed(c, sel, x))
	}
	return c.result(sel.count)
}

// copyChosen copies the elements that are kept to dst, which is apart from src.
func copyChosen[T any](c *call, dst, src vector[T], sel selection) (int, error) {
	room(c, dst, sel.count)
	pack(c, sel, dst, src, true)
	return c.result(sel.count)
}
