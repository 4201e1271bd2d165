package reduction_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/builtin/reduction"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

var sizes = []int{0, 1, 2, 31, 33, 65, 1000, 4097}

// onSpaces runs f on every space; the first is Serial.
func onSpaces(t *testing.T, f func(t *testing.T, space exec.Space)) {
	device := gpu.H200()
	device.Block = 96
	sim, odd := exec.NewSimGPU(gpu.H200()), exec.NewSimGPU(device)
	two, three := exec.NewGoroutines(2), exec.NewGoroutines(3)
	t.Cleanup(func() {
		for _, s := range []interface{ Close() error }{sim, odd, two, three} {
			assert.NoError(t, s.Close())
		}
	})
	for k, space := range []exec.Space{exec.Serial{}, two, three, sim, sim.WithSchedule(7), odd} {
		t.Run(fmt.Sprintf("%s %d", space.Name(), k), func(t *testing.T) { f(t, space) })
	}
}

// numbers returns n values whose sums are rounded.
func numbers(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Sin(float64(i)) * math.Exp(float64(i%40))
	}
	return x
}

func bitsOf(x float64) uint64 { return math.Float64bits(x) }

// The first program of the specification.
func TestReductionVariables_SeveralInOneLaunch(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		var sumResult, maxResult int
		require.NoError(t, exec.ParallelReduce2(policy.Range(0, 1024).On(space), func(i int, sum *reduction.Sum[int], max *reduction.Max[int]) {
			sum.Add(i)
			max.Combine(i)
		}, reduction.Plus(&sumResult), reduction.Maximum(&maxResult)))
		assert.Equal(t, 523776, sumResult)
		assert.Equal(t, 1023, maxResult)
	})
}

func TestReductionVariables_MixedTypes(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		var sum float64
		var low int
		var all bool
		var bits uint8
		require.NoError(t, exec.ParallelReduce4(policy.Range(1, 301).On(space),
			func(i int, a *reduction.Sum[float64], b *reduction.Min[int], c *reduction.LAnd[bool], d *reduction.BXor[uint8]) {
				a.Add(0.5 * float64(i))
				b.Combine(i % 100)
				c.Combine(i > 0)
				d.Xor(uint8(i))
			}, reduction.Plus(&sum), reduction.Minimum(&low), reduction.LogicalAnd(&all), reduction.BitXor(&bits)))
		assert.Equal(t, 0.5*300*301/2, sum)
		assert.Equal(t, 0, low)
		assert.True(t, all)
		assert.Equal(t, uint8(300&0xff), bits, "1^2^...^n is n if n is a multiple of 4")
	})
}

func TestReductionVariables_Complex(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		p := policy.Range(0, 1000).On(space)
		unit := func(i int) complex128 { return complex(math.Cos(float64(i)), math.Sin(float64(i))) }
		var sum, product, folded complex128
		require.NoError(t, exec.ParallelReduce2(p, func(i int, s *reduction.Sum[complex128], p *reduction.Prod[complex128]) {
			s.Add(unit(i))
			p.Mul(unit(i))
		}, reduction.Plus(&sum), reduction.Multiplies(&product)))
		want := 0i
		for i := range 1000 {
			want += unit(i)
		}
		assert.InDelta(t, real(want), real(sum), 1e-9)
		assert.InDelta(t, imag(want), imag(sum), 1e-9)
		assert.InDelta(t, math.Cos(999*1000/2), real(product), 1e-9)
		assert.InDelta(t, math.Sin(999*1000/2), imag(product), 1e-9)

		require.NoError(t, exec.ParallelFold(exec.Map(p, unit), builtin.Prod(&folded)))
		assert.Equal(t, folded, product)
	})
}

// The two parts of a complex64 product are rounded to float32, in functors and folds.
func TestReductionVariables_Complex64(t *testing.T) {
	unit := func(i int) complex64 {
		return complex(float32(math.Cos(float64(i))), float32(math.Sin(float64(i))))
	}
	p := policy.Range(0, 500).On(exec.Serial{})
	var methods, shorthand, folded complex64
	require.NoError(t, exec.ParallelReduce2(p, func(i int, a, b *reduction.Prod[complex64]) {
		a.Combine(unit(i))
		b.Mul(unit(i))
	}, reduction.Multiplies(&methods), reduction.Multiplies(&shorthand)))
	require.NoError(t, exec.ParallelFold(exec.Map(p, unit), builtin.Prod(&folded)))
	assert.Equal(t, folded, methods)
	assert.Equal(t, folded, shorthand)
}

