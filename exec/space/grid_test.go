package space_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

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
