package workers

import (
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
	shares []counter // of claims, see rangeOf
	// parents are the nodes above the claims, level by level. Each keeps the slot of the
	// child that was complete first.
	parents []parent
	apart   bool        // claims are not joined
	epoch   int64       // the number of the launch among those of these claims
	stride  int         // slots that a worker gets at a time
	atEnd   func(int)   // what a worker does that finds no more claims, or nil
	slots   []slotRange // by worker

	_     line
	fresh counter      // of slots that no worker has
	spent atomic.Int64 // the last launch in which a worker has found no claim that is left
	door  door
}

// line keeps what is before it and what is behind it in different lines of the cache: for
// each write to a line, all others who use it wait.
type line [64]byte

// counter counts what workers take, in each launch anew: it keeps the launch in which it was taken. So nobody
// writes to the lines of all of them before a launch.
type counter struct {
	next atomic.Int64 // epoch<<childBits + the first that nobody has taken
	_    line
}

// parent is the slot of a child, and the launch that it is of.
type parent struct {
	child atomic.Int64 // epoch<<childBits + slot
	_     line
}

// childBits is enough for a claim and for a slot: a tree has 1<<20 leaves at most, and a pool 4096 workers.
const childBits = 22

// slotRange is the slots that a worker may use. Those of joined nodes it uses again, so few
// are filled at a time, however large their values.
type slotRange struct {
	epoch      int64 // the launch that the rest is of
	free       []int
	fresh, end int // slots that it has not used
	_          line
}

// begin readies claims that nobody sees for a launch.
func (c *claims) begin(g space.Grid, j space.Job, h *space.Hints, workers int, to cut) {
	c.grid, c.job = g, j
	c.epoch++
	c.stride = max(h.SlotStride, 1)
	c.atEnd = h.AtEnd
	c.shift, c.count = to.shift, to.count
	shares := to.sharers
	if h.MaxClaim > 0 { // in the order of the leaves
		shares = 1
	}
	c.shares = reuse.Resize(c.shares, shares)
	slots, parents := c.stride*(workers+1), 0
	if c.apart = to.apart; !c.apart {
		slots += c.count
		for width := c.count; width > 1; width = (width + 1) / 2 {
			parents += (width + 1) / 2
		}
	}
	c.parents = reuse.Resize(c.parents, parents)
	// Slot 0 is kept for claim 0: a left child keeps its slot, so the root ends there. The next ones are
	// those that each worker uses first, and then there are those of fresh.
	c.slots = reuse.Resize(c.slots, workers)
	j.Open(workers, slots)
}

// rangeOf returns the claims of a share.
func (c *claims) rangeOf(k int) (begin, end int) {
	return k * c.count / len(c.shares), (k + 1) * c.count / len(c.shares)
}

// end lets go of the job.
func (c *claims) end() { c.job, c.atEnd = nil, nil }

// busy is how many helpers are inside, or are to come in.
func (c *claims) busy() int {
	inside, free := c.door.count()
	if c.isSpent() {
		return inside
	}
	return inside + free
}

// next takes a claim for a worker with that share, or returns -1.
func (c *claims) next(own int) int {
	if c.spent.Load() == c.epoch {
		return -1
	}
	for n := range c.shares {
		k := (own + n) % len(c.shares)
		begin, end := c.rangeOf(k)
		if claim := c.shares[k].take(c.epoch, 1, begin, end); claim >= 0 {
			return claim
		}
	}
	c.spent.Store(c.epoch)
	return -1
}

// isSpent reports whether a worker has found no claim that is left, to one outside.
func (c *claims) isSpent() bool {
	launch, _ := c.door.launch()
	return c.spent.Load() == launch
}

// take takes the next n of those from begin to end, of the launch with that number, and returns the first of them, or -1.
func (s *counter) take(epoch int64, n, begin, end int) int {
	for {
		state, next := s.next.Load(), begin
		if state>>childBits == epoch {
			next = int(state & (1<<childBits - 1))
		}
		if next == end {
			return -1
		}
		if s.next.CompareAndSwap(state, epoch<<childBits+int64(next+n)) {
			return next
		}
	}
}

// work takes claims and runs them until there are none left, those of the worker's own share
// first. It returns how many items that were.
func (c *claims) work(worker, own int) (items int) {
	c.enter(worker)
	for claim := c.next(own); claim >= 0; claim = c.next(own) {
		first := claim << c.shift
		last := min(first+1<<c.shift, c.grid.Leaves)
		if c.apart {
			c.job.Run(worker, first, last, c.stride*(worker+1))
		} else {
			c.reduce(worker, claim, first, last)
		}
		items += min(c.grid.Items-first*c.grid.Leaf, (last-first)*c.grid.Leaf)
	}
	if c.atEnd != nil {
		c.atEnd(worker)
	}
	return items
}

// reduce runs the leaves of a claim into a slot, and joins what is complete then.
func (c *claims) reduce(worker, claim, first, last int) {
	slot := c.take(worker, claim)
	if c.job.Run(worker, first, last, slot) {
		c.merge(worker, claim, slot)
	} else {
		c.give(worker, slot)
	}
}

// enter readies the slots of a worker that has done nothing in this launch yet.
func (c *claims) enter(worker int) {
	if r := &c.slots[worker]; r.epoch != c.epoch {
		first := c.stride * (worker + 1)
		r.epoch, r.free, r.fresh, r.end = c.epoch, r.free[:0], first, first+c.stride
	}
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
		r.fresh = c.fresh.take(c.epoch, c.stride, c.stride*(len(c.slots)+1), 1<<childBits)
		r.end = r.fresh + c.stride
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
