package memory_test

import (
	"math/bits"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/internal/memory"
)

// Parts of a large matrix are told apart without a look at every element, of which there are 2^40 in 64 bits: a
// look at each would not end.
func TestOverlapLooksAtRows(t *testing.T) {
	const n = 1 << (12 + bits.UintSize/64*8)
	part := func(first, columns, by int) memory.Region {
		begin := uintptr(1<<20 + first) // where nothing is: only addresses are compared
		return memory.RegionAt(*(*unsafe.Pointer)(unsafe.Pointer(&begin)), (n-1)*n+(columns-1)*by+1, 1, []int{n, columns}, []int{n, by})
	}
	for name, parts := range map[string][2]memory.Region{
		"halves":       {part(0, n/2, 1), part(n/2, n/2, 1)},
		"even and odd": {part(0, n/2, 2), part(1, n/2, 2)},
		"no divisor":   {part(0, n/4, 2), part(n/2, n/6, 3)},
	} {
		assert.False(t, parts[0].Overlaps(parts[1]), name)
		assert.False(t, parts[1].Overlaps(parts[0]), name)
	}
	assert.True(t, part(0, n/2, 2).Overlaps(part(n-2, 1, 1)), "the last of each row")
}
