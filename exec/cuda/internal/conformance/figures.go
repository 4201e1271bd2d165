//go:build linux && (amd64 || arm64)

package conformance

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/tensor"
	"github.com/gokkos/gokkos/views/tensor/bfloat16"
)

// A figure is a launch or a copy to be timed.
type figure struct {
	what  string
	bytes int // that are moved
	items int
	f     func() error
}

// Figures prints a table of the times of launches over about n items and of copies. A row has the best of up to 20, and comes as
// soon as that is known.
func Figures(t *testing.T, s Space, n int) {
	compiled(t)
	fmt.Fprintf(os.Stdout, "\n%v, n = %d\n\n| what | ms | GB/s | Gitems/s |\n|---|---|---|---|\n", s, n)
	for _, table := range []func(*testing.T, Space, int) []figure{lines, foldFigures, scanFigures, randomFigures, tensorFigures, grids, copies} {
		for _, c := range table(t, s, n) {
			c.print(t, nil)
		}
	}
	sortFigures(t, s, n/10)
	fmt.Fprintln(os.Stdout)
}

// print times up to 20 calls, as many as begin in a quarter of a second, behind one for which the driver compiles texts. Each
// is behind a call of before, which may be nil.
func (c figure) print(t *testing.T, before func() error) {
	call := func() time.Duration {
		if before != nil {
			require.NoError(t, before(), c.what)
		}
		begin := time.Now()
		require.NoError(t, c.f(), c.what)
		return time.Since(begin)
	}
	call()
	best := call()
	for n, first := 1, time.Now(); n < 20 && time.Since(first) < time.Second/4; n++ {
		best = min(best, call())
	}
	fmt.Fprintf(os.Stdout, "| %s | %.4f | %.0f | %.2f |\n", c.what, best.Seconds()*1e3, float64(c.bytes)/best.Seconds()/1e9, float64(c.items)/best.Seconds()/1e9)
}

// filled returns a view on the device.
func filled[T any](t *testing.T, s Space, x T, extents ...int) views.View[T] {
	v, err := views.NewIn[T](s.Memory(), "v", extents)
	require.NoError(t, err)
	require.NoError(t, views.Fill(v, x))
	return v
}

// lines are launches over integers.
func lines(t *testing.T, s Space, n int) []figure {
	in := func() views.View1[float64] { return views.Must(views.As1(filled(t, s, 1.5, n), nil)) }
	x, y, z := in(), in(), in()
	counts := views.Must(views.As1(filled(t, s, int32(0), n), nil))
	var sum, least, most float64
	var hits int64
	stars := min(n/1000+1, 16384)
	var b [7]views.View1[float64]
	for k := range b {
		h := views.Must(views.New1[float64]("h", stars))
		for i := range stars {
			h.Set(i, float64(i*7919%1013)/1013)
		}
		b[k] = views.Must(views.MirrorCopy(s.Memory(), h))
	}
	p := policy.Range(0, n).On(s)
	return []figure{
		{"launch and wait, no item does anything", 0, 1, func() error { return exec.ParallelFor(policy.Range(0, 1).On(s), kernels.Nothing()) }},
		{"reduce and wait, 1000 items", 0, 1000, func() error {
			return exec.ParallelReduce(policy.Range(0, 1000).On(s), kernels.Dot(x, y), builtin.Sum(&sum))
		}},
		{"DeepCopy on the device, the ceiling", 16 * n, n, func() error { return views.DeepCopy(z, x) }},
		{"axpy", 24 * n, n, func() error { return exec.ParallelFor(p, kernels.Axpy(0, x, y)) }},
		{"triad", 24 * n, n, func() error { return exec.ParallelFor(p, kernels.Triad(3, x, y, z)) }},
		{"dot", 16 * n, n, func() error { return exec.ParallelReduce(p, kernels.Dot(x, y), builtin.Sum(&sum)) }},
		{"minimum, maximum and sum as a functor", 8 * n, n, func() error {
			return exec.ParallelReduce3(p, kernels.Extremes(x), builtin.Min(&least), builtin.Max(&most), builtin.Sum(&sum))
		}},
		{"Black-Scholes", 32 * n, n, func() error { return exec.ParallelFor(p, kernels.Option(x, y, x, .02, .3, z)) }},
		{"Monte Carlo", 0, n, func() error { return exec.ParallelReduce(p, kernels.Inside(5), builtin.Sum(&hits)) }},
		{"Mandelbrot, up to 200 rounds", 4 * n, n, func() error { return exec.ParallelFor(p, kernels.Mandel(-2, 3/float64(n), .1, 200, counts)) }},
		{"n-body", 0, stars * stars, func() error {
			return exec.ParallelFor(policy.Range(0, stars).On(s), kernels.Bodies(b[0], b[1], b[2], b[3], b[4], b[5], b[6]))
		}},
	}
}

