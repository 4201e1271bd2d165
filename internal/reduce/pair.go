package reduce

import (
	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Pair returns a function that sets *dst, which may be *a, to identity (+) *a (+) *b as the reducer does in three
// calls, or nil if nobody knows the operation well enough. Open must have been called.
func (s *Slots[T]) Pair() func(dst, a, b *T) {
	if s.adder == nil || operationOf(s.r).Join != concept.OpSum {
		return nil
	}
	return s.adder
}

// adderOf returns what Pair does for sums, nil unless T is a basic type.
func adderOf[T any]() (pair func(dst, a, b *T)) {
	var f any
	switch any(*new(T)).(type) {
	case float64:
		f = addPair[float64]
	case float32:
		f = addPair[float32]
	case int:
		f = addPair[int]
	case int64:
		f = addPair[int64]
	case int32:
		f = addPair[int32]
	case uint64:
		f = addPair[uint64]
	case uint32:
		f = addPair[uint32]
	}
	pair, _ = f.(func(dst, a, b *T))
	return pair
}

func addPair[T kind.Number](dst, a, b *T) { *dst = 0 + *a + *b } // 0 + -0 is 0
