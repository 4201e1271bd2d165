//go:build linux && (amd64 || arm64)

package conformance

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
)

// Folds checks folds of n values in the memory of a device: all types and reducers, one by one and in one pass.
func Folds(t *testing.T, s Space, n int) {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, 5e-324, math.MaxFloat64}
	floats := func(i int) float64 {
		if i%997 == 5 {
			return special[i/997%len(special)]
		}
		return float64(i*7919%2003-1000) / 128
	}
	plain := func(i int) float64 { return float64(i*7919%2003-1000)/128 + 1/float64(i+1) }
	foldsOf(t, s, n, floats)
	foldsOf(t, s, n, plain)
	foldsOf(t, s, n, func(i int) float32 { return float32(floats(i)) })
	foldsOf(t, s, n, func(i int) float32 { return float32(plain(i)) })
	zeros := func(i int) float64 { return special[3+(i+9)*7919%2003%2] } // of both signs, and no others
	ends := func(i int) float64 { return special[1+(i+9)*7919%2003%6] }
	foldsOf(t, s, n, zeros)
	foldsOf(t, s, n, func(i int) float32 { return float32(ends(i)) })
	foldsOf(t, s, n, ends)
	foldsOf(t, s, n, func(int) float64 { return math.Copysign(0, -1) })
	foldsOf(t, s, n, func(int) float32 { return .25 })
	foldsOf(t, s, n, func(int) int8 { return 0 })
	for _, f := range []func(i int) float64{plain, floats, far, func(int) float64 { return -1.5 }, func(int) float64 { return math.Copysign(0, -1) }} {
		variances(t, s, n, f)
		variances(t, s, n, func(i int) float32 { return float32(f(i)) })
	}
	long(t, s, n, plain)
	long(t, s, n, func(i int) float32 { return float32(far(i)) })
	products(t, s, n, plain)
	products(t, s, n, func(i int) float32 { return float32(plain(i)) })
	hash := func(i int) uint64 { return (uint64(i) + 12345) * 0x9e3779b97f4a7c15 }
	foldsOf(t, s, n, func(i int) int { return int(hash(i)) })
	foldsOf(t, s, n, func(i int) uint64 { return hash(i) >> (i & 7) })
	foldsOf(t, s, n, func(i int) int32 { return int32(hash(i) >> 30) })
	foldsOf(t, s, n, func(i int) uint32 { return uint32(hash(i) >> 32) })
	foldsOf(t, s, n, func(i int) int16 { return int16(hash(i) >> 40) })
	foldsOf(t, s, n, func(i int) uint16 { return uint16(hash(i) >> 41) })
	foldsOf(t, s, n, func(i int) int8 { return int8(hash(i) >> 50) })
	foldsOf(t, s, n, func(i int) uint8 { return uint8(hash(i) >> 51) })
	bits(t, s, n, func(i int) int64 { return int64(hash(i) | hash(i+1)) })
	bits(t, s, n, func(i int) uint16 { return uint16(hash(i) | hash(i+1)) })
	for _, rare := range []int{1, 2, 1000, 1 << 40} {
		bools(t, s, n, func(i int) bool { return i%rare == rare-1 })
		bools(t, s, n, func(i int) bool { return i%rare != rare-1 })
	}
	bools(t, s, n, func(i int) bool { return i < n/3 })
}

// far is numbers of all magnitudes.
func far(i int) float64 { return math.Ldexp(float64(i*7919%2003-1000), i*193%2098-1074) }

// A folded is a view on the host and one like it on a card, both in larger ones.
type folded[T any] struct {
	t          *testing.T
	host, card views.View[T]
	what       string
}

func newFolded[T any](t *testing.T, s Space, n int, f func(i int) T) folded[T] {
	p := newPair(t, s, n+3, func(i int) T { return f(i - 2) })
	part := func(v views.View1[T]) views.View[T] { return views.Must(v.Sub(views.Range(2, n+2))) }
	return folded[T]{t, part(p.host), part(p.card), fmt.Sprintf("%d of %T", n, *new(T))}
}