// foldFigures are folds of views.
func foldFigures(t *testing.T, s Space, n int) []figure {
	x, f := filled(t, s, 1.5, n), filled(t, s, float32(1.5), 10*n)
	var sum, squares, least, most float64
	var small float32
	var at builtin.ValLoc[float64, int]
	var m builtin.Moments[float64]
	return []figure{
		{"fold: sum of float64", 8 * n, n, func() error { return exec.ParallelFold(views.Source(x), builtin.Sum(&sum)) }},
		{"fold: sum of float32, 10 n", 40 * n, 10 * n, func() error { return exec.ParallelFold(views.Source(f), builtin.Sum(&small)) }},
		{"fold: sum, sum of squares, minimum, maximum", 8 * n, n, func() error {
			return exec.ParallelFold(views.Source(x), builtin.Sum(&sum), builtin.SumSq(&squares), builtin.Min(&least), builtin.Max(&most))
		}},
		{"fold: minimum with its location", 8 * n, n, func() error { return exec.ParallelFold(views.Source(x), builtin.MinLoc(&at)) }},
		{"fold: variance", 8 * n, n, func() error { return exec.ParallelFold(views.Source(x), builtin.Variance(&m)) }},
	}
}

// scanFigures are scans of views: each value is read twice and a result written.
func scanFigures(t *testing.T, s Space, n int) []figure {
	x, y := filled(t, s, 1.5, n), filled(t, s, 0., n)
	f, g := filled(t, s, float32(1.5), n), filled(t, s, float32(0), n)
	var sum float64
	var small float32
	return []figure{
		{"exclusive scan of float64, 24 bytes an item", 24 * n, n, func() error { return algorithms.ExclusiveScan(y, x, builtin.Sum(&sum)) }},
		{"inclusive maximum of float64, in place", 24 * n, n, func() error { return algorithms.InclusiveScan(y, y, builtin.Max(&sum)) }},
		{"exclusive scan of float32, 12 bytes an item", 12 * n, n, func() error { return algorithms.ExclusiveScan(g, f, builtin.Sum(&small)) }},
	}
}

// randomFigures are random fills of views.
func randomFigures(t *testing.T, s Space, n int) []figure {
	x, f, i := filled(t, s, 1.5, n), filled(t, s, float32(1.5), n), filled(t, s, int32(1), n)
	pool := random.New(1)
	return []figure{
		{"FillUniform of float64", 8 * n, n, func() error { return random.FillUniform(x, pool, 0, 1) }},
		{"FillUniform of float32", 4 * n, n, func() error { return random.FillUniform(f, pool, 0, 1) }},
		{"FillUniform of int32", 4 * n, n, func() error { return random.FillUniform(i, pool, 0, 6) }},
		{"FillNormal of float64", 8 * n, n, func() error { return random.FillNormal(x, pool, 0, 1) }},
	}
}

