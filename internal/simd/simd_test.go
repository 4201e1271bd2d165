package simd_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/simd"
)

type (
	integer interface {
		~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
	}
	float  interface{ ~float32 | ~float64 }
	number interface{ integer | float }
)

// An operation is what a kernel does to one lane, in Go.
type operation[T number] struct {
	op       simd.Op
	name     string
	join     func(lane, x T) T
	unsigned bool // lanes are not negative
}

func reals[T number]() []operation[T] {
	return []operation[T]{
		{simd.Sum, "Sum", func(lane, x T) T { return lane + x }, false},
		{simd.Min, "Min", func(lane, x T) T { return min(lane, x) }, false},
		{simd.Max, "Max", func(lane, x T) T { return max(lane, x) }, false},
	}
}

func floats[T float]() []operation[T] {
	return append(reals[T](),
		operation[T]{simd.SumSq, "SumSq", func(lane, x T) T { return lane + T(x*x) }, false},
		operation[T]{simd.Norm1, "Norm1", func(lane, x T) T { return lane + max(x, -x) }, false},
		operation[T]{simd.AMax, "AMax", func(lane, x T) T { return max(lane, max(x, -x)) }, true},
	)
}

func integers[T integer]() []operation[T] {
	return append(reals[T](),
		operation[T]{simd.And, "And", func(lane, x T) T { return lane & x }, false},
		operation[T]{simd.Or, "Or", func(lane, x T) T { return lane | x }, false},
		operation[T]{simd.Xor, "Xor", func(lane, x T) T { return lane ^ x }, false},
	)
}

// fold is Fold of whole rows, in Go.
func (o operation[T]) fold(lanes, x []T) {
	for k, v := range x {
		lanes[k%len(lanes)] = o.join(lanes[k%len(lanes)], v)
	}
}

// at runs f at every level that this machine has.
func at(t *testing.T, f func(t *testing.T, l simd.Level)) {
	for _, l := range []simd.Level{simd.None, simd.AVX2, simd.AVX512} {
		t.Run(l.String(), func(t *testing.T) {
			use, undo := simd.Limit(l)
			defer undo()
			if use != l {
				t.Skipf("this machine has %v", use)
			}
			f(t, l)
		})
	}
}

// special are values at which ways to compute go apart, those apart that spread.
func special[T number]() []T {
	if T(1)/2 == 0 {
		var high T = 1
		for high+high != 0 { // the bit that is the sign, if there is one
			high += high
		}
		return []T{0, 1, 2, T(0) - 1, high, high - 1, high + 1, high / 2}
	}
	tiny, huge := math.SmallestNonzeroFloat64, math.MaxFloat64
	if unsafe.Sizeof(T(0)) == 4 {
		tiny, huge = math.SmallestNonzeroFloat32, math.MaxFloat32
	}
	return append(zeros[T](), 1, T(0)-1, T(tiny), T(-tiny), T(tiny*1000), T(huge), T(-huge))
}

func zeros[T number]() []T {
	minus := math.Copysign(0, -1)
	return []T{0, T(minus)}
}

// spreading are values that a lane keeps.
func spreading[T number]() []T {
	if T(1)/2 == 0 {
		return nil
	}
	inf, nan := math.Inf(1), math.NaN()
	return []T{T(inf), T(-inf), T(nan), T(-nan)}
}

func pick[T any](rng *rand.Rand, x []T) T { return x[rng.IntN(len(x))] }

// data fills x with one of some kinds of data.
func data[T number](rng *rand.Rand, x []T) {
	kind, all := rng.IntN(4), append(special[T](), spreading[T]()...)
	for k := range x {
		switch {
		case kind == 0:
			x[k] = pick(rng, zeros[T]())
		case kind == 1:
			x[k] = pick(rng, special[T]())
		case kind == 2 && rng.IntN(60) == 0:
			x[k] = pick(rng, all)
		default:
			v := rng.NormFloat64() * 1000
			x[k] = T(v)
		}
	}
}

