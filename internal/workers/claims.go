package workers

import (
	"math/bits"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reuse"
)

// claims is one launch on a pool. The reduction tree is cut into aligned subtrees of equal
// height, the claims. Each worker takes those of its share, in order, and then those that
// are left in the shares of others: what it takes in one launch, it mostly takes in the
// next, and finds the data in its cache.
type claims struct {
	// What workers only read.
	grid   space.Grid
	job    space.Job
	shift  int // a claim has 1<<shift leaves
	count  int
	shares []share
	// parents are the nodes above the claims, level by level. Each keeps the slot of the
	// child that was complete first.
	parents []parent
	epoch   int64        // the number of the launch among those of these claims
	stride  int          // slots that a worker gets at a time
	atEnd   func(int)    // what a worker does that finds no more claims, or nil
	slots   []slotRange  // by worker

	_     line
	fresh atomic.Int64 // the first slot that no worker has
	_     line
	spent atomic.Bool // a worker has found no claim that is left
	_     line

	door door
}

// line keeps what is before it and what is behind it in different lines of the cache: for
// each write to a line, all others who use it wait.
type line [64]byte

// share is a range of claims.
type share struct {
	next int64 // the first that nobody has taken; used by atomic operations once others see it
	end  int64
	_    line
}

// parent is the slot of a child, and the launch that it is of.
type parent struct {
	child atomic.Int64 // epoch<<childBits + slot
	_     line
}

const childBits = 20

// slotRange is the slots that a worker may use. Those of joined nodes it uses again, so few
// are filled at a time, however large their values.
type slotRange struct {
	free       []int
	fresh, end int // slots that it has not used
	_          line
}

// begin readies claims that nobody sees for a launch, in that many pieces or up to twice
// as many, of which so many workers have a share.
func (c *claims) begin(g space.Grid, j space.Job, h *space.Hints, workers, sharers, pieces int) {
	c.grid, c.job = g, j
	c.epoch++
	c.stride = max(h.SlotStride, 1)
	c.atEnd = h.AtEnd
	c.shift = claimHeight(g.Leaves, pieces)
	if h.MaxClaim > 0 { // in the order of the leaves: one share for all
		sharers = 1
		c.shift = min(c.shift, bits.Len(uint(h.MaxClaim))-1)
	}
	c.shift = max(c.shift, bits.Len(uint(h.MinClaim))-1)
	c.count = (g.Leaves-1)>>c.shift + 1
	c.cut(min(sharers, c.count))
	parents := 0
	for width := c.count; width > 1; width = (width + 1) / 2 {
		parents += (width + 1) / 2
	}
	c.parents = reuse.Resize(c.parents, parents)
	// Slot 0 is kept for claim 0: a left child keeps its slot, so the root ends there.
	c.fresh.Store(int64(c.stride))
	c.slots = reuse.Resize(c.slots, workers)
	for w := range c.slots {
		r := &c.slots[w]
		r.free, r.fresh, r.end = r.free[:0], 0, 0
	}
	j.Open(workers, c.count+c.stride*(workers+1))
}

// claimHeight returns the height of the subtrees that are claims, of which there are to be
// that many at least.
func claimHeight(leaves, count int) int { return max(bits.Len(uint(leaves/count))-1, 0) }

// cut cuts the claims into n shares.
func (c *claims) cut(n int) {
	c.shares = reuse.Resize(c.shares, n)
	for k := range c.shares {
		c.shares[k].next = int64(k * c.count / n)
		c.shares[k].end = int64((k + 1) * c.count / n)
	}
	c.spent.Store(false)
}

// end lets go of the job.
func (c *claims) end() { c.job, c.atEnd = nil, nil }

// busy is how many helpers are inside, or are to come in.
func (c *claims) busy() int {
	inside, free := c.door.count()
	if c.spent.Load() {
		return inside
	}
	return inside + free
}

// next takes a claim for a worker with that share, or returns -1.
func (c *claims) next(own int) int {
	if c.spent.Load() {
		return -1
	}
	for k := range c.shares {
		if claim := c.shares[(own+k)%len(c.shares)].take(); claim >= 0 {
			return claim
		}
	}
	c.spent.Store(true)
	return -1
}

// take takes the next claim of the share, or returns -1.
func (s *share) take() int {
	if atomic.LoadInt64(&s.next) < s.end {
		if claim := atomic.AddInt64(&s.next, 1) - 1; claim < s.end {
			return int(claim)
		}
	}
	return -1
}

// work takes claims and runs them until there are none left, those of the worker's own share
// first. It returns how many items that were.
func (c *claims) work(worker, own int) (items int) {
	for claim := c.next(own); claim >= 0; claim = c.next(own) {
		slot := c.take(worker, claim)
		first := claim << c.shift
		last := min(first+1<<c.shift, c.grid.Leaves)
		if c.job.Run(worker, first, last, slot) {
			c.merge(worker, claim, slot)
		} else {
			c.give(worker, slot)
		}
		items += min(c.grid.Items-first*c.grid.Leaf, (last-first)*c.grid.Leaf)
	}
	if c.atEnd != nil {
		c.atEnd(worker)
	}
	return items
}

// merge joins a complete claim with its neighbour, if that is complete too, and
// so on up the tree. Otherwise the neighbour's worker will do it.
func (c *claims) merge(worker, k, slot int) {
	parents := c.parents
	for width := c.count; width > 1; width = (width + 1) / 2 {
		if k^1 < width {
			before := parents[k/2].child.Swap(c.epoch<<childBits + int64(slot))
			if before>>childBits != c.epoch {
				return
			}
			left, right := slot, int(before&(1<<childBits-1))
			if k&1 == 1 {
				left, right = right, left
			}
			ok := c.job.Join(left, right)
			c.give(worker, right)
			if !ok {
				return
			}
			slot = left
		}
		k /= 2
		parents = parents[(width+1)/2:]
	}
}

// take returns a slot for a claim's result.
func (c *claims) take(worker, claim int) (slot int) {
	if claim == 0 {
		return 0
	}
	r := &c.slots[worker]
	if last := len(r.free) - 1; last >= 0 {
		slot, r.free = r.free[last], r.free[:last]
		return slot
	}
	if r.fresh == r.end {
		r.end = int(c.fresh.Add(int64(c.stride)))
		r.fresh = r.end - c.stride
	}
	r.fresh++
	return r.fresh - 1
}

func (c *claims) give(worker, slot int) {
	if slot != 0 {
		r := &c.slots[worker]
		r.free = append(r.free, slot)
	}
}

// help is what a helper does that has come in and has that seat, whose share it begins with.
func (c *claims) help(worker, seat int) {
	defer c.door.leave(seat)
	c.work(worker, seat)
}
