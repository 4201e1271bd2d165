package algorithms

import (
	"context"
	"errors"
	"runtime"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// farRearrange rearranges keys in the memory of a space, and values along with them if there are any, by a rule. It returns
// how many are kept.
func farRearrange[K, V any](name string, s device.Rearranger, r device.Rearrangement, keys views.Viewer[K], values views.Viewer[V], on []policy.Launch) (int, error) {
	c := newCall(name, on)
	x := farVectorOf(c, keys)
	r.Keys, r.KeyStride, r.Memory = x.data, x.stride, s.Memory()
	if values != nil {
		y := farVectorOf(c, values)
		equally(c, x.vector, y.vector)
		farApart(c, x, y)
		r.Values, r.ValueStride = y.data, y.stride
	}
	kept := 0
	c.far(x.view, func(ctx context.Context) (err error) {
		kept, err = s.Rearrange(ctx, r)
		return err
	})
	runtime.KeepAlive(keys)
	runtime.KeepAlive(values)
	return c.result(kept)
}

// farChoose copies to dst what is kept of src, and returns how many that is.
func farChoose[T any](name string, s device.Rearranger, r device.Rearrangement, dst, src views.Viewer[T], on []policy.Launch) (int, error) {
	c := newCall(name, on)
	d, from := farVectorOf(c, dst), farVectorOf(c, src)
	farApart(c, d, from)
	if r.Rule == "reverse" {
		equally(c, d.vector, from.vector)
	}
	kept := 0
	beside(c, from.view, func(copied views.View[T]) {
		if kept, c.err = farRearrange[T, struct{}](name, s, r, copied, nil, on); c.err != nil {
			return
		}
		room(c, d.vector, kept)
		if c.err == nil {
			farCopy(c, section(d.view, 0, kept), section(copied, 0, kept))
		}
	})
	return c.result(kept)
}

// far calls what a space does with code of its own, as a launch that listeners hear of. The view is named in its errors.
func (c *call) far(view any, f func(ctx context.Context) error) {
	if c.err != nil {
		return
	}
	p := c.items(1)
	ctx := p.Plan().Context
	if ctx == nil {
		ctx = context.Background()
	}
	var err error
	ran := false
	c.err = exec.ParallelFor(p.On(exec.Serial{}), func(policy.Span) { err, ran = f(ctx), true })
	switch {
	case ran && err == nil: // whole, whoever cancelled meanwhile
		c.err = nil
	case err == nil:
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		c.err = exec.ParallelFor(p.On(exec.Serial{}), func(policy.Span) {}) // says that it is cancelled, and why
	default:
		c.err = nil
		c.fail("%v: %w", view, err)
	}
}
