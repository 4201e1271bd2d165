package scan

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/internal/launch"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/internal/reduce"
)

// Workers that compute sums at the same time leave the joins to one of them. Once all sums have come,
// all prefixes are known: nothing is left to another launch.
func TestScanPrefixesAreKnownOnceAllSumsAre(t *testing.T) {
	const workers, units = 4, 100
	for range 200 {
		total := 0
		r := builtin.Sum(&total)
		slots := reduce.NewSlots(r)
		slots.Column.Open(1, 1, 1)
		var tree prefixTree[int]
		tree.Open(new(launch.Job), units, r, slots)
		order := rand.Perm(units)
		var all sync.WaitGroup
		for w := range workers {
			all.Go(func() {
				for k := w; k < units; k += workers {
					u := order[k]
					tree.sweep.Sums[u] = u
					known := tree.advance(launch.Leaf(u), new(launch.Place))
					for before := range known { // which nobody writes to any more
						assert.Equal(t, before*(before-1)/2, tree.sweep.Prefix[before])
					}
				}
			})
		}
		all.Wait()
		require.EqualValues(t, units, tree.known.Load())
		tree.settle()
		require.Equal(t, units*(units-1)/2, tree.sweep.Sums[0])
	}
}
