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

// farSort sorts keys in the memory of a space, and values along with them if there are any.
func farSort[K, V any](name string, s device.Sorter, keys views.Viewer[K], values views.Viewer[V], on []policy.Launch) error {
	c := newCall(name, on)
	x := farVectorOf(c, keys)
	sort := device.Sort{Keys: x.data, KeyStride: x.stride, Memory: s.Memory()}
	if values != nil {
		y := farVectorOf(c, values)
		equally(c, x.vector, y.vector)
		farApart(c, x, y)
		sort.Values, sort.ValueStride = y.data, y.stride
	}
	c.far(x.view, func(ctx context.Context) error { return s.Sort(ctx, sort) })
	runtime.KeepAlive(keys)
	runtime.KeepAlive(values)
	return c.err
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
	c.err = exec.ParallelFor(p.On(exec.Serial{}), func(policy.Span) { err = f(ctx) })
	switch {
	case err == nil:
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		c.err = exec.ParallelFor(p.On(exec.Serial{}), func(policy.Span) {}) // says that it is cancelled, and why
	default:
		c.err = nil
		c.fail("%v: %w", view, err)
	}
}
