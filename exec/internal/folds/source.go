package folds

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec/internal/checked"
	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
)

// A Source is the content of an exec.Source.
type Source[T any] struct {
	plan   policy.Plan
	first  int // location of item 0 for reducers
	f      any // function that computes the values, or nil
	made   bool
	slice  []T         // values or first factors of all items, or of the items from before on
	other  []T         // second factors, or nil
	times  times[T]    // multiplies the factors, or nil
	values computed[T] // computes the values, or nil
	before int         // number of items before slice, which have no values in this process
	part   bool        // slice and other are for some of the items only

	memory device.Memory // memory of slice and other if the host cannot touch it, or nil
	keeps  any           // keeps memory valid
}

// times multiplies slices of the same length, rounding each product.
type times[T any] interface{ mul(dst, x, y []T) }

type rounded[T ~float32 | ~float64] struct{}

func (rounded[T]) mul(dst, x, y []T) { simd.Mul(dst, x, y) }

// Slice is exec.Slice.
func Slice[T any](p policy.RangePolicy, x []T) Source[T] {
	plan := p.Plan()
	first := items.FirstOf(p)
	if end := first + plan.Items; plan.Err == nil && (first < 0 || end > len(x)) {
		plan.Err = fmt.Errorf("exec: Slice over Range(%d, %d) of a slice of length %d, expected 0 <= begin <= end <= %d", first, end, len(x), len(x))
	}
	s := Source[T]{plan: plan, first: first, made: true}
	if plan.Err == nil {
		s.slice = x[first:]
	}
	return s
}

// Products is exec.Products.
func Products[T ~float32 | ~float64](p policy.RangePolicy, x, y []T) Source[T] {
	plan := p.Plan()
	first := items.FirstOf(p)
	if end := first + plan.Items; plan.Err == nil && (first < 0 || end > min(len(x), len(y))) {
		plan.Err = fmt.Errorf("exec: Products over Range(%d, %d) of slices of lengths %d and %d, expected 0 <= begin <= end <= %d", first, end, len(x), len(y), min(len(x), len(y)))
	}
	s := Source[T]{plan: plan, first: first, made: true, times: rounded[T]{}}
	if plan.Err == nil {
		s.slice, s.other = x[first:first+plan.Items], y[first:first+plan.Items]
	}
	return s
}

// In is exec.Source.In.
func (s Source[T]) In(m device.Memory, keep any) Source[T] {
	if s.plan.Err == nil && (s.values != nil || s.part) {
		s.plan.Err = errors.New("exec: In of a source that is no Slice and no Products")
	}
	s.memory, s.keeps = m, keep
	return s
}

// far panics with the error of a launch that would read memory that the host cannot touch.
func (s *Source[T]) far() {
	panic(launch.Breach("exec: the values are in the memory of %v, and the space runs items on the host, expected a space that folds values there", s.memory))
}

// PartOf is exec.Source.PartOf.
func (s Source[T]) PartOf(p policy.RangePolicy, here policy.Span) Source[T] {
	err := s.plan.Err
	switch {
	case err != nil:
	case s.values != nil || s.part:
		err = errors.New("exec: PartOf of a source that is no Slice and no Products")
	case s.memory != nil:
		err = fmt.Errorf("exec: PartOf of values in the memory of %v, expected them on the host", s.memory)
	case s.plan.Items != here.Len():
		err = fmt.Errorf("exec: PartOf of the indices %d to %d of a source of %d items, expected %d", here.Begin, here.End, s.plan.Items, here.Len())
	}
	n := s.plan.Items
	s.plan, s.first = p.Plan(), items.FirstOf(p)
	if s.plan.Err == nil {
		s.plan.Err = err
	}
	if err == nil {
		s.slice = s.slice[:n]
	}
	s.before, s.part = here.Begin-s.first, true
	return s
}

// has reports whether all items from begin to end-1 of a part have their values in this process.
func (s *Source[T]) has(begin, end int) bool {
	return begin >= s.before && end <= s.before+len(s.slice)
}

// here panics with the error of a launch if an item from begin to end-1 has no value in this process.
func (s *Source[T]) here(begin, end int) {
	if !s.has(begin, end) {
		first := s.first + s.before
		panic(launch.Breach("exec: the values of indices %d to %d are to be folded in this process, which has those of %d to %d", s.first+begin, s.first+end, first, first+len(s.slice)))
	}
}

// Map is exec.Map.
func Map[Index, T any, P items.Policy[Index]](p P, f func(i Index) T) Source[T] {
	var plan policy.Plan
	items.PlanOf[Index](&plan, &p)
	plan.Err = items.RefuseTeams("Map", plan)
	switch {
	case plan.Err != nil:
	case f == nil:
		plan.Err = items.ErrNilFunctor
	case plan.Whole:
		plan.Err = fmt.Errorf("exec: Map over a %T, whose index is a whole span; expected one index per item, or Fill", p)
	}
	first, _ := items.FirstIndex(&p)
	called := f
	if plan.Err == nil && environment.Watches(plan.Space) {
		called = checked.Map(f)
	}
	return Source[T]{plan: plan, first: first, f: f, made: true, values: &mapped[Index, T, P]{p, plan, first, called, newMapLoop[Index, T, P](called)}}
}

// Fill is exec.Fill.
func Fill[T any](p policy.RangePolicy, f func(s policy.Span, dst []T)) Source[T] {
	plan := p.Plan()
	if f == nil && plan.Err == nil {
		plan.Err = items.ErrNilFunctor
	}
	first := items.FirstOf(p)
	called := f
	if plan.Err == nil && environment.Watches(plan.Space) {
		called = checked.Fill(f)
	}
	return Source[T]{plan: plan, first: first, f: f, made: true, values: &filled[T]{first, called}}
}