// tensorFigures are the mean and the mean of squares of a batch of images, by channel, and by image.
func tensorFigures(t *testing.T, s Space, n int) []figure {
	extents := []int{600, 28, 28, 256}
	if n < 1e6 {
		extents = []int{5, 3, 3, 40}
	}
	items := extents[0] * extents[1] * extents[2] * extents[3]
	x, h := filled(t, s, float32(1.5), extents...), filled(t, s, float16.Fromfloat32(1.5), extents...)
	b := filled(t, s, bfloat16.FromFloat32(1.5), extents...)
	means := func(x tensor.Source[float32], results int) func() error {
		mean, square := views.Must(views.New[float32]("mean", []int{results})), views.Must(views.New[float32]("square", []int{results}))
		return func() error {
			return tensor.Reduce(x,
				tensor.Fold(builtin.Sum[float32], tensor.IntoMap(mean, tensor.Average[float32])),
				tensor.Fold(builtin.SumSq[float32], tensor.IntoMap(square, tensor.Average[float32])))
		}
	}
	halves, bfloats := tensor.Map(tensor.Over(h, 0, 1, 2), float16.Float16.Float32), tensor.Map(tensor.Over(b, 0, 1, 2), bfloat16.BFloat16.Float32)
	return []figure{
		{"mean and mean of squares of 600x28x28x256 by channel, float32", 4 * items, items, means(tensor.Over(x, 0, 1, 2), extents[3])},
		{"the same, float16", 2 * items, items, means(halves, extents[3])},
		{"the same, bfloat16", 2 * items, items, means(bfloats, extents[3])},
		{"the same by image, float32", 4 * items, items, means(tensor.Over(x, 1, 2, 3), extents[0])},
	}
}

// grids are launches over boxes of about n points.
func grids(t *testing.T, s Space, n int) []figure {
	side := 2
	for side*side < n {
		side++
	}
	u, v := views.Must(views.As2(filled(t, s, 1.5, side, side), nil)), views.Must(views.As2(filled(t, s, 1.5, side, side), nil))
	edge := 2
	for edge*edge*edge < n {
		edge++
	}
	a, b := views.Must(views.As3(filled(t, s, float32(1.5), edge, edge, edge), nil)), views.Must(views.As3(filled(t, s, float32(1.5), edge, edge, edge), nil))
	var sum, most float64
	points, cells := (side-2)*(side-2), (edge-2)*(edge-2)*(edge-2)
	p := policy.MDRange2([2]int{1, 1}, [2]int{side - 1, side - 1}).On(s)
	q := policy.MDRange3([3]int{1, 1, 1}, [3]int{edge - 1, edge - 1, edge - 1}).On(s)
	return []figure{
		{"stencil of 5 points", 16 * points, points, func() error { return exec.ParallelFor(p, kernels.Stencil(u, v)) }},
		{"the same by rows", 16 * points, points, func() error { return exec.ParallelFor(p.Rows(), kernels.StencilRow(u, v)) }},
		{"the same in tiles of 8 by 32", 16 * points, points, func() error { return exec.ParallelFor(p.Tile([2]int{8, 32}), kernels.Stencil(u, v)) }},
		{"its residual", 8 * points, points, func() error {
			return exec.ParallelReduce2(p, kernels.Residual(u), builtin.Sum(&sum), builtin.Max(&most))
		}},
		{"sums of rows, a leaf in a thread", 8 * points, points, func() error { return exec.ParallelReduce(p.Rows(), kernels.RowSums(u), builtin.Sum(&sum)) }},
		{"stencil of 7 points, float32", 8 * cells, cells, func() error { return exec.ParallelFor(q, kernels.Stencil3(a, b)) }},
	}
}

// copies are between the host and the device.
func copies(t *testing.T, s Space, n int) []figure {
	n /= 10
	h, d := views.Must(views.New[float64]("h", []int{n})), filled(t, s, 1.5, n)
	m := n / 1000
	a, b := filled(t, s, 1.5, 1000, m), views.Must(views.NewIn[float64](s.Memory(), "b", []int{1000, m}, views.Left))
	return []figure{
		{"DeepCopy host to device, n/10", 8 * n, n, func() error { return views.DeepCopy(d, h) }},
		{"DeepCopy device to host, n/10", 8 * n, n, func() error { return views.DeepCopy(h, d) }},
		{"DeepCopy on the device, transposed, n/10", 16 * 1000 * m, 1000 * m, func() error { return views.DeepCopy(b, a) }},
		{"Fill, n/10", 8 * n, n, func() error { return views.Fill(d, 1) }},
	}
}
