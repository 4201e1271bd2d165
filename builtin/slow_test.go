//go:build gokkos_slow

package builtin_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/policy"
)

// The types that take the compiler a minute: those that share their code with one that
// the other tests have.

type flags uint16

func TestEveryReal(t *testing.T) {
	testScalars[int](t)
	testPairs[int](t)
	testScalars[int8](t)
	testPairs[int8](t)
	testScalars[int16](t)
	testPairs[int16](t)
	testScalars[int32](t)
	testPairs[int32](t)
	testScalars[uint](t)
	testPairs[uint](t)
	testScalars[uint8](t)
	testPairs[uint8](t)
	testScalars[uint16](t)
	testPairs[uint16](t)
	testScalars[uint64](t)
	testPairs[uint64](t)
	testScalars[uintptr](t)
	testPairs[uintptr](t)
	testScalars[level](t)
	testPairs[level](t)
	testScalars[flags](t)
	testPairs[flags](t)
	testScalars[celsius](t)
	testPairs[celsius](t)
	testNorm2[celsius](t)
	testVariance[celsius](t)
	testVariance[float32](t)
	testPairs[int64](t)
	testPairs[uint32](t)
	testPairs[float32](t)
}

func TestEveryInteger(t *testing.T) {
	testInteger[int](t)
	testInteger[int8](t)
	testInteger[int16](t)
	testInteger[int32](t)
	testInteger[uint](t)
	testInteger[uint8](t)
	testInteger[uint16](t)
	testInteger[uint64](t)
	testInteger[uintptr](t)
	testInteger[flags](t)
}

func TestEveryKernel(t *testing.T) {
	checkKernels(t, ofReals[int32]())
	checkKernels(t, ofReals[uint64]())
	checkKernels(t, ofReals[uint8]())
	checkKernels(t, ofBits[int16]())
	places[uint8](t, 0, 1, 128, 255)
	lanesOfReals[uint64](t, 0, 1, 7, math.MaxUint64)
	lanesOfBits[int32](t, 0, 1, -7, 0x1234)
	lanesOfBits[uint8](t, 0, 1, 0x55, 0xff)
	minus := math.Copysign(0, -1)
	lanesOfPairs(t, float32(minus), 0, 1.5, -3, 1e30)
	lanesOfPairs[int64](t, 0, 1, -7, math.MaxInt64)
	lanesOfPairs[uint32](t, 0, 1, 7, math.MaxUint32)
	lanesOfPairs[uint64](t, 0, 1, 7, math.MaxUint64)
}

func TestEveryIdentity(t *testing.T) {
	testIdentity(t, "Prod", builtin.Prod[complex64], 7, 1)
	testIdentity(t, "Min", builtin.Min[uintptr], 7, ^uintptr(0))
	testIdentity(t, "Max", builtin.Max[uint16], 7, 0)
	testIdentity(t, "BAnd", builtin.BAnd[uint8], 7, 255)
	testIdentity(t, "BAnd", builtin.BAnd[int], 7, -1)
	testIdentity(t, "MinMax", builtin.MinMax[uint8], builtin.MinMaxVal[uint8]{Min: 1, Max: 2}, builtin.MinMaxVal[uint8]{Min: 255, Max: 0})
	testIdentity(t, "Mean", builtin.Mean[int], builtin.Average[int]{Sum: 1, N: 1}, builtin.Average[int]{})
}

func TestEveryExactness(t *testing.T) {
	for _, list := range [][]exactness{
		reals[int](true), reals[int8](true), reals[uint64](true), reals[uintptr](true), reals[level](true), reals[flags](true),
		reals[celsius](false), sums[complex64](false),
		locations[uint8](true), locations[row](true), locations[string](true), locations[bool](true),
		locations[[2]cell](true), locations[square](true), // its Compare is for shapes
		locations[float64](false), locations[place](false), locations[[1]float32](false),
		locations[version](false), locations[shape](false), locations[policy.Index2](false),
	} {
		for _, c := range list {
			assert.Equal(t, c.want, c.got, c.name)
		}
	}
	anyOrderOfReals(t, []int8{math.MinInt8, math.MinInt8 + 1, -1, 0, 1, 2, 3, 17, 100, math.MaxInt8})
	anyOrderOfReals(t, []uint8{0, 1, 2, 128, 254, 255})
}

func TestEveryOrderOfPartials(t *testing.T) {
	testOrderOfPartials(t, int8(-3), 0, 7)
	testOrderOfPartials(t, int16(-3), 0, 7)
	testOrderOfPartials(t, int32(-3), 0, 7)
	testOrderOfPartials(t, int64(-3), 0, 1<<40)
	testOrderOfPartials(t, uint(0), 7, math.MaxUint)
	testOrderOfPartials(t, uint8(0), 7, 200)
	testOrderOfPartials(t, uint16(0), 7)
	testOrderOfPartials(t, uint32(0), 7, 1<<31)
	testOrderOfPartials(t, uint64(0), 7, 1<<63)
	testOrderOfPartials(t, uintptr(0), 7)
	testOrderOfPartials(t, row(-3), 0, 7)
	testOrderOfPartials(t, -1.5, 0, inf)
	testOrderOfPartials(t, float32(-1.5), 0, 2)
	testOrderOfPartials(t, "", "a", "ab", "b")
	testOrderOfPartials(t, false, true)
	testOrderOfPartials(t, [3]int{0, 0, 1}, [3]int{0, 1, 0}, [3]int{1, -1, -1})
	testOrderOfPartials(t, place{}, place{id: 1}, place{far: true}, place{at: [2]float32{0, 1}}, place{at: [2]float32{1, 0}}, place{name: "x"})
	testOrderOfPartials(t, policy.Index2{I: -1, J: 4}, policy.Index2{}, policy.Index2{J: 1}, policy.Index2{I: 1})
	testOrderOfPartials(t, policy.Index6{}, policy.Index6{N: 1}, policy.Index6{M: 1}, policy.Index6{L: 1}, policy.Index6{I: 1})
	testOrderOfPartials[shape](t, square(-1), square(2), square(3))
}

func TestEveryTypeWithoutOrder(t *testing.T) {
	testNoOrder[any](t, "interface {}")
	testNoOrder[chan int](t, "chan int")
	testNoOrder[complex128](t, "complex128")
	testNoOrder[[2]*int](t, "[2]*int")
	testNoOrder[boxed](t, "builtin_test.boxed")
}
