//go:build linux && (amd64 || arm64)

package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/random"
)

// A body is a value of a type that no unit of a copy has the size of.
type body struct {
	id   int32
	x, y float32
}

// Sorts checks sorts of n numbers of all types in the memory of a device.
func Sorts(t *testing.T, s Space, n int) {
	hash := func(i int) uint64 { return (uint64(i) + 12345) * 0x9e3779b97f4a7c15 >> (i % 3) }
	special := func(i int) float64 {
		if i%5 == 2 {
			return []float64{math.Copysign(0, -1), 0, 5e-324, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1), -5e-324}[hash(i)%8]
		}
		return math.Float64frombits(hash(i))
	}
	sorted(t, s, n, special)
	sorted(t, s, n, func(i int) float32 { return math.Float32frombits(uint32(hash(i) >> 7)) })
	sorted(t, s, n, func(i int) degrees { return degrees(special(i)) })
	along(t, s, n, special, func(i int) body { return body{int32(i), float32(i), -1} })
	if n == 2 {
		return
	}
	sorted(t, s, n, func(i int) float64 { return float64(i) })                   // which are in order
	sorted(t, s, n, func(i int) float64 { return float64(-i) })                  // which are not at all
	sorted(t, s, n, func(i int) float64 { return float64(hash(i) % 3) })         // few digits differ
	sorted(t, s, n, func(i int) uint32 { return uint32(hash(i)>>40&255) << 16 }) // one of the digits
	sorted(t, s, n, func(i int) uint64 { return uint64(max(0, i-n+2)) ^ 1 })     // the last but one
	sorted(t, s, n, func(i int) int { return int(hash(i)) })
	sorted(t, s, n, func(i int) uint64 { return hash(i) })
	sorted(t, s, n, func(i int) int32 { return int32(hash(i) >> 20) })
	sorted(t, s, n, func(i int) uint32 { return uint32(hash(i) >> 20) })
	sorted(t, s, n, func(i int) int16 { return int16(hash(i) >> 20) })
	sorted(t, s, n, func(i int) uint16 { return uint16(hash(i) >> 20) })
	sorted(t, s, n, func(i int) int8 { return int8(hash(i) >> 20) })
	sorted(t, s, n, func(i int) uint8 { return uint8(hash(i) >> 20) })
	along(t, s, n, func(i int) float32 { return float32(special(i)) }, func(i int) [3]byte { return [3]byte{byte(i), byte(i >> 8), 7} })
	along(t, s, n, func(i int) int16 { return int16(hash(i) >> 25 % 100) }, func(i int) int64 { return int64(i) })
	along(t, s, n, func(i int) uint64 { return hash(i) % 5 << 50 }, func(i int) struct{} { return struct{}{} })
	along(t, s, n, func(i int) int { return i / 2 }, func(i int) uint16 { return uint16(i) })
}

// sorted compares a sort of neighbours, and, of an odd number, of every third element of a view.
func sorted[T cmp.Ordered](t *testing.T, s Space, n int, of func(i int) T) {
	t.Helper()
	step := 1 + n%2*2
	x := newPair(t, s, step*n+2, of)
	part := func(v views.View1[T]) views.View[T] { return views.Must(v.Sub(views.Range(1, 1+step*n).By(step))) }
	require.NoError(t, algorithms.Sort(part(x.host), policy.On(exec.Serial{})))
	require.NoError(t, algorithms.Sort(part(x.card)))
	sameBits(t, fmt.Sprintf("%d of %T, %d apart", n, *new(T), step), x.host.View, x.card.View)
	require.NoError(t, views.Free(x.card))
}

// along compares a sort by key, of neighbours and of every other value.
func along[K cmp.Ordered, V comparable](t *testing.T, s Space, n int, key func(i int) K, value func(i int) V) {
	t.Helper()
	x, y := newPair(t, s, n, key), newPair(t, s, 2*n+1, value)
	part := func(v views.View1[V]) views.View[V] { return views.Must(v.Sub(views.Range(1, 1+2*n).By(2))) }
	require.NoError(t, algorithms.SortByKey(x.host, part(y.host), policy.On(exec.Serial{})))
	require.NoError(t, algorithms.SortByKey(x.card, part(y.card)))
	what := fmt.Sprintf("%d of %T by %T", n, *new(V), *new(K))
	sameBits(t, what+", keys", x.host.View, x.card.View)
	sameBits(t, what, y.host.View, y.card.View)
	require.NoError(t, errors.Join(views.Free(x.card), views.Free(y.card)))
}

// sameBits checks that elements have the same bits.
func sameBits[T any](t *testing.T, what string, host, card views.View[T]) {
	t.Helper()
	want, got, bad := elements(t, host), elements(t, card), 0
	for k := range want {
		bytes := func(x *T) string { return string(unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x))) }
		if bytes(&want[k]) != bytes(&got[k]) {
			if bad++; bad < 4 {
				t.Errorf("%s: element %d is %v, expected %v", what, k, got[k], want[k])
			}
		}
	}
	assert.Zero(t, bad, "%s: wrong of %d", what, len(want))
}

// sortFigures times sorts of n random numbers, and of a value with each.
func sortFigures(t *testing.T, s Space, n int) {
	x, f, i, at := filled(t, s, 0., n), filled(t, s, float32(0), n), filled(t, s, int32(0), n), filled(t, s, int32(0), n)
	pool := random.New(3)
	uniform := func() error { return random.FillUniform(x, pool, 0, 1) }
	normal := func() error { return random.FillNormal(x, pool, 0, 1) }
	single := func() error { return random.FillNormal(f, pool, 0, 1) }
	whole := func() error { return random.FillUniform(i, pool, math.MinInt32, math.MaxInt32) }
	figure{"sort of n/10, float64", 16 * n, n, func() error { return algorithms.Sort(x) }}.print(t, uniform)
	figure{"sort of n/10, float64 of the normal distribution", 16 * n, n, func() error { return algorithms.Sort(x) }}.print(t, normal)
	figure{"sort of n/10, float32 of the normal distribution", 8 * n, n, func() error { return algorithms.Sort(f) }}.print(t, single)
	figure{"sort of n/10, int32", 8 * n, n, func() error { return algorithms.Sort(i) }}.print(t, whole)
	figure{"sort of n/10 in order, int32", 4 * n, n, func() error { return algorithms.Sort(i) }}.print(t, nil)
	figure{"sort of n/10, float64 with int32", 24 * n, n, func() error { return algorithms.SortByKey(x, at) }}.print(t, normal)
	figure{"sort of n/10, int32 with int32", 16 * n, n, func() error { return algorithms.SortByKey(i, at) }}.print(t, whole)
}
