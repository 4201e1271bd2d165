package simd_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/simd"
)

// scanned is Scan in Go.
func scanned[T number](dst, src []T, leaf, n int, accs *[4]T, inclusive bool) {
	for k := range accs {
		for i := k * leaf; i < k*leaf+n; i++ {
			before := accs[k]
			accs[k] += src[i]
			if dst[i] = before; inclusive {
				dst[i] = accs[k]
			}
		}
	}
}

// perLine is how many values a cache line has.
func perLine[T number]() int { return 64 / int(unsafe.Sizeof(*new(T))) }

// checkScan scans n values of each leaf of src to dst, which may be src. It expects that took
// values of them are taken.
func checkScan[T number](t *testing.T, dst, src []T, leaf, n, took int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(leaf), uint64(n)))
	for _, inclusive := range []bool{false, true} {
		var accs [4]T
		data(rng, accs[:])
		data(rng, dst)
		data(rng, src)
		want, wantSrc, wantAccs := slices.Clone(dst), slices.Clone(src), accs
		scanned(want, wantSrc, leaf, took, &wantAccs, inclusive)
		if &dst[0] == &src[0] {
			wantSrc = want
		}
		require.Equal(t, took, simd.Scan(dst, src, leaf, n, &accs, inclusive))
		require.True(t, same(want, dst), "%d of leaves of %d %T, inclusive %t", n, leaf, src[0], inclusive)
		require.True(t, same(wantAccs[:], accs[:]), "%d of leaves of %d %T, inclusive %t", n, leaf, src[0], inclusive)
		require.True(t, same(wantSrc, src), "%d of leaves of %d %T, inclusive %t", n, leaf, src[0], inclusive)
	}
}

// taken is how many of n values Scan takes.
func taken[T number](l simd.Level, n int) int {
	if l == simd.None {
		return 0
	}
	return n / perLine[T]() * perLine[T]()
}

func checkScans[T number](t *testing.T, l simd.Level) {
	line := perLine[T]()
	dst, src := make([]T, 30*line), make([]T, 30*line)
	dst = dst[simd.ToLine(dst):]
	for leaf := line; leaf <= 6*line; leaf += line {
		for n := range leaf + 1 {
			size := 3*leaf + n
			checkScan(t, dst[:size+n%3], src[n%7:][:size+n%5], leaf, n, taken[T](l, n))
			checkScan(t, dst[:size], dst[:size], leaf, n, taken[T](l, n))
		}
		for offset := 1; offset < line; offset++ {
			checkScan(t, dst[offset:][:4*leaf], src[:4*leaf], leaf, leaf, 0)                 // dst does not begin a line
			checkScan(t, dst[:4*(leaf+offset)], src[:4*(leaf+offset)], leaf+offset, leaf, 0) // the second leaf does not
		}
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
	few := make([]int16, 256)
	few = few[simd.ToLine(few):]
	checkScan(t, few[:128], make([]int16, 128), 32, 32, 0) // there is no kernel
	require.Zero(t, simd.Scan[float64](nil, nil, 0, 0, new([4]float64), true))
}

func TestToLine(t *testing.T) {
	x := make([]float32, 100)
	first := simd.ToLine(x)
	require.Less(t, first, 16)
	require.Zero(t, uintptr(unsafe.Pointer(&x[first]))%64)
	for i := range 50 {
		require.Equal(t, (16-i%16)%16, simd.ToLine(x[first+i:]))
	}
}

func TestStreams(t *testing.T) {
	at(t, func(t *testing.T, l simd.Level) {
		require.Equal(t, l == simd.AVX512, simd.Streams(math.MaxInt), "no cache is so large")
		require.False(t, simd.Streams(1<<25))
	})
}

// checkInStep adds up n values of each leaf of src, and scans four leaves to dst, which may be src.
func checkInStep[T number](t *testing.T, dst, src []T, leaf, n, took int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(leaf), uint64(n)))
	four := src[:3*leaf+n]
	for _, inclusive := range []bool{false, true} {
		accs := make([]T, 4)
		data(rng, accs)
		data(rng, dst)
		data(rng, four)
		want, wantSrc, wantAccs := slices.Clone(dst), slices.Clone(four), [4]T(accs)
		scanned(want, wantSrc, leaf, took, &wantAccs, inclusive)
		if &dst[0] == &src[0] {
			wantSrc = want
		}
		require.Equal(t, took, simd.InStep(dst, four, leaf, n, accs, inclusive))
		require.True(t, same(want, dst), "%d of leaves of %d %T, inclusive %t", n, leaf, src[0], inclusive)
		require.True(t, same(wantAccs[:], accs), "%d of leaves of %d %T, inclusive %t", n, leaf, src[0], inclusive)
		require.True(t, same(wantSrc, four), "%d of leaves of %d %T, inclusive %t", n, leaf, src[0], inclusive)
	}
	for together := 4; together <= 8 && len(src) >= (together-1)*leaf+n; together += 4 {
		accs, some := make([]T, together), src[len(src)-(together-1)*leaf-n:]
		data(rng, accs)
		data(rng, some)
		want, wantSrc := slices.Clone(accs), slices.Clone(some)
		for k := range want {
			for _, x := range some[k*leaf:][:took] {
				want[k] += x
			}
		}
		require.Equal(t, took, simd.InStep(nil, some, leaf, n, accs, false))
		require.True(t, same(want, accs), "sums of %d of %d leaves of %d %T", n, together, leaf, src[0])
		require.True(t, same(wantSrc, some), "sums of %d of %d leaves of %d %T", n, together, leaf, src[0])
	}
}

