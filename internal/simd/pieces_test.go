package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/kind"
)

// calls counts the bytes of an operand that kernels take: in all, and at most in one call.
type calls struct{ all, most int }

func (c *calls) take(bytes int) {
	c.all += bytes
	c.most = max(c.most, bytes)
}

// count lets the kernels of a table be counted, and returns what they were.
func count[T any](tab *table[T], c *calls) (before table[T]) {
	before = *tab
	size := int(unsafe.Sizeof(*new(T)))
	for l := range tab {
		for op := range tab[l] {
			k := before[l][op]
			if k.fold != nil {
				tab[l][op].fold = func(lanes *[Lanes]T, x []T) { c.take(len(x) * size); k.fold(lanes, x) }
			}
			if k.reduce != nil {
				tab[l][op].reduce = func(x []T) T { c.take(len(x) * size); return k.reduce(x) }
			}
			if k.leaves != nil {
				tab[l][op].leaves = func(dst, x []T, leaf int) { c.take(len(x) * size); k.leaves(dst, x, leaf) }
			}
		}
	}
	return before
}

// some is values whose order of additions can be seen.
func some[T kind.Real](n int) []T {
	rng := rand.New(rand.NewPCG(17, uint64(n)))
	x := make([]T, n)
	for k := range x {
		x[k] = T(rng.NormFloat64() * 1000)
	}
	return x
}

// levelsHere runs a test with each level that there are kernels of.
func levelsHere(t *testing.T, test func(t *testing.T)) {
	for l := AVX2; l <= supported; l++ {
		t.Run(l.String(), func(t *testing.T) {
			_, undo := Limit(l)
			defer undo()
			test(t)
		})
	}
}

// checkPieces folds more than one call takes, and compares with one call of the kernel.
func checkPieces[T kind.Real](t *testing.T, tab *table[T]) {
	for _, n := range []int{callValues[T](), callValues[T]() + Lanes, 3*callValues[T]() + 5*Lanes + 7} {
		x := some[T](n)
		rows := n &^ (Lanes - 1)
		bytes := rows * int(unsafe.Sizeof(x[0]))
		for op := range ops {
			name := fmt.Sprintf("operation %d, %d of %T", op, n, x[0])
			var c calls
			before := count(tab, &c)
			k := before[level][op]
			check := func(want, got any) {
				t.Helper()
				require.Equal(t, want, got, name)
				require.Equal(t, bytes, c.all, name)
				require.LessOrEqual(t, c.most, callBytes, name)
				c = calls{}
			}
			if k.fold != nil {
				var want, got [Lanes]T
				k.fold(&want, x[:rows])
				require.Equal(t, rows, Fold(op, got[:], x))
				check(want, got)
			}
			if k.reduce != nil {
				whole := bytes
				if n > rows {
					bytes += Lanes * int(unsafe.Sizeof(x[0])) // the last row
				}
				for _, extreme := range []int{0, rows / 2, rows - 1, n - 1} { // wherever it is
					y, end := append([]T(nil), x...), 1e8
					if op == Min {
						end = -1e8
					}
					if y[extreme] = T(end); kind.IsUnsigned[T]() {
						if y[extreme] = 0; op == Max {
							y[extreme]--
						}
					}
					got, ok := Reduce(op, y)
					require.True(t, ok)
					check(y[extreme], got)
				}
				bytes = whole
			}
			if k.leaves != nil {
				for leaf := 8; leaf <= callValues[T](); leaf *= 32 {
					leaves := n / leaf
					bytes = leaves * leaf * int(unsafe.Sizeof(x[0]))
					want, got := make([]T, leaves), make([]T, leaves)
					k.leaves(want, x[:leaves*leaf], leaf)
					require.Equal(t, leaves, Leaves(op, got, x, leaf, min(leaf/8, Lanes)))
					check(want, got)
				}
				bytes = rows * int(unsafe.Sizeof(x[0]))
				require.Zero(t, Leaves(op, make([]T, 1), some[T](2*callValues[T]()), 2*callValues[T](), Lanes), "a leaf of two calls")
			}
			*tab = before
		}
	}
}

func TestKernelsTakeFewBytes(t *testing.T) {
	levelsHere(t, func(t *testing.T) {
		checkPieces(t, &float64s)
		checkPieces(t, &float32s)
		checkPieces(t, &int64s)
		checkPieces(t, &int32s)
		checkPieces(t, &uint64s)
		checkPieces(t, &uint32s)
	})
}

