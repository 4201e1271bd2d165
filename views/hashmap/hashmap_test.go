package hashmap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/leaktest"
	"github.com/gokkos/gokkos/policy"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func spaces(t testing.TB) []exec.Space {
	seven, sim := exec.NewGoroutines(7), exec.NewSimGPU(gpu.H200())
	t.Cleanup(func() { seven.Close(); sim.Close() })
	return []exec.Space{exec.Serial{}, seven, sim, sim.WithSchedule(2), sim.WithSchedule(7)}
}

// Entries are those of a loop over the items with a map of Go, on every space.
func TestEntriesAreThoseOfALoop(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 2, 33, 1000, 20000} {
		keys := make([][]int, n) // by item
		for i := range keys {
			for range rng.IntN(4) {
				keys[i] = append(keys[i], rng.IntN(1+n/2)-n/4)
			}
		}
		var want []Entry[int, string]
		seen := map[int]bool{}
		for i, k := range keys {
			for c, key := range k {
				if !seen[key] {
					seen[key] = true
					want = append(want, Entry[int, string]{i, key, fmt.Sprint(i, c)})
				}
			}
		}
		for _, s := range spaces(t) {
			m, err := New[int, string](len(want))
			require.NoError(t, err)
			for range 2 {
				require.NoError(t, exec.ParallelFor(policy.Range(0, n).On(s), func(i int) {
					for c, key := range keys[i] {
						m.Insert(i, key, fmt.Sprint(i, c))
					}
				}))
				require.Equal(t, len(want), m.Len())
				require.Zero(t, m.Failed())
				got := m.Entries()
				require.True(t, slices.Equal(want, got), "%d items on %s", n, s.Name())
				var lost atomic.Int64
				require.NoError(t, exec.ParallelFor(policy.Range(0, len(want)).On(s), func(k int) {
					if value, ok := m.Find(want[k].Key); !ok || value != want[k].Value {
						lost.Add(1)
					}
				}))
				require.Zero(t, lost.Load())
				m.Clear()
				require.Empty(t, m.Entries())
			}
		}
	}
}

// A full map takes no key more, counts what it refuses and keeps what it has.
func TestFullMap(t *testing.T) {
	for _, s := range spaces(t) {
		m, err := New[int, int](100)
		require.NoError(t, err)
		var ok atomic.Int64
		require.NoError(t, exec.ParallelFor(policy.Range(0, 1000).On(s), func(i int) {
			if m.Insert(i, i%500, i) {
				ok.Add(1)
			}
		}))
		require.Equal(t, 100, m.Len())
		require.Equal(t, 1000, m.Failed()+int(ok.Load()))
		require.Len(t, m.Entries(), 100)
		for _, e := range m.Entries() {
			require.True(t, m.Insert(e.Item+1, e.Key, -1), "a key that is there fits")
			value, found := m.Find(e.Key)
			require.True(t, found)
			require.Equal(t, e.Value, value)
		}
	}
	none, err := New[string, int](0)
	require.NoError(t, err)
	assert.False(t, none.Insert(0, "x", 1))
	_, found := none.Find("x")
	assert.False(t, found)
	_, err = New[int, int](-1)
	assert.EqualError(t, err, "hashmap: a capacity of -1, expected 0 to 536870912")
	_, err = New[int, int](math.MaxInt32)
	assert.Error(t, err)
	_, err = New[int, [1 << 22]byte](1 << 29)
	assert.ErrorContains(t, err, "need more memory than there can be")
}

// What is erased is gone, and told once; its place is kept until Clear.
func TestErase(t *testing.T) {
	for _, s := range spaces(t) {
		m, err := New[int, int](300)
		require.NoError(t, err)
		for i := range 300 {
			require.True(t, m.Insert(i, i, i))
		}
		var told atomic.Int64
		require.NoError(t, exec.ParallelFor(policy.Range(0, 900).On(s), func(i int) {
			if m.Erase(i / 3 * 2 % 600) { // even ones, three times each
				told.Add(1)
			}
		}))
		require.EqualValues(t, 150, told.Load())
		require.Equal(t, 150, m.Len())
		for k, e := range m.Entries() {
			require.Equal(t, 2*k+1, e.Key)
		}
		require.False(t, m.Insert(0, 1000, 0), "erased keys count")
		require.True(t, m.Insert(9, 4, 44), "but for themselves")
		require.Equal(t, 151, m.Len())
		value, ok := m.Find(4)
		require.True(t, ok)
		require.Equal(t, 44, value)
	}
	m, err := New[float64, int](3)
	require.NoError(t, err)
	assert.PanicsWithValue(t, "hashmap: the key NaN, which is not equal to itself: nothing would find it", func() { m.Insert(0, math.NaN(), 1) })
	assert.Zero(t, m.Failed())
	_, ok := m.Find(math.NaN())
	assert.False(t, ok)
	assert.True(t, m.Insert(0, 0.0, 1))
	_, ok = m.Find(math.Copysign(0, -1))
	assert.True(t, ok, "as keys of Go's maps")
}
