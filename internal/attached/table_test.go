package attached

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/gokkos/gokkos/internal/watch" // for go test -gcflags=-race
)

// A table has what the map has, also of addresses that begin at one place, and nothing of others.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for size := range 70 {
		last := Table[int]{entries: make([]entry[int], 256)}
		all := map[uintptr]int{}
		for len(all) < size {
			pc := uintptr(0x400000 + 32*r.IntN(1<<16))
			if size%2 == 1 && last.hash(pc) < 253 { // goes on at the first place
				continue
			}
			all[pc] = len(all) + 1
		}
		table := NewTable(all)
		require.Zero(t, table.Of(0))
		for pc, value := range all {
			require.Equal(t, value, table.Of(pc), "%d addresses", size)
		}
		for range 100 {
			pc := uintptr(0x400001 + 32*r.IntN(1<<16))
			require.Zero(t, table.Of(pc), "%d addresses", size)
		}
		require.Equal(t, all, maps.Collect(table.All()))
	}
}