// Leaves in step may begin anywhere, and be of any length.
func checkLeavesInStep[T number](t *testing.T, l simd.Level) {
	line := perLine[T]()
	dst, src := make([]T, 40*line), make([]T, 40*line)
	for leaf := 1; leaf <= 4*line; leaf += 1 + leaf/5 {
		for n := range leaf + 1 {
			checkInStep(t, dst[n%5:][:3*leaf+n+n%3], src[n%7:][:7*leaf+n], leaf, n, taken[T](l, n))
			checkInStep(t, dst[n%5:][:3*leaf+n], dst[n%5:][:3*leaf+n], leaf, n, taken[T](l, n))
		}
	}
}

func TestInStep(t *testing.T) {
	at(t, func(t *testing.T, l simd.Level) {
		checkLeavesInStep[float64](t, l)
		checkLeavesInStep[float32](t, l)
		checkLeavesInStep[int64](t, l)
		checkLeavesInStep[int32](t, l)
		checkLeavesInStep[uint64](t, l)
		checkLeavesInStep[uint32](t, l)
		checkLeavesInStep[int](t, l)
	})
	few := make([]int16, 256)
	require.Zero(t, simd.InStep(few, few, 64, 64, make([]int16, 4), true), "there is no kernel")
	require.Zero(t, simd.InStep(nil, few, 32, 32, make([]int16, 8), false), "there is no kernel")
	require.Zero(t, simd.InStep[float64](nil, nil, 0, 0, make([]float64, 4), true))
}

// checkManyInStep scans more leaves than a kernel takes, the last of which is shorter than the others.
func checkManyInStep[T number](t *testing.T, l simd.Level) {
	const leaf, leaves, n = 48, 20, 33
	rng := rand.New(rand.NewPCG(1, 2))
	took := taken[T](l, n)
	src, accs := make([]T, (leaves-1)*leaf+n), make([]T, leaves)
	data(rng, src)
	data(rng, accs)
	for way := range 3 { // sums, exclusive and inclusive prefixes
		var dst []T
		want, sums, got := slices.Clone(src), slices.Clone(accs), slices.Clone(accs)
		for k := range sums {
			for i := k * leaf; i < k*leaf+took; i++ {
				before := sums[k]
				if sums[k] += src[i]; way == 1 {
					want[i] = before
				} else if way == 2 {
					want[i] = sums[k]
				}
			}
		}
		if way > 0 {
			dst = slices.Clone(src)
		}
		require.Equal(t, took, simd.InStep(dst, src, leaf, n, got, way == 2))
		require.True(t, same(sums, got), "%T, way %d", src[0], way)
		require.True(t, dst == nil || same(want, dst), "%T, way %d", src[0], way)
	}
}

func TestManyLeavesInStep(t *testing.T) {
	at(t, func(t *testing.T, l simd.Level) {
		checkManyInStep[float64](t, l)
		checkManyInStep[float32](t, l)
		checkManyInStep[int64](t, l)
		checkManyInStep[int32](t, l)
	})
}

// Pieces of one call have the sums of all before them.
func TestInStepInPieces(t *testing.T) {
	at(t, func(t *testing.T, l simd.Level) {
		const leaf = 1<<15 + 24
		src, dst := make([]float64, 8*leaf), make([]float64, 4*leaf)
		checkInStep(t, dst, src, leaf, leaf, taken[float64](l, leaf))
		checkInStep(t, dst[:4*leaf-9], dst[:4*leaf-9], leaf, leaf-9, taken[float64](l, leaf-9))
	})
}