// big is more than fits lanes.
type big struct {
	sum   [20]int
	words string
	least float64
}

func mergeBig(a, b big) big {
	for k := range a.sum {
		a.sum[k] += b.sum[k]
	}
	a.words += b.words
	a.least = min(a.least, b.least)
	return a
}

func TestReductionVariables_BigStructs(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		item := func(i int) big {
			b := big{words: string(rune('a' + i%26)), least: float64(i * 7 % 97)}
			b.sum[i%20] = i
			return b
		}
		want := item(0)
		for i := 1; i < 100; i++ {
			want = mergeBig(want, item(i))
		}
		result := big{words: "dropped"}
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 100).On(space), func(i int, acc *reduction.Value[big]) {
			acc.Combine(item(i))
		}, reducers.Ordered(reduction.New(&result, mergeBig))))
		assert.Equal(t, want, result)
	})
}

func TestReductionVariables_OverPolicies(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		var n, m int
		check := func(want int, err error) {
			t.Helper()
			require.NoError(t, err)
			assert.Equal(t, []int{want, want}, []int{n, m})
			n, m = -1, -1
		}
		rn, rm := reduction.Plus(&n), reduction.Plus(&m)
		type sum = reduction.Sum[int]
		once := func(a, b *sum) { a.Inc(); b.Add(2).Add(-1) }

		check(60, exec.ParallelReduce2(policy.Range(0, 60).On(space), func(_ int, a, b *sum) { once(a, b) }, rn, rm))
		check(60, exec.ParallelReduce2(policy.Range(0, 60).On(space).Items(), func(_ policy.Item[int], a, b *sum) { once(a, b) }, rn, rm))
		check(60, exec.ParallelReduce2(policy.Spans(0, 60).On(space), func(s policy.Span, a, b *sum) {
			for range s.All() {
				once(a, b)
			}
		}, rn, rm))
		check(15, exec.ParallelReduce2(policy.MDRange2([2]int{1, 2}, [2]int{4, 7}).On(space), func(_ policy.Index2, a, b *sum) { once(a, b) }, rn, rm))
		check(35, exec.ParallelReduce2(policy.Team(5, 7).On(space), func(_ *team.Member, a, b *sum) { once(a, b) }, rn, rm))
		check(5*7*9, exec.ParallelReduce2(policy.Team(5, 7).On(space), func(m *team.Member, a, b *sum) {
			var inner int
			team.Reduce(team.ThreadRange(m, 9), func(_ int, acc *sum) { acc.Inc() }, reduction.Plus(&inner))
			once(a, b)
			a.Add(inner - 1)
			b.Add(inner - 1)
		}, rn, rm))
	})
}

// methods lists the exported methods of a pointer to T.
func methods[T any]() (names []string) {
	for m := range reflect.TypeFor[*T]().Methods() {
		names = append(names, m.Name)
	}
	return names
}

// A kernel that uses a shorthand of another operation does not compile.
func TestShorthandUpdates_OnlyWhereTheyAre(t *testing.T) {
	for name, c := range map[string]struct{ got, want []string }{
		"Sum":   {methods[reduction.Sum[int]](), []string{"Add", "Combine", "Identity", "Inc"}},
		"Prod":  {methods[reduction.Prod[int]](), []string{"Combine", "Identity", "Mul"}},
		"BAnd":  {methods[reduction.BAnd[int]](), []string{"And", "Combine", "Identity"}},
		"BOr":   {methods[reduction.BOr[int]](), []string{"Combine", "Identity", "Or"}},
		"BXor":  {methods[reduction.BXor[int]](), []string{"Combine", "Identity", "Xor"}},
		"LAnd":  {methods[reduction.LAnd[bool]](), []string{"Combine", "Identity"}},
		"LOr":   {methods[reduction.LOr[bool]](), []string{"Combine", "Identity"}},
		"Min":   {methods[reduction.Min[int]](), []string{"Combine", "Identity"}},
		"Max":   {methods[reduction.Max[int]](), []string{"Combine", "Identity"}},
		"Value": {methods[reduction.Value[int]](), []string{"Combine", "Identity"}},
		"Array": {methods[reduction.Array[int]](), []string{"At", "Len"}},
	} {
		assert.Equal(t, c.want, c.got, name)
	}
}