func bytes[T any](x []T) []byte {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
}

// same reports whether x and y have the same bits. NaNs may differ in theirs.
func same[T number](x, y []T) bool {
	for k := range x {
		if (x[k] == x[k] || y[k] == y[k]) && string(bytes(x[k:k+1])) != string(bytes(y[k:k+1])) {
			return false
		}
	}
	return len(x) == len(y)
}

// check compares Fold with the loop in Go.
func check[T number](t *testing.T, o operation[T], lanes, x []T, kernel bool) {
	t.Helper()
	want, before := append([]T(nil), lanes...), append([]T(nil), x...)
	taken := 0
	if kernel && len(lanes) == simd.Lanes {
		taken = len(x) / len(lanes) * len(lanes)
	}
	o.fold(want, x[:taken])
	if n := simd.Fold(o.op, lanes, x); n != taken {
		t.Fatalf("took %d of %d values, expected %d", n, len(x), taken)
	}
	if !same(want, lanes) {
		t.Fatalf("lanes\n%v, expected\n%v, of\n%v", lanes, want, before)
	}
	if string(bytes(x)) != string(bytes(before)) {
		t.Fatal("the values were changed")
	}
}

// checkAll does so with all lengths and alignments, and guards around the lanes.
func checkAll[T number](t *testing.T, operations []operation[T], kernels bool) {
	rng, offsets := rand.New(rand.NewPCG(1, 2)), []int{0, 1, 3, 4, 8, 15}
	if testing.Short() {
		offsets = offsets[2:3]
	}
	for _, o := range operations {
		t.Run(fmt.Sprintf("%s/%T", o.name, T(0)), func(t *testing.T) {
			at(t, func(t *testing.T, l simd.Level) {
				for n := range 301 {
					for _, offset := range offsets {
						x := make([]T, offset+n)[offset:]
						data(rng, x)
						guarded := make([]T, 5+simd.Lanes+5+offset)
						data(rng, guarded)
						lanes := guarded[5 : 5+simd.Lanes]
						if o.unsigned {
							for l, v := range lanes {
								lanes[l] = max(v, -v)
							}
						}
						guards := string(bytes(guarded[:5])) + string(bytes(guarded[5+simd.Lanes:]))
						check(t, o, lanes, x, kernels && l > simd.None)
						require.Equal(t, guards, string(bytes(guarded[:5]))+string(bytes(guarded[5+simd.Lanes:])))
					}
				}
			})
		})
	}
}

type (
	celsius float64
	id      uint32
)

func TestFold(t *testing.T) {
	checkAll(t, floats[float64](), true)
	checkAll(t, floats[float32](), true)
	checkAll(t, floats[celsius](), true)
	checkAll(t, integers[int64](), true)
	checkAll(t, integers[int32](), true)
	checkAll(t, integers[int](), true)
	checkAll(t, integers[int16](), false)
	checkAll(t, integers[uint8](), false)
	checkAll(t, integers[uint64](), true)
	checkAll(t, integers[id](), true)
}

func TestFoldLeavesOtherShapes(t *testing.T) {
	x := make([]float64, 100)
	for _, lanes := range []int{0, 1, 8, 16, 64} {
		assert.Zero(t, simd.Fold(simd.Sum, make([]float64, lanes), x), "%d lanes", lanes)
	}
	z := make([]complex64, 100) // as wide as a float64
	assert.Zero(t, simd.Fold(simd.Sum, make([]complex64, simd.Lanes), z))
	w := make([]complex128, 100)
	assert.Zero(t, simd.Fold(simd.Sum, make([]complex128, simd.Lanes), w))
	n := make([]int64, 100)
	for _, op := range []simd.Op{simd.SumSq, simd.Norm1, simd.AMax} {
		assert.Zero(t, simd.Fold(op, make([]int64, simd.Lanes), n), "%d", op)
	}
	for _, op := range []simd.Op{simd.And, simd.Or, simd.Xor} {
		assert.Zero(t, simd.Fold(op, make([]float64, simd.Lanes), x), "%d", op)
	}
}

