package reduction

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// A Variable is a reducer of a variable of type T whose accumulators are of type A.
// For exec.ParallelFold it takes plain values. The functions of this package make it.
type Variable[A, T any] interface {
	builtin.Reduction[A, T]
	// WithIdentity returns the reduction with the given identity in place of the known
	// one, if there is one. See the package's notes on values that are no identity.
	WithIdentity(identity T) Variable[A, T]
	// Identity returns the identity that accumulators begin with, the caller's if there is
	// one, and whether it is known. A functor may call it; an accumulator of an operation
	// with a known identity tells that one only.
	Identity() (identity T, known bool)

	// joinEach joins the accumulators of the elements of a span, one call for all.
	joinEach(dst, src []A)
	// load sets *val to the accumulator that stands for the old content of a variable.
	load(val *A, from *T)
	// store writes an accumulator to a variable.
	store(to *T, val *A)
}

// Plus joins by addition; its identity is 0.
func Plus[T builtin.Number](result *T) Variable[Sum[T], T] {
	return variable[Sum[T], T, *Sum[T]]{of: builtin.Sum(result)}
}

// Multiplies joins by multiplication; its identity is 1.
func Multiplies[T builtin.Number](result *T) Variable[Prod[T], T] {
	return variable[Prod[T], T, *Prod[T]]{of: builtin.Prod(result)}
}

// BitAnd joins by bitwise and; its identity has all bits set.
func BitAnd[T builtin.Integer](result *T) Variable[BAnd[T], T] {
	return variable[BAnd[T], T, *BAnd[T]]{of: builtin.BAnd(result)}
}

// BitOr joins by bitwise or; its identity is 0.
func BitOr[T builtin.Integer](result *T) Variable[BOr[T], T] {
	return variable[BOr[T], T, *BOr[T]]{of: builtin.BOr(result)}
}

// BitXor joins by bitwise exclusive or; its identity is 0.
func BitXor[T builtin.Integer](result *T) Variable[BXor[T], T] {
	return variable[BXor[T], T, *BXor[T]]{of: builtin.BXor(result)}
}

// LogicalAnd joins by &&; its identity is true.
func LogicalAnd[T ~bool](result *T) Variable[LAnd[T], T] {
	return variable[LAnd[T], T, *LAnd[T]]{of: builtin.LAnd(result)}
}

// LogicalOr joins by ||; its identity is false.
func LogicalOr[T ~bool](result *T) Variable[LOr[T], T] {
	return variable[LOr[T], T, *LOr[T]]{of: builtin.LOr(result)}
}

// Minimum joins by min; its identity is the largest value of T, +Inf for floats. NaN
// propagates and -0 is less than +0, as with Go's min.
func Minimum[T builtin.Real](result *T) Variable[Min[T], T] {
	return variable[Min[T], T, *Min[T]]{of: builtin.Min(result)}
}

// Maximum joins by max; its identity is the smallest value of T, -Inf for floats. NaN
// propagates and +0 is greater than -0, as with Go's max.
func Maximum[T builtin.Real](result *T) Variable[Max[T], T] {
	return variable[Max[T], T, *Max[T]]{of: builtin.Max(result)}
}

// variable is a reducer of T whose accumulators are of type A, which holds a T.
type variable[A, T any, P interface {
	*A
	place() *T
}] struct {
	of    builtin.Reduction[T, T]
	given *T // the caller's identity, or nil
}

func (r variable[A, T, P]) Init(val *A)      { r.of.Init(P(val).place()) }
func (r variable[A, T, P]) Join(dst, src *A) { r.of.Join(P(dst).place(), P(src).place()) }
func (r variable[A, T, P]) Final(val *A)     { r.of.Final(P(val).place()) }

// Reference returns nil: the result place is a T.
func (r variable[A, T, P]) Reference() *A { return nil }

func (r variable[A, T, P]) Traits() concept.Traits[A] {
	of := concept.TraitsOf[T](r.of)
	if of.Err != nil {
		return concept.Traits[A]{Err: of.Err}
	}
	return concept.Traits[A]{
		Exact: of.Exact,
		Load:  func(val *A) { r.load(val, r.of.Reference()) },
		Store: func(val *A) { r.store(r.of.Reference(), val) },
		Place: r.of.Reference(),
	}
}

func (r variable[A, T, P]) joinEach(dst, src []A) {
	for k := range dst {
		r.of.Join(P(&dst[k]).place(), P(&src[k]).place())
	}
}

func (variable[A, T, P]) load(val *A, from *T) { *P(val).place() = *from }
func (variable[A, T, P]) store(to *T, val *A)  { *to = *P(val).place() }

func (r variable[A, T, P]) Fold() reducers.Fold[T] { return r.of.Fold() }

func (r variable[A, T, P]) Identity() (identity T, known bool) {
	if r.given != nil {
		return *r.given, true
	}
	var e T
	r.of.Init(&e)
	return e, true
}

func (r variable[A, T, P]) WithIdentity(identity T) Variable[A, T] {
	init := func(val *T) { *val = identity }
	r.of = reducers.New(r.of.Reference(), r.of.Join, reducers.Init(init))
	r.given = &identity
	return r
}
