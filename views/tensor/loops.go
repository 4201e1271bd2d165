package tensor

import (
	"iter"
	"slices"
)

// A loop is one loop of a nest: n steps, which go a and b further at two places.
type loop struct{ n, a, b int }

// loops is a nest of loops, the innermost last. Item k is what is met after k others.
type loops []loop

// merged returns the same walk in as few and as long loops as may be, at least one.
func (l loops) merged() loops {
	var m loops
	for _, x := range l {
		if x.n == 1 {
			continue
		}
		if p := len(m) - 1; p >= 0 && m[p].a == x.n*x.a && m[p].b == x.n*x.b {
			m[p] = loop{m[p].n * x.n, x.a, x.b}
			continue
		}
		m = append(m, x)
	}
	if len(m) == 0 {
		return loops{{1, 1, 1}}
	}
	return m
}

// byPlace returns the loops in such an order that place a ascends.
func (l loops) byPlace() loops {
	l = slices.Clone(l)
	slices.SortStableFunc(l, func(x, y loop) int { return y.a - x.a })
	return l.merged()
}

// inner returns the innermost loop.
func (l loops) inner() loop { return l[len(l)-1] }

// outer returns the loops around the innermost one.
func (l loops) outer() loops { return l[:len(l)-1] }

// items returns the number of items.
func (l loops) items() int {
	n := 1
	for _, x := range l {
		n *= x.n
	}
	return n
}

// at returns the places of an item.
func (l loops) at(item int) (a, b int) {
	for d := len(l) - 1; d >= 0; d-- {
		k := item % l[d].n
		item /= l[d].n
		a += k * l[d].a
		b += k * l[d].b
	}
	return a, b
}

// runs yields the places a at which pieces of the innermost loop begin, and their
// lengths, that make up the items begin to end.
func (l loops) runs(begin, end int) iter.Seq2[int, int] {
	return func(yield func(place, n int) bool) {
		inner, outer := l.inner(), l.outer()
		for row, k := begin/inner.n, begin%inner.n; begin < end; row, k = row+1, 0 {
			n := min(inner.n-k, end-begin)
			place, _ := outer.at(row)
			if !yield(place+k*inner.a, n) {
				return
			}
			begin += n
		}
	}
}
