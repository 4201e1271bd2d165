package random

import (
	"context"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// fillerOf returns the space that fills the memory of a view, which the host cannot touch, with code of its own, and the
// view. There is none where it is for views.FillFunc to say what is wrong.
func fillerOf[T any](v views.Viewer[T], on []policy.Launch) (device.RandomFiller, views.View[T]) {
	if v == nil {
		return nil, views.View[T]{}
	}
	x := views.As(v)
	m := x.MemorySpace()
	if !memory.Far(m) || memory.Freed(x) || x.Len() == 0 {
		return nil, x
	}
	near, err := memory.Near(m, policy.Launch{}.With(on...).Space(), "")
	if f, ok := near.(device.RandomFiller); ok && err == nil && f.Memory() == m {
		return f, x
	}
	return nil, x
}

// fillFar makes the numbers where the view is, if its layout is [views.Right], and else beside it.
func fillFar[T any](filler device.RandomFiller, v views.View[T], r device.Random, name string, on []policy.Launch) error {
	to := v
	if v.Layout() != views.Right {
		var err error
		if to, err = views.NewIn[T](v.MemorySpace(), name, []int{v.Len()}); err != nil {
			return err
		}
		defer func() { _ = views.Free(to) }()
	}
	r.X, r.Memory = unsafe.Slice((*T)(to.Address()), to.Len()), v.MemorySpace()
	p := policy.Range(0, 1).WithLabel(fmt.Sprintf("%s of %v", name, v)).With(on...)
	ctx := p.Plan().Context
	if ctx == nil {
		ctx = context.Background()
	}
	var err error
	launched := exec.ParallelFor(p.On(exec.Serial{}), func(int) { err = filler.FillRandom(ctx, r) }) // which listeners hear of
	runtime.KeepAlive(to)
	switch {
	case launched != nil:
		return launched
	case err != nil:
		return fmt.Errorf("random: %s of %v: %w", name, v, err)
	case v.Layout() == views.Right:
		return nil
	}
	shaped, err := to.Reshape(v.Extents()...)
	if err != nil {
		return err
	}
	return views.DeepCopy(v, shaped, on...)
}
