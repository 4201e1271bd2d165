package workers

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/space"
)

// Of what nothing is known there are as many claims for each worker as claimsPerWorker says, or up to twice as
// many, within the bounds of the launch.
func TestCutEvenly(t *testing.T) {
	for _, c := range []struct {
		name                  string
		leaves, least, most   int
		leavesEach, claims, n int
	}{
		{"as many as wanted", 4096, 0, 0, 128, 32, 4},
		{"more than wanted", 1000, 0, 0, 16, 63, 4},
		{"fewer leaves than wanted", 20, 0, 0, 1, 20, 4},
		{"fewer leaves than workers", 3, 0, 0, 1, 3, 3},
		{"one leaf", 1, 0, 0, 1, 1, 1},
		{"at most", 4096, 4, 64, 64, 64, 4},
		{"at most, and no power of 2", 4096, 4, 100, 64, 64, 4},
		{"at least", 100, 4, 0, 4, 25, 4},
		{"at least, and no power of 2", 100, 7, 0, 4, 25, 4},
		{"at least, fewer leaves than that", 3, 4, 64, 4, 1, 1},
	} {
		got := evenly(c.leaves, 4, &space.Hints{MinClaim: c.least, MaxClaim: c.most})
		assert.Equal(t, [3]int{c.leavesEach, c.claims, c.n}, [3]int{1 << got.shift, got.count, got.sharers}, c.name)
	}
}

// A launch is cut for it to be over soon.
func TestCutForTime(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		name            string
		leaves, workers int
		work, come      time.Duration
		least, most     int
		claims, sharers int
	}{
		{"two claims for each, of fewer workers than there are", 98, 16, 28 * us, comeTime, 0, 0, 25, 13},
		{"fewer for less work", 98, 16, 7 * us, comeTime, 0, 0, 13, 7},
		{"two sharers of seven claims", 98, 2, 28 * us, comeTime, 0, 0, 7, 2},
		{"hardly any work", 98, 16, us, comeTime, 0, 0, 4, 2},
		{"as many workers as there are", 4096, 16, 1000 * us, comeTime, 0, 0, 128, 16},
		{"leaves in which claims are uneven", 20, 16, 100 * us, comeTime, 0, 0, 20, 16},
		{"helpers that come late", 98, 16, 75 * us, parkedComeTime, 0, 0, 25, 4},
		{"claims of four leaves at least", 98, 16, 1000 * us, comeTime, 4, 0, 25, 13},
		{"claims of two leaves at most", 98, 2, 28 * us, comeTime, 0, 2, 49, 2},
		{"one claim", 3, 16, 28 * us, comeTime, 4, 0, 1, 1},
		{"two leaves", 2, 16, 1000 * us, comeTime, 0, 0, 2, 2},
	} {
		h := space.Hints{MinClaim: c.least, MaxClaim: c.most}
		got := cutFor(c.leaves, sharersFor(c.workers, c.work, c.come), c.workers, &h, c.work, c.come)
		assert.Equal(t, [2]int{c.claims, c.sharers}, [2]int{got.count, got.sharers}, c.name)
		assert.Equal(t, countOf(c.leaves, got.shift), got.count, c.name)
	}
}

// Whatever the launch, there are claims for all sharers, no more of these than workers, and all leaves are in a claim.
func TestCutsAreSound(t *testing.T) {
	for leaves := 1; leaves < 1<<20; leaves += leaves/3 + 1 {
		for _, workers := range []int{2, 3, 16, 4096} {
			for work := time.Duration(1); work < time.Hour; work *= 7 {
				for _, h := range []space.Hints{{}, {MinClaim: 8}, {MaxClaim: 8}, {MinClaim: 4, MaxClaim: 8}} {
					c := cutFor(leaves, sharersFor(workers, work, comeTime), workers, &h, work, comeTime)
					if c.sharers < 1 || c.sharers > min(workers, c.count) || c.count != countOf(leaves, c.shift) {
						t.Fatalf("%d leaves, %d workers, %v, %+v: %+v", leaves, workers, work, h, c)
					}
					if h.MaxClaim > 0 && 1<<c.shift > h.MaxClaim || leaves >= h.MinClaim && 1<<c.shift < h.MinClaim {
						t.Fatalf("%d leaves, %+v: %+v", leaves, h, c)
					}
				}
			}
		}
	}
}

// The longest share is that of whoever has most.
func TestLongestShare(t *testing.T) {
	for leaves := 1; leaves < 200; leaves++ {
		for shift := range 6 {
			count := countOf(leaves, shift)
			for n := 1; n <= count; n++ {
				l := claims{count: count, shares: make([]counter, n)}
				most, longest := 0, 0
				for k := range n {
					begin, end := l.rangeOf(k)
					most = max(most, end-begin)
					longest = max(longest, min(end<<shift, leaves)-begin<<shift)
				}
				got, length := cut{shift, count, n, false}.longest(leaves)
				if got != most || length != longest {
					t.Fatalf("%d leaves, claims of %d, %d sharers: %d claims, %d leaves, expected %d, %d", leaves, 1<<shift, n, got, length, most, longest)
				}
			}
		}
	}
}
