package views

import (
	"fmt"
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/nest"
	"github.com/gokkos/gokkos/policy"
)

// Fill makes x every element of dst, in parallel. It is the Kokkos::deep_copy of a scalar.
//
// A view in the memory of a device is filled there, unless on says otherwise, and it is an
// error if the space cannot touch it. The other errors are those of [exec.ParallelFor]; if
// the launch is cancelled, elements that it had not reached keep their content. A memory that
// functors cannot touch from the host fills itself, and its errors are returned. On a space of several
// processes, each fills all of its own view. In the memory of a card, that is an error.
func Fill[T any](dst Viewer[T], x T, on ...policy.Launch) error {
	v, l, err := nearOn(on, "Fill", dst)
	if err != nil {
		return err
	}
	if v.shape.orNone().far() {
		return fillFarWith(v, x, on)
	}
	loops, p := v.shape.orNone().filling(l)
	return exec.ParallelFor(p, func(s policy.Span) { fillRowsOf(loops, v.data, x, s) })
}

func fillFarWith[T any](v View[T], x T, on []policy.Launch) error {
	return fillFar(v.shape, v.Address(), unsafe.Slice((*byte)(unsafe.Pointer(&x)), unsafe.Sizeof(x)), on)
}

// filling returns the loops of a Fill, and the policy.
func (s *shape) filling(l policy.Launch) (*nest.Loops, policy.SpansPolicy) {
	loops := nestOf(s, noStride[:]).ByPlace()
	return &loops, policy.Spans(0, loops.Items).WithLabel("Fill of " + s.String()).With(l)
}

func fillRowsOf[T any](loops *nest.Loops, data []T, x T, s policy.Span) {
	step := loops.A[loops.Rank-1]
	r := loops.Rows(s.Begin, s.End)
	for r.Next() {
		if step == 1 {
			fill(data[r.A:r.A+r.N], x)
			continue
		}
		for k := range r.N {
			data[r.A+k*step] = x
		}
	}
}

// fillBytes is how much of what is written already is copied on at a time: it stays in
// the L1 cache.
const fillBytes = 8 << 10

// fill sets the elements by copies of what it set before, which store more at a time than
// a loop does.
func fill[T any](dst []T, x T) {
	if len(dst) == 0 {
		return
	}
	most := max(fillBytes/max(int(unsafe.Sizeof(x)), 1), 1)
	dst[0] = x
	for n := 1; n < len(dst); {
		n += copy(dst[n:], dst[:min(n, most)])
	}
}

// fillFuncItems is how many elements FillFunc has made before it puts them into rows.
const fillFuncItems = 1024

// FillFunc makes the elements of dst with f, in parallel. It is the opposite of [Source], and
// f is as that of [exec.Fill]: it sets x[k] to the element number s.Begin+k, the last index
// fastest, for a slice x of length s.Len(), whose content before is not specified.
//
// Memory is filled in place if the layout is [Right], and through a buffer otherwise. A view
// in the memory of a device is filled there, and the errors are those of [Fill]; if the
// launch is cancelled, elements that it had not reached keep their content.
//
// In the memory of a card, which functors cannot touch from the host, f runs on the default space if that is
// of the host, else on [exec.Serial], and what it makes is copied: all elements, or none after an error.
//
// On a space of several processes, each fills all of its own view. In the memory of a card, that is an error.
func FillFunc[T any](dst Viewer[T], f func(s policy.Span, x []T), on ...policy.Launch) error {
	v, l, err := nearOn(on, "FillFunc", dst)
	if err != nil {
		return err
	}
	if f == nil {
		return fmt.Errorf("views: FillFunc of %v with a nil function", v)
	}
	if v.shape.orNone().far() {
		return fillFuncFar(v, f, l)
	}
	p := policy.Spans(0, v.Len()).WithLabel("FillFunc of " + v.shape.orNone().String()).With(l)
	if v.Layout() == Right { // a Stride is not comparable, but neither is it Dense
		return exec.ParallelFor(p, func(s policy.Span) {
			f(s, v.data[s.Begin:s.End:s.End])
		})
	}
	loops := nestOf(v.shape.orNone(), noStride[:])
	step := loops.A[loops.Rank-1]
	return exec.ParallelFor(p, func(s policy.Span) {
		buffer := make([]T, min(s.Len(), fillFuncItems))
		for begin := s.Begin; begin < s.End; begin += len(buffer) {
			x := buffer[:min(len(buffer), s.End-begin)]
			f(policy.Span{Begin: begin, End: begin + len(x)}, x)
			r := loops.Rows(begin, begin+len(x))
			for r.Next() {
				if step == 1 {
					copy(v.data[r.A:], x[:r.N])
				} else {
					for k := range r.N {
						v.data[r.A+k*step] = x[k]
					}
				}
				x = x[r.N:]
			}
		}
	})
}

// fillFuncFar is [FillFunc] of a view in memory that the host can never touch: by way of one on the host.
func fillFuncFar[T any](v View[T], f func(s policy.Span, x []T), l policy.Launch) error {
	s := v.shape.orNone()
	host, err := New[T](s.label, s.extents())
	if err == nil {
		err = FillFunc(host, f, l.On(hostSpace()))
	}
	if err != nil {
		return err
	}
	return DeepCopy(v, host, l)
}

// hostSpace returns a space that runs functions on the host: the default one, if it does.
func hostSpace() exec.Space {
	if on, err := exec.Default(); err == nil && !memory.Far(orHost(device.MemoryOf(on))) {
		return on
	}
	return exec.Serial{}
}
