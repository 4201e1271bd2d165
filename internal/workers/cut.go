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
	var best cut
	shortest := math.Inf(1)
	for shift := most; shift >= finest; shift-- {
		count := countOf(leaves, shift)
		claim := float64(claimTime) + float64(work)*float64(int(1)<<shift)/float64(leaves)
		rounds := max(count/wanted, (count+workers-1)/workers)
		for _, n := range [3]int{min(wanted, count), (count-1)/rounds + 1, (count-1)/(rounds+1) + 1} {
			if n < 2 && count > 1 {
				continue
			}
			if t := timeOf(n, count, claim, float64(come)); t < shortest {
				best, shortest = cut{shift, count, n, false}, t
			}
		}
	}
	return best
}

// timeOf returns about how long it takes n sharers to run a number of claims that take so long each.
//
// One sharer after the other comes, and the last one runs a claim at least. Where each has one claim or two, all wait
// for whoever has one more. Where each has many, these even out, but for half a claim. And now and then
// somebody is held up.
func timeOf(n, count int, claim, come float64) float64 {
	each := float64(count) / float64(n)
	all := float64(n) * come
	return max(all+claim, all/2+claim*min(math.Ceil(each), each+.5)) + claim/holdUps
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
