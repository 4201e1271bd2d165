package kernel

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space/device"
)

// A multiplication divides what is below 2³¹, at multiples of the divisor and beside them.
func TestReciprocal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	divisors := []int{1, 2, 3, 5, 7, 641, 1<<16 - 1, 1 << 16, 1<<30 - 1, 1 << 30, 1<<30 + 1, math.MaxInt32 - 1, math.MaxInt32}
	for range 3000 {
		divisors = append(divisors, 1+r.IntN(math.MaxInt32)>>r.IntN(31))
	}
	for _, d := range divisors {
		m, shift := reciprocal(d)
		require.Less(t, m, uint64(1)<<32, "%d: what a multiplication of 32 bits takes", d)
		numbers := []int{0, 1, d - 1, d, math.MaxInt32, math.MaxInt32 - 1, math.MaxInt32 / d * d, math.MaxInt32/d*d - 1}
		for range 20 {
			numbers = append(numbers, r.IntN(math.MaxInt32), r.IntN(math.MaxInt32/d+1)*d, max(r.IntN(math.MaxInt32/d+1)*d-1, 0))
		}
		for _, n := range numbers {
			n = max(n, 0)
			high, low := bits.Mul64(uint64(n), m)
			require.Zero(t, high)
			require.Equal(t, uint64(n/d), low>>shift, "%d / %d", n, d)
		}
	}
}

// A box that the functor's index is none of is an error.
func TestIndexOfAnotherBox(t *testing.T) {
	line := device.Box{Lower: []int{-3}, Extent: []int{7}, Tile: []int{7}, First: 2}
	plane := device.Box{Lower: []int{-3, 4}, Extent: []int{7, 5}, Tile: []int{7, 5}}
	points, integers := &Text{Rank: 2}, &Text{}
	p, err := integers.Index(&line)
	assert.NoError(t, err)
	assert.Equal(t, []uint64{math.MaxUint64}, p)
	for _, b := range []*device.Box{nil, &plane} {
		_, err = integers.Index(b)
		assert.EqualError(t, err, "it has code for integers, expected a policy.Range")
	}
	for _, b := range []*device.Box{nil, &line} {
		_, err = points.Index(b)
		assert.EqualError(t, err, "it has code for points of a box, expected a policy.MDRange2 whose tiles are in the order Left or Right")
	}
	_, err = points.Index(&plane)
	assert.NoError(t, err)
}

// Rows may be run point by point where their rounds do not depend on each other.
func TestByPoints(t *testing.T) {
	a := make([]float64, 100)
	memory := func(first, n int) CallMemory { return CallMemory{At: unsafe.Pointer(&a[first]), Bytes: 8 * n} }
	rows := &Rows{Points: "p", Apart: [][2]int{{0, 1}}, Steps: []int{1}}
	for _, c := range []struct {
		rows     *Rows
		memories []CallMemory
		step     uint64
		want     bool
	}{
		{rows, []CallMemory{memory(0, 10), memory(10, 10)}, 1, true},
		{rows, []CallMemory{memory(10, 10), memory(0, 10)}, 1, true},
		{rows, []CallMemory{memory(0, 11), memory(10, 10)}, 1, false},
		{rows, []CallMemory{memory(19, 1), memory(10, 10)}, 1, false},
		{rows, []CallMemory{memory(0, 10), memory(0, 10)}, 1, false},
		{rows, []CallMemory{memory(0, 10), memory(10, 10)}, 0, false},
		{&Rows{}, nil, 1, false},
		{nil, nil, 1, false},
	} {
		call := Call{Text: &Text{Rows: c.rows}, Scalars: []uint64{0, c.step}, Memories: c.memories}
		assert.Equal(t, c.want, call.ByPoints(), "%+v", c)
	}
}
