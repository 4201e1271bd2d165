package moments

import (
	"context"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/npy"
)

// inits say what the argument init stands for.
var inits = [...]string{"zeros", "ones", "integers in [-5, 5)", "decimals in [-5, 5)"}

// generate returns a tensor. Each element depends on its index alone, so it does
// not matter who computes it.
func generate[T real](ctx context.Context, space exec.Space, lengths [4]int, reduced dims, init int, t *terminal) (nhwc[T], error) {
	items := 1
	for _, n := range lengths {
		items *= n
	}
	x := nhwc[T]{lengths, reduced, make([]T, items)}
	element := elements[T](init)
	ph := t.begin("generating", items)
	defer ph.end()
	// Spans, not Range: the functor has the loop, and reports once per span.
	p := policy.Spans(0, items).On(space).WithContext(ctx).WithLabel("generate")
	return x, exec.ParallelFor(p, func(s policy.Span) {
		for i := range s.All() {
			x.data[i] = element(i)
		}
		ph.add(s.Len())
	})
}

// elements returns element i of a tensor as a function of i.
func elements[T real](init int) func(i int) T {
	switch init {
	case 0:
		return func(int) T { return 0 }
	case 1:
		return func(int) T { return 1 }
	case 2:
		return func(i int) T { return integer[T](hash(i)) }
	}
	return func(i int) T { return decimal[T](hash(i)) }
}

// integer returns one of -5, -4, ... 4, equally likely for random bits.
func integer[T real](bits uint64) T { return T(int(bits>>32*10>>32) - 5) }

// decimal returns a number in [-5, 5).
//
// It uses as many random bits as T has in its fraction. With fewer, sums of T
// would often be exact and hide the order that they were computed in; with more,
// rounding could give 5.
func decimal[T real](bits uint64) T {
	u := float64(bits>>40) * 0x1p-24 // in [0, 1)
	if npy.TypeOf[T]() == npy.Float64 {
		u = float64(bits>>11) * 0x1p-53
	}
	// The conversion keeps the compiler from fusing the two operations on some
	// processors: the data are the same on all.
	return T(float64(u*10) - 5)
}

// hash returns 64 random bits for i: number i of the generator SplitMix64 with
// seed 0.
//
// Source: Steele, Lea, Flood, Fast splittable pseudorandom number generators,
// OOPSLA 2014.
func hash(i int) uint64 {
	z := (uint64(i) + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
