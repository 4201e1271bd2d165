package reduce_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// mix is neither commutative nor associative.
func mix(dst, src *uint64) { *dst = *dst*1000003 ^ *src }

// begin returns the lanes of leaves that begin.
func begin[T any](s *reduce.Slots[T], worker, leaves int) []T {
	s.Column.BeginLeaves(worker, leaves)
	return reduce.All[T](s.Column.Leaf(worker, 0, leaves))
}

// Leaves that are joined together have the bits that they have one after the other, the last one short.
func TestLeaves(t *testing.T) {
	var result uint64
	for _, lanes := range []int{2, 4, 32} {
		for _, leaves := range []int{1, 2, 3, 8} {
			for _, last := range []int{1, lanes - 1, lanes, 5 * lanes} {
				slots := reduce.NewSlots(reducers.New(&result, mix))
				slots.Column.Open(2, leaves, lanes)
				require.Equal(t, 8, slots.Column.OpenLeaves(2, 8))
				a := begin(slots, 1, leaves)
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
					slots.Column.End(0, 0, items(leaf))
					want = append(want, *slots.At(0))
				}
				for leaf := range leaves {
					slots.Column.EndLeaf(1, leaf, items(leaf))
				}
				what := fmt.Sprintf("%d leaves of %d lanes, %d items in the last one", leaves, lanes, last)
				for leaf := range leaves {
					assert.Equal(t, want[leaf], a[leaf*lanes], what)
				}
				if leaves > 2 {
					slots.Column.JoinLeaves(1, 0, 2)
					mix(&want[0], &want[2])
				}
				slots.Column.EndLeaves(1, 0)
				assert.Equal(t, want[0], *slots.At(0), what)
				require.Equal(t, make([]uint64, leaves*lanes), begin(slots, 1, leaves), "nothing is left over")
			}
		}
	}
}

// Lanes begin with the bits of the identity, whatever was in them: -0 is not 0.
func TestLeavesBeginWithTheIdentity(t *testing.T) {
	var result float64
	for _, unit := range []float64{0, math.Copysign(0, -1), 1, math.Inf(1)} {
		slots := reduce.NewSlots(reducers.New(&result, add[float64], reducers.Init(func(val *float64) { *val = unit })))
		slots.Column.Open(1, 1, 32)
		require.Equal(t, 32, slots.Column.OpenLeaves(1, 32))
		for _, leaves := range []int{32, 1, 3} {
			for n, v := range begin(slots, 0, leaves) {
				require.Equal(t, math.Float64bits(unit), math.Float64bits(v), "identity %v, %d leaves, lane %d", unit, leaves, n)
			}
			used := begin(slots, 0, 32)
			for n := range used {
				used[n] = 2
			}
		}
	}
}

// Lanes of leaves are few enough for a cache, and large values and those that refer to memory have none.
func TestOpenLeaves(t *testing.T) {
	var number float64
	var large [9]int
	var text string
	numbers := reduce.NewSlots(reducers.New(&number, func(dst, src *float64) { *dst += *src }))
	for lanes, want := range map[int]int{1: 64, 2: 64, 16: 64, 32: 32} {
		numbers.Column.Open(1, 1, lanes)
		assert.Equal(t, want, numbers.Column.OpenLeaves(1, 64), "%d lanes", lanes)
	}
	numbers.Column.Open(1, 1, 32)
	assert.Equal(t, 1, numbers.Column.OpenLeaves(1, 1))
	larges := reduce.NewSlots(reducers.New(&large, func(dst, src *[9]int) {}))
	larges.Column.Open(1, 1, 32)
	assert.Zero(t, larges.Column.OpenLeaves(1, 64))
	texts := reduce.NewSlots(reducers.New(&text, record))
	texts.Column.Open(1, 1, 32)
	assert.Zero(t, texts.Column.OpenLeaves(1, 64))
}

// Lanes of leaves are kept from launch to launch, but not those of very many workers.
func TestLeavesAreKept(t *testing.T) {
	var sum float64
	r := reducers.New(&sum, func(dst, src *float64) { *dst += *src })
	for workers, kept := range map[int]bool{2: true, 32: true, 33: false} {
		slots := reduce.NewSlots(r)
		launch := func() {
			slots.Reset(r)
			slots.Column.Open(workers, 1, 32)
			slots.Column.OpenLeaves(workers, 64)
			for w := range workers {
				slots.Column.BeginLeaves(w, 32)
			}
			slots.Release()
		}
		launch()
		n := testing.AllocsPerRun(5, launch)
		assert.Equal(t, kept, n < float64(workers), "%d workers: %v allocations", workers, n)
	}
}