func TestDotAndMulTakeFewBytes(t *testing.T) {
	levelsHere(t, func(t *testing.T) {
		const n = 3*callBytes/8 + 5*Lanes + 7
		x, y := some[float64](n), some[float64](n - 1)[:n-1]
		y = append(y, 3)
		var want, got [Lanes]float64
		const rows = n &^ (Lanes - 1)
		dotsFloat64[level].rows(&want, x[:rows], y[:rows])
		for k := rows; k < n; k++ {
			want[k%Lanes] += float64(x[k] * y[k])
		}
		var c calls
		dot, mul := dotsFloat64[level], muls[level]
		defer func() { dotsFloat64[level], muls[level] = dot, mul }()
		dotsFloat64[level].rows = func(lanes *[Lanes]float64, x, y []float64) { c.take(8 * len(x)); dot.rows(lanes, x, y) }
		muls[level].float64s = func(dst, x, y []float64) { c.take(8 * len(x)); mul.float64s(dst, x, y) }
		assert.Equal(t, rows, Dot(got[:], x, y))
		for k := rows; k < n; k++ {
			got[k%Lanes] += float64(x[k] * y[k])
		}
		assert.Equal(t, want, got)
		assert.Equal(t, calls{8 * rows, callBytes}, c)
		c = calls{}
		const leaf, leaves = 1024, n / 1024
		dotsFloat64[level].leaves = func(dst, x, y []float64, leaf int) { c.take(8 * len(x)); dot.leaves(dst, x, y, leaf) }
		sums, alone := make([]float64, leaves), make([]float64, leaves)
		require.Equal(t, leaves, DotLeaves(sums, x, y, leaf, Lanes))
		assert.Equal(t, calls{8 * leaf * leaves, callBytes}, c)
		for k := range alone {
			dot.leaves(alone[k:k+1], x[k*leaf:(k+1)*leaf], y[k*leaf:(k+1)*leaf], leaf)
		}
		assert.Equal(t, alone, sums)
		assert.Zero(t, DotLeaves(sums, x, y, 2*callBytes/8, Lanes), "a leaf that is too long for one call")
		c = calls{}
		z := make([]float64, n)
		Mul(z, x, y)
		for k := range z {
			require.Equal(t, x[k]*y[k], z[k])
		}
		assert.Equal(t, calls{8 * rows, callBytes}, c)
	})
}

func TestEndsAndMomentsTakeFewBytes(t *testing.T) {
	levelsHere(t, func(t *testing.T) {
		const n = 3*callBytes/8 + 5*Lanes + 7
		x := some[float64](n)
		k := bothFloat64[level]
		defer func() { bothFloat64[level] = k }()
		var c calls
		bothFloat64[level].ends = func(x []float64) (low, high, all float64) { c.take(8 * len(x)); return k.ends(x) }
		bothFloat64[level].moments = func(sums, squares, x []float64, leaf int) (low, high float64) {
			c.take(8 * len(x))
			return k.moments(sums, squares, x, leaf)
		}
		x[n-20], x[5] = 1e9, -1e9
		low, high, ok := MinMax(x)
		assert.True(t, ok)
		assert.Equal(t, []float64{-1e9, 1e9}, []float64{low, high})
		assert.Equal(t, calls{8 * (n/Lanes*Lanes + Lanes), callBytes}, c)
		c = calls{}
		const leaf, leaves = 1024, n / 1024
		x[leaf*leaves-1] = 1e10
		sums, squares, want := make([]float64, leaves), make([]float64, leaves), make([]float64, leaves)
		low, high, _ = Moments(sums, squares, x, leaf, Lanes)
		assert.Equal(t, []float64{-1e9, 1e10}, []float64{low, high})
		assert.Equal(t, calls{8 * leaf * leaves, callBytes}, c)
		Leaves(Sum, want, x, leaf, Lanes)
		assert.Equal(t, want, sums)
		Leaves(SumSq, want, x, leaf, Lanes)
		assert.Equal(t, want, squares)
	})
}

func TestFindersTakeFewBytes(t *testing.T) {
	levelsHere(t, func(t *testing.T) {
		const n = 3*callBytes/8 + 5*Lanes + 7
		x := make([]float64, n)
		var c calls
		first, last := firstOnes[level], lastOnes[level]
		defer func() { firstOnes[level], lastOnes[level] = first, last }()
		firstOnes[level].of8 = func(x []int64, value int64) int { c.take(8 * len(x)); return first.of8(x, value) }
		lastOnes[level].of8 = func(x []int64, value int64) int { c.take(8 * len(x)); return last.of8(x, value) }
		assert.Equal(t, -1, Index(x, 1))
		assert.Equal(t, -1, LastIndex(x, 1))
		assert.Equal(t, calls{2 * 8 * (n &^ (Lanes - 1)), callBytes}, c)
		piece := callBytes / 8
		for _, at := range [][2]int{{0, 0}, {5, 6}, {piece - 1, piece}, {piece + 3, 3*piece + 2}, {2 * piece, n - 1}, {n - 1, n - 1}} {
			x[at[0]], x[at[1]] = 1, 1
			assert.Equal(t, at[0], Index(x, 1))
			assert.Equal(t, at[1], LastIndex(x, 1))
			x[at[0]], x[at[1]] = 0, 0
		}
	})
}

