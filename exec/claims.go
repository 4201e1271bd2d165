package exec

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// claimsPerWorker is how many pieces a launch is cut into for each worker: enough
// to even out the load, few enough to make a claim cheap.
const claimsPerWorker = 8

// fewClaims is the same for a launch that is short: there is little to even out, and a
// claim takes as long as many items.
const fewClaims = 2

// claimHeight returns the height of the subtrees that are claims, of which there are to be
// that many at least.
func claimHeight(leaves, count int) int { return max(bits.Len(uint(leaves/count))-1, 0) }

// claims is one launch on a Goroutines space. The reduction tree is cut into
// aligned subtrees of equal height, the claims, which workers take in order.
type claims struct {
	grid  Grid
	job   Job
	shift int // a claim has 1<<shift leaves
	count int
	next  atomic.Int64 // the first claim nobody has taken

	// parents are the nodes above the claims, level by level. Each keeps the slot,
	// plus one, of the child that was complete first.
	parents []atomic.Int32

	mu   sync.Mutex
	free []int // slots for results of claims

	helpers sync.WaitGroup
	active  atomic.Int32 // helpers at work
}

// begin readies claims that nobody sees for a launch.
func (c *claims) begin(g Grid, j Job, workers int, short bool) {
	c.grid, c.job = g, j
	c.next.Store(0)
	perWorker := claimsPerWorker
	if short {
		perWorker = fewClaims
	}
	c.shift = claimHeight(g.Leaves, perWorker*workers)
	if mine, ok := j.(*job); ok && mine.finely {
		c.shift = 0
	}
	c.count = (g.Leaves-1)>>c.shift + 1
	parents := 0
	for width := c.count; width > 1; width = (width + 1) / 2 {
		parents += (width + 1) / 2
	}
	if cap(c.parents) < parents {
		c.parents = make([]atomic.Int32, parents)
	}
	c.parents = c.parents[:parents]
	for k := range c.parents {
		c.parents[k].Store(0)
	}
	// The last free slot is taken first, and slot 0 is kept for claim 0: a left
	// child keeps its slot, so the root ends in slot 0.
	c.free = resize(c.free[:0], c.count-1)
	for k := range c.free {
		c.free[k] = c.count - 1 - k
	}
	j.Open(workers, c.count)
}

// end lets go of the job.
func (c *claims) end() { c.job = nil }

// unclaimed reports whether there is a claim to take.
func (c *claims) unclaimed() bool { return c.next.Load() < int64(c.count) }

// work takes claims and runs them until there are none left.
func (c *claims) work(worker int) {
	for c.unclaimed() {
		claim := int(c.next.Add(1) - 1)
		if claim >= c.count {
			return
		}
		slot := c.take(claim)
		first := claim << c.shift
		last := min(first+1<<c.shift, c.grid.Leaves)
		if c.job.Run(worker, first, last, slot) {
			c.merge(claim, slot)
		} else {
			c.give(slot)
		}
	}
}

// merge joins a complete claim with its neighbour, if that is complete too, and
// so on up the tree. Otherwise the neighbour's worker will do it.
func (c *claims) merge(k, slot int) {
	parents := c.parents
	for width := c.count; width > 1; width = (width + 1) / 2 {
		if k^1 < width {
			other := int(parents[k/2].Swap(int32(slot+1))) - 1
			if other < 0 {
				return
			}
			left, right := slot, other
			if k&1 == 1 {
				left, right = other, slot
			}
			ok := c.job.Join(left, right)
			c.give(right)
			if !ok {
				return
			}
			slot = left
		}
		k /= 2
		parents = parents[(width+1)/2:]
	}
}

// take returns a free slot for a claim's result. Slots of joined nodes are used
// again, so few are filled at a time, however large their values.
func (c *claims) take(claim int) int {
	if claim == 0 {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	slot := c.free[len(c.free)-1]
	c.free = c.free[:len(c.free)-1]
	return slot
}

func (c *claims) give(slot int) {
	if slot == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, slot)
}

// help is what a helper does for the launch. It has been counted by join.
func (c *claims) help(worker int) {
	defer c.helpers.Done()
	defer c.active.Add(-1)
	c.work(worker)
}

// join counts a helper in. It must not be called once the launch is retired.
func (c *claims) join() {
	c.active.Add(1)
	c.helpers.Add(1)
}

// wait returns when no helper is at work any more.
func (c *claims) wait() {
	spin(func() bool { return c.active.Load() > 0 })
	c.helpers.Wait()
}

// spin calls again for some ten microseconds or until it returns false. Parking
// a goroutine and waking it costs about as much.
func spin(again func() bool) {
	for range 64 {
		for range 128 {
			if !again() {
				return
			}
		}
		runtime.Gosched()
	}
}
