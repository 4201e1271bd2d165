package builtin

import (
	"math"

	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Norm1 joins by addition, and takes the values x as |x|; its identity is 0.
//
// A functor adds the absolute values itself: *acc += math.Abs(x).
func Norm1[T Real](result *T) Reduction[T, T] { return norm1[T]{reducers.Into(result)} }

type norm1[T Real] struct{ reducers.Base[T] }

func (norm1[T]) Join(dst, src *T) { *dst += *src }

func (norm1[T]) JoinLanes(lanes []T) { joinSums(lanes) }

func (norm1[T]) Traits() concept.Traits[T] { return exactIfInteger[T, T]() }

func (r norm1[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (norm1[T]) AddValues(lanes []T, first int, x []T) { addAbsLanes(lanes, first, x) }

func addAbsLanes[T Real](lanes []T, _ int, x []T) {
	x = x[simd.Fold(simd.Norm1, lanes, x):]
	rows := inRows(len(x), len(lanes))
	for l := 0; l < len(lanes) && l < rows; l += octet {
		lo, hi := halves(lanes, l)
		p, q := load(lo), load(hi)
		for k := l; k < rows; k += len(lanes) {
			u, v := halves(x, k)
			p = quad[T]{p.a + abs(u[0]), p.b + abs(u[1]), p.c + abs(u[2]), p.d + abs(u[3])}
			q = quad[T]{q.a + abs(v[0]), q.b + abs(v[1]), q.c + abs(v[2]), q.d + abs(v[3])}
		}
		p.store(lo)
		q.store(hi)
	}
	for k := rows; k < len(x); k++ {
		lanes[k&(len(lanes)-1)] += abs(x[k])
	}
}

// Norm2 joins by addition, takes the values x as x*x, and returns the square
// root of the sum; its identity is 0.
//
// A functor adds the squares itself: *acc += float64(x*x). With
// [reducers.WithInitial] the old result counts as one more value.
//
// The squares of values beyond the square root of the largest (smallest) number
// overflow (underflow).
func Norm2[T Float](result *T) Reduction[T, T] { return norm2[T]{reducers.Into(result)} }

type norm2[T Float] struct{ reducers.Base[T] }

func (norm2[T]) Join(dst, src *T) { *dst += *src }

func (norm2[T]) JoinLanes(lanes []T) { joinSums(lanes) }

// Final needs no care for float32: the float64 root, rounded, is the right one.
func (norm2[T]) Final(val *T) { *val = T(math.Sqrt(float64(*val))) }

func (r norm2[T]) Traits() concept.Traits[T] {
	return concept.Traits[T]{Load: func(val *T) { *val = *r.Reference() * *r.Reference() }}
}

func (r norm2[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (norm2[T]) AddValues(lanes []T, first int, x []T) { addSqLanes(lanes, first, x) }

// AMax joins by max, and takes the values x as |x|; its identity is 0. NaN
// propagates. The smallest value of a signed integer type has no |x| and is lost.
//
// A functor takes the absolute values itself: *acc = max(*acc, math.Abs(x)).
func AMax[T Real](result *T) Reduction[T, T] { return aMax[T]{reducers.Into(result)} }

type aMax[T Real] struct{ reducers.Base[T] }

func (aMax[T]) Join(dst, src *T) { *dst = max(*dst, *src) } //gokkosvet:ignore absolute values are at least 0

func (aMax[T]) JoinLanes(lanes []T) { joinMaxima(lanes) }

func (aMax[T]) Traits() concept.Traits[T] { return exact[T]() }

func (r aMax[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (aMax[T]) AddValues(lanes []T, first int, x []T) { aMaxLanes(lanes, first, x) }

func aMaxLanes[T Real](lanes []T, _ int, x []T) {
	x = x[simd.Fold(simd.AMax, lanes, x):]
	mask := len(lanes) - 1
	for k, v := range x {
		lanes[k&mask] = max(lanes[k&mask], abs(v))
	}
}
