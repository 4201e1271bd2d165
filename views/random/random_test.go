package random_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random"
)

// spaces returns every kind of space, and Goroutines with several numbers of workers.
func spaces(t testing.TB) map[string]exec.Space {
	m := map[string]exec.Space{"Serial": exec.Serial{}, "SimGPU": exec.NewSimGPU(gpu.H200())}
	for _, n := range []int{1, 2, 3, 7} {
		s := exec.NewGoroutines(n)
		t.Cleanup(func() { assert.NoError(t, s.Close()) })
		m[fmt.Sprintf("Goroutines %d", n)] = s
	}
	return m
}

// Every function of a Generator, from a stream of its own. These are bits that programs rely on.
func TestGolden(t *testing.T) {
	p := random.New(42)
	for _, c := range []struct {
		name   string
		stream int
		draw   func(g *random.Generator) any
		want   string
	}{
		{"Uint64", 0, func(g *random.Generator) any { return g.Uint64() }, "12063030334536064454 5501174070072956223 16864535030999669429"},
		{"Uint32", 1, func(g *random.Generator) any { return g.Uint32() }, "335420891 3692070144 2862181880"},
		{"Float64", 2, func(g *random.Generator) any { return g.Float64() }, "0.032042828181194194 0.975078794745065 0.6893205221479312"},
		{"Float32", 3, func(g *random.Generator) any { return g.Float32() }, "0.90147686 0.28835386 0.7303458"},
		{"IntN", 4, func(g *random.Generator) any { return g.IntN(1000) }, "856 49 908"},
		{"Normal", 5, func(g *random.Generator) any { return g.Normal() }, "-0.5407751505327241 0.3442841167772715 -0.29131829445317314"},
		{"Exp", -6, func(g *random.Generator) any { return g.Exp() }, "1.756112147287647 0.021750128527568763 0.537301236371346"},
	} {
		g := p.At(c.stream)
		assert.Equal(t, c.want, fmt.Sprint(c.draw(&g), c.draw(&g), c.draw(&g)), c.name)
	}
	g := p.Split(3).Split(-1).At(0)
	assert.Equal(t, uint64(0x9af4a13477da879d), g.Uint64())
}

// All the values of a normal and of an exponential fill: one bit more and the sum is another.
func TestGoldenSums(t *testing.T) {
	v := views.Must(views.New1[float64]("v", 100_000))
	hash := func() uint64 {
		h := uint64(14695981039346656037) // FNV-1a, by words
		for x := range v.Values() {
			h = (h ^ math.Float64bits(x)) * 1099511628211
		}
		return h
	}
	require.NoError(t, random.FillNormal(v, random.New(1), 0.1, 3))
	assert.Equal(t, uint64(0xa52e9141fa12ea0e), hash(), "normal")
	require.NoError(t, random.FillUniform(v, random.New(1), -0.1, 0.7))
	assert.Equal(t, uint64(0xd75e50caf2037762), hash(), "uniform")
	p := random.New(1)
	for i := range v.Len() {
		g := p.At(i)
		v.Set(i, g.Exp()*g.Float64())
	}
	assert.Equal(t, uint64(0x8874b2a1cd62ee15), hash(), "exponential")
}

// A copy of a generator goes on alone, and a generator drives package math/rand/v2.
func TestGeneratorIsValueAndSource(t *testing.T) {
	g := random.New(3).At(11)
	g.Uint64()
	h := g
	want := []uint64{g.Uint64(), g.Uint64(), g.Uint64(), g.Uint64()}
	r := rand.New(&h)
	for _, w := range want {
		assert.Equal(t, w, r.Uint64())
	}
	assert.ElementsMatch(t, []int{0, 1, 2, 3, 4}, r.Perm(5))
	assert.Equal(t, h.Uint64(), func() uint64 { g.Uint64(); g.Uint64(); g.Uint64(); g.Uint64(); return g.Uint64() }())
}

func TestGeneratorAllocatesNothing(t *testing.T) {
	p := random.New(3)
	sum := 0.0
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		for i := range 10 {
			g := p.Split(i).At(i)
			sum += g.Float64() + g.Normal() + g.Exp() + float64(g.IntN(6))
		}
	}))
}

