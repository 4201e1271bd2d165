package builtin

import (
	"github.com/gokkos/gokkos/internal/simd"
)

// quad is the content of four neighbouring lanes. The compiler keeps a struct of
// up to four fields in registers, and arrays not.
type quad[T any] struct{ a, b, c, d T }

func load[T any](x *[4]T) quad[T] { return quad[T]{x[0], x[1], x[2], x[3]} }

func (q quad[T]) store(x *[4]T) { x[0], x[1], x[2], x[3] = q.a, q.b, q.c, q.d }

// halves returns the eight elements of x from k on.
func halves[T any](x []T, k int) (lo, hi *[4]T) {
	y := (*[octet]T)(x[k:])
	return (*[4]T)(y[:4]), (*[4]T)(y[4:])
}

// inRows returns how many of the n values come as whole rows, one value for
// each lane, that can be taken by octets.
func inRows(n, lanes int) int {
	if lanes < octet {
		return 0
	}
	return n &^ (lanes - 1)
}

// joinHalves joins lane l with lane l+h, for h a half, a quarter, and so on of their
// number. The compiler inlines it, and what join does.
func joinHalves[T any](lanes []T, join func(dst *T, src T)) {
	for h := len(lanes) / 2; h > 0; h /= 2 {
		for l, x := range lanes[h : 2*h] {
			join(&lanes[l], x)
		}
	}
}

// extreme returns the smallest value of x, or the largest if p says so. It returns false if
// there is no kernel, or few values.
func extreme[T Real](p pick, x []T) (T, bool) {
	if p&highest != 0 {
		return simd.Reduce(simd.Max, x)
	}
	return simd.Reduce(simd.Min, x)
}

// find returns where in x the value is that p prefers to all others of x.
func find[T Real](p pick, x []T, value T) int {
	if value != value { // any NaN will do
		return findNaN(p, x)
	}
	if p&last != 0 {
		return simd.LastIndex(x, value)
	}
	return simd.Index(x, value)
}

func findNaN[T Real](p pick, x []T) int {
	at := -1
	for k, v := range x {
		if v != v {
			at = k
			if p&last == 0 {
				break
			}
		}
	}
	return at
}

// addRows joins values into lanes with add, which is op: whole rows by its kernel, if there
// is one.
func addRows[T Number](lanes, x []T, op simd.Op, add func(acc *T, x T)) {
	x = x[simd.Fold(op, lanes, x):]
	mask := len(lanes) - 1
	for k, v := range x {
		add(&lanes[k&mask], v)
	}
}
