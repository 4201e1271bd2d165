package reducers

import (
	"errors"

	"github.com/gokkos/gokkos/reducers/concept"
)

// A Partial is the partial result of an operation whose identity is not known:
// a value, or nothing yet.
type Partial[T any] struct {
	value   T
	present bool
	op      func(a, b T) T
}

// Combine joins x to the partial result, on its right.
func (p *Partial[T]) Combine(x T) {
	if p.present {
		x = p.op(p.value, x)
	}
	p.value, p.present = x, true
}

// Value returns the joined value; ok is false if nothing was combined.
func (p *Partial[T]) Value() (value T, ok bool) { return p.value, p.present }

// NoIdentity is the reducer made by [WithoutIdentity].
type NoIdentity[T any] struct {
	Base[Partial[T]]
	op func(a, b T) T
}

// WithoutIdentity returns a reducer for an associative operation without a
// known identity. The functor calls acc.Combine(x), the caller result.Value().
//
// op must change neither a nor b, and return no memory that a later op on either
// may write to: for slices, append(slices.Clip(a), b...) and not append(a, b...).
//
// A zero Partial is a fine result place; an initial value is one to which
// [NoIdentity.Start] was applied.
func WithoutIdentity[T any](result *Partial[T], op func(a, b T) T) NoIdentity[T] {
	return NoIdentity[T]{Into(result), op}
}

// Start puts x into the result place, for use with [WithInitial].
func (r NoIdentity[T]) Start(x T) NoIdentity[T] {
	if result := r.Reference(); result != nil { // else the launch returns the error
		*result = Partial[T]{x, true, r.op}
	}
	return r
}

// Init empties *val.
func (r NoIdentity[T]) Init(val *Partial[T]) { *val = Partial[T]{op: r.op} }

// Join combines src's value, if there is one, into dst.
func (r NoIdentity[T]) Join(dst, src *Partial[T]) {
	if src.present {
		dst.op = r.op
		dst.Combine(src.value)
	}
}

// Traits says that no identity is known.
func (r NoIdentity[T]) Traits() concept.Traits[Partial[T]] {
	t := concept.Traits[Partial[T]]{NoIdentity: true}
	if r.op == nil {
		t.Err = errors.New("reducers: WithoutIdentity was given a nil operation")
	}
	return t
}

// Fold combines every value it sees.
func (r NoIdentity[T]) Fold() Fold[T] {
	return NewFold(Reducer[Partial[T]](r), func(lanes []Partial[T], _ int, x []T) {
		mask := len(lanes) - 1
		for k := range x {
			lanes[k&mask].Combine(x[k])
		}
	})
}
