package simd_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/simd"
)

// scanned is Scan in Go.
func scanned[T number](dst, src []T, leaf int, accs *[4]T, inclusive bool) {
	for i, x := range src[:4*leaf] {
		acc := &accs[i/leaf]
		if !inclusive {
			dst[i] = *acc
		}
		*acc += x
		if inclusive {
			dst[i] = *acc
		}
	}
}

func checkScan[T number](t *testing.T, l simd.Level, dst, src []T, leaf int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(leaf), 1))
	data(rng, src)
	for _, inclusive := range []bool{false, true} {
		var accs [4]T
		data(rng, accs[:])
		want, wantAccs := make([]T, len(dst)), accs
		data(rng, dst)
		copy(want, dst)
		before := append([]T(nil), src...)
		scanned(want, src, leaf, &wantAccs, inclusive)
		if !simd.Scan(dst, src, leaf, &accs, inclusive) {
			require.Equal(t, simd.None, l)
			return
		}
		require.True(t, same(want, dst), "leaves of %d %T, inclusive %t", leaf, src[0], inclusive)
		require.True(t, same(wantAccs[:], accs[:]), "leaves of %d %T, inclusive %t", leaf, src[0], inclusive)
		require.True(t, same(before, src))
	}
}

func checkScans[T number](t *testing.T, l simd.Level) {
	dst, src := make([]T, 4*300+20), make([]T, 4*300+20)
	for leaf := 1; leaf <= 300; leaf++ {
		checkScan(t, l, dst[leaf%9:][:4*leaf+leaf%3], src[leaf%7:][:4*leaf+leaf%5], leaf)
	}
}

func TestScan(t *testing.T) {
	at(t, func(t *testing.T, l simd.Level) {
		checkScans[float64](t, l)
		checkScans[float32](t, l)
		checkScans[int64](t, l)
		checkScans[int32](t, l)
		checkScans[uint64](t, l)
		checkScans[uint32](t, l)
		checkScans[int](t, l)
	})
	var few [4]int16
	require.False(t, simd.Scan(few[:], few[:], 1, &few, true), "there is no kernel")
	require.False(t, simd.Scan[float64](nil, nil, 0, new([4]float64), true))
}

func TestStreams(t *testing.T) {
	at(t, func(t *testing.T, l simd.Level) {
		require.Equal(t, l > simd.None, simd.Streams(math.MaxInt), "no cache is so large")
		require.False(t, simd.Streams(1<<25))
	})
}
