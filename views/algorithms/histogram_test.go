package algorithms_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/views/algorithms"
)

// naiveBin returns the bin of x by looking at all edges.
func naiveBin(x float64, edges []float64) int {
	last := len(edges) - 2
	for k := range last + 1 {
		if edges[k] <= x && (x < edges[k+1] || k == last && x == edges[k+1]) {
			return k
		}
	}
	return -1
}

// The edges of uniform bins are exact: a value on one, or next to it, is in the right bin.
func TestBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		lo := rapid.Float64Range(-1e3, 1e3).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 1e3).Draw(t, "width")
		edges := make([]float64, n+1)
		for k := range n {
			edges[k] = min(lo+float64(float64(k)*((hi-lo)/float64(n))), hi)
		}
		edges[n] = hi
		uniform, exact := algorithms.UniformBins(lo, hi, n), algorithms.EdgeBins(edges...)
		require.Equal(t, n, uniform.Len())
		require.Equal(t, n, exact.Len())
		x := []float64{math.NaN(), math.Inf(1), math.Inf(-1), rapid.Float64Range(lo-1, hi+1).Draw(t, "x")}
		for _, e := range edges {
			x = append(x, e, math.Nextafter(e, lo-1), math.Nextafter(e, hi+1))
		}
		for _, f := range x {
			require.Equal(t, naiveBin(f, edges), uniform.Index(f), "%v", f)
			require.Equal(t, naiveBin(f, edges), exact.Index(f), "%v", f)
		}
	})
}

func TestBinsOfIntegers(t *testing.T) {
	b := algorithms.UniformBins(0, 10, 4) // edges 0, 2.5, 5, 7.5, 10
	got := []int{}
	for x := -1; x <= 11; x++ {
		got = append(got, b.Index(x))
	}
	assert.Equal(t, []int{-1, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, -1}, got)
	e := algorithms.EdgeBins[uint8](1, 2, 255)
	assert.Equal(t, []int{-1, 0, 1, 1, 1}, []int{e.Index(0), e.Index(1), e.Index(2), e.Index(200), e.Index(255)})
}

func TestHistogram(t *testing.T) {
	all := worlds(t)
	for _, n := range append(sizes, large) {
		x := specials(n)
		for _, count := range []int{1, 7, 1000} {
			bins := algorithms.UniformBins(-2.0, 2, count)
			want, sums := make([]int, count), make([]float64, count)
			weights := randoms(n)
			for i, f := range x {
				if k := bins.Index(f); k >= 0 {
					want[k]++
					sums[k] += weights[i]
				}
			}
			var first []float64
			for k, w := range all {
				if n == large && (k%5 != 0 || testing.Short()) {
					continue
				}
				counts, weighted := on(w, make([]int, count)), on(w, make([]float64, count))
				counts.Set([]int{0}, 99)
				require.NoError(t, algorithms.Histogram(counts, on(w, x), bins, w.on))
				require.Equal(t, want, values(counts), "%d on %s", n, w.name)
				require.NoError(t, algorithms.WeightedHistogram(weighted, on(w, x), on(w, weights), bins, w.on))
				if first == nil {
					first = values(weighted)
				}
				require.Equal(t, bits(first), bits(values(weighted)), "%d on %s", n, w.name)
				require.InDeltaSlice(t, sums, first, 1e-9*float64(n+1))
			}
		}
	}
}
