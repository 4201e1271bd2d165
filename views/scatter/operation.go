package scatter

import (
	"slices"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers/concept"
)

// An operation joins contributions to cells.
type operation[T any] struct {
	name     string
	identity T                             // joined to any value, it gives the bits of that value
	adds     bool                          // it is Sum
	one      func(dst *T, x T)             // *dst <- *dst (+) x
	entries  func(dst []T, log []entry[T]) // dst[cell] <- dst[cell] (+) x, one after the other
	all      func(dst, src []T)            // dst[k] <- dst[k] (+) src[k]

	level      simd.Level // of the vectors of all
	identities []T        // some, to fill cells with
}

// identities returns so many that they stay in an L1 cache.
func identities[T any](identity T) []T { return slices.Repeat([]T{identity}, 1<<10) }

// join joins the contributions of a list to dst, one after the other.
func (op *operation[T]) join(dst []T, l *list[T]) {
	for _, r := range l.runs {
		op.entries(dst, r.entries())
	}
	op.entries(dst, l.open)
}

// vectorized returns what joins partial results with vector instructions, or if there are none
// for the operation and the type, the loop that does the same.
func vectorized[T any](rows simd.Rows[T], loop func(dst, src []T)) func(dst, src []T) {
	if rows.Join == nil {
		return loop
	}
	return func(dst, src []T) { rows.Join(dst[:len(src)], src) }
}

func sum[T builtin.Number]() operation[T] {
	var zero T
	return operation[T]{
		name:     "Sum",
		identity: -zero, // of floats, -0 + x is x for all x
		adds:     true,
		one:      func(dst *T, x T) { *dst += x },
		entries: func(dst []T, log []entry[T]) {
			for k := range log {
				dst[log[k].cell] += log[k].x
			}
		},
		all: vectorized(simd.RowsOf[T](simd.Sum, simd.Sum), func(dst, src []T) {
			dst = dst[:len(src)]
			for k, x := range src {
				dst[k] += x
			}
		}),
	}
}

func prod[T builtin.Real]() operation[T] {
	return operation[T]{
		name:     "Prod",
		identity: 1,
		one:      func(dst *T, x T) { *dst *= x },
		entries: func(dst []T, log []entry[T]) {
			for k := range log {
				dst[log[k].cell] *= log[k].x
			}
		},
		all: func(dst, src []T) {
			dst = dst[:len(src)]
			for k, x := range src {
				dst[k] *= x
			}
		},
	}
}

func least[T builtin.Real]() operation[T] {
	var x T
	identity, _ := concept.IdentityOf(builtin.Min(&x))
	return operation[T]{
		name:     "Min",
		identity: identity,
		one:      func(dst *T, x T) { *dst = min(*dst, x) },
		entries: func(dst []T, log []entry[T]) {
			for _, e := range log {
				dst[e.cell] = min(dst[e.cell], e.x)
			}
		},
		all: vectorized(simd.RowsOf[T](simd.Min, simd.Min), func(dst, src []T) {
			dst = dst[:len(src)]
			for k, x := range src {
				dst[k] = min(dst[k], x)
			}
		}),
	}
}

func most[T builtin.Real]() operation[T] {
	var x T
	identity, _ := concept.IdentityOf(builtin.Max(&x))
	return operation[T]{
		name:     "Max",
		identity: identity,
		one:      func(dst *T, x T) { *dst = max(*dst, x) },
		entries: func(dst []T, log []entry[T]) {
			for _, e := range log {
				dst[e.cell] = max(dst[e.cell], e.x)
			}
		},
		all: vectorized(simd.RowsOf[T](simd.Max, simd.Max), func(dst, src []T) {
			dst = dst[:len(src)]
			for k, x := range src {
				dst[k] = max(dst[k], x)
			}
		}),
	}
}
