package watch

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Clocks know what maps know that are joined in the same way, and never change.
func TestClocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	type both struct {
		c *clock
		m map[uint32]uint32
	}
	all := []both{{nil, map[uint32]uint32{}}}
	for range 3000 {
		a, b := all[random.IntN(len(all))], all[random.IntN(len(all))]
		next := both{join(a.c, b.c), map[uint32]uint32{}}
		for _, m := range []map[uint32]uint32{a.m, b.m} {
			for k, v := range m {
				next.m[k] = max(next.m[k], v)
			}
		}
		chain, known := uint32(1)<<random.IntN(12)+uint32(random.IntN(9)), uint32(1+random.IntN(20))
		next.c, next.m[chain] = next.c.with(chain, known), max(next.m[chain], known)
		all = append(all, next)
	}
	for _, x := range all {
		for chain := range uint32(1<<12 + 20) {
			if got := x.c.of(chain); got != x.m[chain] {
				t.Fatalf("knows %d of chain %d, expected %d", got, chain, x.m[chain])
			}
		}
		require.Zero(t, x.c.of(1<<31))
	}
	a := all[len(all)-1].c
	require.Same(t, a, join(a, all[0].c), "a clock that knows all is the sum")
}
