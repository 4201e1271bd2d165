package exec

import (
	"math"
	"sync"
	"sync/atomic"
)

// launches are claims that nobody sees any more. A helper finds a launch only while the
// crew has it open, and is counted in before it lets go of the crew's mutex. So once the
// launch is retired and those counted in have gone, the claims can be used again.
var launches = sync.Pool{New: func() any { return new(claims) }}

// crew is the standing helpers of a Goroutines space. They look for launches that
// have work nobody has claimed, spin for a while when there are none, and then
// park. A parked helper costs nothing, and nobody ever waits for one to wake.
type crew struct {
	gate
	workers int
	ended   atomic.Int64  // when a launch that was timed ended
	posts   atomic.Uint64 // number of posts so far: a spinning helper watches it
	awake   atomic.Int32  // helpers looking for work

	mu      sync.Mutex
	hired   int             // helpers started
	open    []*claims       // launches that helpers may join
	parked  []chan struct{} // one for each parked helper
	helpers sync.WaitGroup
}

func newCrew(workers int) *crew {
	c := &crew{workers: workers}
	c.ended.Store(math.MinInt64 / 2)
	return c
}

// close ends the helpers, unless launches are running; it returns their number.
func (c *crew) close() (running int64) {
	if running := c.gate.close(); running > 0 {
		return running
	}
	c.mu.Lock()
	c.wake(len(c.parked))
	c.posts.Add(1)
	c.mu.Unlock()
	c.helpers.Wait()
	return 0
}

// share runs a launch on the calling goroutine and on helpers; short is whether it is known
// to be short.
func (c *crew) share(g Grid, j Job, short bool) {
	l := launches.Get().(*claims)
	l.begin(g, j, c.workers, short)
	c.post(l)
	returned := false
	defer func() { // even if a functor ends this goroutine
		c.retire(l)
		l.wait()
		if returned {
			l.end()
			launches.Put(l)
		}
	}()
	l.work(0)
	returned = true
}

// post lets helpers join a launch.
func (c *crew) post(l *claims) {
	c.mu.Lock()
	defer c.mu.Unlock()
	wanted := min(l.count, c.workers) - 1
	for ; c.hired < wanted; c.hired++ {
		c.hire(c.hired + 1)
	}
	c.open = append(c.open, l)
	c.posts.Add(1)
	c.wake(wanted - int(c.awake.Load()))
}

// retire keeps helpers from joining a launch from now on.
func (c *crew) retire(l *claims) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.open {
		if c.open[k] == l {
			last := len(c.open) - 1
			copy(c.open[k:], c.open[k+1:])
			c.open[last] = nil
			c.open = c.open[:last]
			return
		}
	}
}

// wake wakes n parked helpers, or as many as there are.
func (c *crew) wake(n int) {
	for ; n > 0 && len(c.parked) > 0; n-- {
		last := len(c.parked) - 1
		c.parked[last] <- struct{}{} // buffered
		c.parked = c.parked[:last]
	}
}

// join returns a launch with unclaimed work, the latest first, and counts the
// calling helper in; or nil.
func (c *crew) join() *claims {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := len(c.open) - 1; k >= 0; k-- {
		if l := c.open[k]; l.unclaimed() {
			l.join()
			c.relay(k)
			return l
		}
	}
	return nil
}

// relay wakes a helper for another launch that has unclaimed work. The helper that
// took launch k may be one that two posts counted on.
func (c *crew) relay(k int) {
	for other, l := range c.open {
		if other != k && l.unclaimed() {
			c.wake(1)
			return
		}
	}
}

// hire starts the helper with the given worker number.
func (c *crew) hire(id int) {
	c.helpers.Add(1)
	go c.help(id)
}

func (c *crew) help(id int) {
	defer c.helpers.Done()
	fired := true
	defer func() {
		if fired { // a functor called runtime.Goexit
			c.hire(id)
		}
	}()
	alarm := make(chan struct{}, 1)
	for {
		seen := c.posts.Load()
		if l := c.join(); l != nil {
			l.help(id)
			continue
		}
		if !c.rest(seen, alarm) {
			fired = false
			return
		}
	}
}

// rest returns when there was a post after seen. It returns false if the crew is
// closed.
func (c *crew) rest(seen uint64, alarm chan struct{}) bool {
	c.awake.Add(1)
	spin(func() bool { return c.posts.Load() == seen })
	c.awake.Add(-1)

	c.mu.Lock()
	if c.closed() {
		c.mu.Unlock()
		return false
	}
	if c.posts.Load() != seen {
		c.mu.Unlock()
		return true
	}
	c.parked = append(c.parked, alarm)
	c.mu.Unlock()
	<-alarm
	return true
}
