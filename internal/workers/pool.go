// Package workers runs launches on the calling goroutine and on standing helpers.
//
// [Pool.Run] looks up how long items of the functor took before (cutoff.go) and decides
// whether the caller runs the launch alone. If it does not, the tree of the launch is cut
// into claims (cut.go, claims.go), the launch is posted (pool.go), and helpers that look for work
// (helper.go) come in by its door (door.go). The caller and the helpers take claims, and
// whoever completes the second of two neighbours joins them. The schedule is dynamic, the
// tree is not. The numbers that decide are in tuning.go.
package workers

import (
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokkos/gokkos/exec/space"
)

// A Pool is the caller of a launch and standing helpers. These look for launches that have
// work nobody has claimed, spin for a while when there are none, and then park. A parked
// helper costs nothing, and nobody ever waits for one to wake.
//
// Whoever launches must Enter the gate before, and Leave it after.
type Pool struct {
	Gate
	workers int
	ended   atomic.Int64 // when a launch that was timed ended
	claims  sync.Pool    // of this pool, since a helper may come to the door of an earlier launch

	_      line
	posted []atomic.Pointer[claims] // launches that helpers may come to
	most   atomic.Int32             // how many of these there were at a time
	closed atomic.Bool
	_      line

	parked atomic.Int32 // len(resting)
	hired  atomic.Int32 // helpers started

	mu      Mutex     // of what is below, and of hired
	resting []*helper // those that are parked, the one with the lowest number last
	helpers sync.WaitGroup
}

// New returns a pool of that many workers, the caller of a launch counted as one.
func New(workers int) *Pool {
	posted := make([]atomic.Pointer[claims], min(max(workers, minPosted), maxPosted))
	p := &Pool{workers: workers, posted: posted}
	p.ended.Store(math.MinInt64 / 2)
	p.claims.New = func() any { return &claims{door: newDoor(workers - 1)} }
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
	p.closed.Store(true)
	p.mu.Lock()
	p.wake(len(p.resting))
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
		g, c := cutEvenly(g, j, p.workers, &h)
		p.share(g, j, &h, c)
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
	g, c := w.cut(g, j, &h)
	w.own, w.busy = p.share(g, j, &h, c)
}

// share runs a launch on the calling goroutine and on helpers, as the cut says, or fewer. It returns how many
// items the caller ran, and how long that took.
func (p *Pool) share(g space.Grid, j space.Job, h *space.Hints, c cut) (items int, busy time.Duration) {
	l := p.claims.Get().(*claims)
	l.begin(g, j, h, p.workers, c)
	at := p.post(l, c.sharers-1)
	returned := false
	defer func() { // even if a functor ends this goroutine
		if at != nil {
			l.door.close()
			at.Store(nil)
		}
		if returned {
			l.end()
			p.claims.Put(l)
		}
	}()
	start := Now()
	items = l.work(0, 0)
	busy = Now() - start
	returned = true
	return items, busy
}

// post lets that many helpers come to a launch, and sees to it that they are awake. It
// returns where the launch is posted; nil if so many launches are that nobody has to help.
func (p *Pool) post(l *claims, wanted int) *atomic.Pointer[claims] {
	for k := range p.posted {
		at := &p.posted[k]
		if at.Load() != nil || !at.CompareAndSwap(nil, l) {
			continue
		}
		l.door.let(l.epoch, wanted)
		for most := p.most.Load(); int(most) <= k && !p.most.CompareAndSwap(most, int32(k+1)); most = p.most.Load() {
		}
		if p.parked.Load() > 0 || int(p.hired.Load()) < p.workers-1 {
			p.call(at, wanted)
		}
		return at
	}
	return nil
}

// call wakes and hires helpers for the launch posted there, if those that are awake and not
// wanted elsewhere are fewer than it wants.
func (p *Pool) call(at *atomic.Pointer[claims], wanted int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := int(p.hired.Load()) - len(p.resting)
	for k := range p.posted[:p.most.Load()] {
		if other := &p.posted[k]; other != at {
			if l := other.Load(); l != nil {
				idle -= l.busy()
			}
		}
	}
	wanted -= max(idle, 0)
	wanted -= p.wake(wanted)
	for ; wanted > 0 && int(p.hired.Load()) < p.workers-1; wanted-- {
		p.hire(int(p.hired.Add(1)))
	}
}
