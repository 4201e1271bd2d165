package views

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec"
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
