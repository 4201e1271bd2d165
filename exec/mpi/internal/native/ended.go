//go:build linux && (amd64 || arm64 || loong64 || ppc64le || riscv64)

package native

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/mpi/internal/link"
	"github.com/gokkos/gokkos/exec/mpi/internal/tuning"
)

// A library waits for ever for a rank that calls nothing any more. So each rank that ends says so
// (pulse.go), with the number of collectives that it has begun on each communicator. A call waits in vain
// for a message of such a rank, and in a collective that the rank has not begun.

// collectivePatience is how many pulses a call must have waited since it is known that the other rank has ended. A
// collective that the rank has not begun never ends. For messages it is [tuning.MessagePatience].
const collectivePatience = 4

// everyone is the peer of a collective.
const everyone = -2

// A wait is a call that waits for other ranks.
type wait struct {
	c     *comm
	what  string // the name of the call
	peer  int    // the rank that is waited for, link.AnySource or everyone
	turn  uint64 // of a collective: its number on the communicator, from 1
	since int64  // the pulse in which it began, from 1; 0 if it has not begun
	place int    // in endings.waits
}

func (w *wait) patience() int64 {
	if w.peer == everyone {
		return collectivePatience
	}
	return tuning.MessagePatience
}

// endings has which ranks have ended, and which calls wait.
type endings struct {
	pulse atomic.Int64 // how often the watch has looked
	any   atomic.Bool  // a rank has ended

	mu    sync.Mutex
	waits []*wait
	ranks map[int]ending // by rank of the world
}

// An ending is what a rank has said when it ended.
type ending struct {
	heard int64             // the pulse
	turns map[uint64]uint64 // the collectives that it has begun, by communicator
}

// begin takes note of a call that waits, until end is called.
func (e *endings) begin(w *wait) {
	if w.c.quiet {
		return
	}
	if w.since == 0 {
		w.since = e.pulse.Load() + 1
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	w.place = len(e.waits)
	e.waits = append(e.waits, w)
}

func (e *endings) end(w *wait) {
	if w.c.quiet {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	last := len(e.waits) - 1
	e.waits[w.place] = e.waits[last]
	e.waits[w.place].place = w.place
	e.waits[last] = nil
	e.waits = e.waits[:last]
	w.since = 0
}

// inVain returns an error if a call waits for a rank that has ended.
func (e *endings) inVain(w *wait) error {
	if !e.any.Load() {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.verdict(w)
}

// first returns a call that waits for a rank that has ended, and why, or nil.
func (e *endings) first() (*comm, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, w := range e.waits {
		if err := e.verdict(w); err != nil {
			return w.c, err
		}
	}
	return nil, nil
}

// verdict is inVain while the lock is held.
func (e *endings) verdict(w *wait) error {
	k := e.missing(w)
	if k < 0 {
		return nil
	}
	rank := fmt.Sprintf("rank %d of %d", k, w.c.size)
	if world := w.c.inWorld(k); w.c.members != nil {
		rank += fmt.Sprintf(" (rank %d of the world)", world)
	}
	return fmt.Errorf("mpi: %s on rank %d of %s: %s has ended, and is waited for: %w",
		w.what, w.c.rank, w.c.name, rank, link.ErrEnded)
}

// missing returns a rank that w waits for in vain, or -1.
func (e *endings) missing(w *wait) int {
	now := e.pulse.Load()
	if len(e.ranks) == 0 || now-w.since < w.patience() {
		return -1
	}
	last := -1
	for k := range w.c.size {
		if w.peer >= 0 && w.peer != k || w.peer == link.AnySource && w.c.rank == k {
			continue
		}
		switch lost := e.without(w, k, now); {
		case lost && w.peer == everyone:
			return k
		case lost:
			last = k
		case w.peer != everyone: // a message may come yet
			return -1
		}
	}
	return last
}

// without reports whether rank k has ended without its part in what w waits for.
func (e *endings) without(w *wait, k int, now int64) bool {
	r, ok := e.ranks[w.c.inWorld(k)]
	if !ok || now-r.heard < w.patience() {
		return false
	}
	turn, known := r.turns[w.c.id]
	return w.peer != everyone || known && turn < w.turn
}

// appendEnding appends what a rank says that ends: its number, and its collectives.
func appendEnding(buf []byte, rank int, comms []*comm) []byte {
	buf = binary.AppendUvarint(buf, uint64(rank))
	buf = binary.AppendUvarint(buf, uint64(len(comms)))
	for _, c := range comms {
		buf = binary.LittleEndian.AppendUint64(buf, c.id)
		buf = binary.AppendUvarint(buf, c.turn.Load())
	}
	return buf
}

// learn takes down what a message says, which may be of several ranks.
func (e *endings) learn(message []byte) {
	next := func() uint64 {
		n, size := binary.Uvarint(message)
		message = message[max(size, 0):]
		return n
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ranks == nil {
		e.ranks = map[int]ending{}
	}
	for len(message) > 0 {
		rank, comms := int(next()), next()
		turns := map[uint64]uint64{}
		for ; comms > 0 && len(message) > 8; comms-- {
			id := binary.LittleEndian.Uint64(message)
			message = message[8:]
			turns[id] = next()
		}
		e.ranks[rank] = ending{e.pulse.Load(), turns}
	}
	e.any.Store(true)
}
