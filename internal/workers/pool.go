// Package workers runs launches on the calling goroutine and on standing helpers.
//
// [Pool.Run] looks up how long items of the functor took before (cutoff.go) and decides
// whether the caller runs the launch alone. If it does not, the tree of the launch is cut
// into claims (claims.go); the caller and the helpers that come (pool.go) take claims, and
// whoever completes the second of two neighbours joins them. The schedule is dynamic, the
// tree is not. The numbers that decide are in tuning.go.
package workers

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/gate"
)

// A Pool is the caller of a launch and standing helpers. These look for launches that have
// work nobody has claimed, spin for a while when there are none, and then park. A parked
// helper costs nothing, and nobody ever waits for one to wake.
//
// Whoever launches must Enter the gate before, and Leave it after.
type Pool struct {
	gate.Gate
	workers int
	ended   atomic.Int64 // when a launch that was timed ended
	invited atomic.Int32 // helpers that launches wait for; one that spins watches it
	awake   atomic.Int32 // helpers looking for work

	mu      Mutex
	hired   int             // helpers started
	open    []*claims       // launches that helpers may join
	parked  []chan struct{} // one for each parked helper
	helpers sync.WaitGroup
}

// New returns a pool of that many workers, the caller of a launch counted as one.
func New(workers int) *Pool {
	p := &Pool{workers: workers}
	p.ended.Store(math.MinInt64 / 2)
	return p
}

// Workers returns the number of workers.
func (p *Pool) Workers() int { return p.workers }

// Close ends the helpers and waits for them, unless launches are running; it returns their
// number.
func (p *Pool) Close() (running int64) {
	if running := p.Gate.Close(); running > 0 {
		return running
	}
	p.mu.Lock()
	p.wake(len(p.parked))
	p.mu.Unlock()
	p.helpers.Wait()
	return 0
}

// Run runs a launch on the caller and, if it is worth their while, on helpers.
func (p *Pool) Run(g space.Grid, j space.Job) {
	if g.Leaves < 2 || p.workers == 1 {
		space.Alone(g, j)
		return
	}
	h := space.HintsOf(j)
	if h.Functor == 0 {
		p.share(g, j, &h, p.workers-1, claimsPerWorker*p.workers)
		return
	}
	if untimed(h.Functor, g.Items) {
		space.Alone(g, j)
		return
	}
	w := watch(h.Functor, g.Items, p.workers, time.Duration(p.ended.Load()))
	defer func() { p.ended.Store(int64(w.stop())) }()
	if w.alone {
		space.Alone(g, j)
		return
	}
	helpers, pieces := w.split()
	w.own, w.busy = p.share(g, j, &h, helpers, pieces)
}

// launches are claims that nobody sees any more. A helper finds a launch only while the
// pool has it open, and is counted in before it lets go of the pool's mutex. So once the
// launch is retired and those counted in have gone, the claims can be used again.
var launches = sync.Pool{New: func() any { return new(claims) }}

// share runs a launch in pieces on the calling goroutine and on that many helpers, or
// fewer. It returns how many items the caller ran, and how long that took.
func (p *Pool) share(g space.Grid, j space.Job, h *space.Hints, helpers, pieces int) (items int, busy time.Duration) {
	l := launches.Get().(*claims)
	l.begin(g, j, h, p.workers, helpers+1, pieces)
	p.post(l, min(l.count-1, helpers))
	returned := false
	defer func() { // even if a functor ends this goroutine
		p.retire(l)
		l.wait()
		if returned {
			l.end()
			launches.Put(l)
		}
	}()
	start := Now()
	items = l.work(0, 0)
	busy = Now() - start
	returned = true
	return items, busy
}

// post lets that many helpers join a launch.
func (p *Pool) post(l *claims, wanted int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for ; p.hired < wanted; p.hired++ {
		p.hire(p.hired + 1)
	}
	p.open = append(p.open, l)
	p.invited.Store(min(p.invited.Load()+int32(wanted), int32(p.workers)))
	p.wake(wanted - int(p.awake.Load()))
}

// retire keeps helpers from joining a launch from now on.
func (p *Pool) retire(l *claims) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k := range p.open {
		if p.open[k] == l {
			last := len(p.open) - 1
			copy(p.open[k:], p.open[k+1:])
			p.open[last] = nil
			p.open = p.open[:last]
			return
		}
	}
}

// wake wakes n parked helpers, or as many as there are.
func (p *Pool) wake(n int) {
	for ; n > 0 && len(p.parked) > 0; n-- {
		last := len(p.parked) - 1
		p.parked[last] <- struct{}{} // buffered
		p.parked = p.parked[:last]
	}
}

// join returns a launch with unclaimed work, the latest first, and counts the calling
// helper in; or nil.
func (p *Pool) join() *claims {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k := len(p.open) - 1; k >= 0; k-- {
		if l := p.open[k]; l.unclaimed() {
			l.join()
			p.relay(k)
			return l
		}
	}
	return nil
}

// relay calls a helper for another launch that has unclaimed work. The helper that took
// launch k may be one that two posts counted on, or one that the other invited.
func (p *Pool) relay(k int) {
	for other, l := range p.open {
		if other != k && l.unclaimed() {
			p.invited.Add(1) // for one that spins
			p.wake(1)
			return
		}
	}
}

// hire starts the helper with the given worker number.
func (p *Pool) hire(id int) {
	p.helpers.Add(1)
	go p.help(id)
}

func (p *Pool) help(id int) {
	defer p.helpers.Done()
	ended := true
	defer func() {
		if ended { // a functor called runtime.Goexit
			p.hire(id)
		}
	}()
	alarm := make(chan struct{}, 1)
	for {
		if l := p.join(); l != nil {
			l.help(id)
			continue
		}
		if !p.rest(alarm) {
			ended = false
			return
		}
	}
}

// rest returns when the helper is invited to a launch. It returns false if the pool is
// closed.
//
// Only those who are invited go on to the mutex: all the others there would keep the
// caller of a short launch waiting.
func (p *Pool) rest(alarm chan struct{}) bool {
	p.awake.Add(1)
	invited := false
	Spin(func() bool {
		invited = p.accept()
		return !invited && !p.Closed()
	})
	p.awake.Add(-1)
	if invited {
		return true
	}
	p.mu.Lock()
	if p.Closed() {
		p.mu.Unlock()
		return false
	}
	if p.accept() {
		p.mu.Unlock()
		return true
	}
	p.parked = append(p.parked, alarm)
	p.mu.Unlock()
	<-alarm
	p.accept()
	return true
}

// accept takes an invitation, if there is one.
func (p *Pool) accept() bool {
	for {
		n := p.invited.Load()
		if n <= 0 {
			return false
		}
		if p.invited.CompareAndSwap(n, n-1) {
			return true
		}
	}
}