func TestIntNPanics(t *testing.T) {
	g := random.New(3).At(0)
	assert.PanicsWithValue(t, "random: IntN(0), expected at least 1", func() { g.IntN(0) })
	assert.PanicsWithValue(t, "random: IntN(-1), expected at least 1", func() { g.IntN(-1) })
	assert.Equal(t, 0, g.IntN(1))
	for range 100 { // half of the words are of no use here
		if math.MaxInt > math.MaxInt32 {
			assert.Less(t, g.IntN(math.MaxInt/2+2), math.MaxInt/2+2)
		}
	}
}

// Functors draw the same numbers on every space.
func TestPoolOnSpaces(t *testing.T) {
	const n = 5000
	p := random.New(9)
	draw := func(s exec.Space) []float64 {
		x := make([]float64, n)
		require.NoError(t, exec.ParallelFor(policy.Range(0, n).On(s), func(i int) {
			g := p.At(i)
			for range i % 7 {
				x[i] += g.Normal()
			}
		}))
		return x
	}
	want := draw(exec.Serial{})
	for name, s := range spaces(t) {
		assert.Equal(t, want, draw(s), name)
	}
}

// forms returns views of the same extents of every layout, and the places between their
// elements, which must stay 0.
func forms[T any](t *testing.T, n, m int) map[string]views.View[T] {
	all := map[string]views.View[T]{}
	for _, l := range []views.Layout{views.Right, views.Left, views.Stride{2*m + 3, 2}, views.Stride{3, 3*n + 1}, views.Stride{m + 1, 1}} {
		v, err := views.New[T]("v", []int{n, m}, l)
		require.NoError(t, err)
		all[l.String()] = v
	}
	return all
}

// check compares fills on all spaces and layouts with what the documentation says.
func check[T comparable](t *testing.T, n, m int, fill func(v views.View[T], on policy.Launch) error, law func(k int, word uint64) T) {
	t.Helper()
	g := random.New(5).At(0)
	var want []T
	for k := range n * m {
		want = append(want, law(k, g.Uint64()))
	}
	for name, s := range spaces(t) {
		for layout, v := range forms[T](t, n, m) {
			require.NoError(t, fill(v, policy.On(s)))
			require.True(t, slices.Equal(want, slices.Collect(v.Values())), "%s, %s", name, layout)
		}
	}
}

type celsius float32
type id uint16

func TestFillUniform(t *testing.T) {
	unit := func(w uint64) float64 { return float64(w>>11) / (1 << 53) }
	t.Run("float64", func(t *testing.T) {
		for _, e := range [][2]int{{0, 3}, {1, 1}, {3, 5}, {2, 1024}, {61, 97}} {
			check(t, e[0], e[1], func(v views.View[float64], on policy.Launch) error {
				return random.FillUniform(v, random.New(5), -1, 3, on)
			}, func(_ int, w uint64) float64 { return -1 + float64(4*unit(w)) })
		}
	})
	t.Run("celsius", func(t *testing.T) {
		check(t, 37, 61, func(v views.View[celsius], on policy.Launch) error {
			return random.FillUniform(v, random.New(5), -40, 40, on)
		}, func(_ int, w uint64) celsius { return celsius(-40 + float64(80*unit(w))) })
	})
	t.Run("int8", func(t *testing.T) { integers[int8](t, math.MinInt8, math.MaxInt8, false) })
	t.Run("id", func(t *testing.T) { integers[id](t, 3, 1000, false) })
	t.Run("uintptr", func(t *testing.T) { integers[uintptr](t, 5, 77, false) })
	t.Run("int", func(t *testing.T) { integers(t, math.MinInt, math.MaxInt, false) })
	t.Run("int64", func(t *testing.T) { integers[int64](t, -1, 1<<62, true) }) // one word in four makes none
	t.Run("uint64", func(t *testing.T) { integers[uint64](t, 7, 1<<63+8, true) })
}

// integers checks fills against Lemire's law as it is written down, without its short cuts.
func integers[T builtin.Integer](t *testing.T, lo, hi T, rejects bool) {
	n := uint64(hi) - uint64(lo)
	try := func(w uint64) (T, bool) {
		x, low := mul(w, n)
		return lo + T(x), low >= (math.MaxUint64-n+1)%n // 2⁶⁴ mod n
	}
	p := random.New(5)
	rejected := 0
	check(t, 37, 61, func(v views.View[T], on policy.Launch) error {
		return random.FillUniform(v, p, lo, hi, on)
	}, func(k int, w uint64) T {
		x, ok := try(w)
		for g := p.At(k + 1); !ok; x, ok = try(g.Uint64()) {
			rejected++
		}
		assert.True(t, lo <= x && x < hi)
		return x
	})
	assert.Equal(t, rejects, rejected > 0)
}

