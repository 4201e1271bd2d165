package workers

import (
	"math"
	"math/bits"
	"time"

	"github.com/gokkos/gokkos/exec/space"
)

// A cut says how a launch is shared: it has claims of 1<<shift leaves each, and sharers begin with about as
// many of them each.
type cut struct {
	shift, count, sharers int
	apart                 bool // claims are not joined
}

// evenly returns the cut of a launch of which nothing is known.
func evenly(leaves, workers int, h *space.Hints) cut {
	least, most := heights(leaves, h)
	shift := min(max(claimHeight(leaves, claimsPerWorker*workers), least), most)
	count := countOf(leaves, shift)
	return cut{shift, count, min(workers, count), false}
}

// cutEvenly returns that cut of a launch, and the leaves that it then has.
func cutEvenly(g space.Grid, j space.Job, workers int, h *space.Hints) (space.Grid, cut) {
	g, apart := divided(g, j, workers)
	c := evenly(g.Leaves, workers, h)
	c.apart = apart
	return g, c
}

// cutFor returns the cut with which a launch of so much work is over first.
func cutFor(leaves, wanted, workers int, h *space.Hints, work, come time.Duration) cut {
	least, most := heights(leaves, h)
	finest := min(max(claimHeight(leaves, claimsPerWorker*wanted), least), most)
	leaf := float64(work) / float64(leaves)
	var best cut
	shortest := math.Inf(1)
	for shift := most; shift >= finest; shift-- {
		count := countOf(leaves, shift)
		rounds := max(count/wanted, (count+workers-1)/workers)
		for _, n := range [3]int{min(wanted, count), (count-1)/rounds + 1, (count-1)/(rounds+1) + 1} {
			if n < 2 && count > 1 {
				continue
			}
			c := cut{shift, count, n, false}
			if t := c.time(leaves, leaf, float64(come)); t < shortest {
				best, shortest = c, t
			}
		}
	}
	return best
}

// time returns about how long the launch takes.
//
// One sharer after the other comes, and the last one runs a claim at least. Where each has one claim or two, all wait
// for whoever has most. Where each has many, these even out, but for half a claim. And now and then
// somebody is held up.
func (c cut) time(leaves int, leaf, come float64) float64 {
	of := func(claims, leaves int) float64 { return float64(claims)*float64(claimTime) + float64(leaves)*leaf }
	claim := of(1, 1<<c.shift)
	each, longest := of(c.count, leaves)/float64(c.sharers), of(c.longest(leaves))
	all := float64(c.sharers) * come
	return max(all+claim, all/2+min(longest, each+claim/2)) + claim/holdUps
}

// longest returns how many claims and how many leaves a sharer has at most, see rangeOf. The last claim may have fewer
// leaves.
func (c cut) longest(leaves int) (claims, length int) {
	claims = (c.count-1)/c.sharers + 1
	before := claims // of the others
	if c.count%c.sharers == 1 {
		before--
	}
	last := leaves - (c.count-claims)<<c.shift
	if c.sharers == 1 {
		return claims, last
	}
	return claims, max(before<<c.shift, last)
}

// sharersFor returns how many sharers are best for a launch of so much work that can be cut as finely as one likes.
func sharersFor(workers int, work, come time.Duration) int {
	return min(max(int(math.Sqrt(float64(work)/float64(come))), 2), workers)
}

// divided returns the leaves of a launch for so many sharers, and whether nothing is reduced in it.
func divided(g space.Grid, j space.Job, sharers int) (leaves space.Grid, apart bool) {
	if d, ok := j.(space.Divider); ok {
		return d.Divide(claimsPerWorker * sharers)
	}
	return g, false
}

// heights returns the least and the greatest height of claims: there are to be two, if the launch does not say otherwise.
func heights(leaves int, h *space.Hints) (least, most int) {
	least = max(bits.Len(uint(h.MinClaim))-1, 0)
	most = claimHeight(leaves, 2)
	if h.MaxClaim > 0 {
		most = min(most, bits.Len(uint(h.MaxClaim))-1)
	}
	return least, max(least, most)
}

// claimHeight returns the height of the subtrees that are claims, of which there are to be
// that many at least.
func claimHeight(leaves, count int) int { return max(bits.Len(uint(leaves/count))-1, 0) }

// countOf returns how many subtrees of a height there are.
func countOf(leaves, height int) int { return (leaves-1)>>height + 1 }
