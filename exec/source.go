package exec

import (
	"github.com/gokkos/gokkos/exec/internal/folds"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
)

// A Source is a policy with a value for each item: the input of [ParallelFold]. [Slice], [Products],
// [Map] and [Fill] return sources.
type Source[T any] struct{ of folds.Source[T] }

// Slice returns the source of the elements x[i] for the indices i of p.
func Slice[T any](p policy.RangePolicy, x []T) Source[T] {
	return Source[T]{folds.Slice(p, x)}
}

// Products returns the source of the products x[i]*y[i] for the indices i of p. Each product is rounded
// before it is folded. The sum is the dot product of x and y, with the bits of *acc +=
// float64(x[i]*y[i]) in a functor.
func Products[T ~float32 | ~float64](p policy.RangePolicy, x, y []T) Source[T] {
	return Source[T]{folds.Products(p, x, y)}
}

// Map returns the source of the values f(i) for the indices i of p. f is called once per item.
func Map[Index, T any, P Policy[Index]](p P, f func(i Index) T) Source[T] {
	return Source[T]{folds.Map(p, f)}
}

// Fill returns the source of the values that f writes: dst[k] is the value of
// index s.Begin+k. f must write all of dst, whose old content is arbitrary.
func Fill[T any](p policy.RangePolicy, f func(s policy.Span, dst []T)) Source[T] {
	return Source[T]{folds.Fill(p, f)}
}

// In returns the source of values in a memory that the host cannot touch. s is a [Slice] or [Products]
// of addresses in m, which In does not read. A [device.MemoryFolder] folds the values; a fold on any
// other space is an error. The memory must stay valid as long as something refers to keep.
func (s Source[T]) In(m device.Memory, keep any) Source[T] {
	return Source[T]{s.of.In(m, keep)}
}

// PartOf returns the source of the values of all indices of p, of which this process has only the
// indices in here. Their values are the values of s, a [Slice] or [Products] of as many items.
//
// PartOf is for spaces over several processes, each of which runs the items whose values it has. If an
// item without a value runs in this process, the launch returns an error. The bits are the same as with
// all values in one source.
func (s Source[T]) PartOf(p policy.RangePolicy, here policy.Span) Source[T] {
	return Source[T]{s.of.PartOf(p, here)}
}
