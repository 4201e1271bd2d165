package bitset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/leaktest"
	"github.com/gokkos/gokkos/policy"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func spaces(t *testing.T) []exec.Space {
	seven, sim := exec.NewGoroutines(7), exec.NewSimGPU(gpu.H200())
	t.Cleanup(func() { seven.Close(); sim.Close() })
	return []exec.Space{exec.Serial{}, seven, sim, sim.WithSchedule(2)}
}

// Bits that a launch sets, and another one resets, are those of a loop over a slice of bools; one item is told
// of each change.
func TestBitsAreThoseOfALoop(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 63, 64, 65, 1000, 12345} {
		set, reset := make([]int, 2*size), make([]int, size/2)
		for k := range set {
			set[k] = rng.IntN(size)
		}
		for k := range reset {
			reset[k] = rng.IntN(size)
		}
		want := make([]bool, size)
		for _, k := range set {
			want[k] = true
		}
		total := count(want)
		for _, k := range reset {
			want[k] = false
		}
		for _, s := range spaces(t) {
			b, err := New(size)
			require.NoError(t, err)
			require.Equal(t, total, changed(t, s, set, b.Set), "%d bits on %s", size, s.Name())
			require.Equal(t, total, b.Count())
			require.Equal(t, total-count(want), changed(t, s, reset, b.Reset))
			require.Equal(t, count(want), b.Count())
			for i := range want {
				require.Equal(t, want[i], b.Test(i), "bit %d of %d on %s", i, size, s.Name())
			}
			require.Equal(t, indices(want), slices.Collect(b.All()))
		}
	}
}

// changed changes the bits of these numbers in a launch, and returns how many items were told that they did.
func changed(t *testing.T, on exec.Space, numbers []int, change func(int) bool) (n int) {
	t.Helper()
	require.NoError(t, exec.ParallelReduce(policy.Range(0, len(numbers)).On(on), func(i int, acc *int) {
		if change(numbers[i]) {
			*acc++
		}
	}, builtin.Sum(&n)))
	return n
}

func count(all []bool) int { return len(indices(all)) }

func indices(all []bool) (numbers []int) {
	for i, is := range all {
		if is {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

func TestFillAndClear(t *testing.T) {
	for _, size := range []int{0, 1, 64, 65, 128, 200} {
		b, err := New(size)
		require.NoError(t, err)
		b.Fill()
		assert.Equal(t, size, b.Count())
		assert.Equal(t, size, len(slices.Collect(b.All())))
		b.Clear()
		assert.Zero(t, b.Count())
	}
}

func TestBitsThatAreNot(t *testing.T) {
	b, err := New(65)
	require.NoError(t, err)
	for _, i := range []int{-1, 65, 127, 1 << 30} {
		assert.Panics(t, func() { b.Set(i) })
		assert.Panics(t, func() { b.Reset(i) })
		assert.Panics(t, func() { b.Test(i) })
	}
	assert.PanicsWithValue(t, "bitset: bit 65 of 65 bits", func() { b.Test(65) })
	assert.Zero(t, b.Count())
}

func TestTooManyBits(t *testing.T) {
	if math.MaxInt == math.MaxInt32 { // whose bits there is memory for
		t.Skip("an int has 32 bits")
	}
	b, err := New(math.MaxInt)
	assert.ErrorContains(t, err, "more memory than there can be")
	assert.Nil(t, b)
}

func TestAllMayEnd(t *testing.T) {
	b, err := New(100)
	require.NoError(t, err)
	b.Fill()
	for i := range b.All() {
		if i == 70 {
			return
		}
		require.Less(t, i, 70)
	}
	t.Fatal("the loop went on")
}
