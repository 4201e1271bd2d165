package builtin

import "github.com/gokkos/gokkos/internal/simd"

// The rows of the reducers that vector instructions join side by side, for package tensor.

func (sum[T]) Rows() simd.Rows[T]     { return simd.RowsOf[T](simd.Sum, simd.Sum) }
func (sumSq[T]) Rows() simd.Rows[T]   { return simd.RowsOf[T](simd.SumSq, simd.Sum) }
func (norm1[T]) Rows() simd.Rows[T]   { return simd.RowsOf[T](simd.Norm1, simd.Sum) }
func (norm2[T]) Rows() simd.Rows[T]   { return simd.RowsOf[T](simd.SumSq, simd.Sum) }
func (minimum[T]) Rows() simd.Rows[T] { return simd.RowsOf[T](simd.Min, simd.Min) }
func (maximum[T]) Rows() simd.Rows[T] { return simd.RowsOf[T](simd.Max, simd.Max) }
func (aMax[T]) Rows() simd.Rows[T]    { return simd.RowsOf[T](simd.AMax, simd.Max) }
func (bAnd[T]) Rows() simd.Rows[T]    { return simd.RowsOf[T](simd.And, simd.And) }
func (bOr[T]) Rows() simd.Rows[T]     { return simd.RowsOf[T](simd.Or, simd.Or) }
func (bXor[T]) Rows() simd.Rows[T]    { return simd.RowsOf[T](simd.Xor, simd.Xor) }

// RowsAt returns what joins values side by side, and where they are, or nil if there are no vector instructions for them.
// Row r is x[r*stride], x[r*stride+1] and so on; it has the location first+r*step, and each of its values is joined
// into one of best. room is for as many values as best has.
func (r located[T, L, P]) RowsAt() func(best []ValLoc[T, int], first, step int, x []T, stride, rows int, room []T) {
	p, op := r.pick(), simd.Min
	if p&highest != 0 {
		op = simd.Max
	}
	of := simd.RowsOf[T](op, op)
	if of.Add == nil {
		return nil
	}
	return func(best []ValLoc[T, int], first, step int, x []T, stride, rows int, room []T) {
		extremes := room[:len(best)]
		if copy(extremes, x); rows > 1 {
			of.Add(extremes, x[stride:], stride, rows-1)
		}
		for j, v := range extremes {
			b := &best[j]
			if p&highest != 0 && v < b.Val || p&highest == 0 && v > b.Val || !mayTake(p, b, v, first, first+(rows-1)*step) {
				continue
			}
			row := rowOf(p, v, x[j:], stride, rows)
			*b = joined(p, *b, x[j+row*stride], first+row*step)
		}
	}
}

// mayTake reports whether best may take the value x, which is at one of the locations from first to end.
func mayTake[T Real](p pick, best *ValLoc[T, int], x T, first, end int) bool {
	switch c := prefer(p, x, best.Val); {
	case c != 0 || best.isIdentity(p):
		return c >= 0
	case p&last != 0:
		return end > best.Loc
	}
	return first < best.Loc
}

// rowOf returns the row of the value v that p prefers to others, which is the first value of one of some rows.
func rowOf[T Real](p pick, v T, x []T, stride, rows int) (row int) {
	by := 1
	if p&last != 0 {
		row, by = rows-1, -1
	}
	for {
		if y := x[row*stride]; (y == v || y != y) && prefer(p, y, v) == 0 {
			return row
		}
		row += by
	}
}
