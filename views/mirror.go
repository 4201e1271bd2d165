package views

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/internal/brief"
	"github.com/gokkos/gokkos/policy"
)

// ViewOf is any V of [View], [View1] to [View4] and [Strided1] to [Strided4] with elements
// of type T. The compiler infers both.
type ViewOf[T, V any] interface {
	Viewer[T]
	// as gives a view of the receiver's rank, whose rows lie as V wants them, the static
	// type of the receiver.
	as(View[T]) V
	// rows says whether neighbours in the last dimension must be neighbours in memory.
	rows() bool
}

// Mirror returns a new zeroed view in host memory with the label, extents and layout of v. It
// is Kokkos::create_mirror.
func Mirror[T any, V ViewOf[T, V]](v V) (V, error) { return mirrorIn[T](Host, v) }

// MirrorView returns v itself if it is in host memory, and else its [Mirror]. The content is
// not copied. It is Kokkos::create_mirror_view.
func MirrorView[T any, V ViewOf[T, V]](v V) (V, error) {
	if v.view().MemorySpace() == Host {
		return v, nil
	}
	return Mirror[T](v)
}

// MirrorCopy returns v itself if it is in the memory space, and else a view there with the label, extents,
// layout and content of v. It is Kokkos::create_mirror_view_and_copy. It copies as [DeepCopy].
//
// A kernel over views that MirrorCopy puts in the memory of a space runs on that space.
func MirrorCopy[T any, V ViewOf[T, V]](in MemorySpace, v V, on ...policy.Launch) (V, error) {
	in = orHost(in)
	if v.view().MemorySpace() == in {
		if err := v.view().shape.orNone().usable("MirrorCopy"); err != nil {
			return *new(V), err
		}
		return v, nil
	}
	w, err := mirrorIn[T](in, v)
	if err == nil {
		err = DeepCopy[T](w, v, on...)
	}
	if err != nil {
		return *new(V), err
	}
	return w, nil
}

func mirrorIn[T any, V ViewOf[T, V]](in MemorySpace, v V) (V, error) {
	old := v.view()
	if old.shape == nil { // the zero view has no elements, which no layout says
		return *new(V), nil
	}
	w, err := NewIn[T](in, old.Label(), old.Extents(), old.Layout())
	if err != nil {
		return *new(V), err
	}
	mirrored(old, w)
	return v.as(w), nil
}

// Resize gives *v other extents and keeps the elements at the indices that it had before and
// has after; others are zero. Label, memory space and the order of the dimensions in memory
// stay, gaps do not; a view without elements has no order, and gets that of [Right]. With the
// extents that it has, nothing is done. It is Kokkos::resize.
//
// The elements move to new memory: views that share the old memory keep it. It is an error
// if v is nil or *v its zero value, if there are not as many extents as before, and what is
// an error of [New]; *v is then as it was.
func Resize[T any, V ViewOf[T, V]](v *V, extents ...int) error {
	if v == nil {
		return errors.New("views: Resize of a nil pointer to a view")
	}
	old := (*v).view()
	if err := old.shape.orNone().usable("Resize"); err != nil {
		return err
	}
	if old.shape != nil && slices.Equal(old.shape.extents(), extents) {
		return nil
	}
	w, err := renewed[T](*v, "Resize", extents)
	if err != nil {
		return err
	}
	both := make([]Selector, len(extents))
	for d, n := range extents {
		both[d] = Range(0, min(n, old.Extent(d)))
	}
	from, err := old.Sub(both...)
	if err != nil {
		return err
	}
	to, err := w.Sub(both...)
	if err != nil {
		return err
	}
	if err := DeepCopy[T](to, from); err != nil {
		return err
	}
	*v = (*v).as(w)
	return nil
}

// Realloc gives *v other extents and new zeroed memory. All else is as with [Resize]. It is
// Kokkos::realloc.
func Realloc[T any, V ViewOf[T, V]](v *V, extents ...int) error {
	if v == nil {
		return errors.New("views: Realloc of a nil pointer to a view")
	}
	w, err := renewed[T](*v, "Realloc", extents)
	if err != nil {
		return err
	}
	*v = (*v).as(w)
	return nil
}

// renewed returns a new view that differs from v in its extents.
func renewed[T any, V ViewOf[T, V]](v V, what string, extents []int) (View[T], error) {
	old := v.view()
	if old.shape == nil {
		return View[T]{}, fmt.Errorf("views: %s of a zero %T, which has neither extents nor memory, expected one made by New", what, v)
	}
	if len(extents) != old.Rank() {
		return View[T]{}, fmt.Errorf("views: %s of %v to extents %v, expected %d", what, old, brief.List(extents), old.Rank())
	}
	s, err := newShape(old.Label(), extents)
	if err != nil {
		return View[T]{}, err
	}
	layout := make(Stride, s.rank)
	if s.length > 0 {
		step := 1
		for _, d := range old.shape.orNone().order(v.rows()) {
			layout[d] = step
			step *= extents[d]
		}
	}
	return NewIn[T](old.MemorySpace(), old.Label(), extents, layout)
}

// order returns the dimensions as they are in memory, the fastest first. If rows is set, that
// is the last one.
func (s *shape) order(rows bool) []int {
	order := make([]int, s.rank)
	for d := range order {
		order[d] = s.rank - 1 - d
	}
	if left := *s; s.length > 0 && !rows {
		_ = Left.place(&left) // which does not fail
		if left.stride == s.stride {
			slices.Reverse(order) // so that dimensions of equal strides are in this order, too
		}
	}
	slices.SortStableFunc(order, func(d, e int) int {
		if rows && d == s.rank-1 {
			return -1
		}
		if rows && e == s.rank-1 {
			return 1
		}
		return s.stride[d] - s.stride[e]
	})
	return order
}
