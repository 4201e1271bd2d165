package builtin

import (
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers"
)

// octet is the number of lanes that a fold keeps in registers. Eight independent
// sums hide the latency of an addition, and leave registers for the operands.
const octet = 8

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

// foldRows is [foldEach] that leaves whole rows to the kernel of op, if there is one.
func foldRows[T Number](r reducers.Reducer[T], op simd.Op, add func(acc *T, x T)) reducers.Fold[T] {
	return reducers.NewFold(r, func(lanes []T, _ int, x []T) {
		x = x[simd.Fold(op, lanes, x):]
		mask := len(lanes) - 1
		for k, v := range x {
			add(&lanes[k&mask], v)
		}
	})
}
