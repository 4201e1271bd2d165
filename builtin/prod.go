package builtin

import (
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Prod joins by multiplication; its identity is 1.
func Prod[T Number](result *T) Reduction[T, T] { return prod[T]{reducers.Into(result)} }

type prod[T Number] struct{ reducers.Base[T] }

func (prod[T]) Init(val *T) { *val = 1 }

func (prod[T]) Join(dst, src *T) { *dst = kind.Product(*dst, *src) }

func (prod[T]) JoinLanes(lanes []T) {
	joinHalves(lanes, func(dst *T, src T) { *dst = kind.Product(*dst, src) })
}

func (prod[T]) Traits() concept.Traits[T] { return exactIfInteger[T, T]() }

func (r prod[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (prod[T]) AddValues(lanes []T, first int, x []T) { mulLanes(lanes, first, x) }

func mulLanes[T Number](lanes []T, _ int, x []T) {
	if kind.IsComplex[T]() {
		for k, v := range x {
			acc := &lanes[k&(len(lanes)-1)]
			*acc = kind.Product(*acc, v)
		}
		return
	}
	rows := inRows(len(x), len(lanes))
	for l := 0; l < len(lanes) && l < rows; l += octet {
		lo, hi := halves(lanes, l)
		p, q := load(lo), load(hi)
		for k := l; k < rows; k += len(lanes) {
			u, v := halves(x, k)
			p, q = mul4(p, u), mul4(q, v)
		}
		p.store(lo)
		q.store(hi)
	}
	for k := rows; k < len(x); k++ {
		lanes[k&(len(lanes)-1)] *= x[k]
	}
}

func mul4[T Number](q quad[T], x *[4]T) quad[T] {
	return quad[T]{q.a * x[0], q.b * x[1], q.c * x[2], q.d * x[3]}
}
