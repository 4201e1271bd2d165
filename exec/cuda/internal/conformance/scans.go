//go:build linux && (amd64 || arm64)

package conformance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
)

// Scans checks scans of n values in the memory of a device: all types and reducers.
func Scans(t *testing.T, s Space, n int) {
	real := func(i int) float64 { return float64(i*7919%2003-1000)/128 + 1/float64(i+1) }
	special := func(i int) float64 {
		if i%997 == 400 {
			return []float64{math.Copysign(0, -1), 5e-324, math.Inf(1), math.NaN()}[i/997%4]
		}
		return real(i)
	}
	scansOf(t, s, n, real)
	scansOf(t, s, n, special)
	scansOf(t, s, n, func(int) float64 { return math.Copysign(0, -1) })
	scansOf(t, s, n, func(i int) float32 { return float32(real(i)) })
	hash := func(i int) uint64 { return (uint64(i) + 12345) * 0x9e3779b97f4a7c15 }
	scansOf(t, s, n, func(i int) int { return int(hash(i)) })
	scansOf(t, s, n, func(i int) uint64 { return hash(i) })
	scansOf(t, s, n, func(i int) int32 { return int32(hash(i) >> 30) })
	scansOf(t, s, n, func(i int) uint16 { return uint16(hash(i) >> 41) })
	scansOf(t, s, n, func(i int) int8 { return int8(hash(i) >> 50) })
	x := newScanned(t, s, n, func(i int) uint32 { return uint32(hash(i) | hash(i+1)) })
	x.both(func(to *uint32) reducers.Reducer[uint32] { return builtin.BAnd(to) })
	x.both(func(to *uint32) reducers.Reducer[uint32] { return builtin.BOr(to) })
	x.both(func(to *uint32) reducers.Reducer[uint32] { return builtin.BXor(to) })
	b := newScanned(t, s, n, func(i int) bool { return i%(n/2+1) != n/3 })
	b.both(func(to *bool) reducers.Reducer[bool] { return builtin.LAnd(to) })
	b.both(func(to *bool) reducers.Reducer[bool] { return builtin.LOr(to) })
	neighbours(t, s, n, func(i int) float32 { return float32(real(i)) })
	neighbours(t, s, n, func(i int) int32 { return int32(hash(i) >> 30) })
	chunked(t, s, n)
	others(t, s)
}

// others checks what is no scan on a card.
func others(t *testing.T, s Space) {
	x := newPair(t, s, 3, func(i int) complex128 { return complex(float64(i), 1) })
	total := 2 + 1i
	err := algorithms.ExclusiveScan(x.card, x.card, builtin.Sum(&total), policy.Launch{}.WithLabel("sums"))
	assert.ErrorContains(t, err, `exec: launch of "sums" on cuda device `)
	assert.ErrorContains(t, err, `: the device cannot scan values of type complex128 by a builtin.sum[complex128]; expected integers, floats or bools, and a reducer of package builtin that is a sum, product, minimum, maximum, and, or, exclusive or`)
	y := newPair(t, s, 3, func(i int) float64 { return float64(i) })
	var sum float64
	err = algorithms.ExclusiveScan(y.card, y.card, reducers.New(&sum, func(dst, src *float64) { *dst += *src }))
	assert.ErrorContains(t, err, ": the device cannot scan values of type float64 by a ")
	assert.Equal(t, 2+1i, total)
	y.same(t, "as before", math.Float64bits)
	err = algorithms.ExclusiveScan(y.card, y.host, builtin.Sum(&sum))
	assert.ErrorContains(t, err, "which functors cannot touch from the host")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	err = algorithms.InclusiveScan(y.card, y.card, builtin.Sum(&sum), policy.Launch{}.WithContext(ctx))
	assert.ErrorContains(t, err, "cancelled: enough")
	assert.Zero(t, sum)
	y.same(t, "as before a launch that is cancelled", math.Float64bits)
	require.NoError(t, errors.Join(views.Free(x.card), views.Free(y.card)))
}

func scansOf[T builtin.Real](t *testing.T, s Space, n int, of func(i int) T) {
	x := newScanned(t, s, n, of)
	x.both(func(to *T) reducers.Reducer[T] { return builtin.Sum(to) })
	x.both(func(to *T) reducers.Reducer[T] { return builtin.Prod(to) })
	x.both(func(to *T) reducers.Reducer[T] { return builtin.Min(to) })
	x.both(func(to *T) reducers.Reducer[T] { return builtin.AMax(to) })
	x.both(func(to *T) reducers.Reducer[T] { *to = 3; return reducers.WithInitial(builtin.Max(to)) })
	x.both(func(to *T) reducers.Reducer[T] { *to = of(5); return reducers.WithInitial(builtin.Sum(to)) })
}

// A scanned is values on the host and on a card, every third element of views there, and views for what comes out.
type scanned[T any] struct {
	t                *testing.T
	host, card       views.View[T]
	toHost, toCard   views.View[T]
	aroundTo, around views.View[T] // toCard is of, and what it was
}

func newScanned[T any](t *testing.T, s Space, n int, f func(i int) T) scanned[T] {
	part := func(v views.View1[T]) views.View[T] { return views.Must(v.Sub(views.Range(1, 1+3*n).By(3))) }
	x, y := newPair(t, s, 3*n+2, func(i int) T { return f(i/3 + i%3*77) }), newPair(t, s, 3*n+2, f)
	return scanned[T]{t, part(x.host), part(x.card), part(y.host), part(y.card), y.card.View, y.host.View}
}

