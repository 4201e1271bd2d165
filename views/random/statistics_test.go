package random_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random"
)

// The seed is fixed, so these tests pass always or never. The bounds are 4 standard deviations
// or more of what is tested, so that of many seeds hardly one fails.

const many = 200_000

// sequences returns numbers that must all be uniform in [0, 1): along one stream, across the
// first places of streams, across places and streams, across pools, and those of a fill.
func sequences(t *testing.T) map[string][]float64 {
	p := random.New(2011)
	s := map[string][]float64{}
	add := func(name string, draw func(k int) float64) {
		for k := range many {
			s[name] = append(s[name], draw(k))
		}
	}
	g := p.At(1)
	add("one stream", func(int) float64 { return g.Float64() })
	add("streams", func(k int) float64 { g := p.At(k - many/2); return g.Float64() })
	var h random.Generator
	add("three of each stream", func(k int) float64 {
		if k%3 == 0 {
			h = p.At(k / 3)
		}
		return h.Float64()
	})
	add("splits", func(k int) float64 { g := p.Split(k).At(0); return g.Float64() })
	add("seeds", func(k int) float64 { g := random.New(uint64(k)).At(0); return g.Float64() })
	add("float32", func(int) float64 { return float64(g.Float32()) })
	add("low bits", func(int) float64 { return float64(g.Uint64()<<32>>11) / (1 << 53) })
	v := views.Must(views.New1[float64]("v", many))
	require.NoError(t, random.FillUniform(v, p.Split(1), 0, 1))
	s["fill"] = slices.Collect(v.Values())
	return s
}

func TestUniformStatistics(t *testing.T) {
	for name, x := range sequences(t) {
		const cells, expected = 256, many / 256.
		var count [cells]float64
		var sum, squares, lag1, lag4 float64
		for k, y := range x {
			require.True(t, 0 <= y && y < 1)
			count[int(y*cells)]++
			sum += y
			squares += (y - 0.5) * (y - 0.5)
			if k >= 4 {
				lag1 += (y - 0.5) * (x[k-1] - 0.5)
				lag4 += (y - 0.5) * (x[k-4] - 0.5)
			}
		}
		assert.InDelta(t, 0.5, sum/many, 4*math.Sqrt(1./12/many), "mean, %s", name)
		assert.InDelta(t, 1./12, squares/many, 4*math.Sqrt(1./180/many), "variance, %s", name)
		assert.InDelta(t, 0, lag1/many*12, 4/math.Sqrt(many), "serial correlation, %s", name)
		assert.InDelta(t, 0, lag4/many*12, 4/math.Sqrt(many), "serial correlation of distance 4, %s", name)
		chi := 0.0
		for _, n := range count {
			chi += (n - expected) * (n - expected) / expected
		}
		assert.InDelta(t, cells-1, chi, 4*math.Sqrt(2*(cells-1)), "chi-square, %s", name)
		assert.Less(t, kolmogorov(x, func(x float64) float64 { return x }), 2.2, "Kolmogorov, %s", name)
	}
}

// kolmogorov returns √n times the largest distance of the numbers' distribution to the one
// given. It exceeds 2.2 once in 8000 times.
func kolmogorov(x []float64, below func(x float64) float64) float64 {
	x = slices.Sorted(slices.Values(x))
	n, d := float64(len(x)), 0.0
	for k, x := range x {
		p := below(x)
		d = max(d, p-float64(k)/n, float64(k+1)/n-p)
	}
	return d * math.Sqrt(n)
}

func TestNormalStatistics(t *testing.T) {
	v := views.Must(views.New1[float64]("v", many))
	require.NoError(t, random.FillNormal(v, random.New(2011), 0, 1))
	x := slices.Collect(v.Values())
	var m [5]float64
	var tails [6]float64
	for _, x := range x {
		for k := range m {
			m[k] += math.Pow(x, float64(k)) / many
		}
		for k := range tails {
			if math.Abs(x) > float64(k) {
				tails[k]++
			}
		}
	}
	// The variance of x^k is the moment 2k less the square of the moment k.
	assert.InDelta(t, 0, m[1], 4*math.Sqrt(1./many), "mean")
	assert.InDelta(t, 1, m[2], 4*math.Sqrt(2./many), "variance")
	assert.InDelta(t, 0, m[3], 4*math.Sqrt(15./many), "skewness")
	assert.InDelta(t, 3, m[4], 4*math.Sqrt(96./many), "kurtosis")
	for k, n := range tails {
		expected := many * math.Erfc(float64(k)/math.Sqrt2)
		assert.InDelta(t, expected, n, 4*math.Sqrt(expected)+1, "beyond %d", k)
	}
	assert.Less(t, kolmogorov(x, func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }), 2.2)
}

func TestExpStatistics(t *testing.T) {
	g := random.New(2011).At(5)
	x := make([]float64, many)
	sum, most := 0.0, 0.0
	for k := range x {
		x[k] = g.Exp()
		require.Positive(t, x[k])
		sum += x[k]
		most = max(most, x[k])
	}
	assert.InDelta(t, 1, sum/many, 4/math.Sqrt(many))
	assert.InDelta(t, math.Log(many), most, 6) // of a Gumbel distribution
	assert.Less(t, kolmogorov(x, func(x float64) float64 { return -math.Expm1(-x) }), 2.2)
}

func TestIntNStatistics(t *testing.T) {
	g := random.New(2011).At(6)
	var count [6]float64
	for range many {
		count[g.IntN(6)]++
	}
	for face, n := range count {
		assert.InDelta(t, many/6., n, 4*math.Sqrt(many*5./36), "face %d", face)
	}
}

// Every bit of a word is set in half of the words, and neighbours differ in half of the bits,
// whichever way they are neighbours.
func TestBits(t *testing.T) {
	const words = 20_000
	var set [64]float64
	differ := [4]float64{}
	for k := range words {
		p := random.New(uint64(k))
		g := p.At(k)
		w := g.Uint64()
		for bit := range set {
			set[bit] += float64(w >> bit & 1)
		}
		stream, split, seed := p.At(k+1), p.Split(0).At(k), random.New(uint64(k+1)).At(k)
		for d, other := range []uint64{g.Uint64(), stream.Uint64(), split.Uint64(), seed.Uint64()} {
			differ[d] += float64(bits.OnesCount64(w ^ other))
		}
	}
	for bit, n := range set {
		assert.InDelta(t, words/2, n, 4*math.Sqrt(words/4), "bit %d", bit)
	}
	for d, n := range differ {
		assert.InDelta(t, words*32, n, 4*math.Sqrt(words*16), "neighbour %d", d)
	}
}
