package simd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/simd"
)

// leafOf is what the rule makes of a leaf.
func leafOf[T float32 | float64](term func(x, y T) T, x, y []T, lanes int) T {
	acc := make([]T, lanes)
	for k, v := range x {
		acc[k%lanes] += term(v, y[k])
	}
	for h := lanes / 2; h > 0; h /= 2 {
		for l := range h {
			acc[l] += acc[l+h]
		}
	}
	return acc[0]
}

func checkLeaves[T float32 | float64](t *testing.T) {
	type sums struct {
		name string
		term func(x, y T) T
		sum  func(dst, x, y []T, leaf, lanes int) int
	}
	of := func(op simd.Op) func(dst, x, y []T, leaf, lanes int) int {
		return func(dst, x, _ []T, leaf, lanes int) int { return simd.Leaves(op, dst, x, leaf, lanes) }
	}
	all := []sums{
		{"Sum", func(x, _ T) T { return x }, of(simd.Sum)},
		{"SumSq", func(x, _ T) T { return T(x * x) }, of(simd.SumSq)},
		{"Norm1", func(x, _ T) T { return T(math.Abs(float64(x))) }, of(simd.Norm1)},
		{"products", func(x, y T) T { return T(x * y) }, simd.DotLeaves[T]},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := make([]T, 12<<12), make([]T, 12<<12)
	for k := range x {
		x[k] = T(rng.NormFloat64() * math.Exp2(float64(rng.IntN(20))))
		y[k] = T(rng.NormFloat64())
	}
	minus, ones := make([]T, 1<<10), make([]T, 1<<10)
	for k := range minus {
		minus[k], ones[k] = T(math.Copysign(0, -1)), 1
	}
	for _, l := range []simd.Level{simd.AVX2, simd.AVX512} {
		use, undo := simd.Limit(l)
		for _, s := range all {
			for leaf := 1; leaf <= 4096; leaf *= 2 {
				lanes := max(min(leaf/8, 32), 1)
				for _, n := range []int{1, 2, 3, 4, 5, 8, 11} {
					room := make([]T, n+1)
					room[n] = 7
					items := n*leaf + leaf/2
					took := s.sum(room[:n], x[:items], y[:items], leaf, lanes)
					if use == simd.None {
						require.Zero(t, took)
						continue
					}
					require.Equal(t, n, took)
					for k := range n {
						require.Equal(t, leafOf(s.term, x[k*leaf:(k+1)*leaf], y[k*leaf:(k+1)*leaf], lanes), room[k], "%s of leaf %d of %d, %T, %v", s.name, k, leaf, x[0], l)
					}
					require.Equal(t, T(7), room[n], "beyond the end")
				}
				if use > simd.None && leaf <= len(minus) {
					got := []T{5}
					s.sum(got, minus, ones, leaf, lanes)
					require.False(t, math.Signbit(float64(got[0])), "a lane begins with +0")
				}
			}
		}
		undo()
	}
}

func TestLeaves(t *testing.T) {
	checkLeaves[float64](t)
	checkLeaves[float32](t)
}

// nodeOf is what the rule makes of a node: its leaves are joined as a tree.
func nodeOf[T float32 | float64](term func(x, y T) T, x []T, leaf, lanes int) T {
	var sums []T
	for ; len(x) > leaf; x = x[leaf:] {
		sums = append(sums, leafOf(term, x[:leaf], x, lanes))
	}
	sums = append(sums, leafOf(term, x, x, lanes))
	for ; len(sums) > 1; sums = sums[:(len(sums)+1)/2] {
		for k := range len(sums) / 2 {
			sums[k] = sums[2*k] + sums[2*k+1]
		}
		if odd := len(sums) - 1; odd%2 == 0 {
			sums[odd/2] = sums[odd]
		}
	}
	return sums[0]
}

// resultsOf returns how many sums there are of a node.
func resultsOf(op simd.Op) int {
	if op == simd.SumAndSq {
		return 2
	}
	return 1
}

// litter leaves NaN where the next call has its frame.
//
//go:noinline
func litter(k int) float64 {
	var room [128]float64
	for k := range room {
		room[k] = math.NaN()
	}
	return room[k]
}

func checkSums[T float32 | float64](t *testing.T) {
	sum, square := func(x, _ T) T { return x }, func(x, _ T) T { return T(x * x) }
	terms := map[simd.Op][]func(x, y T) T{
		simd.Sum:      {sum},
		simd.SumSq:    {square},
		simd.Norm1:    {func(x, _ T) T { return T(math.Abs(float64(x))) }},
		simd.SumAndSq: {sum, square},
	}
	rng := rand.New(rand.NewPCG(3, 4))
	x := make([]T, 1<<13)
	for k := range x {
		x[k] = T(rng.NormFloat64() * math.Exp2(float64(rng.IntN(20))))
		if k%7 < 3 {
			x[k] = T(math.Copysign(0, -1))
		}
	}
	size := int(unsafe.Sizeof(x[0]))
	for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
		use, undo := simd.Limit(l)
		for items := 1; items < 1200; items += 1 + items/30 {
			for leaf := 1; leaf <= 512 && leaf/2 < items; leaf *= 2 {
				lanes, rows, stride := max(min(leaf/8, 32), 1), 1+items%6, items+items%3
				values := x[5:][:(rows-1)*stride+items]
				for op, terms := range terms {
					name := fmt.Sprintf("%v of %d items in leaves of %d, %T, %v", op, items, leaf, x[0], l)
					scratch := slices.Repeat([]T{T(math.NaN())}, simd.NodesScratch+leaf) // of any content
					dst := slices.Repeat([]T{7}, resultsOf(op)*rows+1)
					litter(rows)
					took := simd.Nodes(op, dst[:len(dst)-1], values, stride, items, leaf, lanes, scratch)
					short := (leaf == 1 || leaf*size >= 16) && leaf*size <= 256
					require.Equal(t, use > simd.None && items <= 32*leaf && (short || op != simd.SumAndSq), took, name)
					for k := range dst[:len(dst)-1] {
						want := T(7)
						if took {
							want = nodeOf(terms[k/rows], values[k%rows*stride:][:items], leaf, lanes)
						}
						require.Equal(t, want, dst[k], name)
						require.False(t, dst[k] == 0 && math.Signbit(float64(dst[k])), "a lane begins with +0")
					}
					require.Equal(t, T(7), dst[len(dst)-1], "beyond the end")
				}
			}
		}
		undo()
	}
}

