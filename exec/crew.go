package exec

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
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
	ended   atomic.Int64 // when a launch that was timed ended
	invited atomic.Int32 // helpers that launches wait for; one that spins watches it
	awake   atomic.Int32 // helpers looking for work

	mu      mutex
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
	c.mu.Unlock()
	c.helpers.Wait()
	return 0
}

// share runs a launch in pieces on the calling goroutine and on that many helpers, or
// fewer. It returns how many items the caller ran, and how long that took.
func (c *crew) share(g Grid, j Job, helpers, pieces int) (items int, busy time.Duration) {
	l := launches.Get().(*claims)
	l.begin(g, j, c.workers, helpers+1, pieces)
	c.post(l, min(l.count-1, helpers))
	returned := false
	defer func() { // even if a functor ends this goroutine
		c.retire(l)
		l.wait()
		if returned {
			l.end()
			launches.Put(l)
		}
	}()
	start := now()
	items = l.work(0, 0)
	busy = now() - start
	returned = true
	return items, busy
}

// post lets that many helpers join a launch.
func (c *crew) post(l *claims, wanted int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for ; c.hired < wanted; c.hired++ {
		c.hire(c.hired + 1)
	}
	c.open = append(c.open, l)
	c.invited.Store(min(c.invited.Load()+int32(wanted), int32(c.workers)))
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

// relay calls a helper for another launch that has unclaimed work. The helper that
// took launch k may be one that two posts counted on, or one that the other invited.
func (c *crew) relay(k int) {
	for other, l := range c.open {
		if other != k && l.unclaimed() {
			c.invited.Add(1) // for one that spins
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
		if l := c.join(); l != nil {
			l.help(id)
			continue
		}
		if !c.rest(alarm) {
			fired = false
			return
		}
	}
}

// rest returns when the helper is invited to a launch. It returns false if the crew is
// closed.
//
// Only those who are invited go on to the mutex: all the others there would keep the
// caller of a short launch waiting.
func (c *crew) rest(alarm chan struct{}) bool {
	c.awake.Add(1)
	invited := false
	spin(func() bool {
		invited = c.accept()
		return !invited && !c.closed()
	})
	c.awake.Add(-1)
	if invited {
		return true
	}
	c.mu.Lock()
	if c.closed() {
		c.mu.Unlock()
		return false
	}
	if c.accept() {
		c.mu.Unlock()
		return true
	}
	c.parked = append(c.parked, alarm)
	c.mu.Unlock()
	<-alarm
	c.accept()
	return true
}

// accept takes an invitation, if there is one.
func (c *crew) accept() bool {
	for {
		n := c.invited.Load()
		if n <= 0 {
			return false
		}
		if c.invited.CompareAndSwap(n, n-1) {
			return true
		}
	}
}
