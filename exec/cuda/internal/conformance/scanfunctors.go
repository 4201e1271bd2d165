//go:build linux && (amd64 || arm64)

package conformance

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// ScanFunctors checks functors of scans over n integers, whose closures run on the host, in leaves of some lengths.
func ScanFunctors(t *testing.T, s Space, n int) {
	compiled(t)
	const first = 3
	x := newPair(t, s, first+n, func(i int) float64 { return float64(i*7919%2003-1000) / 128 })
	y, z := newPair(t, s, first+n, func(int) float64 { return 7 }), newPair(t, s, first+n, func(int) float64 { return 8 })
	at, small := newPair(t, s, first+n, func(int) int32 { return -1 }), newPair(t, s, first+n, func(int) int8 { return 1 })
	is, far := newPair(t, s, first+n, func(int) bool { return true }), newPair(t, s, first+n, func(int) float32 { return 2 })
	for _, chunk := range []int{0, 1, 3, 64} {
		name := fmt.Sprintf("%d integers in leaves of %d", n, chunk)
		p := policy.Range(first, first+n).Chunk(chunk)
		host := p.On(exec.Serial{})
		want, got := 3.0, 3.0
		require.NoError(t, exec.ParallelScan(host, kernels.Prefixes(x.host, y.host, z.host), reducers.WithInitial(builtin.Sum(&want))), name)
		require.NoError(t, exec.ParallelScan(p.On(s), kernels.Prefixes(x.card, y.card, z.card), reducers.WithInitial(builtin.Sum(&got))), name)
		assert.Equal(t, want, got, name)
		y.same(t, "exclusive sums of "+name, math.Float64bits)
		z.same(t, "inclusive sums of "+name, math.Float64bits)
		alike(t, name, host, p.On(s), kernels.Compacted(2, [2]int32{5, 9}, x.host, at.host), kernels.Compacted(2, [2]int32{5, 9}, x.card, at.card), builtin.Sum[int])
		at.same(t, "compacted of "+name, func(x int32) uint64 { return uint64(x) })
		alike(t, name, host, p.On(s), kernels.Wrapped(x.host, small.host), kernels.Wrapped(x.card, small.card), builtin.Sum[int8])
		small.same(t, "sums that wrap of "+name, func(x int8) uint64 { return uint64(x) })
		alike(t, name, host, p.On(s), kernels.Seen(7, x.host, is.host), kernels.Seen(7, x.card, is.card), builtin.LOr[bool])
		is.same(t, "seen of "+name, func(x bool) uint64 { return uint64(map[bool]int{true: 1}[x]) })
		alike(t, name, host, p.On(s), kernels.Furthest(x.host, far.host), kernels.Furthest(x.card, far.card), builtin.Max[float32])
		far.same(t, "furthest of "+name, func(x float32) uint64 { return uint64(math.Float32bits(x)) })
	}
	scanFaults(t, s, n, x.card, y.card)
	require.NoError(t, errors.Join(views.Free(x.card), views.Free(y.card), views.Free(z.card), views.Free(at.card), views.Free(small.card), views.Free(is.card), views.Free(far.card)))
}

// alike compares what a scan comes to on the host and on a card.
func alike[T any](t *testing.T, name string, host, card policy.RangePolicy, onHost, onCard func(int, *T, bool), r func(*T) builtin.Reduction[T, T]) {
	t.Helper()
	var want, got T
	require.NoError(t, exec.ParallelScan(host, onHost, r(&want)), name)
	require.NoError(t, exec.ParallelScan(card, onCard, r(&got)), name)
	assert.Equal(t, want, got, name)
}

// scanFaults checks scans with an item that fails in the first pass or in the last one, and what is no scan of a card.
func scanFaults(t *testing.T, s Space, n int, x, y views.View1[float64]) {
	total := 5.0
	if q := panicOf(t, func() error { // x has no more
		return exec.ParallelScan(policy.Range(2, n+4).On(s), kernels.Prefixes(x, y, y), builtin.Sum(&total))
	}); assert.NotNil(t, q) {
		assert.Equal(t, n+1, q.Begin)
		assert.ErrorContains(t, errors.Unwrap(q), "scans.go:")
	}
	count := 5
	if short := newPair(t, s, n/9, func(int) int32 { return 0 }); n > 0 {
		if q := panicOf(t, func() error {
			return exec.ParallelScan(policy.Range(0, n).On(s), kernels.Compacted(-9, [2]int32{}, x, short.card), builtin.Sum(&count))
		}); assert.NotNil(t, q) {
			assert.Equal(t, n/9, q.Begin, "the first one that has no place")
		}
		require.NoError(t, views.Free(short.card))
	}
	assert.Equal(t, []any{5.0, 5}, []any{total, count})
	p := policy.Range(0, n).On(s)
	err := exec.ParallelScan(p, kernels.Prefixes(x, y, y), reducers.New(&total, func(dst, src *float64) { *dst += *src }))
	assert.ErrorContains(t, err, ": the device cannot scan values of type float64 by a ")
	err = exec.ParallelScan(p, func(int, *float64, bool) {}, builtin.Sum(&total))
	assert.ErrorContains(t, err, "has no ptx code")
	err = exec.ParallelReduce(p, func(int, *float64) {}, builtin.Sum(&total))
	assert.ErrorContains(t, err, "has no ptx code")
}
