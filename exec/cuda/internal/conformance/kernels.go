//go:build linux && (amd64 || arm64)

package conformance

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// A pair is a view on the host and one like it on a card.
type pair[T any] struct{ host, card views.View1[T] }

func newPair[T any](t *testing.T, s Space, n int, f func(i int) T) pair[T] {
	h := views.Must(views.New1[T]("h", n))
	for i := range n {
		h.Set(i, f(i))
	}
	d, err := views.MirrorCopy(s.Memory(), h)
	require.NoError(t, err)
	return pair[T]{h, d}
}

// same checks that what the card has is what the host has, and frees that.
func (p pair[T]) same(t *testing.T, what string, bits func(T) uint64) {
	got := views.Must(views.MirrorCopy(views.Host, p.card))
	bad := 0
	for i := range p.host.Extent(0) {
		if x, y := bits(p.host.At(i)), bits(got.At(i)); x != y {
			if bad++; bad < 4 {
				t.Errorf("%s: element %d has the bits %#x, expected %#x", what, i, y, x)
			}
		}
	}
	assert.Zero(t, bad, "%s: wrong of %d", what, p.host.Extent(0))
}

// A sameSum is a reduction on the host and on a card, which must give the same bits.
func sameSum[T comparable](t *testing.T, s Space, what string, p policy.RangePolicy, host, card func(int, *T), r func(*T) reducers.Reducer[T]) {
	var want, got T
	require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), host, r(&want)))
	require.NoError(t, exec.ParallelReduce(p.On(s), card, r(&got)))
	assert.Equal(t, want, got, "%s over %v", what, p)
}

// Sizes are numbers of items that checks may be given.
var Sizes = []int{1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 4097}

// compiled ends a test whose kernels are closures alone.
func compiled(t *testing.T) {
	if kernel.Of(kernels.Triad(1, views.View1[float64]{}, views.View1[float64]{}, views.View1[float64]{})) == nil {
		t.Fatal("the kernels of this test are not compiled: make kernels does it, and prints the flag -overlay for go test")
	}
}

