package algorithms_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/views/algorithms"
)

// edgesOf returns the edges that the documentation of UniformBins promises.
func edgesOf(lo, hi float64, n int) []float64 {
	edges := make([]float64, n+1)
	for k := range n {
		edges[k] = min(lo+float64(float64(k)*((hi-lo)/float64(n))), hi)
	}
	edges[n] = hi
	return edges
}

// The bins of narrow, wide and tiny intervals are those of their edges: no quotient of the width and the
// number of bins, however large or small, gives another bin.
func TestBinsOfExtremeIntervals(t *testing.T) {
	const tiny = math.SmallestNonzeroFloat64
	for _, c := range []struct {
		lo, hi float64
		n      int
	}{
		{0, 1e-308, 2}, {0, tiny, 1}, {0, tiny, 2}, {0, tiny, 1000}, {-tiny, tiny, 3}, {0, 3 * tiny, 2}, {0, 3 * tiny, 4},
		{-1e-310, 1e-310, 1000}, {1, math.Nextafter(1, 2), 1 << 10}, {1, math.Nextafter(1, 2), 3}, {-math.Nextafter(1, 2), -1, 7},
		{1, 1 + 1e-15, 1000}, {1e300, math.Nextafter(1e300, math.Inf(1)), 100}, {0, math.MaxFloat64, 3}, {0, math.MaxFloat64, 1000},
		{-math.MaxFloat64 / 2, math.MaxFloat64 / 2, 1000}, {-math.MaxFloat64, -1, 5}, {1 << 53, 1<<53 + 2, 9},
	} {
		edges := edgesOf(c.lo, c.hi, c.n)
		bins := algorithms.UniformBins(c.lo, c.hi, c.n)
		for _, x := range append(edges, 5e-309, 0, math.Copysign(0, -1), 1, math.NaN(), math.Inf(1), math.Inf(-1)) {
			for _, x := range []float64{x, math.Nextafter(x, math.Inf(-1)), math.Nextafter(x, math.Inf(1))} {
				require.Equal(t, naiveBin(x, edges), bins.Index(x), "%v in %d bins from %v to %v", x, c.n, c.lo, c.hi)
			}
		}
		counts := make([]int, c.n)
		require.NoError(t, algorithms.Histogram(line(counts), line(edges), bins))
		weighted := make([]float64, c.n)
		ones := make([]float64, len(edges))
		for k := range ones {
			ones[k] = 1
		}
		require.NoError(t, algorithms.WeightedHistogram(line(weighted), line(edges), line(ones), bins))
		total := 0
		for k, n := range counts {
			require.Equal(t, float64(n), weighted[k])
			total += n
		}
		require.Equal(t, len(edges), total)
	}
}

// Bins need no memory of their own, and an index takes as many steps as a bisection, whatever their number.
func TestBinsAreNotCountedOneByOne(t *testing.T) {
	for _, n := range []int{1 << 20, math.MaxInt32, math.MaxInt} {
		bins := algorithms.UniformBins(1, math.Nextafter(1, 2), n)
		require.Equal(t, n, bins.Len())
		require.Equal(t, n-1, bins.Index(math.Nextafter(1, 2)))
		first := bins.Index(1) // the last bin whose lower edge is rounded to 1
		require.Greater(t, first, n/4)
		require.Less(t, first, n-1)
	}
	unit := algorithms.UniformBins(0.0, 1, math.MaxInt)
	assert.Equal(t, 0, unit.Index(0))
	assert.InEpsilon(t, float64(math.MaxInt)/2, unit.Index(0.5), 1e-9) // numbers of bins are rounded to float64
	counts := line(make([]int, 3))
	err := algorithms.Histogram(counts, line([]float64{1}), unit)
	require.ErrorContains(t, err, fmt.Sprintf("for %d bins, expected as many elements", math.MaxInt))
}

// Integers at the ends of their types have bins, and what float64 cannot tell apart is an error that says so.
func TestBinsOfLargeIntegers(t *testing.T) {
	all := algorithms.UniformBins[int64](math.MinInt64, math.MaxInt64, 4)
	assert.Equal(t, []int{0, 1, 2, 3}, []int{all.Index(math.MinInt64), all.Index(-1), all.Index(0), all.Index(math.MaxInt64)})
	assert.Equal(t, 1, algorithms.UniformBins[uint64](0, math.MaxUint64, 2).Index(1<<63))
	counts := line(make([]int, 1))
	err := algorithms.Histogram(counts, line([]int64{1}), algorithms.UniformBins[int64](1<<53, 1<<53+1, 1))
	require.EqualError(t, err, "algorithms: Histogram: 1 uniform bins from 9007199254740992 to 9007199254740993, "+
		"expected at least one, and a difference of float64s that is positive and finite")
}
