package mpi

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
)

// queue makes the launches of a communicator one at a time, in one order on all ranks. One
// goroutine of each rank at a time has the rank: it finds out with those that have the others
// whether they make the same launch. If they do not, it hands the rank to the goroutine that
// makes the one that is next.
//
// A launch that was short before, and waits for no other rank while it runs, runs before the ranks
// compare it: one message then says which launch it is, what the share came to, and what went wrong.
type queue struct {
	link  link.Link
	name  string      // of the communicator
	rank  string      // what others are told that this process is
	id    uint        // of the communicator, in this process
	runs  atomic.Bool // a functor may be running
	marks marks       // of that

	mu      sync.Mutex
	busy    bool          // somebody has the rank
	current key           // for this launch
	waiting []*ticket     // in the order in which they came
	arrived chan struct{} // closed when another one comes, if somebody wants to know

	// Of whoever has the rank.
	idle      *launch // kept for the next launch, or nil
	mine, all []byte  // messages

	// What all ranks know, of the launches before: the same on each.
	short [shortLaunches]key // of launches that were short everywhere, each in the place that its key has
	large key                // of the last launch whose nodes were too many for an Allgather
}

// ticket is a launch that has the rank, or waits for it.
type ticket struct {
	key    key
	print  []byte     // what it is, for people
	alike  bool       // another one with this key was there at the same time
	turn   chan error // nil once it has the rank, or why it never will
	has    bool       // the rank
	launch *launch    // nil if it is refused
}

var tickets = sync.Pool{New: func() any { return new(ticket) }}

// newTicket returns a ticket whose fingerprint is what f appends.
func newTicket(f func(buf []byte) []byte) *ticket {
	t := tickets.Get().(*ticket)
	t.print = f(t.print[:0])
	t.key = keyOf(t.print)
	return t
}

// run makes a launch, with all ranks.
func (q *queue) run(g space.Grid, j ranks.Carrier, on Space) error {
	var refused error
	t := newTicket(func(buf []byte) []byte {
		buf, refused = j.AppendFingerprint(buf)
		if refused != nil {
			buf = append(buf, refused.Error()...)
		}
		return buf
	})
	if refused != nil { // on all ranks
		return q.refuseAs(t, refused)
	}
	defer q.leave(t)
	switch nested, err := q.enter(t); {
	case nested:
		return on.inner.Launch(g, new(guest).of(j, q.id, nil)) // which may launch in turn
	case err != nil:
		return err
	}
	if t.launch, q.idle = q.idle, nil; t.launch == nil {
		t.launch = &launch{}
	}
	t.launch.of(q, g, j, on)
	if t.launch.ahead && q.isShort(t.key) {
		return q.runShare(t, q.agreeAndEnd)
	}
	return q.agreeAndEnd(t)
}

// refuse takes note of a launch that is not made, which is an error if other ranks make it. The
// error is what it comes to here.
func (q *queue) refuse(refused error) error {
	return q.refuseAs(newTicket(func(buf []byte) []byte {
		return append(append(buf, "a launch that is refused: "...), refused.Error()...)
	}), refused)
}

func (q *queue) refuseAs(t *ticket, refused error) error {
	defer q.leave(t)
	nested, err := q.enter(t)
	if !nested && err == nil {
		_, err = q.agree(t)
	}
	if err != nil {
		return errors.Join(refused, err)
	}
	return refused
}

// agreeAndEnd finds out whether all ranks make a launch, and makes what is left of it.
func (q *queue) agreeAndEnd(t *ticket) error {
	worst, err := q.agree(t)
	switch {
	case err != nil:
		return err
	case worst == notRun && !t.launch.ran:
		return q.runShare(t, q.exchange)
	case worst == notRun:
		return q.exchange(t)
	}
	return q.end(t, worst)
}