// Kernels checks launches over so many integers of kernels that gokkosc has compiled: the closures run on the host.
func Kernels(t *testing.T, s Space, sizes ...int) {
	compiled(t)
	real := func(k int) func(i int) float64 {
		return func(i int) float64 { return float64((i*k)%1013)/31 - float64(i%7) }
	}
	positive := func(k int) func(i int) float64 { return func(i int) float64 { return 1 + float64((i*k)%509)/37 } }
	for _, n := range sizes {
		x, y, z := newPair(t, s, n, real(7)), newPair(t, s, n, real(11)), newPair(t, s, n, real(13))
		a, b, c := newPair(t, s, n, positive(3)), newPair(t, s, n, positive(5)), newPair(t, s, n, positive(17))
		f, counts := newPair(t, s, n, func(i int) float32 { return 1 / float32(i+1) }), newPair(t, s, n, func(int) int32 { return 0 })
		whole := policy.Range(0, n)
		both := func(what string, host, card func(int)) {
			require.NoError(t, exec.ParallelFor(whole.On(exec.Serial{}), host), what)
			require.NoError(t, exec.ParallelFor(whole.On(s), card), what)
		}
		both("triad", kernels.Triad(3, x.host, y.host, z.host), kernels.Triad(3, x.card, y.card, z.card))
		z.same(t, "triad", math.Float64bits)
		both("option", kernels.Option(a.host, b.host, c.host, .02, .3, z.host), kernels.Option(a.card, b.card, c.card, .02, .3, z.card))
		z.same(t, "option", math.Float64bits)
		both("mandel", kernels.Mandel(-2, 3/float64(n), .1, 60, counts.host), kernels.Mandel(-2, 3/float64(n), .1, 60, counts.card))
		counts.same(t, "mandel", func(x int32) uint64 { return uint64(x) })
		if n < 300 {
			ax, ay, az := newPair(t, s, n, real(3)), newPair(t, s, n, real(3)), newPair(t, s, n, real(3))
			both("bodies", kernels.Bodies(x.host, y.host, z.host, a.host, ax.host, ay.host, az.host), kernels.Bodies(x.card, y.card, z.card, a.card, ax.card, ay.card, az.card))
			ax.same(t, "bodies", math.Float64bits)
			ay.same(t, "bodies", math.Float64bits)
			az.same(t, "bodies", math.Float64bits)
		}
		for _, p := range []policy.RangePolicy{whole, policy.Range(n/3, n), whole.Chunk(1), whole.Chunk(300)} {
			sameSum(t, s, "dot", p, kernels.Dot(x.host, y.host), kernels.Dot(x.card, y.card), func(to *float64) reducers.Reducer[float64] { return builtin.Sum(to) })
			sameSum(t, s, "sum32", p, kernels.Sum32(f.host), kernels.Sum32(f.card), func(to *float32) reducers.Reducer[float32] { return builtin.Sum(to) })
			sameSum(t, s, "product", p, kernels.Product(5), kernels.Product(5), func(to *int32) reducers.Reducer[int32] { return builtin.Prod(to) })
			sameSum(t, s, "inside", p, kernels.Inside(5), kernels.Inside(5), func(to *int64) reducers.Reducer[int64] { return builtin.Sum(to) })
			var least, most, sum, least2, most2, sum2 float64
			require.NoError(t, exec.ParallelReduce3(p.On(exec.Serial{}), kernels.Extremes(x.host), builtin.Min(&least), builtin.Max(&most), builtin.Sum(&sum)))
			require.NoError(t, exec.ParallelReduce3(p.On(s), kernels.Extremes(x.card), builtin.Min(&least2), builtin.Max(&most2), builtin.Sum(&sum2)))
			assert.Equal(t, []float64{least, most, sum}, []float64{least2, most2, sum2})
		}
		p := panicOf(t, func() error {
			return exec.ParallelFor(policy.Range(0, n+5).On(s), kernels.Triad(3, x.card, y.card, z.card))
		})
		if assert.NotNil(t, p) {
			assert.Equal(t, n, p.Begin)
			assert.ErrorContains(t, errors.Unwrap(p), fmt.Sprintf(": index out of range, at the index %d of the kernel ", n))
		}
		for _, v := range []views.View1[float64]{x.card, y.card, z.card, a.card, b.card, c.card} {
			require.NoError(t, views.Free(v))
		}
	}
	relax(t, s, real(7))
}

// relax checks a launch over rows of views of rank 2.
func relax(t *testing.T, s Space, value func(i int) float64) {
	u, v := views.Must(views.New2[float64]("u", 257, 130)), views.Must(views.New2[float64]("v", 257, 130))
	for i := range 257 {
		for j := range 130 {
			u.Set(i, j, value(i*130+j))
		}
	}
	du, dv := views.Must(views.MirrorCopy(s.Memory(), u)), views.Must(views.MirrorCopy(s.Memory(), v))
	p := policy.Range(1, 256)
	require.NoError(t, exec.ParallelFor(p.On(exec.Serial{}), kernels.Relax(u, v)))
	require.NoError(t, exec.ParallelFor(p.On(s), kernels.Relax(du, dv)))
	sameView(t, "relax", v.View, dv.View)
}

// sameView checks that a view on a device has the bits of one on the host.
func sameView[T comparable](t *testing.T, what string, host, card views.View[T]) {
	t.Helper()
	h, d := elements(t, host), elements(t, card)
	bad := 0
	for k := range h {
		if h[k] != d[k] {
			if bad++; bad < 4 {
				t.Errorf("%s: element %d is %v, expected %v", what, k, d[k], h[k])
			}
		}
	}
	assert.Equal(t, len(h), len(d), what)
	assert.Zero(t, bad, "%s: wrong of %d", what, len(h))
}

// elements returns those of a view, the last index fastest.
func elements[T any](t *testing.T, v views.View[T]) []T {
	t.Helper()
	h, err := views.MirrorCopy(views.Host, v)
	require.NoError(t, err)
	return slices.Collect(h.Values())
}

// panicOf returns the panic that a launch ends in.
func panicOf(t *testing.T, launch func() error) (p *exec.Panic) {
	defer func() { p, _ = recover().(*exec.Panic) }()
	assert.NoError(t, launch())
	return nil
}
