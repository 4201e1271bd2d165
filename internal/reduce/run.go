package reduce

import (
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Run returns what joins the sums and prefixes of a tree.Sweep as the reducer does, or nil if nobody knows the
// operation well enough. Open must have been called.
func (s *Slots[T]) Run() tree.Run[T] {
	if s.adder == nil || operationOf(s.r).Join != concept.OpSum {
		return nil
	}
	return s.adder
}

// adderOf returns what adds, nil unless T is a basic type.
func adderOf[T any]() tree.Run[T] {
	var f any
	switch any(*new(T)).(type) {
	case float64:
		f = tree.Add[float64]
	case float32:
		f = tree.Add[float32]
	case int:
		f = tree.Add[int]
	case int64:
		f = tree.Add[int64]
	case int32:
		f = tree.Add[int32]
	case uint64:
		f = tree.Add[uint64]
	case uint32:
		f = tree.Add[uint32]
	}
	add, _ := f.(func(sums, prefix []T, first, last int))
	return add
}
