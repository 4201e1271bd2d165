package exec

import (
	"fmt"

	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/policy"
)

// foldItems is the number of values that pass through all the folds of a launch
// before the next ones are read: they stay in the L1 cache, so memory is read
// once. It is a multiple of the number of lanes.
const foldItems = 1024

// A Source is a policy and the value that each of its items has, what
// [ParallelFold] reads. It is made by [Slice], [Products], [Map] or [Fill].
type Source[T any] struct {
	plan  policy.Plan
	first int // the number by which reducers know item 0
	open  func(workers int, g Grid) values[T]
	whole bool // all values are in memory
}

// values returns the values of items begin to end, which are good until the same worker
// asks again. They are at most foldItems unless the source is whole.
type values[T any] func(worker, begin, end int) []T

// Slice returns the source of the elements x[i] for the indices i of p.
func Slice[T any](p policy.RangePolicy, x []T) Source[T] {
	plan := p.Plan()
	first := firstIndex(p)
	if end := first + plan.Items; plan.Err == nil && (first < 0 || end > len(x)) {
		plan.Err = fmt.Errorf("exec: Slice over indices %d to %d of a slice of length %d", first, end-1, len(x))
	}
	read := func(_, begin, end int) []T { return x[first+begin : first+end] }
	return Source[T]{plan, first, func(int, Grid) values[T] { return read }, true}
}

// Products returns the source of the products x[i]*y[i] for the indices i of p, each
// rounded before a fold sees it: their sum is the dot product of x and y, with the bits
// of *acc += float64(x[i]*y[i]) in a functor.
func Products[T ~float32 | ~float64](p policy.RangePolicy, x, y []T) Source[T] {
	s := Fill(p, func(s policy.Span, dst []T) { simd.Mul(dst, x[s.Begin:s.End], y[s.Begin:s.End]) })
	if end := s.first + s.plan.Items; s.plan.Err == nil && (s.first < 0 || end > min(len(x), len(y))) {
		s.plan.Err = fmt.Errorf("exec: Products over indices %d to %d of slices of lengths %d and %d", s.first, end-1, len(x), len(y))
	}
	return s
}

// Map returns the source of the values f(i) for the indices i of p, one for
// each item. f is called once per item.
func Map[I, T any](p Policy[I], f func(i I) T) Source[T] {
	plan := planOf(p)
	plan.Err = refuseTeams("Map", plan)
	switch {
	case plan.Err != nil:
	case f == nil:
		plan.Err = errNilFunctor
	case plan.Whole:
		plan.Err = fmt.Errorf("exec: Map over a %T, whose index is a whole span; expected one index per item, or Fill", p)
	}
	return Source[T]{plan, firstIndex(p), func(workers int, g Grid) values[T] {
		x := indices[I]{p: p}
		x.open(workers, g)
		buf := newBuffers[T](workers, min(foldItems, g.Leaf))
		return func(worker, begin, end int) []T {
			dst := buf.room(worker, end-begin)
			for n := 0; begin < end; {
				var block []I
				block, begin = x.next(worker, begin, end)
				for _, i := range block {
					dst[n] = f(i)
					n++
				}
			}
			return dst
		}
	}, false}
}

// Fill returns the source of the values that f writes: dst[k] is the value of
// index s.Begin+k. f must write all of dst, whose old content is arbitrary.
func Fill[T any](p policy.RangePolicy, f func(s policy.Span, dst []T)) Source[T] {
	plan := p.Plan()
	if f == nil && plan.Err == nil {
		plan.Err = errNilFunctor
	}
	first := firstIndex(p)
	return Source[T]{plan, first, func(workers int, g Grid) values[T] {
		buf := newBuffers[T](workers, min(foldItems, g.Leaf))
		return func(worker, begin, end int) []T {
			dst := buf.room(worker, end-begin)
			f(policy.Span{Begin: first + begin, End: first + end}, dst)
			return dst
		}
	}, false}
}

// firstIndex returns the index of item 0 of a policy whose items are located by
// their index, and 0 of any other, whose items are located by their number.
func firstIndex(p any) int {
	r, ok := p.(policy.RangePolicy)
	if !ok {
		return 0
	}
	var first [1]int
	r.Next(0, 1, first[:])
	return first[0]
}
