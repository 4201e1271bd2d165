//go:build linux && (amd64 || arm64)

package conformance

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// An order is how the points of a box are numbered, and how many are a leaf.
type order struct {
	outer, inner policy.Order
	tile, chunk  int
}

func orders() (all []order) {
	for n, tile := range []int{1 << 30, 1 << 30, 7, 3, 1} {
		for _, outer := range []policy.Order{policy.Right, policy.Left} {
			for _, inner := range []policy.Order{policy.Right, policy.Left} {
				all = append(all, order{outer, inner, tile, []int{0, 50, 0, 64, 0}[n]})
			}
		}
	}
	return all
}

func (o order) box2(lower, upper [2]int) policy.MDRangePolicy[policy.Index2, [2]int] {
	return policy.MDRange2(lower, upper).Tile([2]int{o.tile, o.tile}).Iterate(o.outer, o.inner).Chunk(o.chunk)
}

// Boxes checks launches over the points and the rows of boxes of n by m, in all orders and with tiles.
func Boxes(t *testing.T, s Space, n, m int) {
	compiled(t)
	for _, o := range orders() {
		what := fmt.Sprintf("%d x %d, %+v", n, m, o)
		grid(t, s, o, n, m, what)
		four(t, s, o, what)
	}
	stops(t, s)
}

// grid checks kernels over two and three dimensions.
func grid(t *testing.T, s Space, o order, n, m int, what string) {
	on := func(what string, serial, card error) {
		t.Helper()
		require.NoError(t, serial, what)
		require.NoError(t, card, what)
	}
	u, v := views.Must(views.New2[float64]("u", n+2, m+2)), views.Must(views.New2[float64]("v", n+2, m+2))
	for i := range n + 2 {
		for j := range m + 2 {
			u.Set(i, j, 1/float64((i*131+j*7)%1013+1))
		}
	}
	du, dv := views.Must(views.MirrorCopy(s.Memory(), u)), views.Must(views.MirrorCopy(s.Memory(), v))
	p := o.box2([2]int{1, 1}, [2]int{n + 1, m + 1})
	on(what, exec.ParallelFor(p.On(exec.Serial{}), kernels.Stencil(u, v)), exec.ParallelFor(p.On(s), kernels.Stencil(du, dv)))
	sameView(t, "stencil, "+what, v.View, dv.View)
	var sum, most, sum2, most2 float64
	on(what, exec.ParallelReduce2(p.On(exec.Serial{}), kernels.Residual(u), builtin.Sum(&sum), builtin.Max(&most)),
		exec.ParallelReduce2(p.On(s), kernels.Residual(du), builtin.Sum(&sum2), builtin.Max(&most2)))
	assert.Equal(t, []float64{sum, most}, []float64{sum2, most2}, what)

	u, v, du, dv = v, u, dv, du
	if o.inner == policy.Right {
		on(what, exec.ParallelFor(p.On(exec.Serial{}).Rows(), kernels.StencilRow(u, v)), exec.ParallelFor(p.On(s).Rows(), kernels.StencilRow(du, dv)))
		on(what, exec.ParallelReduce(p.On(exec.Serial{}).Rows(), kernels.RowSums(v), builtin.Sum(&sum)), exec.ParallelReduce(p.On(s).Rows(), kernels.RowSums(dv), builtin.Sum(&sum2)))
		assert.Equal(t, sum, sum2, what)
	} else {
		on(what, exec.ParallelFor(p.On(exec.Serial{}).Rows(), kernels.StencilColumn(u, v)), exec.ParallelFor(p.On(s).Rows(), kernels.StencilColumn(du, dv)))
	}
	sameView(t, "rows, "+what, v.View, dv.View)
	require.NoError(t, errors.Join(views.Free(du), views.Free(dv)))

	a, b := views.Must(views.New3[float32]("a", 9, n/4+2, m/4+2)), views.Must(views.New3[float32]("b", 9, n/4+2, m/4+2))
	for at := range a.All() {
		a.Set(at.I, at.J, at.K, 1/float32(at.I*100+at.J*10+at.K+1))
	}
	da, db := views.Must(views.MirrorCopy(s.Memory(), a)), views.Must(views.MirrorCopy(s.Memory(), b))
	q := policy.MDRange3([3]int{1, 1, 1}, [3]int{8, n/4 + 1, m/4 + 1}).Tile([3]int{o.tile, o.tile, o.tile}).Iterate(o.outer, o.inner).Chunk(o.chunk)
	on(what, exec.ParallelFor(q.On(exec.Serial{}), kernels.Stencil3(a, b)), exec.ParallelFor(q.On(s), kernels.Stencil3(da, db)))
	sameView(t, "stencil3, "+what, b.View, db.View)
	require.NoError(t, errors.Join(views.Free(da), views.Free(db)))
}