type celsius float64

// checkSums compares sums of leaves, some of which whatever reduces the leaves has joined, with the rule.
func checkSums[T comparable](t *testing.T, r reducers.Reducer[T], joins concept.Op, value func(k int) T) {
	t.Helper()
	const lanes = 8
	slots := reduce.NewSlots(r)
	slots.Column.Open(2, 1, lanes)
	require.True(t, slots.Column.OpenSums(2, joins))
	require.True(t, slots.Column.JoinsLeaves())
	var unit T
	r.Init(&unit)
	for leaves := 1; leaves <= 64; leaves++ {
		l, room := slots.Column.BeginSums(1, leaves)
		a, sums := reduce.Of[T](l), reduce.Of[T](room)
		require.Len(t, sums, leaves)
		want := make([]T, leaves)
		for n := range want {
			require.Equal(t, slices.Repeat([]T{unit}, lanes), a)
			own := slices.Clone(a)
			items := lanes + n%3
			if n == leaves-1 {
				items = 1 + n%lanes
			}
			for k := range items {
				v := value(n*100 + k)
				r.Join(&own[k%lanes], &v)
			}
			if n%4 == 1 {
				copy(a, own)
				slots.Column.EndSum(1, n, items)
			}
			used := own[:min(items, lanes)]
			for h := lanes / 2; h > 0; h /= 2 {
				for l := 0; l < h && l+h < len(used); l++ {
					r.Join(&own[l], &own[l+h])
				}
			}
			if want[n] = own[0]; n%4 != 1 {
				sums[n] = own[0]
			}
		}
		reduce.JoinTree(r, want)
		slots.Column.EndSums(1, 0, leaves)
		require.Equal(t, fmt.Sprintf("%x", any(want[0])), fmt.Sprintf("%x", any(*slots.At(0))), "%T, %d leaves of %T", r, leaves, unit)
	}
}

// Sums of leaves make the node that the tree makes of them, whatever the type and the operation.
func TestSums(t *testing.T) {
	number := func(k int) float64 { return math.Ldexp(math.Sin(float64(k)), k%40) }
	var f float64
	var g float32
	var c celsius
	var i int
	var u uint8
	checkSums(t, builtin.Sum(&f), concept.OpSum, number)
	checkSums(t, builtin.Sum(&g), concept.OpSum, func(k int) float32 { return float32(number(k)) })
	checkSums(t, builtin.Sum(&c), concept.OpSum, func(k int) celsius { return celsius(number(k)) })
	checkSums(t, builtin.Prod(&f), concept.OpProd, func(k int) float64 { return 1 + math.Sin(float64(k))/64 })
	checkSums(t, builtin.Min(&f), concept.OpMin, func(k int) float64 { return math.Copysign(number(k), 1) + 3 })
	checkSums(t, builtin.Max(&f), concept.OpMax, func(k int) float64 { return math.Copysign(number(k), -1) - 3 })
	checkSums(t, builtin.Sum(&i), concept.OpSum, func(k int) int { return k*k - 999 })
	checkSums(t, builtin.BAnd(&i), concept.OpAnd, func(k int) int { return ^(1 << (k % 63)) })
	checkSums(t, builtin.BOr(&u), concept.OpOr, func(k int) uint8 { return uint8(k) & 6 })
}

// Leaves are joined by whatever reduces them if their reducer is known to join by the same operation.
func TestJoinsLeaves(t *testing.T) {
	var f float64
	for _, of := range []struct {
		r     reducers.Reducer[float64]
		joins concept.Op
		want  bool
	}{
		{builtin.Sum(&f), concept.OpSum, true},
		{builtin.SumSq(&f), concept.OpSum, true}, // the functor squares
		{reducers.WithInitial(builtin.Sum(&f)), concept.OpSum, true},
		{builtin.Sum(&f), concept.OpMin, false},
		{builtin.Sum(&f), "", false},
		{reducers.Ordered(builtin.Sum(&f)), concept.OpSum, false},
		{reducers.New(&f, add[float64]), concept.OpSum, false},
		{reducers.New(&f, add[float64]), "", false},
	} {
		slots := reduce.NewSlots(of.r)
		slots.Column.Open(1, 1, 32)
		assert.Equal(t, of.want, slots.Column.OpenSums(1, of.joins), "%T by %q", of.r, of.joins)
		assert.Equal(t, of.want, slots.Column.JoinsLeaves())
		slots.Column.OpenLeaves(1, 64)
		assert.False(t, slots.Column.JoinsLeaves())
	}
}
