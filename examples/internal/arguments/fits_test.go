package arguments

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Sizes that wrap, or are more than the machine has, are errors that name them.
func TestFitsRefusesWhatNoMemoryHolds(t *testing.T) {
	require.NoError(t, Fits(8, 1000))
	require.NoError(t, fits(80, 8, []int{5, 2}))
	require.EqualError(t, fits(80, 8, []int{11}), "11 elements of 8 bytes, expected at most the 8e-05 MB of memory that are free")
	for _, counts := range [][]int{{math.MaxInt}, {1 << 32, 1 << 32}, {1 << 21, 1 << 21, 1 << 22}, {3037000500, 3037000500}, {math.MaxInt, math.MaxInt, 0}} {
		require.ErrorContains(t, Fits(8, counts...), "of memory that are free")
	}
	assert.EqualValues(t, 9<<10, available([]byte("MemTotal: 10 kB\nMemAvailable:  9 kB\n"), nil))
	assert.EqualValues(t, unknown, available([]byte("MemAvailable: x kB\n"), nil))
	assert.EqualValues(t, unknown, available(nil, os.ErrNotExist))
}
