package space_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
)

func TestGridHoldsItsPromises(t *testing.T) {
	sizes := []int{0, 1, 2, 3, 15, 16, 17, 4095, 4096, 4097, 1<<24 - 1, 1 << 24, 1<<24 + 1, math.MaxInt32, math.MaxInt - 1, math.MaxInt}
	for _, n := range sizes {
		for _, chunk := range []int{0, 1, 2, 3, 100, 4096, math.MaxInt} {
			g := space.NewGrid(n, chunk, false)
			assert.LessOrEqual(t, g.Leaves, tree.MaxLeaves, "n %d, chunk %d", n, chunk)
			assert.Equal(t, n == 0, g.Leaves == 0, "n %d, chunk %d", n, chunk)
			assert.Equal(t, tree.CeilPow2(g.Leaf), g.Leaf, "a leaf is a power of two: n %d, chunk %d", n, chunk)
			if n > 0 {
				assert.LessOrEqual(t, (n-1)/g.Leaf, g.Leaves-1, "no item is left out: n %d, chunk %d", n, chunk)
				assert.Greater(t, n, (g.Leaves-1)*g.Leaf, "no leaf is empty: n %d, chunk %d", n, chunk)
			}
			assert.Equal(t, 1, space.NewGrid(n, chunk, true).Lanes)
		}
	}
}

// isNode reports whether leaves are a node of a tree.
func isNode(first, last, leaves int) bool {
	w := tree.CeilPow2(last - first)
	return first%w == 0 && (last == first+w || last == leaves)
}

// Ranges are cut into nodes that hold each leaf once, and no two that make one.
func TestNodes(t *testing.T) {
	for leaves := range 70 {
		g := space.Grid{Leaves: leaves}
		for first := range leaves + 1 {
			for last := first; last <= leaves; last++ {
				at, before := first, 0
				for a, b := range g.Nodes(first, last) {
					at2 := fmt.Sprintf("[%d,%d) of [%d,%d) of %d", a, b, first, last, leaves)
					require.Equal(t, at, a, at2)
					require.Less(t, a, b, at2)
					require.True(t, isNode(a, b, leaves), at2)
					if a > first {
						require.False(t, isNode(before, b, leaves) && b-before > a-before, "%s could be joined", at2)
					}
					at, before = b, a
				}
				require.Equal(t, last, at, "[%d,%d) of %d", first, last, leaves)
			}
		}
	}
}

// Shares hold each leaf once, are nearly equal, and end where a unit does.
func TestShares(t *testing.T) {
	for _, leaves := range []int{0, 1, 2, 3, 7, 100, 4096, 8192, 8193, 20000, 1<<20 - 1, 1 << 20} {
		g := space.Grid{Leaves: leaves}
		unit := tree.Unit(leaves, tree.MaxUnits)
		for _, n := range []int{1, 2, 3, 7, 64, 1000} {
			at := 0
			for k := range n {
				first, last := g.Share(k, n)
				require.Equal(t, at, first, "%d of %d, %d leaves", k, n, leaves)
				require.True(t, last == leaves || last%unit == 0)
				require.Less(t, last-first, leaves/n+2*unit, "%d of %d, %d leaves", k, n, leaves)
				at = last
			}
			require.Equal(t, leaves, at)
		}
	}
}
