package atomics_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

type (
	myInt8    int8
	myUint64  uint64
	myFloat32 float32
)

// bitsOf returns what tells values apart, -0 from +0 as well.
func bitsOf[T any](x T) string {
	return fmt.Sprintf("%x", unsafe.Slice((*byte)(unsafe.Pointer(&x)), unsafe.Sizeof(x)))
}

// shown is bitsOf, but for NaNs, whose bits arithmetic leaves open.
func shown[T builtin.Real](x T) string {
	if x != x {
		return "NaN"
	}
	return bitsOf(x)
}

// checkReal compares every operation with its plain form, on an element among others that
// must not change.
func checkReal[T builtin.Real](t *testing.T, samples ...T) {
	t.Run(fmt.Sprintf("%T", samples[0]), func(t *testing.T) {
		for _, a := range samples {
			for _, x := range samples {
				for _, c := range []struct {
					name       string
					now, fetch func(p *T, x T) T
					want       T
				}{
					{"Add", atomics.Add[T], atomics.FetchAdd[T], a + x},
					{"Sub", atomics.Sub[T], atomics.FetchSub[T], a - x},
					{"Mul", atomics.Mul[T], atomics.FetchMul[T], a * x},
					{"Min", atomics.Min[T], atomics.FetchMin[T], min(a, x)},
					{"Max", atomics.Max[T], atomics.FetchMax[T], max(a, x)},
					{"Exchange", nil, atomics.Exchange[T], x},
					{"Store", func(p *T, x T) T { atomics.Store(p, x); return x }, nil, x},
					{"Update", func(p *T, x T) T { return atomics.Update(p, func(T) T { return x }) }, nil, x},
				} {
					checkOperation(t, c.name, a, x, c.want, c.now, c.fetch)
				}
				y := a
				was, swapped := atomics.CompareExchange(&y, x, x+1)
				want := a
				if bitsOf(a) == bitsOf(x) {
					want = x + 1
				}
				require.Equal(t, bitsOf(a) == bitsOf(x), swapped, "%v %v", a, x)
				require.Equal(t, bitsOf(a), bitsOf(was))
				require.Equal(t, bitsOf(want), bitsOf(y))
			}
		}
	})
}

func checkInteger[T builtin.Integer](t *testing.T, samples ...T) {
	checkReal(t, samples...)
	for _, a := range samples {
		for _, x := range samples {
			checkOperation(t, "And", a, x, a&x, atomics.And[T], atomics.FetchAnd[T])
			checkOperation(t, "Or", a, x, a|x, atomics.Or[T], atomics.FetchOr[T])
			checkOperation(t, "Xor", a, x, a^x, atomics.Xor[T], atomics.FetchXor[T])
		}
	}
}

// checkOperation runs the two forms of an operation on every element of a small slice.
func checkOperation[T builtin.Real](t *testing.T, name string, a, x, want T, now, fetch func(p *T, x T) T) {
	for at := range 3 {
		if now != nil {
			y := []T{7, 7, 7}
			y[at] = a
			require.Equal(t, shown(want), shown(now(&y[at], x)), "%s of %v and %v", name, a, x)
			checkElement(t, y, at, want)
		}
		if fetch != nil {
			y := []T{7, 7, 7}
			y[at] = a
			require.Equal(t, shown(a), shown(fetch(&y[at], x)), "Fetch%s of %v and %v", name, a, x)
			checkElement(t, y, at, want)
		}
	}
}

func checkElement[T builtin.Real](t *testing.T, y []T, at int, want T) {
	require.Equal(t, shown(want), shown(atomics.Load(&y[at])))
	for k := range y {
		if k != at {
			require.Equal(t, T(7), y[k], "a neighbour changed")
		}
	}
}

func TestOperations(t *testing.T) {
	checkInteger[int](t, 0, 1, -1, math.MaxInt, math.MinInt, 12345)
	checkInteger[int8](t, 0, 1, -1, math.MaxInt8, math.MinInt8, 100)
	checkInteger[int16](t, 0, 1, -1, math.MaxInt16, math.MinInt16)
	checkInteger[int32](t, 0, 1, -1, math.MaxInt32, math.MinInt32)
	checkInteger[int64](t, 0, 1, -1, math.MaxInt64, math.MinInt64, 1<<40)
	checkInteger[uint](t, 0, 1, math.MaxUint)
	checkInteger[uint8](t, 0, 1, 200, math.MaxUint8)
	checkInteger[uint16](t, 0, 1, math.MaxUint16)
	checkInteger[uint32](t, 0, 1, math.MaxUint32)
	checkInteger[uint64](t, 0, 1, math.MaxUint64, 1<<40)
	checkInteger[uintptr](t, 0, 1, math.MaxUint)
	checkInteger[myInt8](t, 0, 1, -1, -128)
	checkInteger[myUint64](t, 0, 1, math.MaxUint64)
	negative, inf, nan := math.Copysign(0, -1), math.Inf(1), math.NaN()
	checkReal(t, 0, negative, 1, -2.5, 1e300, inf, -inf, nan, math.Float64frombits(0x7ff8000000000123))
	checkReal(t, 0, float32(negative), 1, -2.5, 1e38, float32(inf), float32(-inf), float32(nan))
	checkReal[myFloat32](t, 0, myFloat32(negative), 1)
}