// same folds values on the host and on the card by the same reducers, whose results must have the same bits.
func same[T, A any](f folded[T], constructors ...func(to *A) reducers.Folder[T]) {
	f.t.Helper()
	want, got := make([]A, len(constructors)), make([]A, len(constructors))
	list := func(to []A) (all []reducers.Folder[T]) {
		for k, r := range constructors {
			all = append(all, r(&to[k]))
		}
		return all
	}
	on, over := list(want), list(got)
	require.NoError(f.t, exec.ParallelFold(views.Source(f.host, policy.On(exec.Serial{})), on[0], on[1:]...), f.what)
	require.NoError(f.t, exec.ParallelFold(views.Source(f.card), over[0], over[1:]...), f.what)
	for k := range want {
		assert.Equal(f.t, text(want[k]), text(got[k]), "%s, reducer %d of %d", f.what, k+1, len(want))
	}
}

// text tells values apart by their bits, NaNs aside.
func text[A any](x A) string {
	switch x := any(x).(type) {
	case float64:
		return fmt.Sprintf("%x", x)
	case float32:
		return fmt.Sprintf("%x", x)
	}
	return fmt.Sprintf("%+v", x)
}

// agree tells whether two values have the same bits. All NaNs agree.
func agree[T any](a, b T) bool {
	switch x := any(a).(type) {
	case float64:
		y := any(b).(float64)
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	case float32:
		y := any(b).(float32)
		return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
	}
	return any(a) == any(b) || text(a) == text(b) // NaNs in structs
}

func foldsOf[T builtin.Real](t *testing.T, s Space, n int, of func(i int) T) {
	f := newFolded(t, s, n, of)
	simple := []func(to *T) reducers.Folder[T]{
		func(to *T) reducers.Folder[T] { return builtin.Sum(to) },
		func(to *T) reducers.Folder[T] { return builtin.SumSq(to) },
		func(to *T) reducers.Folder[T] { return builtin.Prod(to) },
		func(to *T) reducers.Folder[T] { return builtin.Min(to) },
		func(to *T) reducers.Folder[T] { return builtin.Max(to) },
		func(to *T) reducers.Folder[T] { return builtin.Norm1(to) },
		func(to *T) reducers.Folder[T] { return builtin.AMax(to) },
	}
	for _, r := range simple {
		same(f, r)
	}
	same(f, simple...)
	same(f, simple[0], simple[1], simple[3], simple[4])
	same(f, func(to *T) reducers.Folder[T] { *to = 3; return reducers.WithInitial(builtin.Sum(to)) })
	same(f, func(to *builtin.MinMaxVal[T]) reducers.Folder[T] { return builtin.MinMax(to) })
	same(f, func(to *builtin.Average[T]) reducers.Folder[T] { return builtin.Mean(to) })
	same(f,
		func(to *builtin.ValLoc[T, int]) reducers.Folder[T] { return builtin.MinLoc(to) },
		func(to *builtin.ValLoc[T, int]) reducers.Folder[T] { return builtin.MaxLoc(to) },
		func(to *builtin.ValLoc[T, int]) reducers.Folder[T] { return builtin.MinLastLoc(to) },
		func(to *builtin.ValLoc[T, int]) reducers.Folder[T] { return builtin.MaxLastLoc(to) })
	same(f,
		func(to *builtin.MinMaxLocVal[T, int]) reducers.Folder[T] { return builtin.MinMaxLoc(to) },
		func(to *builtin.MinMaxLocVal[T, int]) reducers.Folder[T] { return builtin.MinMaxFirstLastLoc(to) })
}

func variances[T builtin.Float](t *testing.T, s Space, n int, of func(i int) T) {
	f := newFolded(t, s, n, of)
	same(f, func(to *builtin.Moments[T]) reducers.Folder[T] { return builtin.Variance(to) })
	same(f, func(to *T) reducers.Folder[T] { return builtin.Norm2(to) })
}

func bits[T int64 | uint16](t *testing.T, s Space, n int, of func(i int) T) {
	same(newFolded(t, s, n, of),
		func(to *T) reducers.Folder[T] { return builtin.BAnd(to) },
		func(to *T) reducers.Folder[T] { return builtin.BOr(to) },
		func(to *T) reducers.Folder[T] { return builtin.BXor(to) })
}

func bools(t *testing.T, s Space, n int, of func(i int) bool) {
	f := newFolded(t, s, n, of)
	same(f, func(to *bool) reducers.Folder[bool] { return builtin.LAnd(to) }, func(to *bool) reducers.Folder[bool] { return builtin.LOr(to) })
	same(f, func(to *int) reducers.Folder[bool] { return builtin.Count(to) })
	same(f, func(to *builtin.Partitioned[int]) reducers.Folder[bool] { return builtin.IsPartitioned(to) })
	same(f,
		func(to *builtin.Found[int]) reducers.Folder[bool] { return builtin.FirstLoc(to) },
		func(to *builtin.Found[int]) reducers.Folder[bool] { return builtin.LastLoc(to) },
		func(to *builtin.Found[int]) reducers.Folder[bool] { return builtin.PartitionPoint(to) })
}

