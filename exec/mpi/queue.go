package mpi

import (
	"crypto/sha256"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/space"
)

// queue makes the launches of a communicator one at a time, in one order on all ranks. One
// goroutine of each rank at a time has the rank: it finds out with those that have the others
// whether they make the same launch. If they do not, it hands the rank to the goroutine that
// makes the one that is next.
type queue struct {
	link link.Link
	name string      // of the communicator
	id   uint        // of the communicator, in this process
	runs atomic.Bool // a functor may be running

	mu      sync.Mutex
	busy    bool          // somebody has the rank
	current key           // for this launch
	waiting []*ticket     // in the order in which they came
	arrived chan struct{} // closed when another one comes, if somebody wants to know

	round  round  // of whoever has the rank, like the rest
	launch launch //
}

// key is what ranks compare of a launch.
type key [16]byte

// ticket is a launch that has the rank, or waits for it.
type ticket struct {
	key   key
	text  string     // what it is, for people
	alike bool       // another one with this key was there at the same time
	turn  chan error // nil once it has the rank, or why it never will
}

// run makes a launch, with all ranks.
func (q *queue) run(g space.Grid, j space.Carrier, inner exec.Space, each bool) error {
	text, refused := j.Fingerprint()
	if refused != nil {
		text = refused.Error()
	}
	t := &ticket{key: keyOf(text), text: text}
	switch nested, err := q.begin(t); {
	case nested:
		return inner.Launch(g, guestOf(j, q.id)) // which may launch in turn
	case err != nil:
		return err
	}
	defer q.leave()
	if refused != nil { // on all ranks
		return refused
	}
	q.launch.each = each
	q.launch.of(q.link, g, guestOf(j, q.id), inner, t.key)
	defer q.launch.release()
	q.runs.Store(true)
	return q.launch.run(func() { q.runs.Store(false) })
}

// refuse takes note of a launch that is not made, which is an error if other ranks make it. The
// error is what it comes to here.
func (q *queue) refuse(refused error) error {
	text := "a launch that is refused: " + refused.Error()
	switch nested, err := q.begin(&ticket{key: keyOf(text), text: text}); {
	case nested:
		return refused
	case err != nil:
		return errors.Join(refused, err)
	}
	q.leave()
	return refused
}

// begin waits until a ticket has the rank and all ranks make that launch, unless it is made inside
// of the launch that runs.
func (q *queue) begin(t *ticket) (nested bool, err error) {
	if nested, err := q.enter(t); nested || err != nil {
		return nested, err
	}
	for {
		next, err := q.agree(t)
		if err != nil {
			q.leave()
			return false, err
		}
		if next == nil {
			return false, nil
		}
		if next != t {
			if err := q.handOver(t, next); err != nil {
				return false, err
			}
		}
	}
}

func keyOf(text string) (k key) {
	sum := sha256.Sum256([]byte(text))
	copy(k[:], sum[:])
	return k
}

// enter waits until a ticket has the rank, unless it is that of a launch inside of the one that
// runs.
func (q *queue) enter(t *ticket) (nested bool, err error) {
	if q.runs.Load() && inside(q.id) {
		return true, nil
	}
	q.mu.Lock()
	if !q.busy {
		q.busy, q.current = true, t.key
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
	return false, <-t.turn
}

// leave gives the rank to the next ticket.
func (q *queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.busy = false
		return
	}
	q.give(0)
}

// give gives the rank to a ticket that waits. The lock is held.
func (q *queue) give(k int) {
	t := q.waiting[k]
	q.waiting = slices.Delete(q.waiting, k, k+1)
	q.current = t.key
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

// isAlike reports whether another launch with the key of t was there at the same time.
func (q *queue) isAlike(t *ticket) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return t.alike
}
