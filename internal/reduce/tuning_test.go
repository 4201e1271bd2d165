package reduce

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/tree"
)

func TestScratchHoldsANode(t *testing.T) {
	require.GreaterOrEqual(t, scratchValues, tree.NodeLeaves+tree.MaxLanes)
}