func TestScansTakeFewBytes(t *testing.T) {
	levelsHere(t, func(t *testing.T) {
		const n, leaf = callBytes/8 + 24, callBytes/8 + 64
		src, room := some[float64](4*leaf), make([]float64, 4*leaf+7)
		dst, want := room[ToLine(room):][:4*leaf], make([]float64, 4*leaf)
		before := scansFloat64
		defer func() { scansFloat64 = before }()
		var c calls
		scansFloat64.exclusive = func(dst, src []float64, leaf, lines int, accs *[4]float64) {
			c.take(4 * lines * line)
			before.exclusive(dst, src, leaf, lines, accs)
		}
		accs, at := [4]float64{1, 2, 3, 4}, [4]float64{1, 2, 3, 4}
		require.Equal(t, n, Scan(dst, src, leaf, n, &accs, false))
		for k := range at {
			for i := k * leaf; i < k*leaf+n; i++ {
				want[i] = at[k]
				at[k] += src[i]
			}
		}
		assert.Equal(t, want, dst)
		assert.Equal(t, at, accs)
		assert.Equal(t, calls{4 * 8 * n, callBytes}, c)
	})
}

func TestRowsTakeFewBytes(t *testing.T) {
	levelsHere(t, func(t *testing.T) {
		before := float64Rows[level][Sum]
		defer func() { float64Rows[level][Sum] = before }()
		var c calls
		longest := 0
		float64Rows[level][Sum] = func(dst, x []float64, stride, rows int) {
			c.take(8 * len(dst) * rows)
			longest = max(longest, rows)
			before(dst, x, stride, rows)
		}
		for _, shape := range []struct{ n, stride, rows int }{
			{8, 8, 2 * maxRows}, {8, 8, 3 * maxRows}, {16, 40, 3*maxRows + 5}, {1024, 1024, 100}, {3*callBytes/8 + 24, 3*callBytes/8 + 31, 3}, {callBytes/8 + 8, 0, 5},
		} {
			x := some[float64]((shape.rows-1)*shape.stride + shape.n)
			got, want := some[float64](shape.n), some[float64](shape.n)
			c, longest = calls{}, 0
			RowsOf[float64](Sum, Sum).Add(got, x, shape.stride, shape.rows)
			for r := range shape.rows {
				for j := range want {
					want[j] += x[r*shape.stride+j]
				}
			}
			require.Equal(t, want, got, shape)
			assert.Equal(t, 8*shape.n*shape.rows, c.all, shape)
			assert.LessOrEqual(t, c.most, callBytes, shape)
			assert.LessOrEqual(t, longest, maxRows, shape)
		}
	})
}

func TestBoolsInPieces(t *testing.T) {
	const n = 3*callBytes + 7
	x := make([]bool, n)
	assert.False(t, Any(x))
	for _, at := range []int{0, callBytes - 1, callBytes, 2*callBytes + 5, n - 1} {
		x[at] = true
		assert.True(t, Any(x))
		assert.Equal(t, 1, Count(x))
		x[at] = false
	}
	for k := range x {
		x[k] = true
	}
	assert.True(t, All(x))
	assert.Equal(t, n, Count(x))
	x[n-1] = false
	assert.False(t, All(x))
}

func TestPieces(t *testing.T) {
	for _, c := range []struct {
		n, most int
		want    [][2]int
	}{
		{0, 4, nil}, {1, 4, [][2]int{{0, 1}}}, {4, 4, [][2]int{{0, 4}}}, {9, 4, [][2]int{{0, 4}, {4, 8}, {8, 9}}},
	} {
		var got [][2]int
		inPieces(c.n, c.most, func(begin, end int) { got = append(got, [2]int{begin, end}) })
		assert.Equal(t, c.want, got)
	}
}

func TestShortNodesTakeFewBytes(t *testing.T) {
	levelsHere(t, func(t *testing.T) {
		const items, rows, leaf, lanes = 1001, 20, 32, 4
		x, scratch := some[float64](items*rows), make([]float64, NodesScratch+leaf)
		for _, op := range []Op{Sum, SumAndSq} {
			results := 1
			if op == SumAndSq {
				results = 2
			}
			var want, got [2 * rows]float64
			for k := range rows {
				var sums [2]float64
				require.True(t, Nodes(op, sums[:results], x[k*items:][:items], items, items, leaf, lanes, scratch))
				want[k], want[rows+k] = sums[0], sums[1]
			}
			var c calls
			kernels := *nodesFloat64[level]
			defer func() { *nodesFloat64[level] = kernels }()
			nodesFloat64[level].short[op] = func(dst, x []float64, n, apart, stride, whole, rest int, last []float64, leaf int) {
				c.take(8 * n * (whole*shortAtOnce*leaf + rest))
				kernels.short[op](dst, x, n, apart, stride, whole, rest, last, leaf)
			}
			require.True(t, Nodes(op, got[:results*rows], x, items, items, leaf, lanes, scratch))
			assert.Equal(t, want, got)
			assert.Equal(t, calls{8 * items * rows, 8 * items * 8}, c)
		}
	})
}