// runShare runs the share of this rank, and makes the rest of the launch. If the functor ends the
// goroutine, or the inner space panics, that is made on the way.
func (q *queue) runShare(t *ticket, rest func(t *ticket) error) error {
	x := t.launch
	x.ran = true
	start := time.Now()
	q.marks.begin()
	q.runs.Store(true)
	returned := false
	defer func() {
		if !returned {
			q.runs.Store(false)
			x.fail(fmt.Errorf("space %s did not return from Launch", x.inner.Name()))
			_ = rest(t)
		}
	}()
	x.runShare()
	returned = true
	q.runs.Store(false)
	x.short = time.Since(start) < shortLaunch
	return rest(t)
}

// exchange gives all ranks the nodes of all, and what went wrong, and joins the root.
func (q *queue) exchange(t *ticket) error {
	if q.link.Size() > tuning.GatherRanks || q.large == t.key {
		return t.launch.alongTree()
	}
	_, worst, err := q.gather(t)
	if err != nil {
		return fmt.Errorf("mpi: %w", err)
	}
	return q.end(t, worst)
}

// end joins the root of what an Allgather has brought, or exchanges along the tree what did not fit.
func (q *queue) end(t *ticket, worst byte) error {
	if worst == allNodes {
		return t.launch.assemble(q.all)
	}
	return t.launch.alongTree()
}

// isShort reports whether a launch was short when it was made before, on all ranks.
func (q *queue) isShort(k key) bool {
	return q.link.Size() <= tuning.GatherRanks && (q.short[k[0]%shortLaunches] == k || alwaysShort)
}

// note takes down whether a launch was short everywhere.
func (q *queue) note(k key, short bool) {
	switch at := &q.short[k[0]%shortLaunches]; {
	case short:
		*at = k
	case *at == k:
		*at = key{}
	}
}

// enter waits until a ticket has the rank, unless it is that of a launch inside of the one that
// runs.
func (q *queue) enter(t *ticket) (nested bool, err error) {
	if q.runs.Load() && inside(q.id) {
		return true, nil
	}
	q.mu.Lock()
	if !q.busy {
		q.busy, q.current, t.has = true, t.key, true
		q.mu.Unlock()
		return false, nil
	}
	t.alike = q.current == t.key
	for _, other := range q.waiting {
		if other.key == t.key {
			t.alike, other.alike = true, true
		}
	}
	t.turn = make(chan error, 1)
	q.waiting = append(q.waiting, t)
	if q.arrived != nil {
		close(q.arrived)
		q.arrived = nil
	}
	q.mu.Unlock()
	return false, q.await(t)
}

// leave ends a ticket, and gives the rank to the next one.
func (q *queue) leave(t *ticket) {
	if t.launch != nil {
		t.launch.release()
	}
	if t.has {
		q.mu.Lock()
		q.idle = cmp.Or(q.idle, t.launch)
		if q.busy = len(q.waiting) > 0; q.busy {
			q.give(0)
		}
		q.mu.Unlock()
	}
	*t = ticket{print: t.print}
	tickets.Put(t)
}

// give gives the rank to a ticket that waits. The lock is held.
func (q *queue) give(k int) {
	t := q.waiting[k]
	q.waiting = slices.Delete(q.waiting, k, k+1)
	q.current, t.has = t.key, true
	t.turn <- nil
}

// handOver gives the rank to another ticket, and waits until t has it again.
func (q *queue) handOver(t, next *ticket) error {
	if t.turn == nil {
		t.turn = make(chan error, 1)
	}
	q.mu.Lock()
	k := slices.Index(q.waiting, next)
	q.waiting = slices.Insert(q.waiting, 0, t)
	t.has = false
	q.give(k + 1)
	q.mu.Unlock()
	return <-t.turn
}

// dismiss ends those that wait, of a list, with an error.
func (q *queue) dismiss(list []*ticket, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(t *ticket) bool {
		if !slices.Contains(list, t) {
			return false
		}
		t.turn <- err
		return true
	})
}

// pending returns t and those that wait, and what is closed when another one comes.
func (q *queue) pending(t *ticket) (list []*ticket, arrived chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.arrived == nil {
		q.arrived = make(chan struct{})
	}
	return append([]*ticket{t}, q.waiting...), q.arrived
}