func TestNodes(t *testing.T) {
	checkSums[float64](t)
	checkSums[float32](t)
	x, dst, scratch := make([]float64, 1024), make([]float64, 4), make([]float64, simd.NodesScratch+16)
	for _, op := range []simd.Op{simd.Sum, simd.SumAndSq} {
		rows := len(dst) / resultsOf(op)
		assert.False(t, simd.Nodes(op, dst, x, 100, 100, 16, 1, scratch), "other lanes than the rule gives")
		assert.False(t, simd.Nodes(op, dst, x, 100, 100, 16, 2, scratch[1:]), "too little room")
		assert.False(t, simd.Nodes(op, dst[:0], x, 100, 100, 16, 2, scratch), "no nodes")
		assert.False(t, simd.Nodes(op, dst, x, 100, 0, 16, 2, scratch), "no values")
		assert.False(t, simd.Nodes(op, make([]int, 4), make([]int, 1024), 100, 100, 16, 2, make([]int, 512)))
		if simd.InUse() > simd.None {
			assert.True(t, simd.Nodes(op, dst, x[:rows*100:rows*100], 100, 100, 16, 2, scratch))
			assert.Panics(t, func() { simd.Nodes(op, dst, x[:rows*100-1:rows*100-1], 100, 100, 16, 2, scratch) })
		}
	}
	assert.False(t, simd.Nodes(simd.Min, dst, x, 100, 100, 16, 2, scratch))
}

func TestLeavesWithoutKernels(t *testing.T) {
	x, dst := make([]float64, 1024), make([]float64, 4)
	assert.Zero(t, simd.Leaves(simd.Sum, dst, x, 256, 16), "other lanes than the rule gives")
	assert.Zero(t, simd.Leaves(simd.Sum, dst, x, 96, 12), "no power of two")
	assert.Zero(t, simd.Leaves(simd.Sum, dst, x[:200], 256, 32), "less than a leaf")
	assert.Zero(t, simd.Leaves(simd.Min, dst, x, 256, 32))
	assert.Zero(t, simd.Leaves(simd.Sum, make([]int64, 4), make([]int64, 1024), 256, 32))
	assert.Zero(t, simd.DotLeaves(dst, x, x, 256, 16), "other lanes than the rule gives")
	assert.Zero(t, simd.DotLeaves(make([]int64, 4), make([]int64, 1024), make([]int64, 1024), 256, 32))
	assert.Panics(t, func() { simd.DotLeaves(dst, x, x[:1023:1023], 256, 32) })
	_, undo := simd.Limit(simd.None)
	defer undo()
	assert.Zero(t, simd.Leaves(simd.Sum, dst, x, 256, 32))
	assert.Zero(t, simd.DotLeaves(dst, x, x, 256, 32))
}

// Extremes of rows with a NaN, or zeros of both signs, at every place.
func TestReduceOddRows(t *testing.T) {
	minus, nan := math.Copysign(0, -1), math.NaN()
	for _, l := range []simd.Level{simd.AVX2, simd.AVX512} {
		use, undo := simd.Limit(l)
		for rows := 1; rows <= 7 && use > simd.None; rows++ {
			for at := range rows * simd.Lanes {
				for _, c := range []struct{ rest, odd float64 }{{1, nan}, {1, -nan}, {0, minus}, {minus, 0}, {2, 3}, {-3, -2}} {
					x, y := make([]float64, rows*simd.Lanes), make([]float32, rows*simd.Lanes)
					for k := range x {
						x[k], y[k] = c.rest, float32(c.rest)
					}
					x[at], y[at] = c.odd, float32(c.odd)
					check := func(want, got float64) {
						require.Equal(t, want != want, got != got, "%v: %v at %d of %d", l, c, at, len(x))
						if want == want {
							require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%v: %v at %d of %d", l, c, at, len(x))
						}
					}
					low, ok := simd.Reduce(simd.Min, x)
					require.True(t, ok)
					check(min(c.rest, c.odd), low)
					high, _ := simd.Reduce(simd.Max, x)
					check(max(c.rest, c.odd), high)
					low32, _ := simd.Reduce(simd.Min, y)
					check(min(c.rest, c.odd), float64(low32))
					high32, _ := simd.Reduce(simd.Max, y)
					check(max(c.rest, c.odd), float64(high32))
				}
			}
		}
		undo()
	}
}