// long folds leaves that are longer than those of n values.
func long[T builtin.Float](t *testing.T, s Space, n int, of func(i int) T) {
	f := newFolded(t, s, n, of)
	x, _ := f.host.Slice()
	if n == 0 {
		return
	}
	there := unsafe.Slice((*T)(f.card.Address()), n)
	for _, chunk := range []int{1, 64, 1024, 2048, 8192} {
		p := policy.Range(0, n).Chunk(chunk)
		host := func() exec.Source[T] { return exec.Slice(p.On(exec.Serial{}), x) }
		card := func() exec.Source[T] { return exec.Slice(p.On(s), there).In(s.Memory(), f.card) }
		var sum, sum2, least, least2 T
		var m, m2 builtin.Moments[T]
		var at, at2 builtin.ValLoc[T, int]
		require.NoError(t, exec.ParallelFold(host(), builtin.Sum(&sum)))
		require.NoError(t, exec.ParallelFold(card(), builtin.Sum(&sum2)))
		require.NoError(t, exec.ParallelFold(host(), builtin.Variance(&m), builtin.Min(&least), builtin.MaxLoc(&at)))
		require.NoError(t, exec.ParallelFold(card(), builtin.Variance(&m2), builtin.Min(&least2), builtin.MaxLoc(&at2)))
		assert.Equal(t, text([]any{sum, m, least, at}), text([]any{sum2, m2, least2, at2}), "%s, chunk %d", f.what, chunk)
	}
}

// Leaves checks folds of n leaves of one item each, by few reducers and by many: blocks leave more values than the last of them
// joins at a time.
func Leaves(t *testing.T, s Space, n int) {
	f := newFolded(t, s, n, func(i int) float64 { return 1 / float64(i+9) })
	x, _ := f.host.Slice()
	over := func(on exec.Space) exec.Source[float64] {
		if p := policy.Range(0, n).Chunk(1); on != exec.Space(s) {
			return exec.Slice(p.On(on), x)
		}
		return exec.Slice(policy.Range(0, n).Chunk(1).On(s), unsafe.Slice((*float64)(f.card.Address()), n)).In(s.Memory(), f.card)
	}
	fold := func(on exec.Space) string {
		var sum, product, norm float64
		var m builtin.Moments[float64]
		var at builtin.MinMaxLocVal[float64, int]
		require.NoError(t, exec.ParallelFold(over(on), builtin.Sum(&sum)))
		require.NoError(t, exec.ParallelFold(over(on), builtin.Variance(&m), builtin.Prod(&product), builtin.Norm2(&norm), builtin.MinMaxLoc(&at)))
		return text([]any{sum, product, norm, m, at})
	}
	assert.Equal(t, fold(exec.Serial{}), fold(s), "%d leaves", n)
}

// products folds products of two views.
func products[T builtin.Float](t *testing.T, s Space, n int, of func(i int) T) {
	x, y := newFolded(t, s, n, of), newFolded(t, s, n, func(i int) T { return of(i + 1) })
	a, _ := x.host.Slice()
	b, _ := y.host.Slice()
	there := func(v views.View[T]) []T { return unsafe.Slice((*T)(v.Address()), n) }
	if n == 0 {
		return
	}
	for _, p := range []policy.RangePolicy{policy.Range(0, n), policy.Range(n/3, n), policy.Range(0, n).Chunk(1), policy.Range(0, n).Chunk(2048)} {
		var dot, dot2, most, most2 T
		var at, at2 builtin.ValLoc[T, int]
		require.NoError(t, exec.ParallelFold(exec.Products(p.On(exec.Serial{}), a, b), builtin.Sum(&dot), builtin.Max(&most), builtin.MinLoc(&at)))
		require.NoError(t, exec.ParallelFold(exec.Products(p.On(s), there(x.card), there(y.card)).In(s.Memory(), []any{x.card, y.card}), builtin.Sum(&dot2), builtin.Max(&most2), builtin.MinLoc(&at2)))
		assert.Equal(t, text([]any{dot, most, at}), text([]any{dot2, most2, at2}), x.what)
	}
}