// checkJoins compares Join with the loop in Go, which takes lanes of no sign only where
// the operation does.
func checkJoins[T number](t *testing.T, operations []operation[T], kernels bool) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, o := range operations {
		t.Run(fmt.Sprintf("%s/%T", o.name, T(0)), func(t *testing.T) {
			at(t, func(t *testing.T, l simd.Level) {
				for range 300 {
					guarded := make([]T, simd.Lanes+10)
					data(rng, guarded)
					lanes := guarded[5 : 5+simd.Lanes]
					if o.name == "Norm1" || o.name == "AMax" || o.name == "SumSq" {
						for l, v := range lanes {
							lanes[l] = max(v, -v)
						}
					}
					want := append([]T(nil), guarded...)
					taken := kernels && l > simd.None
					if taken {
						v := append([]T(nil), lanes...)
						for h := simd.Lanes / 2; h > 0; h /= 2 {
							for l := range h {
								v[l] = o.joined(v[l], v[l+h])
							}
						}
						want[5] = v[0]
					}
					require.Equal(t, taken, simd.Join(o.op, lanes))
					if !same(want, guarded) {
						t.Fatalf("joined to\n%v, expected\n%v", guarded, want)
					}
				}
			})
		})
	}
	for _, lanes := range []int{0, 1, 8, 16, 64} {
		assert.False(t, simd.Join(simd.Sum, make([]T, lanes)), "%d lanes", lanes)
	}
}

// joined joins two lanes.
func (o operation[T]) joined(x, y T) T {
	switch o.op {
	case simd.SumSq, simd.Norm1:
		return reals[T]()[0].join(x, y)
	case simd.AMax:
		return reals[T]()[2].join(x, y)
	}
	return o.join(x, y)
}

func TestJoin(t *testing.T) {
	checkJoins(t, floats[float64](), true)
	checkJoins(t, floats[float32](), true)
	checkJoins(t, floats[celsius](), true)
	checkJoins(t, integers[int64](), true)
	checkJoins(t, integers[int32](), true)
	checkJoins(t, integers[uint64](), true)
	checkJoins(t, integers[id](), true)
	checkJoins(t, integers[int16](), false)
	assert.False(t, simd.Join(simd.Sum, make([]complex64, simd.Lanes)))
}

// checkReduce compares Reduce with the loop in Go.
func checkReduce[T number](t *testing.T, kernels bool) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, o := range reals[T]()[1:] {
		t.Run(fmt.Sprintf("%s/%T", o.name, T(0)), func(t *testing.T) {
			at(t, func(t *testing.T, l simd.Level) {
				for n := range 301 {
					for _, offset := range []int{0, 1, 3} {
						x := make([]T, offset+n)[offset:]
						data(rng, x)
						want, takes := T(0), kernels && l > simd.None && n >= simd.Lanes
						if takes {
							want = x[0]
							for _, v := range x {
								want = o.join(want, v)
							}
						}
						got, took := simd.Reduce(o.op, x)
						if took != takes || !same([]T{want}, []T{got}) {
							t.Fatalf("%v, %v, expected %v, %v, of %v", got, took, want, takes, x)
						}
					}
				}
			})
		})
	}
}

func TestReduce(t *testing.T) {
	checkReduce[float64](t, true)
	checkReduce[float32](t, true)
	checkReduce[celsius](t, true)
	checkReduce[int64](t, true)
	checkReduce[int32](t, true)
	checkReduce[uint64](t, true)
	checkReduce[id](t, true)
	checkReduce[uint8](t, false)
	_, ok := simd.Reduce(simd.Sum, make([]float64, 100))
	assert.False(t, ok, "the order of a sum matters")
}

