package policy_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
)

// pointOf returns the index of an item by what the documentation of boxes says.
func pointOf(b device.Box, item int) []int {
	rank := len(b.Extent)
	dims := func(left bool) (slowFirst []int) {
		for d := range rank {
			if left {
				d = rank - 1 - d
			}
			slowFirst = append(slowFirst, d)
		}
		return slowFirst
	}
	tile, size := make([]int, rank), make([]int, rank)
	for { // whole tiles before the item's
		points := 1
		for d := range rank {
			size[d] = min(b.Tile[d], b.Extent[d]-tile[d]*b.Tile[d])
			points *= size[d]
		}
		if item < points {
			break
		}
		item -= points
		order := dims(b.LeftTiles)
		for k := rank - 1; k >= 0; k-- {
			d := order[k]
			if tile[d]++; tile[d]*b.Tile[d] < b.Extent[d] {
				break
			}
			tile[d] = 0
		}
	}
	at := make([]int, rank)
	order := dims(b.LeftPoints)
	for k := rank - 1; k >= 0; k-- {
		d := order[k]
		at[d] = b.Lower[d] + tile[d]*b.Tile[d] + item%size[d]
		item /= size[d]
	}
	return at
}

func TestBoxSaysWhichIndexAnItemHas(t *testing.T) {
	orders := []policy.Order{policy.Right, policy.Left}
	for _, outer := range orders {
		for _, inner := range orders {
			p2 := policy.MDRange2([2]int{-1, 3}, [2]int{6, 8}).Iterate(outer, inner)
			for _, p := range []policy.MDRangePolicy[policy.Index2, [2]int]{p2, p2.Tile([2]int{3, 2}), p2.Tile([2]int{1, 50})} {
				box, ok := policy.BoxOf(p)
				require.True(t, ok)
				rows, ok := policy.BoxOf(p.Rows())
				require.True(t, ok)
				assert.Equal(t, box, rows, "of its points")
				all := make([]policy.Index2, p.Plan().Items)
				p.Next(0, len(all), all)
				for item, i := range all {
					require.Equal(t, []int{i.I, i.J}, pointOf(box, item), "%+v, item %d", box, item)
				}
			}
			p3 := policy.MDRange3([3]int{1, 2, 3}, [3]int{5, 9, 6}).Iterate(outer, inner).Tile([3]int{3, 4, 2})
			box, ok := policy.BoxOf(p3)
			require.True(t, ok)
			all := make([]policy.Index3, p3.Plan().Items)
			p3.Next(0, len(all), all)
			for item, i := range all {
				require.Equal(t, []int{i.I, i.J, i.K}, pointOf(box, item), "%+v, item %d", box, item)
			}
		}
	}
	for _, p := range []any{policy.Range(-3, 4), policy.Spans(-3, 4)} {
		box, ok := policy.BoxOf(p)
		require.True(t, ok)
		assert.Equal(t, device.Box{Lower: []int{-3}, Extent: []int{7}, Tile: []int{7}}, box)
		assert.Equal(t, []int{2}, pointOf(box, 5))
	}
	for rank, p := range map[int]any{
		4: policy.MDRange4([4]int{}, [4]int{1, 2, 3, 4}),
		5: policy.MDRange5([5]int{}, [5]int{1, 2, 3, 4, 5}),
		6: policy.MDRange6([6]int{}, [6]int{1, 2, 3, 4, 5, 6}),
		3: policy.MDRange3([3]int{}, [3]int{1, 2, 3}).Rows(),
	} {
		box, ok := policy.BoxOf(p)
		require.True(t, ok)
		assert.Equal(t, []int{1, 2, 3, 4, 5, 6}[:rank], box.Extent)
	}
}

// derived numbers its items in its own way.
type derived struct{ policy.RangePolicy }

func TestBoxOfOtherPolicies(t *testing.T) {
	for _, p := range []any{nil, policy.Team(3, 1), policy.Range(0, 3).Items(), policy.MDRange2([2]int{}, [2]int{3, 3}).Iterate(policy.Hilbert, policy.Right).Rows(), derived{policy.Range(0, 3)}} {
		_, ok := policy.BoxOf(p)
		assert.False(t, ok, "%T", p)
	}
}
