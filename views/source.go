package views

import (
	"fmt"
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
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
// error, and reads nothing, if the space cannot touch it. A card folds views of the layout [Right]. On a space of
// several processes each must have all of the elements, in host memory.
func Source[T any](v Viewer[T], on ...policy.Launch) exec.Source[T] {
	if foldsFar(v, on) {
		return farSource(v, on)
	}
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
	loops := nestOf(x.shape.orNone(), noStride[:])
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

// foldsFar reports whether a view is in memory which the host cannot touch, and in which a space folds values.
func foldsFar[T any](v Viewer[T], on []policy.Launch) bool {
	if v == nil || !v.view().shape.orNone().far() {
		return false
	}
	_, l, _ := nearOn(on, "Source", v)
	_, folds := l.Space().(device.MemoryFolder)
	return folds
}

// farSource is [Source] of such a view.
func farSource[T any](v Viewer[T], on []policy.Launch) exec.Source[T] {
	x, l, err := nearOn(on, "Source", v)
	if err != nil {
		return exec.Map(refused{err}, func(int) (none T) { return none })
	}
	if x.Layout() != Right { // a Stride is not comparable, but neither is it Dense
		err := fmt.Errorf("views: Source of %v in the memory of %v, whose layout is %v, expected Right; views.DeepCopy to a view of that makes it so", x, x.MemorySpace(), x.Layout())
		return exec.Map(refused{err}, func(int) (none T) { return none })
	}
	var values []T
	if x.Len() > 0 {
		values = unsafe.Slice((*T)(origin(x)), x.Len())
	}
	return exec.Slice(policy.Range(0, x.Len()).With(l), values).In(x.MemorySpace(), x)
}

// refused is a policy that cannot be launched.
type refused struct{ err error }

func (p refused) Plan() policy.Plan { return policy.Plan{Err: p.err} }

func (refused) Next(_, end int, _ []int) (n, next int) { return 0, end }
