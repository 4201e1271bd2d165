// Package local is a communicator between goroutines of one process, so that what runs on many
// machines can be tested on one, under the race detector, with up to thousands of ranks.
//
// Sends are copied and return at once, or wait for their receiver, whichever [Faults] choose. A
// collective waits for all ranks; the last one to arrive moves the bytes of all of them, so that
// nothing runs in the background and nothing is left behind.
//
// Unlike most libraries it tells programs what they do wrong: ranks that are in different
// collectives, or in one with arguments that do not fit, all get an error that says so, and so
// do those that wait for a rank that has ended.
package local

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
)

// MaxRanks is the most ranks of a world.
const MaxRanks = 1 << 13

// A World is a number of ranks, all alive at first.
type World struct {
	faults Faults
	ranks  []rank
	root   *comm

	mu    sync.Mutex
	comms []*comm
	lost  error         // why nothing works any more
	over  chan struct{} // closed then
}

// rank is what a rank is apart from its communicators.
type rank struct {
	mu    sync.Mutex
	calls int
	noise noise
	ended bool // guarded by the world's lock
}

// New returns a world of n ranks.
func New(n int, f Faults) (*World, error) {
	if n < 1 || n > MaxRanks {
		return nil, fmt.Errorf("local: %d ranks, expected 1 to %d", n, MaxRanks)
	}
	w := &World{faults: f, ranks: make([]rank, n), over: make(chan struct{})}
	for k := range w.ranks {
		w.ranks[k].noise = f.noise(k)
	}
	members := make([]int, n)
	for k := range members {
		members[k] = k
	}
	w.root = w.newComm("world", members)
	return w, nil
}

// Link returns the world's communicator as a rank has it.
func (w *World) Link(rank int) link.Link { return &handle{comm: w.root, rank: rank, world: true} }

// Run calls f for each rank on a goroutine of its own and returns when all have ended. A rank
// whose f returns has ended: whoever waits for it hears so. If f does not return, the rank
// has died. ended is called where that is known: value is what f panicked with, which may be nil,
// unless it exits: then it has ended its goroutine.
func (w *World) Run(f func(l link.Link), ended func(rank int, exits bool, value any)) {
	var all sync.WaitGroup
	for rank := range w.ranks {
		all.Go(func() {
			returned, exits := false, true
			var value any
			defer func() {
				if returned {
					w.end(rank)
					return
				}
				ended(rank, exits && value == nil, value)
				w.Kill(rank)
			}()
			func() {
				defer func() { value = recover() }()
				f(w.Link(rank))
				returned = true
			}()
			exits = false // a goroutine that ends does not come here, one that recovers from nil does
		})
	}
	all.Wait()
}

// Kill makes a rank die: every call of every rank is an error from now on, and those that wait
// return.
func (w *World) Kill(rank int) {
	w.lose(fmt.Errorf("rank %d of %d: %w", rank, len(w.ranks), link.ErrDead))
}

// lose ends the world, for the first reason that is given.
func (w *World) lose(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lost == nil {
		w.lost = why
		close(w.over)
	}
}

// err returns why nothing works any more, or nil.
func (w *World) err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

// end takes note of a rank that will call nothing any more.
func (w *World) end(rank int) {
	w.mu.Lock()
	w.ranks[rank].ended = true
	comms := w.comms
	w.mu.Unlock()
	for _, c := range comms {
		c.endOf(rank)
	}
}

// hasEnded reports whether a rank has ended.
func (w *World) hasEnded(rank int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ranks[rank].ended
}

// step begins a call of a rank: it may be delayed, and may be the one that the rank dies in.
func (w *World) step(rank int) error {
	if err := w.err(); err != nil {
		return err
	}
	r := &w.ranks[rank]
	r.mu.Lock()
	r.calls++
	dies := w.faults.dies(rank, r.calls)
	pause := r.noise.pause()
	r.mu.Unlock()
	if dies {
		w.Kill(rank)
		return w.err()
	}
	pause.take()
	return nil
}

