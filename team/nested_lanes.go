package team

import (
	"iter"

	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/reducers"
)

// Lanes are the items of a range that the calling member takes, together with the accumulators
// of their vector lanes: what the functor of [ReduceLanes] gets.
type Lanes[A any] struct {
	begin, end, width, stride, step int // see Range.loop
	acc                             []A
}

// Items yields each item with the accumulator of its lane, in ascending order. The compiler
// inlines it, but not in the body of a loop over [Range.All].
func (l Lanes[A]) Items() iter.Seq2[int, *A] {
	return func(yield func(int, *A) bool) {
		acc, end, step := l.acc, l.end, l.step
		for b := l.begin; b < end; {
			i := b
			for left := min(l.width, end-b); left > 0; left -= len(acc) {
				row := acc[:min(len(acc), left)] // so that no lane is checked against their number
				for lane := range row {
					if !yield(i, &row[lane]) {
						return
					}
					i += step
				}
			}
			if end-b <= l.stride { // the sum may be more than an int can count
				break
			}
			b += l.stride
		}
	}
}

// ReduceLanes is [Reduce] over a range of one dimension for a functor that owns its loop:
//
//	team.ReduceLanes(team.VectorRange(m, n), func(l team.Lanes[float64]) {
//		for j, acc := range l.Items() {
//			*acc += float64(a[j] * x[j])
//		}
//	}, builtin.Sum(&dot))
//
// It gives the bits of Reduce, without a call per item. f is called once, and not at all for a
// member without items. Items that its loop leaves out are not in the result.
//
// Errors: those of Reduce.
//
//go:noinline
func ReduceLanes[A any](r Range[int], f func(l Lanes[A]), red reducers.Reducer[A], more ...reducers.Reducer[A]) {
	check(r.m, f == nil)
	var site uintptr
	if r.meets() {
		site = lane.Site()
	}
	a := open(r.m, r.level, red, more...)
	ordered := a.traits.Ordered
	var l Lanes[A]
	l.begin, l.end, l.width, l.stride, l.step = r.loop(ordered)
	l.acc = a.begin(share{l.begin, l.end, l.width, l.stride}.longestBlock())
	if l.begin < l.end {
		f(l)
	}
	concludeOne(&r, site, ordered, a)
}