// checkIndex looks for each value of x, and for one that is not there.
func checkIndex[T number](t *testing.T) {
	t.Run(fmt.Sprintf("%T", T(0)), func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 10))
		some := append(special[T](), spreading[T]()...)
		at(t, func(t *testing.T, l simd.Level) {
			for n := range 201 {
				x := make([]T, n+2)[1 : n+1]
				for k := range x {
					x[k] = some[0]
				}
				for range 3 {
					if n > 0 {
						x[rng.IntN(n)] = pick(rng, some)
					}
				}
				for _, value := range some {
					first, last := -1, -1
					for k := range x {
						if string(bytes(x[k:k+1])) == string(bytes([]T{value})) {
							if first < 0 {
								first = k
							}
							last = k
						}
					}
					// What is around of x is not in it.
					around := x[: n+1 : n+1][n:]
					around[0] = value
					if got := simd.Index(x, value); got != first {
						t.Fatalf("Index of %v: %d, expected %d, in %v", value, got, first, x)
					}
					if got := simd.LastIndex(x, value); got != last {
						t.Fatalf("LastIndex of %v: %d, expected %d, in %v", value, got, last, x)
					}
				}
			}
		})
	})
}

func TestIndex(t *testing.T) {
	checkIndex[float64](t)
	checkIndex[float32](t)
	checkIndex[celsius](t)
	checkIndex[int64](t)
	checkIndex[id](t)
	checkIndex[uint8](t)
	checkIndex[int16](t)
}

func checkMul[T float](t *testing.T) {
	t.Run(fmt.Sprintf("%T", T(0)), func(t *testing.T) {
		rng := rand.New(rand.NewPCG(11, 12))
		at(t, func(t *testing.T, l simd.Level) {
			for n := range 201 {
				x, y, got, want := make([]T, n+1)[1:], make([]T, n+3)[3:], make([]T, n+4)[2:], make([]T, n+2)
				data(rng, x)
				data(rng, y)
				data(rng, want)
				copy(got, want)
				simd.Mul(got[:n], x, y)
				for k := range n {
					want[k] = T(x[k] * y[k])
				}
				if !same(want, got) {
					t.Fatalf("%v, expected %v, of %v and %v", got, want, x, y)
				}
			}
		})
	})
}

func TestMul(t *testing.T) {
	checkMul[float64](t)
	checkMul[float32](t)
	checkMul[celsius](t)
	assert.Panics(t, func() { simd.Mul(make([]float64, 40), make([]float64, 40), make([]float64, 39)) })
	assert.Panics(t, func() { simd.Mul(make([]float64, 40), make([]float64, 39), make([]float64, 40)) })
}

func checkDot[T float](t *testing.T) {
	t.Run(fmt.Sprintf("%T", T(0)), func(t *testing.T) {
		rng := rand.New(rand.NewPCG(13, 14))
		at(t, func(t *testing.T, l simd.Level) {
			for n := range 201 {
				for _, lanes := range []int{1, 8, 32} {
					x, y, got, want := make([]T, n+1)[1:], make([]T, n+3)[3:], make([]T, lanes+3), make([]T, lanes+3)
					data(rng, x)
					data(rng, y)
					data(rng, want)
					copy(got, want)
					taken := 0
					if lanes == simd.Lanes && l > simd.None {
						taken = n / lanes * lanes
					}
					require.Equal(t, taken, simd.Dot(got[1:lanes+1], x, y))
					for k := range taken {
						want[1+k%lanes] += T(x[k] * y[k])
					}
					if !same(want, got) {
						t.Fatalf("%v, expected %v, of %v and %v", got, want, x, y)
					}
				}
			}
		})
	})
}

