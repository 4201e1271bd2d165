package views

import (
	"unsafe"

	"github.com/gokkos/gokkos/exec"
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
	if v.form().far() {
		return fillFar(v, x, on)
	}
	loops := nestOf(v.form(), noStride[:]).ByPlace()
	step := loops.A[loops.Rank-1]
	p := policy.Spans(0, loops.Items).WithLabel("Fill of " + v.form().String()).With(l)
	return exec.ParallelFor(p, func(s policy.Span) {
		r := loops.Rows(s.Begin, s.End)
		for r.Next() {
			if step == 1 {
				fill(v.data[r.A:r.A+r.N], x)
				continue
			}
			for k := range r.N {
				v.data[r.A+k*step] = x
			}
		}
	})
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
