package builtin

import (
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// BAnd joins by bitwise and; its identity has all bits set.
func BAnd[T Integer](result *T) Reduction[T, T] { return bAnd[T]{reducers.Into(result)} }

type bAnd[T Integer] struct{ reducers.Base[T] }

func (bAnd[T]) Init(val *T) { *val = ^T(0) }

func (bAnd[T]) Join(dst, src *T) { *dst &= *src }

func (bAnd[T]) JoinLanes(lanes []T) {
	if !simd.Join(simd.And, lanes) {
		joinHalves(lanes, func(dst *T, src T) { *dst &= src })
	}
}

func (bAnd[T]) Traits() concept.Traits[T] { return exact[T]() }

func (r bAnd[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (bAnd[T]) AddValues(lanes []T, _ int, x []T) {
	addRows(lanes, x, simd.And, func(acc *T, x T) { *acc &= x })
}

// BOr joins by bitwise or; its identity is 0.
func BOr[T Integer](result *T) Reduction[T, T] { return bOr[T]{reducers.Into(result)} }

type bOr[T Integer] struct{ reducers.Base[T] }

func (bOr[T]) Join(dst, src *T) { *dst |= *src }

func (bOr[T]) JoinLanes(lanes []T) {
	if !simd.Join(simd.Or, lanes) {
		joinHalves(lanes, func(dst *T, src T) { *dst |= src })
	}
}

func (bOr[T]) Traits() concept.Traits[T] { return exact[T]() }

func (r bOr[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (bOr[T]) AddValues(lanes []T, _ int, x []T) {
	addRows(lanes, x, simd.Or, func(acc *T, x T) { *acc |= x })
}

// BXor joins by bitwise exclusive or; its identity is 0.
func BXor[T Integer](result *T) Reduction[T, T] { return bXor[T]{reducers.Into(result)} }

type bXor[T Integer] struct{ reducers.Base[T] }

func (bXor[T]) Join(dst, src *T) { *dst ^= *src }

func (bXor[T]) JoinLanes(lanes []T) {
	if !simd.Join(simd.Xor, lanes) {
		joinHalves(lanes, func(dst *T, src T) { *dst ^= src })
	}
}

func (bXor[T]) Traits() concept.Traits[T] { return exact[T]() }

func (r bXor[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (bXor[T]) AddValues(lanes []T, _ int, x []T) {
	addRows(lanes, x, simd.Xor, func(acc *T, x T) { *acc ^= x })
}
