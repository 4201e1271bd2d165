package index_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/internal/index"
)

func TestVolume(t *testing.T) {
	const half = math.MaxInt/2 + 1
	for name, c := range map[string]struct {
		extents []int
		n       int
		ok      bool
	}{
		"no dimensions":         {nil, 1, true},
		"a box":                 {[]int{2, 3, 4}, 24, true},
		"as many as can be":     {[]int{7, math.MaxInt / 7, 1}, math.MaxInt / 7 * 7, true}, // all of MaxInt on 64 bits
		"one power of two more": {[]int{half, 2}, 0, false},
		"the word wraps to 0":   {[]int{half, 4}, 0, false},
		"empty first":           {[]int{0, half, half}, 0, true},
		"empty between":         {[]int{half, 0, half}, 0, true},
		"empty last":            {[]int{half, half, 0}, 0, true},
	} {
		n, ok := index.Volume(c.extents...)
		assert.Equal(t, c.ok, ok, name)
		assert.Equal(t, c.n, n, name)
	}
	assert.Zero(t, testing.AllocsPerRun(10, func() { index.Volume(2, 3, 4) }))
}
