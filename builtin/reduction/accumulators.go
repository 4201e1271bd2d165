package reduction

import (
	"unsafe"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/kind"
)

// value is the content of an accumulator. It is all that there is to one, so that its
// partial results have the lanes, and the bits, of plain values. An identity of the
// caller's beside it would change both: five sums in a struct would be too large for lanes.
type value[T any] struct{ v T }

func (a *value[T]) place() *T { return &a.v }

// The accumulators of the operations with a known identity. Combine joins a value and
// returns its receiver, as the shorthands do.
type (
	// Sum is the accumulator of [Plus].
	Sum[T builtin.Number] struct{ value[T] }
	// Prod is the accumulator of [Multiplies].
	Prod[T builtin.Number] struct{ value[T] }
	// BAnd is the accumulator of [BitAnd].
	BAnd[T builtin.Integer] struct{ value[T] }
	// BOr is the accumulator of [BitOr].
	BOr[T builtin.Integer] struct{ value[T] }
	// BXor is the accumulator of [BitXor].
	BXor[T builtin.Integer] struct{ value[T] }
	// LAnd is the accumulator of [LogicalAnd].
	LAnd[T ~bool] struct{ value[T] }
	// LOr is the accumulator of [LogicalOr].
	LOr[T ~bool] struct{ value[T] }
	// Min is the accumulator of [Minimum].
	Min[T builtin.Real] struct{ value[T] }
	// Max is the accumulator of [Maximum].
	Max[T builtin.Real] struct{ value[T] }
)

// Combine adds x.
func (a *Sum[T]) Combine(x T) *Sum[T] {
	a.v += x
	return a
}

// Add is Combine, SYCL's +=.
func (a *Sum[T]) Add(x T) *Sum[T] { return a.Combine(x) }

// Inc adds 1, SYCL's ++. Here it is for all numbers, there for integers.
func (a *Sum[T]) Inc() *Sum[T] { return a.Combine(1) }

// Combine multiplies by x. Complex products are rounded as those of builtin.Prod.
func (a *Prod[T]) Combine(x T) *Prod[T] {
	if unsafe.Sizeof(x) == unsafe.Alignof(x) { // see round
		a.v *= x
	} else {
		a.round(x)
	}
	return a
}

// round is apart, so that the compiler inlines Combine. Who calls it asks in place for what
// kind.IsComplex says, which is one call too many to be inlined: on a 32-bit processor it
// takes numbers of 8 bytes as well, with the same result.
//
//go:noinline
func (a *Prod[T]) round(x T) { a.v = kind.Product(a.v, x) }

// Mul is Combine, SYCL's *=. It does not call it, which would be one call too many to
// be inlined.
func (a *Prod[T]) Mul(x T) *Prod[T] {
	if unsafe.Sizeof(x) == unsafe.Alignof(x) {
		a.v *= x
	} else {
		a.round(x)
	}
	return a
}

// Combine takes the bitwise and with x.
func (a *BAnd[T]) Combine(x T) *BAnd[T] {
	a.v &= x
	return a
}

// And is Combine, SYCL's &=.
func (a *BAnd[T]) And(x T) *BAnd[T] { return a.Combine(x) }

// Combine takes the bitwise or with x.
func (a *BOr[T]) Combine(x T) *BOr[T] {
	a.v |= x
	return a
}

// Or is Combine, SYCL's |=.
func (a *BOr[T]) Or(x T) *BOr[T] { return a.Combine(x) }

// Combine takes the bitwise exclusive or with x.
func (a *BXor[T]) Combine(x T) *BXor[T] {
	a.v ^= x
	return a
}

// Xor is Combine, SYCL's ^=.
func (a *BXor[T]) Xor(x T) *BXor[T] { return a.Combine(x) }

// Combine takes the logical and with x.
func (a *LAnd[T]) Combine(x T) *LAnd[T] {
	a.v = a.v && x
	return a
}

// Combine takes the logical or with x.
func (a *LOr[T]) Combine(x T) *LOr[T] {
	a.v = a.v || x
	return a
}

// Combine takes the smaller of the accumulator and x, as Go's min.
func (a *Min[T]) Combine(x T) *Min[T] {
	a.v = min(a.v, x)
	return a
}

// Combine takes the larger of the accumulator and x, as Go's max.
func (a *Max[T]) Combine(x T) *Max[T] {
	a.v = max(a.v, x)
	return a
}

// Identity returns 0, also where the caller has given another identity: that is known to
// [Variable.Identity]. The same holds for the accumulators below.
func (*Sum[T]) Identity() T { return 0 }

// Identity returns 1.
func (*Prod[T]) Identity() T { return 1 }

// Identity returns the value with all bits set.
func (*BAnd[T]) Identity() T { return ^T(0) }

// Identity returns 0.
func (*BOr[T]) Identity() T { return 0 }

// Identity returns 0.
func (*BXor[T]) Identity() T { return 0 }

// Identity returns true.
func (*LAnd[T]) Identity() T { return true }

// Identity returns false.
func (*LOr[T]) Identity() T { return false }

// Identity returns the largest value of T, +Inf for floats.
func (*Min[T]) Identity() T { return identity(builtin.Min[T]) }

// Identity returns the smallest value of T, -Inf for floats.
func (*Max[T]) Identity() T { return identity(builtin.Max[T]) }

func identity[T any](operation func(*T) builtin.Reduction[T, T]) (e T) {
	operation(&e).Init(&e)
	return e
}
