//go:build linux && (amd64 || arm64)

package endtoend

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/cuda/internal/sorts"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/machine"
)

// Counts of more tiles than a block has threads are added up, too: a sort of so many keys takes the machine minutes.
func TestPlacesOfManyTiles(t *testing.T) {
	m, err := machine.Parse(sorts.Key{Bytes: 4}.Text())
	require.NoError(t, err)
	for _, tiles := range []int{1, 255, 256, 257, 600} {
		const digits = 256
		counts, totals := make([]uint32, digits*tiles), make([]uint32, digits)
		for k := range counts {
			counts[k] = uint32(k*7919%(1<<12) + 1)
		}
		want, sums := slices.Clone(counts), make([]uint32, digits)
		for k, n := range counts {
			want[k] = sums[k/tiles]
			sums[k/tiles] += n
		}
		mem := &machine.Memory{}
		bytes := func(x []uint32) []byte {
			return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
		}
		require.NoError(t, m.Run(mem, machine.Launch{Entry: sorts.Places, Blocks: digits, Threads: sorts.Threads, Params: []uint64{uint64(tiles), mem.Map(bytes(counts)), mem.Map(bytes(totals))}}))
		assert.Equal(t, want, counts, tiles)
		assert.Equal(t, sums, totals, tiles)
	}
}
