package builtin

import (
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Sum joins by addition; its identity is 0.
func Sum[T Number](result *T) Reduction[T, T] { return sum[T]{reducers.Into(result)} }

type sum[T Number] struct{ reducers.Base[T] }

func (sum[T]) Join(dst, src *T) { *dst += *src }

func (sum[T]) JoinLanes(lanes []T) { joinSums(lanes) }

func (sum[T]) Traits() concept.Traits[T] { return exactIfInteger[T, T]() }

func (r sum[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (sum[T]) AddValues(lanes []T, first int, x []T) { addLanes(lanes, first, x) }

func addLanes[T Number](lanes []T, _ int, x []T) {
	x = x[simd.Fold(simd.Sum, lanes, x):]
	if len(lanes) == 4 {
		x = addQuads((*[4]T)(lanes), x)
	}
	rows := inRows(len(x), len(lanes))
	for l := 0; l < len(lanes) && l < rows; l += octet {
		lo, hi := halves(lanes, l)
		p, q := load(lo), load(hi)
		for k := l; k < rows; k += len(lanes) {
			u, v := halves(x, k)
			p, q = add4(p, u), add4(q, v)
		}
		p.store(lo)
		q.store(hi)
	}
	for k := rows; k < len(x); k++ {
		lanes[k&(len(lanes)-1)] += x[k]
	}
}

// joinSums joins lanes by addition.
func joinSums[T Number](lanes []T) {
	if !simd.Join(simd.Sum, lanes) {
		joinHalves(lanes, func(dst *T, src T) { *dst += src })
	}
}

// addQuads is addLanes of whole rows for four lanes, and returns the values that are left.
func addQuads[T Number](lanes *[4]T, x []T) []T {
	q := load(lanes)
	for ; len(x) >= 4; x = x[4:] {
		q = add4(q, (*[4]T)(x))
	}
	q.store(lanes)
	return x
}

// addDotLanes is addLanes of the products x[k]*y[k] of floats, each rounded.
func addDotLanes[T Number](lanes, x, y []T) {
	n := simd.Dot(lanes, x, y)
	x, y = x[n:], y[n:]
	rows := inRows(len(x), len(lanes))
	for l := 0; l < len(lanes) && l < rows; l += octet {
		lo, hi := halves(lanes, l)
		p, q := load(lo), load(hi)
		for k := l; k < rows; k += len(lanes) {
			u, v := halves(x, k)
			s, t := halves(y, k)
			p, q = addDot4(p, u, s), addDot4(q, v, t)
		}
		p.store(lo)
		q.store(hi)
	}
	for k := rows; k < len(x); k++ {
		lanes[k&(len(lanes)-1)] += T(x[k] * y[k])
	}
}

func addDot4[T Number](q quad[T], x, y *[4]T) quad[T] {
	return quad[T]{q.a + T(x[0]*y[0]), q.b + T(x[1]*y[1]), q.c + T(x[2]*y[2]), q.d + T(x[3]*y[3])}
}

func add4[T Number](q quad[T], x *[4]T) quad[T] {
	return quad[T]{q.a + x[0], q.b + x[1], q.c + x[2], q.d + x[3]}
}

// SumSq joins by addition, and takes the values x as x*x; its identity is 0.
//
// A functor adds the squares itself: *acc += float64(x*x), where the conversion
// keeps the compiler from fusing the two operations on some processors.
func SumSq[T Number](result *T) Reduction[T, T] { return sumSq[T]{reducers.Into(result)} }

type sumSq[T Number] struct{ reducers.Base[T] }

func (sumSq[T]) Join(dst, src *T) { *dst += *src }

func (sumSq[T]) JoinLanes(lanes []T) { joinSums(lanes) }

func (sumSq[T]) Traits() concept.Traits[T] { return exactIfInteger[T, T]() }

func (r sumSq[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (sumSq[T]) AddValues(lanes []T, first int, x []T) { addSqLanes(lanes, first, x) }

func addSqLanes[T Number](lanes []T, _ int, x []T) {
	if kind.IsComplex[T]() {
		for k, v := range x {
			lanes[k&(len(lanes)-1)] += kind.Product(v, v)
		}
		return
	}
	x = x[simd.Fold(simd.SumSq, lanes, x):]
	rows := inRows(len(x), len(lanes))
	for l := 0; l < len(lanes) && l < rows; l += octet {
		lo, hi := halves(lanes, l)
		p, q := load(lo), load(hi)
		for k := l; k < rows; k += len(lanes) {
			u, v := halves(x, k)
			p, q = addSq4(p, u), addSq4(q, v)
		}
		p.store(lo)
		q.store(hi)
	}
	for k := rows; k < len(x); k++ {
		lanes[k&(len(lanes)-1)] += T(x[k] * x[k])
	}
}

func addSq4[T Number](q quad[T], x *[4]T) quad[T] {
	return quad[T]{q.a + T(x[0]*x[0]), q.b + T(x[1]*x[1]), q.c + T(x[2]*x[2]), q.d + T(x[3]*x[3])}
}
