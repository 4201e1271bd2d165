package views

import (
	"iter"
	"slices"
)

// A nest is a nest of loops over the elements of a view a, and of a view b of the same
// extents. It has one loop at least; the last one is the innermost. Item k is the
// element that the loops reach after k others.
type nest struct {
	n, a, b     [maxRank]int // length of each loop, and strides of the two views
	rank, items int
}

// noStride stands for the strides of b if there is no b.
var noStride [maxRank]int

// nestOf returns the loops over the elements in the order of their indices, the last index
// fastest, as few and as long as may be.
func nestOf(s *shape, b []int) nest {
	x := nest{items: s.length}
	for d := range s.rank {
		if s.extent[d] != 1 {
			x.push(s.extent[d], s.stride[d], b[d])
		}
	}
	return x.merged()
}

func (x *nest) push(n, a, b int) {
	x.n[x.rank], x.a[x.rank], x.b[x.rank] = n, a, b
	x.rank++
}

// merged makes one loop of two where neither view notices.
func (x nest) merged() nest {
	y := nest{items: x.items}
	for d := range x.rank {
		if p := y.rank - 1; p >= 0 && y.a[p] == x.n[d]*x.a[d] && y.b[p] == x.n[d]*x.b[d] {
			y.n[p], y.a[p], y.b[p] = y.n[p]*x.n[d], x.a[d], x.b[d]
			continue
		}
		y.push(x.n[d], x.a[d], x.b[d])
	}
	if y.rank == 0 {
		y.push(1, 1, 1)
	}
	return y
}

// byPlace returns the nest with the loops in such an order that a is met at ascending places.
func (x nest) byPlace() nest {
	var dims [maxRank]int
	for d := range dims {
		dims[d] = d
	}
	order := dims[:x.rank]
	slices.SortStableFunc(order, func(p, q int) int { return x.a[q] - x.a[p] })
	y := nest{items: x.items}
	for _, d := range order {
		y.push(x.n[d], x.a[d], x.b[d])
	}
	return y.merged()
}

// without returns the nest without two of its loops, one of which is the innermost.
func (x nest) without(d int) nest {
	y := nest{items: 1}
	for k := range x.rank - 1 {
		if k != d {
			y.items *= x.n[k]
			y.push(x.n[k], x.a[k], x.b[k])
		}
	}
	return y.merged()
}

// A row is a piece of the innermost loop: the places of its first item, and its length.
type row struct{ a, b, n int }

// rows yields the rows that items begin to end are in.
func (x *nest) rows(begin, end int) iter.Seq[row] {
	return func(yield func(row) bool) {
		if begin >= end {
			return
		}
		var at [maxRank]int
		r := x.locate(begin, &at)
		last := x.rank - 1
		for {
			r.n = min(x.n[last]-at[last], end-begin)
			if !yield(r) {
				return
			}
			if begin += r.n; begin >= end {
				return
			}
			r.a -= at[last] * x.a[last]
			r.b -= at[last] * x.b[last]
			at[last] = 0
			for d := last - 1; ; d-- {
				r.a += x.a[d]
				r.b += x.b[d]
				if at[d]++; at[d] < x.n[d] {
					break
				}
				r.a -= x.n[d] * x.a[d]
				r.b -= x.n[d] * x.b[d]
				at[d] = 0
			}
		}
	}
}

// locate returns the places of an item, and the position of every loop.
func (x *nest) locate(item int, at *[maxRank]int) (r row) {
	for d := x.rank - 1; d >= 0; d-- {
		at[d] = item % x.n[d]
		item /= x.n[d]
		r.a += at[d] * x.a[d]
		r.b += at[d] * x.b[d]
	}
	return r
}
