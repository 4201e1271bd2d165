// Package nest has nests of loops over the elements of one or two strided arrays.
package nest

import (
	"slices"

	"github.com/gokkos/gokkos/internal/memory"
)

// Loops is a nest of loops over the elements of an array a, and of an array b of the same
// extents. The last loop is the innermost. Item k is the element that the loops reach after k
// others. What a method returns has one loop at least.
type Loops struct {
	N, A, B [memory.MaxRank]int // length of each loop, and strides of the two arrays
	Rank    int                 // number of loops
	Items   int                 // set by who makes the nest: without a loop, there may be none
}

// Push adds a loop within the others.
func (x *Loops) Push(n, a, b int) {
	x.N[x.Rank], x.A[x.Rank], x.B[x.Rank] = n, a, b
	x.Rank++
}

// Inner returns the innermost loop: its length, and its strides.
func (x *Loops) Inner() (n, a, b int) {
	d := x.Rank - 1
	return x.N[d], x.A[d], x.B[d]
}

// Merged returns the same items in the same order in as few and as long loops as may be.
func (x Loops) Merged() Loops {
	y := Loops{Items: x.Items}
	for d := range x.Rank {
		if x.N[d] == 1 {
			continue
		}
		if p := y.Rank - 1; p >= 0 && y.A[p] == x.N[d]*x.A[d] && y.B[p] == x.N[d]*x.B[d] {
			y.N[p], y.A[p], y.B[p] = y.N[p]*x.N[d], x.A[d], x.B[d]
			continue
		}
		y.Push(x.N[d], x.A[d], x.B[d])
	}
	if y.Rank == 0 {
		y.Push(1, 1, 1)
	}
	return y
}

// ByPlace returns the nest with the loops in such an order that a is met at ascending places.
func (x Loops) ByPlace() Loops {
	var dims [memory.MaxRank]int
	for d := range dims {
		dims[d] = d
	}
	order := dims[:x.Rank]
	slices.SortStableFunc(order, func(p, q int) int { return x.A[q] - x.A[p] })
	y := Loops{Items: x.Items}
	for _, d := range order {
		y.Push(x.N[d], x.A[d], x.B[d])
	}
	return y.Merged()
}

// Without returns the nest without two of its loops, d and the innermost.
func (x Loops) Without(d int) Loops {
	y := Loops{Items: 1}
	for k := range x.Rank - 1 {
		if k != d {
			y.Items *= x.N[k]
			y.Push(x.N[k], x.A[k], x.B[k])
		}
	}
	return y.Merged()
}

// Rows go through items row by row, a row being a piece of the innermost loop:
//
//	r := x.Rows(begin, end)
//	for r.Next() {
//		// the items at r.A, r.A+a, ..., and at r.B, r.B+b, ..., r.N of them
//	}
//
// They are declared before the loop: of a variable of its own there is a copy for each turn.
type Rows struct {
	A, B, N int // the places of the first item of the row, and its length

	loops *Loops
	left  int // items after the row
	at    [memory.MaxRank]int
}

// Rows returns the rows that items begin to end are in. The first call of Next goes to the
// first of them.
func (x *Loops) Rows(begin, end int) (r Rows) {
	r.loops, r.left = x, end-begin
	if r.left > 0 {
		for d := x.Rank - 1; d >= 0; d-- {
			k := begin % x.N[d]
			begin /= x.N[d]
			r.at[d] = k
			r.A += k * x.A[d]
			r.B += k * x.B[d]
		}
	}
	return r
}

// Next goes to the next row, and reports whether there is one.
func (r *Rows) Next() bool {
	if r.left <= 0 {
		return false
	}
	x := r.loops
	d := x.Rank - 1
	k := r.at[d] // where the row begins: only the first one begins within the loop
	if r.N > 0 {
		r.next(k)
		k = 0
	}
	r.N = min(x.N[d]-k, r.left)
	r.left -= r.N
	return true
}

// next goes to the next item of the loops around the innermost one, and to that loop's first,
// where it is at item back.
func (r *Rows) next(back int) {
	x := r.loops
	for d := x.Rank - 1; ; {
		r.A -= back * x.A[d]
		r.B -= back * x.B[d]
		r.at[d] = 0
		d--
		r.A += x.A[d]
		r.B += x.B[d]
		if r.at[d]++; r.at[d] < x.N[d] {
			return
		}
		back = x.N[d]
	}
}

// At returns the places of an item.
func (x *Loops) At(item int) (a, b int) {
	for d := x.Rank - 1; d >= 0; d-- {
		k := item % x.N[d]
		item /= x.N[d]
		a += k * x.A[d]
		b += k * x.B[d]
	}
	return a, b
}
