package reduce_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
)

// mix is neither commutative nor associative.
func mix(dst, src *uint64) { *dst = *dst*1000003 ^ *src }

// Leaves that are joined together have the bits that they have one after the other, the last one short.
func TestLeaves(t *testing.T) {
	var result uint64
	for _, lanes := range []int{2, 4, 32} {
		for _, leaves := range []int{1, 2, 3, 8} {
			for _, last := range []int{1, lanes - 1, lanes, 5 * lanes} {
				slots := reduce.NewSlots(reducers.New(&result, mix))
				slots.Open(2, leaves, lanes)
				require.Equal(t, 8, slots.OpenLeaves(2, 8))
				a := slots.BeginLeaves(1, leaves)
				require.Equal(t, make([]uint64, leaves*lanes), a)
				items := func(leaf int) int {
					if leaf == leaves-1 {
						return last
					}
					return 5 * lanes
				}
				var want []uint64
				for leaf := range leaves {
					own := slots.Begin(0, items(leaf))
					for k := range items(leaf) {
						own[k%lanes] += uint64(leaf*1000 + k)
						a[leaf*lanes+k%lanes] += uint64(leaf*1000 + k)
					}
					slots.End(0, 0, items(leaf))
					want = append(want, *slots.At(0))
				}
				for leaf := range leaves {
					slots.EndLeaf(1, leaf, items(leaf))
				}
				what := fmt.Sprintf("%d leaves of %d lanes, %d items in the last one", leaves, lanes, last)
				for leaf := range leaves {
					assert.Equal(t, want[leaf], a[leaf*lanes], what)
				}
				if leaves > 2 {
					slots.JoinLeaves(1, 0, 2)
					mix(&want[0], &want[2])
				}
				slots.EndLeaves(1, 0)
				assert.Equal(t, want[0], *slots.At(0), what)
				require.Equal(t, make([]uint64, leaves*lanes), slots.BeginLeaves(1, leaves), "nothing is left over")
			}
		}
	}
}

// Lanes begin with the bits of the identity, whatever was in them: -0 is not 0.
func TestLeavesBeginWithTheIdentity(t *testing.T) {
	var result float64
	for _, unit := range []float64{0, math.Copysign(0, -1), 1, math.Inf(1)} {
		slots := reduce.NewSlots(reducers.New(&result, add[float64], reducers.Init(func(val *float64) { *val = unit })))
		slots.Open(1, 1, 32)
		require.Equal(t, 32, slots.OpenLeaves(1, 32))
		for _, leaves := range []int{32, 1, 3} {
			for n, v := range slots.BeginLeaves(0, leaves) {
				require.Equal(t, math.Float64bits(unit), math.Float64bits(v), "identity %v, %d leaves, lane %d", unit, leaves, n)
			}
			used := slots.BeginLeaves(0, 32)
			for n := range used {
				used[n] = 2
			}
		}
	}
}

// Lanes of leaves are few enough for a cache, and values other than numbers have none.
func TestOpenLeaves(t *testing.T) {
	var number float64
	var large [9]int
	var text string
	numbers := reduce.NewSlots(reducers.New(&number, func(dst, src *float64) { *dst += *src }))
	for lanes, want := range map[int]int{1: 0, 2: 64, 16: 64, 32: 32} {
		numbers.Open(1, 1, lanes)
		assert.Equal(t, want, numbers.OpenLeaves(1, 64), "%d lanes", lanes)
	}
	numbers.Open(1, 1, 32)
	assert.Equal(t, 1, numbers.OpenLeaves(1, 1))
	larges := reduce.NewSlots(reducers.New(&large, func(dst, src *[9]int) {}))
	larges.Open(1, 1, 32)
	assert.Zero(t, larges.OpenLeaves(1, 64))
	texts := reduce.NewSlots(reducers.New(&text, record))
	texts.Open(1, 1, 32)
	assert.Zero(t, texts.OpenLeaves(1, 64))
}

// Lanes of leaves are kept from launch to launch, but not those of very many workers.
func TestLeavesAreKept(t *testing.T) {
	var sum float64
	r := reducers.New(&sum, func(dst, src *float64) { *dst += *src })
	for workers, kept := range map[int]bool{2: true, 32: true, 33: false} {
		slots := reduce.NewSlots(r)
		launch := func() {
			slots.Reset(r)
			slots.Open(workers, 1, 32)
			slots.OpenLeaves(workers, 64)
			for w := range workers {
				slots.BeginLeaves(w, 32)
			}
			slots.Release()
		}
		launch()
		n := testing.AllocsPerRun(5, launch)
		assert.Equal(t, kept, n < float64(workers), "%d workers: %v allocations", workers, n)
	}
}
