package exec

import (
	"github.com/gokkos/gokkos/exec/internal/folds"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// A Source is a policy and the value that each of its items has, what
// [ParallelFold] reads. It is made by [Slice], [Products], [Map] or [Fill].
type Source[T any] struct{ of folds.Source[T] }

// Slice returns the source of the elements x[i] for the indices i of p.
func Slice[T any](p policy.RangePolicy, x []T) Source[T] {
	return Source[T]{folds.Slice(p, x)}
}

// Products returns the source of the products x[i]*y[i] for the indices i of p, each
// rounded before a fold sees it: their sum is the dot product of x and y, with the bits
// of *acc += float64(x[i]*y[i]) in a functor.
func Products[T ~float32 | ~float64](p policy.RangePolicy, x, y []T) Source[T] {
	return Source[T]{folds.Products(p, x, y)}
}

// Map returns the source of the values f(i) for the indices i of p, one for
// each item. f is called once per item.
func Map[Index, T any, P Policy[Index]](p P, f func(i Index) T) Source[T] {
	return Source[T]{folds.Map(p, f)}
}

// Fill returns the source of the values that f writes: dst[k] is the value of
// index s.Begin+k. f must write all of dst, whose old content is arbitrary.
func Fill[T any](p policy.RangePolicy, f func(s policy.Span, dst []T)) Source[T] {
	return Source[T]{folds.Fill(p, f)}
}

// In returns the source of values in a memory that the host cannot touch: s is a [Slice] or [Products] of
// addresses in it, which nobody has looked at. A [space.MemoryFolder] folds them, and on other spaces a fold is
// an error. The memory must be there as long as something refers to keep.
func (s Source[T]) In(m space.Memory, keep any) Source[T] {
	return Source[T]{s.of.In(m, keep)}
}

// PartOf returns the source of the values of all indices of p, of which this process has those of
// here: they are the values of s, a [Slice] or [Products] of as many items. It is for spaces over
// several processes, each of which runs the items whose values it has. An item that runs in this
// process and has no value is an error of the launch. The bits are those of all values in one
// source.
func (s Source[T]) PartOf(p policy.RangePolicy, here policy.Span) Source[T] {
	return Source[T]{s.of.PartOf(p, here)}
}