func TestDot(t *testing.T) {
	checkDot[float64](t)
	checkDot[float32](t)
	checkDot[celsius](t)
	n := make([]int64, 100)
	assert.Zero(t, simd.Dot(make([]int64, simd.Lanes), n, n))
	assert.Panics(t, func() { simd.Dot(make([]float64, 32), make([]float64, 40), make([]float64, 39)) })
}

type holds bool

func TestBools(t *testing.T) {
	for n := range 201 {
		x := make([]holds, n+1)[1:]
		assert.True(t, simd.All(x[:0]))
		for k := -1; k < n; k++ {
			clear(x)
			if k >= 0 {
				x[k] = true
			}
			require.Equal(t, k >= 0, simd.Any(x), "%d of %d", k, n)
			require.Equal(t, n == 0 || n == 1 && k == 0, simd.All(x), "%d of %d", k, n)
			require.Equal(t, min(k+1, 1), simd.Count(x), "%d of %d", k, n)
			for l := range x {
				x[l] = !x[l]
			}
			require.Equal(t, k < 0, simd.All(x), "%d of %d", k, n)
			require.Equal(t, n-min(k+1, 1), simd.Count(x), "%d of %d", k, n)
		}
	}
}

// A sum is not fused with a product: these have bits that show it.
func TestSumSqRoundsProducts(t *testing.T) {
	at(t, func(t *testing.T, l simd.Level) {
		const x = 1 + 0x1p-30 // x*x has a bit that float64 has not
		lanes := make([]float64, simd.Lanes)
		values := make([]float64, simd.Lanes)
		for l := range lanes {
			lanes[l], values[l] = -(1 + 0x1p-29), x
		}
		if simd.Fold(simd.SumSq, lanes, values) > 0 {
			for _, v := range lanes {
				assert.Zero(t, v)
			}
		}
	})
}

func TestLimit(t *testing.T) {
	lanes, x := make([]float64, simd.Lanes), make([]float64, simd.Lanes)
	before := simd.Fold(simd.Sum, lanes, x)
	use, undo := simd.Limit(simd.None)
	assert.Equal(t, simd.None, use)
	assert.Zero(t, simd.Fold(simd.Sum, lanes, x))
	undo()
	assert.Equal(t, before, simd.Fold(simd.Sum, lanes, x))
}

func TestFoldDoesNotAllocate(t *testing.T) {
	lanes, x := make([]celsius, simd.Lanes), make([]celsius, 1000)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		simd.Fold(simd.Sum, lanes, x)
		simd.Join(simd.Sum, lanes)
		simd.Reduce(simd.Min, x)
		simd.Index(x, 1)
		simd.LastIndex(x, 1)
		simd.Mul(x, x, x)
	}))
}

// FuzzFold takes the first row of bytes as lanes, and the others as values.
func FuzzFold(f *testing.F) {
	var seed []byte
	for _, v := range append(special[float64](), spreading[float64]()...) {
		seed = binary.LittleEndian.AppendUint64(seed, math.Float64bits(v))
	}
	for len(seed) < 1000 {
		seed = append(seed, seed...)
	}
	f.Add(seed)
	f.Add(make([]byte, 512))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, l := range []simd.Level{simd.AVX2, simd.AVX512} {
			use, undo := simd.Limit(l)
			if use == l {
				fuzz(t, floats[float64](), data)
				fuzz(t, floats[float32](), data)
				fuzz(t, integers[int64](), data)
				fuzz(t, integers[int32](), data)
			}
			undo()
		}
	})
}

func fuzz[T number](t *testing.T, operations []operation[T], data []byte) {
	all := make([]T, len(data)/int(unsafe.Sizeof(T(0))))
	copy(bytes(all), data)
	if len(all) < simd.Lanes {
		return
	}
	for _, o := range operations {
		lanes := append([]T(nil), all[:simd.Lanes]...)
		for l, v := range lanes {
			if o.unsigned {
				lanes[l] = max(v, -v)
			}
		}
		check(t, o, lanes, all[simd.Lanes:], true)
	}
}
