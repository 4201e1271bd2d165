package space

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A table has what the map has, also of addresses that begin at one place, and nothing of others.
func TestCodeTable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for functors := range 70 {
		var last codeTable
		last.entries = make([]codeEntry, 256)
		all := map[uintptr][]attached{}
		for len(all) < functors {
			pc := uintptr(0x400000 + 32*r.IntN(1<<16))
			if functors%2 == 1 && last.hash(pc) < 253 { // goes on at the first place
				continue
			}
			all[pc] = []attached{{target: "go"}}
		}
		table := newCodeTable(all)
		require.Nil(t, table.of(0))
		for pc, list := range all {
			require.Same(t, &list[0], &table.of(pc)[0], "%d functors", functors)
		}
		for range 100 {
			pc := uintptr(0x400001 + 32*r.IntN(1<<16))
			require.Nil(t, table.of(pc), "%d functors", functors)
		}
	}
}