// both compares an exclusive and an inclusive scan, the latter in place as well, and leaves what is between the elements.
func (x scanned[T]) both(r func(to *T) reducers.Reducer[T]) {
	x.t.Helper()
	what := fmt.Sprintf("%d of %T, %T", x.host.Len(), *new(T), r(new(T)))
	var want, got T
	for k, scan := range []func(dst, src views.Viewer[T], r reducers.Reducer[T], on ...policy.Launch) error{
		algorithms.ExclusiveScan[T], algorithms.InclusiveScan[T],
	} {
		require.NoError(x.t, scan(x.toHost, x.host, r(&want), policy.On(exec.Serial{})), what)
		require.NoError(x.t, scan(x.toCard, x.card, r(&got)), what)
		x.same(fmt.Sprintf("%s, %d", what, k), x.around, x.aroundTo)
		assert.Equal(x.t, text(want), text(got), what)
	}
	copied := views.Must(views.MirrorCopy(x.card.MemorySpace(), x.host))
	require.NoError(x.t, algorithms.InclusiveScan[T](copied, copied, r(&got)), what)
	x.same(what+", in place", x.toHost, copied)
	require.NoError(x.t, views.Free(copied))
}

func (x scanned[T]) same(what string, host, card views.View[T]) {
	x.t.Helper()
	h, d := elements(x.t, host), elements(x.t, card)
	bad := 0
	for k := range h {
		if !agree(h[k], d[k]) {
			if bad++; bad < 4 {
				x.t.Errorf("%s: element %d is %v, expected %v", what, k, d[k], h[k])
			}
		}
	}
	assert.Zero(x.t, bad, "%s: wrong of %d", what, len(h))
}

// neighbours checks scans of neighbours of 4 bytes, which are loaded two at a time where that many begin at a multiple of 8 bytes.
func neighbours[T builtin.Real](t *testing.T, s Space, n int, of func(i int) T) {
	x, y := newPair(t, s, n+3, of), newPair(t, s, n+3, of)
	for k, c := range []struct{ from, to, n int }{{0, 0, n}, {0, 0, n + 1}, {2, 0, n}, {1, 1, n}, {0, 1, n}, {1, 0, n}} {
		if k > 0 && n > 2000 {
			break
		}
		part := func(v views.View1[T], first int) views.View[T] {
			return views.Must(v.Sub(views.Range(first, first+c.n)))
		}
		what := fmt.Sprintf("%d neighbours of %T from %d to %d", c.n, *new(T), c.from, c.to)
		want, got := of(3), of(3)
		require.NoError(t, algorithms.ExclusiveScan(part(y.host, c.to), part(x.host, c.from), reducers.WithInitial(builtin.Sum(&want)), policy.On(exec.Serial{})), what)
		require.NoError(t, algorithms.ExclusiveScan(part(y.card, c.to), part(x.card, c.from), reducers.WithInitial(builtin.Sum(&got))), what)
		assert.Equal(t, want, got, what)
		require.NoError(t, algorithms.InclusiveScan(part(y.host, c.to), part(y.host, c.to), builtin.Prod(&want), policy.On(exec.Serial{})), what)
		require.NoError(t, algorithms.InclusiveScan(part(y.card, c.to), part(y.card, c.to), builtin.Prod(&got)), what)
		y.same(t, what, func(x T) uint64 { return math.Float64bits(float64(x)) })
	}
	require.NoError(t, errors.Join(views.Free(x.card), views.Free(y.card)))
}

// leavesOf is a scan of values with a chunk.
type leavesOf struct {
	policy.SpansPolicy
	scan device.Scan
}

func (l leavesOf) ScanValues() device.Scan { return l.scan }

// chunked checks a scan over leaves of an item, and of three items or more: prefixes go down more levels.
func chunked(t *testing.T, s Space, n int) {
	x, y := newPair(t, s, n, func(i int) float64 { return 1 / float64(i+1) }), newPair(t, s, n, func(int) float64 { return 0 })
	for _, chunk := range []int{1, 1, 1, 3, 20} { // warps come in one order or another
		a, _ := x.host.Slice()
		b, _ := y.host.Slice()
		var want, got float64
		p := policy.Spans(0, n).Chunk(chunk)
		require.NoError(t, exec.ParallelScan(p.On(exec.Serial{}), func(at policy.Span, acc *float64, final bool) {
			for i := range at.All() {
				if final {
					b[i] = *acc
				}
				*acc += a[i]
			}
		}, builtin.Sum(&want)))
		there := func(v views.View1[float64]) []float64 { return unsafe.Slice((*float64)(v.Address()), n) }
		over := leavesOf{p.On(s), device.Scan{Dst: there(y.card), Src: there(x.card), DstStride: 1, SrcStride: 1, Memory: s.Memory()}}
		require.NoError(t, exec.ParallelScan(over, func(policy.Span, *float64, bool) {}, builtin.Sum(&got)))
		y.same(t, fmt.Sprintf("%d in leaves of %d", n, chunk), math.Float64bits)
		assert.Equal(t, want, got)
	}
	require.NoError(t, errors.Join(views.Free(x.card), views.Free(y.card)))
}
