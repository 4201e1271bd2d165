package reduction

import (
	"fmt"

	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A Value is the accumulator of an operation made by [New].
type Value[T any] struct {
	v        T
	present  bool
	op       func(a, b T) T
	identity func() T // nil if it is not known
}

// Combine joins x to the accumulator, on its right, and returns it. It does what that of
// reducers.Partial does, and is written out so that the compiler inlines it.
func (a *Value[T]) Combine(x T) *Value[T] {
	if a.present {
		x = a.op(a.v, x)
	}
	a.v, a.present = x, true
	return a
}

// Identity returns the identity of the operation, and whether it is known.
func (a *Value[T]) Identity() (identity T, known bool) {
	if a.identity == nil {
		return identity, false
	}
	return a.identity(), true
}

// New joins by op, which must be associative, and commutative unless the reduction is
// marked reducers.Ordered. Its identity is not known and need not exist; WithIdentity
// gives one. Without one, a result to which nothing was combined is not there, and
// *result keeps its old content.
//
// op must change neither a nor b, and return no memory that a later op on either may
// write to.
//
// Values of up to 40 bytes are reduced in lanes.
func New[T any](result *T, op func(a, b T) T) Variable[Value[T], T] {
	return operation[T]{result: result, op: op}
}

type operation[T any] struct {
	result   *T
	op       func(a, b T) T
	identity func() T
}

func (r operation[T]) WithIdentity(identity T) Variable[Value[T], T] {
	r.identity = func() T { return identity }
	return r
}

func (r operation[T]) Identity() (identity T, known bool) {
	return (&Value[T]{identity: r.identity}).Identity()
}

func (r operation[T]) Init(val *Value[T]) {
	*val = Value[T]{op: r.op, identity: r.identity}
	if r.identity != nil {
		val.Combine(r.identity())
	}
}

func (r operation[T]) Join(dst, src *Value[T]) {
	if src.present {
		dst.op = r.op
		dst.Combine(src.v)
	}
}

func (r operation[T]) joinEach(dst, src []Value[T]) {
	for k := range dst {
		r.Join(&dst[k], &src[k])
	}
}

func (r operation[T]) load(val *Value[T], from *T) {
	*val = Value[T]{*from, true, r.op, r.identity}
}

func (operation[T]) store(to *T, val *Value[T]) {
	if val.present {
		*to = val.v
	}
}

func (r operation[T]) Final(*Value[T]) {}

// Reference returns nil: the result place is a T.
func (r operation[T]) Reference() *Value[T] { return nil }

func (r operation[T]) Traits() concept.Traits[Value[T]] {
	switch {
	case r.result == nil:
		return concept.Traits[Value[T]]{Err: fmt.Errorf("reduction: New was given a nil result place, expected a %T", r.result)}
	case r.op == nil:
		return concept.Traits[Value[T]]{Err: fmt.Errorf("reduction: New was given a nil operation, expected a %T", r.op)}
	}
	return concept.Traits[Value[T]]{
		NoIdentity: r.identity == nil,
		Load:       func(val *Value[T]) { r.load(val, r.result) },
		Store:      func(val *Value[T]) { r.store(r.result, val) },
		Place:      r.result,
	}
}

// Fold combines every value it sees.
func (r operation[T]) Fold() reducers.Fold[T] {
	return reducers.Folding(r, func(acc *Value[T], _ int, x T) { acc.Combine(x) }).Fold()
}
