package policy_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// sameBits checks that a policy and its items run over the same indices in the same tree.
func sameBits[I any](t *testing.T, p exec.Policy[I], items exec.Policy[policy.Item[I]], value func(I) float64) {
	t.Helper()
	var plain, got float64
	seen := map[string]int{}
	require.NoError(t, exec.ParallelReduce(p, func(i I, acc *float64) { *acc += value(i); seen[fmt.Sprint(i)]++ }, builtin.Sum(&plain)))                            //gokkosvet:ignore on Serial
	require.NoError(t, exec.ParallelReduce(items, func(i policy.Item[I], acc *float64) { *acc += value(i.Index); seen[fmt.Sprint(i.Index)]-- }, builtin.Sum(&got))) //gokkosvet:ignore on Serial
	assert.Equal(t, math.Float64bits(plain), math.Float64bits(got))
	for i, n := range seen {
		assert.Zero(t, n, i)
	}
}

func TestItemsOfRange(t *testing.T) {
	for _, n := range []int{0, 1, 31, 129, 1000, 5000} {
		p := policy.Range(-7, n-7).On(exec.Serial{})
		sameBits[int](t, p, p.Items(), func(i int) float64 { return math.Sin(float64(i)) })
		sameBits[int](t, p.Chunk(3), p.Chunk(3).Items(), func(i int) float64 { return math.Sin(float64(i)) })
		require.NoError(t, exec.ParallelFor(p.Items(), func(i policy.Item[int]) {
			assert.Equal(t, []int{i.Index + 7, n, -7}, []int{i.Linear(), i.Extents(), i.Lower()})
		}))
	}
}

func TestItemsOfMDRange2(t *testing.T) {
	lower, upper := [2]int{-3, 2}, [2]int{20, 13}
	plain := policy.MDRange2(lower, upper).On(exec.Serial{})
	for _, p := range []policy.MDRangePolicy[policy.Index2, [2]int]{
		plain, plain.Tile([2]int{4, 3}), plain.Iterate(policy.Left, policy.Left), plain.Tile([2]int{5, 4}).Iterate(policy.Left, policy.Right),
	} {
		sameBits[policy.Index2](t, p, p.Items(), func(i policy.Index2) float64 { return math.Sin(float64(i.I)) / float64(i.J) })
		require.NoError(t, exec.ParallelFor(p.Items(), func(i policy.Item[policy.Index2]) {
			assert.Equal(t, (i.Index.I+3)*11+i.Index.J-2, i.Linear())
			assert.Equal(t, policy.Index2{I: 23, J: 11}, i.Extents())
			assert.Equal(t, policy.Index2{I: -3, J: 2}, i.Lower())
		}))
	}
}

// In a box without tiles the linear number is the number of the item, in any rank.
func TestItemsLinearIsRowMajor(t *testing.T) {
	linear(t, policy.MDRange2([2]int{1, -1}, [2]int{4, 6}), policy.Index2{I: 3, J: 7})
	linear(t, policy.MDRange3([3]int{1, -1, 2}, [3]int{4, 6, 4}), policy.Index3{I: 3, J: 7, K: 2})
	linear(t, policy.MDRange4([4]int{1, -1, 2, 0}, [4]int{4, 6, 4, 3}), policy.Index4{I: 3, J: 7, K: 2, L: 3})
	linear(t, policy.MDRange5([5]int{1, -1, 2, 0, 5}, [5]int{4, 6, 4, 3, 9}), policy.Index5{I: 3, J: 7, K: 2, L: 3, M: 4})
	linear(t, policy.MDRange6([6]int{1, -1, 2, 0, 5, -4}, [6]int{4, 6, 4, 3, 9, 1}), policy.Index6{I: 3, J: 7, K: 2, L: 3, M: 4, N: 5})
}

func linear[I any](t *testing.T, p interface {
	Plan() policy.Plan
	Items() policy.ItemsPolicy[I]
}, extents I) {
	t.Helper()
	items := make([]policy.Item[I], p.Plan().Items)
	n, next := p.Items().Next(0, len(items), items)
	assert.Equal(t, []int{len(items), len(items)}, []int{n, next})
	for k, item := range items {
		assert.Equal(t, k, item.Linear())
		assert.Equal(t, extents, item.Extents())
	}
}

func TestItemsKeepThePlan(t *testing.T) {
	p := policy.MDRange2([2]int{}, [2]int{3, 4}).Chunk(2).On(named("here")).WithLabel("stencil")
	assert.Equal(t, p.Plan(), p.Items().Plan())
	bad := policy.MDRange3([3]int{}, [3]int{1, -1, 1})
	assert.EqualError(t, bad.Items().Plan().Err, bad.Plan().Err.Error())
	assert.Error(t, policy.Range(1, 0).Items().Plan().Err)
	assert.Equal(t, policy.Plan{}, policy.MDRangePolicy[policy.Index2, [2]int]{}.Items().Plan())
	assert.Error(t, exec.ParallelFor(bad.Items(), func(policy.Item[policy.Index3]) { t.Error("ran") }))
}
