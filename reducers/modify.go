package reducers

import (
	"fmt"
	"reflect"

	"github.com/gokkos/gokkos/internal/modified"
	"github.com/gokkos/gokkos/internal/typed"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Modified is a reducer whose traits differ from those of the one it wraps; see
// [WithInitial], [Ordered] and [Exact].
type Modified[T any] struct {
	Reducer[T]
	modify func(*concept.Traits[typed.Hidden])
}

// Traits returns the traits of the reducer within, modified.
func (m Modified[T]) Traits() concept.Traits[T] {
	t := concept.TraitsOf(m.Reducer)
	if t.Err == nil {
		m.modify(hide(&t))
	}
	return t
}

// within returns the reducer within if r is m, and not a type that embeds it: that may join in
// its own way.
func (m Modified[T]) within(r any) (inner any, ok bool) {
	if _, ok = r.(Modified[T]); !ok {
		return nil, false
	}
	return m.Reducer, true
}

func init() {
	modified.Within = func(r any) (inner any, ok bool) {
		if m, ok := r.(interface {
			within(r any) (inner any, ok bool)
		}); ok {
			return m.within(r)
		}
		return nil, false
	}
}

// WithInitial returns r with the old content of its result place joined in,
// exactly once, to the left of everything else and before Final.
//
// Where r is made of several reducers, this is so for all of them. Where there are no
// items, the identity is joined to it: the old content stays, but a sum of -0 becomes 0.
//
// A result of r counts as a partial result of r; built-in reducers whose Final
// changes the value (Norm2, say) undo it first.
func WithInitial[T any](r Reducer[T]) Modified[T] {
	return Modified[T]{initial(r), setInitial}
}

func setInitial(t *concept.Traits[typed.Hidden]) { t.Initial = true }

// initial returns r such that its Load loads everything: where r is made of
// several reducers, each of them may ask for its initial value or not.
func initial[T any](r Reducer[T]) Reducer[T] {
	if p, ok := r.(interface{ withInitial() Reducer[T] }); ok {
		return p.withInitial()
	}
	return r
}

func (m Modified[T]) withInitial() Reducer[T] { return Modified[T]{initial(m.Reducer), m.modify} }

// Ordered returns r marked as associative but not commutative. Its items are
// joined strictly in the order of the iteration space, in one lane. It is not
// [Exact], even if r is.
func Ordered[T any](r Reducer[T]) Modified[T] {
	return Modified[T]{r, setOrdered}
}

func setOrdered(t *concept.Traits[typed.Hidden]) { t.Ordered, t.Exact = true, false }

// Exact returns r marked as giving the same bits in whatever order partial results
// are joined; see [Traits]. Floating-point sums do not. An [Ordered] reducer stays
// ordered, and not exact.
func Exact[T any](r Reducer[T]) Modified[T] {
	return Modified[T]{r, setExact}
}

func setExact(t *concept.Traits[typed.Hidden]) { t.Exact = !t.Ordered }

// Fold takes plain values as the reducer within does, or joins each if that takes
// none. A reducer that takes values of another type than its partial results, such
// as a count, is an error: make a fold of the modified reducer with [Folding].
func (m Modified[T]) Fold() Fold[T] {
	if f, ok := m.Reducer.(Folder[T]); ok {
		if inner, ok := f.Fold().(*fold[T]); ok {
			if inner.Fold().Taken() {
				return inner // which the launch refuses
			}
			if own, ok := inner.Fold().Own((*T)(nil)); ok {
				return newFold[T, T](m, own)
			}
		}
	}
	if takesValues(m.Reducer) {
		return refusedFold[T, T](m, fmt.Errorf("reducers: a modified %T would take values of type %v, which the reducer itself does not; use Folding", m.Reducer, reflect.TypeFor[T]()))
	}
	return joining(m, func(dst, src *T) { m.Reducer.Join(dst, src) }) // the reducer may be nil
}

// takesValues reports whether r is a Folder, whatever its values are.
func takesValues(r any) bool {
	if r == nil {
		return false
	}
	_, ok := reflect.TypeOf(r).MethodByName("Fold")
	return ok
}