// mul returns the halves of x·y, by parts.
func mul(x, y uint64) (high, low uint64) {
	const half = 1<<32 - 1
	a, b, c, d := x>>32, x&half, y>>32, y&half
	middle := a*d + b*d>>32
	rest := middle&half + b*c
	return a*c + middle>>32 + rest>>32, x * y
}

func TestFillNormal(t *testing.T) {
	p := random.New(5)
	oracle := p.At(0)
	check(t, 61, 97, func(v views.View[float64], on policy.Launch) error {
		return random.FillNormal(v, p, 10, 0.3, on)
	}, func(int, uint64) float64 { return 10 + float64(0.3*oracle.Normal()) })
	oracle = p.At(0)
	check(t, 61, 97, func(v views.View[float32], on policy.Launch) error {
		return random.FillNormal(v, p, -1, 0.5, on)
	}, func(int, uint64) float32 { return float32(-1 + float64(0.5*oracle.Normal())) })
	v := views.Must(views.New1[float64]("v", 5))
	require.NoError(t, random.FillNormal(v, p, 7, 0))
	assert.Equal(t, []float64{7, 7, 7, 7, 7}, slices.Collect(v.Values()))
}

// Rounding never makes hi of what is below it.
func TestFillUniformNeverReachesHi(t *testing.T) {
	t.Run("float32", neverHi(float32(1), float32(1+0x1p-23), float32(1+0x1p-22)))
	t.Run("float64", neverHi(1, 1+0x1p-52, 1+0x1p-51))
	t.Run("subnormal", neverHi(0, math.SmallestNonzeroFloat64, 2*math.SmallestNonzeroFloat64))
	t.Run("below 0", neverHi(float32(-1-0x1p-22), float32(-1-0x1p-23), float32(-1)))
	t.Run("to 0", neverHi(float32(-2*math.SmallestNonzeroFloat32), float32(-math.SmallestNonzeroFloat32), 0))
}

func neverHi[T builtin.Float](lo, middle, hi T) func(t *testing.T) {
	return func(t *testing.T) {
		v := views.Must(views.New1[T]("v", 1000))
		count := map[T]int{}
		require.NoError(t, random.FillUniform(v, random.New(1), lo, hi))
		for x := range v.Values() {
			count[x]++
		}
		assert.Len(t, count, 2)
		assert.Positive(t, count[lo])
		assert.Positive(t, count[middle])
		require.NoError(t, random.FillUniform(v, random.New(1), lo, middle))
		for x := range v.Values() {
			require.Equal(t, lo, x)
		}
	}
}

func TestFillErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	p := random.New(1)
	v := views.Must(views.Of1("v", []float64{1, 2, 3}))
	ints := views.Must(views.Of1("ints", []int{1, 2, 3}))
	const finite = "expected finite numbers with a finite difference"
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{2, 1, "random: FillUniform from 2 to 1, expected the first to be lower"},
		{1, 1, "expected the first to be lower"},
		{nan, 1, "from NaN to 1, expected the first to be lower"},
		{0, nan, "expected the first to be lower"},
		{0, inf, finite},
		{-inf, 0, finite},
		{-math.MaxFloat64, math.MaxFloat64, finite},
	} {
		assert.ErrorContains(t, random.FillUniform(v, p, c.lo, c.hi), c.want)
	}
	assert.ErrorContains(t, random.FillUniform(ints, p, 3, 3), "random: FillUniform from 3 to 3")
	for _, c := range [][2]float64{{nan, 1}, {inf, 1}, {0, nan}, {0, inf}, {0, -1}} {
		err := random.FillNormal(v, p, c[0], c[1])
		assert.ErrorContains(t, err, "expected finite numbers, the second at least 0")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, random.FillUniform(v, p, 0, 1, policy.On(exec.Serial{}).WithContext(ctx)), context.Canceled)
	assert.Equal(t, []float64{1, 2, 3}, slices.Collect(v.Values()))
	assert.Equal(t, []int{1, 2, 3}, slices.Collect(ints.Values()))
	wide := views.Must(views.New1[float32]("wide", 100))
	assert.NoError(t, random.FillUniform(wide, p, -math.MaxFloat32, math.MaxFloat32))
	assert.False(t, math.IsInf(float64(slices.Max(slices.Collect(wide.Values()))), 0))
}
