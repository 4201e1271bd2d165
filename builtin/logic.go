package builtin

import (
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// LAnd joins by &&; its identity is true.
func LAnd[T ~bool](result *T) Reduction[T, T] { return lAnd[T]{reducers.Into(result)} }

type lAnd[T ~bool] struct{ reducers.Base[T] }

func (lAnd[T]) Init(val *T) { *val = true }

func (lAnd[T]) Join(dst, src *T) { *dst = *dst && *src }

func (lAnd[T]) JoinLanes(lanes []T) { joinHalves(lanes, func(dst *T, src T) { *dst = *dst && src }) }

func (lAnd[T]) Traits() concept.Traits[T] { return exact[T]() }

func (r lAnd[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

// AddValues uses one lane: the order of joins is no matter.
func (lAnd[T]) AddValues(lanes []T, _ int, x []T) { lanes[0] = lanes[0] && T(simd.All(x)) }

// LOr joins by ||; its identity is false.
func LOr[T ~bool](result *T) Reduction[T, T] { return lOr[T]{reducers.Into(result)} }

type lOr[T ~bool] struct{ reducers.Base[T] }

func (lOr[T]) Join(dst, src *T) { *dst = *dst || *src }

func (lOr[T]) JoinLanes(lanes []T) { joinHalves(lanes, func(dst *T, src T) { *dst = *dst || src }) }

func (lOr[T]) Traits() concept.Traits[T] { return exact[T]() }

func (r lOr[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

// AddValues uses one lane: the order of joins is no matter.
func (lOr[T]) AddValues(lanes []T, _ int, x []T) { lanes[0] = lanes[0] || T(simd.Any(x)) }

// Count joins by addition, and takes the values true as 1 and false as 0; its
// identity is 0.
func Count(result *int) Reduction[int, bool] { return count{reducers.Into(result)} }

type count struct{ reducers.Base[int] }

func (count) Join(dst, src *int) { *dst += *src }

func (count) JoinLanes(lanes []int) { joinSums(lanes) }

func (count) Traits() concept.Traits[int] { return exact[int]() }

func (r count) Fold() reducers.Fold[bool] { return reducers.NewFold[int, bool](r, nil) }

// AddValues uses one lane: the order of joins is no matter.
func (count) AddValues(lanes []int, _ int, x []bool) { lanes[0] += simd.Count(x) }
