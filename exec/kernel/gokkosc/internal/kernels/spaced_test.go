//go:build !386 && !arm && !mips && !mipsle

package kernels

import "math/rand/v2"

// Rows are shorter and longer than the distance of elements in a round, which may be 0 or negative.
func init() {
	runs["spaced"] = func(r *rand.Rand, n int) run {
		m, d := r.IntN(40), r.IntN(50)-r.IntN(40)/39*50
		rows := floats(r, max(n*(m+d)+max(d, 0)-r.IntN(60)/59, 0))
		x := floats(r, len(rows))
		return run{spaced(m, d, x, rows), Spaced(m, d, x, rows), []any{rows}}
	}
	runs["spacedBy9"] = func(r *rand.Rand, n int) run {
		m := r.IntN(24)
		y := make([]int32, max(n*(2*m+18)-r.IntN(60)/59, 0))
		for i := range y {
			y[i] = int32(r.Uint32())
		}
		return run{spacedBy9(m, y), SpacedBy9(m, y), []any{y}}
	}
	runs["fromBelow"] = func(r *rand.Rand, n int) run {
		m := r.IntN(24) - 4
		x, y := floats(r, max(n*(m+3), 0)), floats(r, max(n*(m+3)-r.IntN(60)/59, 0))
		return run{fromBelow(m, x, y), FromBelow(m, x, y), []any{y}}
	}
}