// four checks kernels over four dimensions and more.
func four(t *testing.T, s Space, o order, what string) {
	p := policy.MDRange4([4]int{-2, 0, 3, 1}, [4]int{2, 7, 8, 12}).Tile([4]int{o.tile, o.tile, o.tile, o.tile}).Iterate(o.outer, o.inner).Chunk(o.chunk)
	var want, got int64
	require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), kernels.Weights(17, 5), builtin.Sum(&want)))
	require.NoError(t, exec.ParallelReduce(p.On(s), kernels.Weights(17, 5), builtin.Sum(&got)))
	assert.Equal(t, want, got, what)
	q := policy.MDRange6([6]int{}, [6]int{3, 3, 3, 3, 3, 3}).Tile([6]int{o.tile, o.tile, o.tile, o.tile, o.tile, o.tile}).Iterate(o.outer, o.inner).Chunk(o.chunk)
	x := newPair(t, s, 729, func(int) int32 { return -1 })
	require.NoError(t, exec.ParallelFor(q.On(exec.Serial{}), kernels.Place(3, x.host)))
	require.NoError(t, exec.ParallelFor(q.On(s), kernels.Place(3, x.card)))
	x.same(t, what, func(x int32) uint64 { return uint64(uint32(x)) })
	require.NoError(t, views.Free(x.card))
	part := policy.MDRange5([5]int{1 << 40, -1, -1, -1, -1}, [5]int{1<<40 + 3, 2, 3, 2, 2}).Tile([5]int{o.tile, o.tile, o.tile, o.tile, o.tile}).Iterate(o.outer, o.inner).Chunk(o.chunk)
	require.NoError(t, exec.ParallelReduce(part.On(exec.Serial{}), kernels.Far(0), builtin.Sum(&want)))
	require.NoError(t, exec.ParallelReduce(part.On(s), kernels.Far(0), builtin.Sum(&got)))
	assert.Equal(t, want, got, what)
}

// stops checks how launches over boxes end that leave a view.
func stops(t *testing.T, s Space) {
	u := views.Must(views.As2(views.NewIn[float64](s.Memory(), "u", []int{10, 10})))
	v := views.Must(views.As2(views.NewIn[float64](s.Memory(), "v", []int{7, 10})))
	p := policy.MDRange2([2]int{1, 1}, [2]int{9, 9}).WithLabel("step").On(s)
	const line = `\.go:\d+:\d+: index out of range, at the index \[`
	for _, c := range []struct {
		item   int
		says   string
		launch func() error
	}{ // the points with I = 7 have none in v
		{48, line + `7 1\] of the kernel .*stencil$`, func() error { return exec.ParallelFor(p, kernels.Stencil(u, v)) }},
		{6, line + `7 1\]`, func() error { return exec.ParallelFor(p.Iterate(policy.Left, policy.Left), kernels.Stencil(u, v)) }},
		{24, line + `7 1\]`, func() error { return exec.ParallelFor(p.Tile([2]int{8, 4}), kernels.Stencil(u, v)) }},
		{48, line + `7 1\] of the kernel .*stencilRow$`, func() error { return exec.ParallelFor(p.Rows(), kernels.StencilRow(u, v)) }},
		{6, line + `7 1\]`, func() error {
			return exec.ParallelFor(p.Iterate(policy.Right, policy.Left).Rows(), kernels.StencilColumn(u, v))
		}},
		{48, line + `7 1\]`, func() error {
			var sum float64
			return exec.ParallelReduce(p.Rows(), kernels.RowSums(v), builtin.Sum(&sum))
		}},
	} {
		if x := panicOf(t, c.launch); assert.NotNil(t, x) {
			assert.Equal(t, []any{c.item, c.item + 1, "step"}, []any{x.Begin, x.End, x.Label})
			assert.Regexp(t, c.says, errors.Unwrap(x).Error())
		}
	}
	none := exec.ParallelFor(p.Iterate(policy.Hilbert, policy.Right), kernels.Stencil(u, v))
	assert.ErrorContains(t, none, "it has code for points of a box, expected a policy.MDRange2 whose tiles are in the order Left or Right")
	require.NoError(t, errors.Join(views.Free(u), views.Free(v)))
	var sum int64
	var full space.Space = s
	empty := policy.MDRange4([4]int{}, [4]int{3, 0, 1 << 40, 1 << 40}).On(full)
	require.NoError(t, exec.ParallelReduce(empty, kernels.Weights(1, 1), builtin.Sum(&sum)))
	assert.Zero(t, sum)
}
