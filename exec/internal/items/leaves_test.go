package items

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The last leaf of a launch may end behind the largest int.
func TestInLeaf(t *testing.T) {
	assert.Equal(t, 8, InLeaf(5, 20, 4))
	assert.Equal(t, 7, InLeaf(5, 7, 4))
	assert.Equal(t, 8, InLeaf(4, 20, 4))
	assert.Equal(t, math.MaxInt, InLeaf(math.MaxInt-1, math.MaxInt, 1<<20))
}