func TestShorthandUpdates(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		p := policy.Range(0, 50).On(space)
		var count, product int
		var and, or, xor uint8
		var half float64
		require.NoError(t, exec.ParallelReduce4(p, func(i int, s *reduction.Sum[int], m *reduction.Prod[int], a *reduction.BAnd[uint8], o *reduction.BOr[uint8]) {
			s.Inc()
			m.Mul(1 + i%2)
			a.And(uint8(i) | 0x80)
			o.Or(uint8(i))
		}, reduction.Plus(&count), reduction.Multiplies(&product), reduction.BitAnd(&and), reduction.BitOr(&or)))
		require.NoError(t, exec.ParallelReduce2(p, func(i int, x *reduction.BXor[uint8], h *reduction.Sum[float64]) {
			x.Xor(1 << (i % 5))
			h.Add(0.5).Inc()
		}, reduction.BitXor(&xor), reduction.Plus(&half)))
		assert.Equal(t, []int{50, 1 << 25}, []int{count, product})
		assert.Equal(t, []uint8{0x80, 0x3f, 0}, []uint8{and, or, xor})
		assert.Equal(t, 75.0, half, "++ adds 1 to floats, too")
	})
}

func TestCombineChained(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		p := policy.Range(0, 70).On(space)
		var sum, high, low, product, own int
		require.NoError(t, exec.ParallelReduce4(p, func(i int, s *reduction.Sum[int], h *reduction.Max[int], l *reduction.Min[int], v *reduction.Value[int]) {
			s.Combine(i).Combine(2 * i).Add(3 * i).Inc()
			h.Combine(i).Combine(100 - i)
			l.Combine(i).Combine(-i)
			v.Combine(i).Combine(i)
		}, reduction.Plus(&sum), reduction.Maximum(&high), reduction.Minimum(&low), reduction.New(&own, func(a, b int) int { return a + b })))
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 30).On(space), func(i int, acc *reduction.Prod[int]) {
			acc.Combine(2).Mul(1)
		}, reduction.Multiplies(&product)))
		assert.Equal(t, []int{6*69*70/2 + 70, 100, -69, 69 * 70, 1 << 30}, []int{sum, high, low, own, product})

		var and, or, xor uint8
		var all, any bool
		require.NoError(t, exec.ParallelReduce3(p, func(_ int, a *reduction.BAnd[uint8], o *reduction.BOr[uint8], x *reduction.BXor[uint8]) {
			a.And(7).And(14)
			o.Or(1).Or(4)
			x.Xor(1).Xor(3)
		}, reduction.BitAnd(&and), reduction.BitOr(&or), reduction.BitXor(&xor)))
		require.NoError(t, exec.ParallelReduce2(p, func(i int, a *reduction.LAnd[bool], o *reduction.LOr[bool]) {
			a.Combine(true).Combine(i != 40)
			o.Combine(false).Combine(i == 40)
		}, reduction.LogicalAnd(&all), reduction.LogicalOr(&any)))
		assert.Equal(t, []uint8{6, 5, 0}, []uint8{and, or, xor})
		assert.Equal(t, []bool{false, true}, []bool{all, any})
	})
}

func TestCombineAnyNumberOfTimesPerItem(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, n := range sizes {
			sum, own, want := -1, 0, 0
			require.NoError(t, exec.ParallelReduce2(policy.Range(0, n).On(space), func(i int, s *reduction.Sum[int], v *reduction.Value[int]) {
				for k := range i % 4 { // 0, 1 or many
					s.Combine(i + k)
					v.Combine(i + k)
				}
			}, reduction.Plus(&sum), reduction.New(&own, func(a, b int) int { return a + b })))
			for i := range n {
				for k := range i % 4 {
					want += i + k
				}
			}
			assert.Equal(t, []int{want, want}, []int{sum, own}, "n = %d", n)
		}
	})
}

