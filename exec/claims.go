package exec

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// claimsPerWorker is how many pieces a launch is cut into for each worker: enough
// to even out the load, few enough to make a claim cheap.
const claimsPerWorker = 8

// claimHeight returns the height of the subtrees that are claims, of which there are to be
// that many at least.
func claimHeight(leaves, count int) int { return max(bits.Len(uint(leaves/count))-1, 0) }

// claims is one launch on a Goroutines space. The reduction tree is cut into
// aligned subtrees of equal height, the claims. Each worker takes those of its share, in
// order, and then those that are left in the shares of others: what it takes in one
// launch, it mostly takes in the next, and finds the data in its cache.
type claims struct {
	grid   Grid
	job    Job
	shift  int // a claim has 1<<shift leaves
	count  int
	shares []share
	spent  atomic.Bool // a worker has found no claim that is left

	// parents are the nodes above the claims, level by level. Each keeps the slot,
	// plus one, of the child that was complete first.
	parents []atomic.Int32

	// A worker uses the slots of joined nodes again that it has joined, so few are
	// filled at a time, however large their values.
	fresh atomic.Int32 // the first slot that nobody has used
	freed []freed      // by worker

	helpers sync.WaitGroup
	active  atomic.Int32 // helpers at work
}

// share is a range of claims.
type share struct {
	next atomic.Int64 // the first that nobody has taken
	end  int64
	_    [48]byte // each in a line of the cache of its own
}

// freed are slots that a worker may use again.
type freed struct {
	slots []int
	_     [64]byte // each in cache lines of its own
}

// begin readies claims that nobody sees for a launch, in that many pieces or up to twice
// as many, of which so many workers have a share.
func (c *claims) begin(g Grid, j Job, workers, sharers, pieces int) {
	c.grid, c.job = g, j
	c.shift = claimHeight(g.Leaves, pieces)
	if mine, ok := j.(*job); ok && mine.most > 0 {
		sharers = 1
		c.shift = max(min(c.shift, bits.Len(uint(mine.most))-1), bits.Len(uint(mine.least))-1)
	}
	c.count = (g.Leaves-1)>>c.shift + 1
	c.cut(min(sharers, c.count))
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
	c.fresh.Store(1) // slot 0 is kept for claim 0: a left child keeps its slot, so the root ends there
	if len(c.freed) < workers {
		c.freed = make([]freed, workers)
	}
	for w := range c.freed {
		c.freed[w].slots = c.freed[w].slots[:0]
	}
	j.Open(workers, c.count)
}

// cut cuts the claims into n shares.
func (c *claims) cut(n int) {
	if cap(c.shares) < n {
		c.shares = make([]share, n)
	}
	c.shares = c.shares[:n]
	for k := range c.shares {
		c.shares[k].next.Store(int64(k * c.count / n))
		c.shares[k].end = int64((k + 1) * c.count / n)
	}
	c.spent.Store(false)
}

// end lets go of the job.
func (c *claims) end() { c.job = nil }

// unclaimed reports whether there may be a claim to take.
func (c *claims) unclaimed() bool { return !c.spent.Load() }

// next takes a claim for a worker, or returns -1.
func (c *claims) next(worker int) int {
	for k := range c.shares {
		s := &c.shares[(worker+k)%len(c.shares)]
		if s.next.Load() < s.end {
			if claim := s.next.Add(1) - 1; claim < s.end {
				return int(claim)
			}
		}
	}
	c.spent.Store(true)
	return -1
}

// work takes claims and runs them until there are none left. It returns how many items
// the caller of the launch has run, and how long it took to run them.
func (c *claims) work(worker int) (items int, busy time.Duration) {
	for claim := c.next(worker); claim >= 0; claim = c.next(worker) {
		slot := c.take(worker, claim)
		first := claim << c.shift
		last := min(first+1<<c.shift, c.grid.Leaves)
		var begin time.Duration
		if worker == 0 {
			begin = now()
		}
		ok := c.job.Run(worker, first, last, slot)
		if worker == 0 {
			busy += now() - begin
			items += min(last*c.grid.Leaf, c.grid.Items) - first*c.grid.Leaf
		}
		if ok {
			c.merge(worker, claim, slot)
		} else {
			c.give(worker, slot)
		}
	}
	return items, busy
}

// merge joins a complete claim with its neighbour, if that is complete too, and
// so on up the tree. Otherwise the neighbour's worker will do it.
func (c *claims) merge(worker, k, slot int) {
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
	free := &c.freed[worker].slots
	if last := len(*free) - 1; last >= 0 {
		slot, *free = (*free)[last], (*free)[:last]
		return slot
	}
	return int(c.fresh.Add(1) - 1)
}

func (c *claims) give(worker, slot int) {
	if slot != 0 {
		free := &c.freed[worker].slots
		*free = append(*free, slot)
	}
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

// mutex is a sync.Mutex for what is held for some ten nanoseconds. Those who wait spin
// longer, since to park all helpers of a launch and wake them costs more than the launch.
type mutex struct{ sync.Mutex }

// Lock locks m.
func (m *mutex) Lock() {
	if m.TryLock() {
		return
	}
	free := false
	spin(func() bool { free = m.TryLock(); return !free })
	if !free {
		m.Mutex.Lock()
	}
}

// spin calls again for some ten microseconds or until it returns false. Parking
// a goroutine and waking it costs about as much. It yields now and then only: all that
// spin would meet at the lock of the scheduler.
func spin(again func() bool) {
	for range 8 {
		for range 1024 {
			if !again() {
				return
			}
		}
		runtime.Gosched()
	}
}