// Calls returns how many calls a rank has made, so that a test can let it die in each of them.
func (w *World) Calls(rank int) int {
	r := &w.ranks[rank]
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls
}

// newComm makes a communicator of ranks of the world, in the order of their new numbers.
func (w *World) newComm(name string, members []int) *comm {
	c := &comm{world: w, name: name, members: members, boxes: make([]mailbox, len(members)), round: newRound(len(members))}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.comms = append(w.comms, c)
	return c
}

// drop forgets a communicator that all its ranks have closed.
func (w *World) drop(c *comm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for k, other := range w.comms {
		if other == c {
			w.comms = append(w.comms[:k:k], w.comms[k+1:]...)
			return
		}
	}
}

// comm is a communicator, which all its ranks share.
type comm struct {
	world   *World
	name    string
	members []int // ranks of the world
	boxes   []mailbox

	mu     sync.Mutex
	round  *round // the collective that ranks arrive at
	dups   int
	closed int
}

// endOf tells those who wait that a rank of the world has ended.
func (c *comm) endOf(worldRank int) {
	for k, m := range c.members {
		if m != worldRank {
			continue
		}
		c.mu.Lock()
		if r := c.round; r.arrived > 0 && r.parts[k] == nil {
			c.finish(c.gone(k))
		}
		c.mu.Unlock()
		for b := range c.boxes {
			c.boxes[b].check(b == k)
		}
		return
	}
}

// gone is the error of those who wait for a rank that has ended.
func (c *comm) gone(rank int) error {
	return fmt.Errorf("rank %d of %d has ended, and is waited for: %w", rank, len(c.members), link.ErrEnded)
}

// handle is a communicator as one rank has it.
type handle struct {
	comm   *comm
	rank   int
	world  bool
	open   atomic.Int32 // requests that are not done
	mu     sync.Mutex
	closed bool
}

var _ link.Near = (*handle)(nil)

// Near implements [link.Near].
func (*handle) Near() bool { return true }

func (h *handle) Rank() int    { return h.rank }
func (h *handle) Size() int    { return len(h.comm.members) }
func (h *handle) Name() string { return h.comm.name }

// begin begins a call.
func (h *handle) begin(call string) error {
	h.mu.Lock()
	closed := h.closed
	h.mu.Unlock()
	if closed {
		return fmt.Errorf("link: %s on %s: %w", call, h.Name(), link.ErrClosed)
	}
	if err := h.comm.world.step(h.comm.members[h.rank]); err != nil {
		return h.says(call, err)
	}
	return nil
}

// says is an error of a call.
func (h *handle) says(call string, err error) error {
	return fmt.Errorf("link: %s on %s: %w", call, h.Name(), err)
}

// wrong is an error of an argument.
func (h *handle) wrong(call, format string, args ...any) error {
	return fmt.Errorf("link: %s on %s: %s", call, h.Name(), fmt.Sprintf(format, args...))
}

// Abort implements [link.Link].
func (h *handle) Abort(code int, why string) {
	h.comm.world.lose(fmt.Errorf("rank %d has ended the job with code %d: %s: %w", h.rank, code, why, link.ErrDead))
}

// Close implements [link.Link].
func (h *handle) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.world:
		return errors.New("link: Close of the world, expected a communicator of Split or Dup")
	case h.closed:
		return fmt.Errorf("link: Close on %s: %w", h.Name(), link.ErrClosed)
	case h.open.Load() > 0:
		return h.wrong("Close", "with %d requests that are not done: each needs a Wait, or a Test that is true", h.open.Load())
	}
	h.closed = true
	c := h.comm
	c.mu.Lock()
	c.closed++
	last := c.closed == len(c.members)
	c.mu.Unlock()
	if last {
		c.world.drop(c)
	}
	return nil
}
