package views

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// Source returns the elements of a view as what [exec.ParallelFold] reads, the last index
// fastest; an element's location is its number in this order.
//
// A fold of it has the same bits on any layout. It reads memory in place if the layout is
// [Right], and row by row through a buffer otherwise. For layout [Left], where the order
// does not matter, the source of v.Transpose() is the fast one.
//
// A view in the memory of a device is folded there, unless on says otherwise. The fold is an
// error, and reads nothing, if the space cannot touch it. On a space of several processes each
// must have all of the elements.
func Source[T any](v Viewer[T], on ...policy.Launch) exec.Source[T] {
	x, l, err := launchOn(on, "Source", v)
	if err != nil {
		return exec.Map(refused{err}, func(int) (none T) { return none })
	}
	if x.MemorySpace() == Host { // of several processes, each of which has the view, all fold it
		l = policy.Launch{}.With(on...)
	}
	p := policy.Range(0, x.Len()).With(l)
	if x.Layout() == Right { // a Stride is not comparable, but neither is it Dense
		return exec.Slice(p, x.data)
	}
	loops := nestOf(x.form(), noStride[:])
	step := loops.A[loops.Rank-1]
	return exec.Fill(p, func(s policy.Span, dst []T) {
		r := loops.Rows(s.Begin, s.End)
		for r.Next() {
			if step == 1 {
				copy(dst, x.data[r.A:r.A+r.N])
			} else {
				for k := range r.N {
					dst[k] = x.data[r.A+k*step]
				}
			}
			dst = dst[r.N:]
		}
	})
}

// refused is a policy that cannot be launched.
type refused struct{ err error }

func (p refused) Plan() policy.Plan { return policy.Plan{Err: p.err} }

func (refused) Next(_, end int, _ []int) (n, next int) { return 0, end }