// Methods, plain accumulators and folds of package builtin give the same bits, and so do
// all spaces.
func TestSameBitsAsBuiltin(t *testing.T) {
	first := map[int][]uint64{}
	onSpaces(t, func(t *testing.T, space exec.Space) {
		for _, n := range sizes {
			x := numbers(n)
			p := policy.Range(0, n).On(space)
			var a, b, f [4]float64
			require.NoError(t, exec.ParallelReduce4(p, func(i int, s *reduction.Sum[float64], m *reduction.Prod[float64], l *reduction.Min[float64], h *reduction.Max[float64]) {
				s.Add(x[i])
				m.Mul(1 + 1e-20*x[i])
				l.Combine(x[i])
				h.Combine(x[i])
			}, reduction.Plus(&a[0]), reduction.Multiplies(&a[1]), reduction.Minimum(&a[2]), reduction.Maximum(&a[3])))
			require.NoError(t, exec.ParallelReduce4(p, func(i int, s, m, l, h *float64) {
				*s += x[i]
				*m *= 1 + 1e-20*x[i]
				*l = min(*l, x[i])
				*h = max(*h, x[i])
			}, builtin.Sum(&b[0]), builtin.Prod(&b[1]), builtin.Min(&b[2]), builtin.Max(&b[3])))
			require.NoError(t, exec.ParallelFold(exec.Slice(p, x), reduction.Plus(&f[0]), reduction.Minimum(&f[2]), reduction.Maximum(&f[3])))
			f[1] = b[1]
			assert.Equal(t, b, a, "n = %d", n)
			assert.Equal(t, b, f, "fold, n = %d", n)
			got := []uint64{bitsOf(a[0]), bitsOf(a[1]), bitsOf(a[2]), bitsOf(a[3])}
			if first[n] == nil {
				first[n] = got
			}
			assert.Equal(t, first[n], got, "n = %d", n)
		}
	})
}

// Accumulators are reduced in as many lanes as plain values.
func TestAccumulatorsTakeLanes(t *testing.T) {
	assert.True(t, reduce.TakesLanes[reduction.Sum[complex128]]())
	assert.True(t, reduce.TakesLanes[reduction.Max[float32]]())
	assert.True(t, reduce.TakesLanes[reduction.Value[[5]float64]](), "40 bytes")
	assert.False(t, reduce.TakesLanes[reduction.Value[[6]float64]]())
	assert.False(t, reduce.TakesLanes[reduction.Array[reduction.Sum[int]]]())
	assert.Equal(t, reflect.TypeFor[float64]().Size(), reflect.TypeFor[reduction.Sum[float64]]().Size())
}

func TestReductionVariables_InParallelFold(t *testing.T) {
	onSpaces(t, func(t *testing.T, space exec.Space) {
		x := make([]int, 777)
		for i := range x {
			x[i] = (i*37 + 5) % 1000
		}
		p := policy.Range(0, len(x)).On(space)
		var sum, high, own, ten int
		bins := make([]int, 10)
		binned := reducers.Folding(reduction.Span(bins, reduction.Plus), func(acc *reduction.Array[reduction.Sum[int]], _ int, v int) {
			acc.At(v / 100).Inc()
		})
		require.NoError(t, exec.ParallelFold(exec.Slice(p, x), reduction.Plus(&sum), reduction.Maximum(&high),
			reduction.New(&own, func(a, b int) int { return max(a, b) }), reduction.Minimum(&ten).WithIdentity(10), binned))
		want, wantBins := 0, make([]int, 10)
		for _, v := range x {
			want += v
			wantBins[v/100]++
		}
		assert.Equal(t, []int{want, slices.Max(x), slices.Max(x), min(10, slices.Min(x))}, []int{sum, high, own, ten})
		assert.Equal(t, wantBins, bins)
	})
}
