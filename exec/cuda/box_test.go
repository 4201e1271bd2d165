package cuda

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/policy"
)

// Messages name the index that the policy says an item has.
func TestIndexOf(t *testing.T) {
	for _, outer := range []policy.Order{policy.Right, policy.Left} {
		for _, inner := range []policy.Order{policy.Right, policy.Left} {
			for _, tile := range [][3]int{{100, 100, 100}, {3, 4, 2}, {1, 1, 1}, {2, 7, 1}} {
				p := policy.MDRange3([3]int{-1, 3, 5}, [3]int{6, 10, 9}).Tile(tile).Iterate(outer, inner)
				box, ok := policy.BoxOf(p)
				require.True(t, ok)
				all := make([]policy.Index3, p.Plan().Items)
				p.Next(0, len(all), all)
				for item, i := range all {
					require.Equal(t, []int{i.I, i.J, i.K}, indexOf(&box, item), "%v, item %d", p, item)
				}
				box.First = 10
				assert.Equal(t, fmt.Sprint([]int{all[12].I, all[12].J, all[12].K}), indexText(&box, 2))
			}
		}
	}
	box, _ := policy.BoxOf(policy.Range(-3, 4))
	assert.Equal(t, "-1", indexText(&box, 2))
}