// A NaN is itself, and -0 is not +0, or a loop over CompareExchange would not end.
func TestCompareExchangeOfFloats(t *testing.T) {
	x := math.NaN()
	_, swapped := atomics.CompareExchange(&x, x, 1)
	assert.True(t, swapped)
	assert.Equal(t, 1.0, x)
	x = 0
	was, swapped := atomics.CompareExchange(&x, math.Copysign(0, -1), 1)
	assert.False(t, swapped)
	assert.Zero(t, was)
	assert.Zero(t, x)
}

// Eight bytes that on 32-bit processors are not where these want them.
func TestAlignment(t *testing.T) {
	type element struct {
		tag int32
		f   float64
		n   int64
	}
	y := make([]element, 3)
	for k := range y {
		hammer(t, func(int) {
			atomics.Add(&y[k].f, 0.5)
			atomics.FetchOr(&y[k].n, 1<<40)
			atomics.Add(&y[k].n, 1)
			atomics.Max(&y[k].f, atomics.Load(&y[k].f))
		})
		assert.Equal(t, element{0, hammered / 2, 1<<40 + hammered}, y[k])
	}
}

const hammered = 4 * 500

// hammer calls f from four goroutines at a time, with the numbers below hammered.
func hammer(t *testing.T, f func(k int)) {
	t.Helper()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for k := range hammered / 4 {
				f(4*k + w)
			}
		})
	}
	wg.Wait()
}

func hammerReal[T builtin.Real](t *testing.T) {
	t.Run(fmt.Sprintf("%T", *new(T)), func(t *testing.T) {
		var sum, least, most, down, tokens T
		var taken [4]T
		hammer(t, func(k int) {
			atomics.Add(&sum, 1)
			atomics.Sub(&down, 1)
			atomics.Min(&least, T(k%100))
			atomics.Max(&most, T(k%100))
			taken[k%4] += atomics.Exchange(&tokens, 1) // each token is taken once
		})
		var want T // it wraps
		for range hammered {
			want++
		}
		assert.Equal(t, want, sum)
		assert.Equal(t, -want, down)
		assert.Zero(t, least)
		assert.Equal(t, T(99), most)
		assert.Equal(t, want, taken[0]+taken[1]+taken[2]+taken[3]+tokens)
	})
}

func TestHammer(t *testing.T) {
	hammerReal[int8](t)
	hammerReal[uint8](t)
	hammerReal[int16](t)
	hammerReal[uint16](t)
	hammerReal[int32](t)
	hammerReal[uint32](t)
	hammerReal[int64](t)
	hammerReal[uint64](t)
	hammerReal[float32](t)
	hammerReal[float64](t)
}

// What one worker fetches, no other does.
func TestFetchIsWhole(t *testing.T) {
	var ticket int64
	var half uint16
	seen, bits := make([]bool, hammered), make([]bool, hammered)
	hammer(t, func(int) {
		seen[atomics.FetchAdd(&ticket, 1)] = true
		bits[atomics.FetchAdd(&half, 1)] = true
	})
	assert.NotContains(t, seen, false)
	assert.NotContains(t, bits, false)
}

// Neighbours of a byte are not touched, which the race detector would report.
func TestNeighboursAreFree(t *testing.T) {
	y := make([]uint8, 5)
	hammer(t, func(k int) {
		atomics.Add(&y[4], 1)
		y[k%4]++ // goroutine k%4 alone
	})
	want := hammered / 4 % 256
	assert.Equal(t, []uint8{uint8(want), uint8(want), uint8(want), uint8(want), hammered % 256}, y)
}

// A functor may use atomics inside of an Update.
func TestUpdateHoldsNoLock(t *testing.T) {
	var y [256]uint8
	got := atomics.Update(&y[0], func(old uint8) uint8 {
		for k := range y {
			atomics.Add(&y[k], 0)
		}
		return old + 1
	})
	assert.Equal(t, uint8(1), got)
}

// The same kernel on every space.
func TestSpaces(t *testing.T) {
	const n, m = 20000, 7
	cells := make([]int, n)
	want := make([]int32, m)
	r := rand.New(rand.NewPCG(1, 2))
	for k := range cells {
		cells[k] = r.IntN(m)
		want[cells[k]] += int32(k)
	}
	three := exec.NewGoroutines(3)
	t.Cleanup(func() { require.NoError(t, three.Close()) })
	for _, s := range []exec.Space{exec.Serial{}, three, exec.NewSimGPU(gpu.H200())} {
		y := views.Must(views.New2[int32]("y", 1, m))
		f := views.Must(views.New1[float64]("f", m))
		err := exec.ParallelFor(policy.Range(0, n).On(s), func(i int) {
			atomics.Add(&y.Row(0)[cells[i]], int32(i))
			memory, _ := f.Slice()
			atomics.Add(&memory[cells[i]], float64(i)) // integers: no rounding
		})
		require.NoError(t, err)
		assert.Equal(t, want, y.Row(0), s.Name())
		for k, x := range want {
			assert.Equal(t, float64(x), f.At(k), s.Name())
		}
	}
}
