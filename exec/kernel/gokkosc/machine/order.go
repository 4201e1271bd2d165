package machine

import (
	"errors"
	"math/bits"
)

// In an entry whose blocks count themselves: what a block stores another one may load if it stored it, came to a barrier, and then one of its threads ran a fence
// and the atomic operation which said that the block is done; and if the other block had what that operation returned
// before its own barrier, behind which the thread that loads has run a fence.

// A writer is the thread that has stored at an address, and what it has not published there is nobody else's.
type writer struct {
	of      *blockOrder
	warp    *warp
	lane    int
	barrier int // how many the block had come to
}

// A blockOrder is what a block has done to be seen by others.
type blockOrder struct {
	barriers  int
	published int  // the barriers that an atomic operation behind a fence was behind
	told      bool // an atomic operation was run since the last barrier,
	knows     bool // or before it
	voted     bool
	votes     []func()
	shared    *shared
}

// fence notes that threads have run one.
func (w *warp) fence(on mask) {
	for s := on; s != 0; s &= s - 1 {
		w.fenced[bits.TrailingZeros32(s)] = w.block.barriers + 1
	}
}

// release notes that a thread has run an atomic operation that tells of the block.
func (w *warp) release(l int) {
	if w.fenced[l] == w.block.barriers+1 {
		w.block.published = w.block.barriers
	}
	w.block.told = true
}

// order notes who stores, and refuses what loads without the order of things above.
func (w *warp) order(at uint64, l int, stores bool) error {
	if !w.g.entry.tells {
		return nil
	}
	if stores {
		w.g.writers[at] = writer{w.block, w, l, w.block.barriers}
		return nil
	}
	switch by, ok := w.g.writers[at]; {
	case !ok || by.warp == w && by.lane == l:
		return nil
	case by.of == w.block && by.barrier == w.block.barriers:
		return errors.New("it loads what another thread has stored, without a barrier")
	case by.of == w.block:
		return nil
	case by.of.published <= by.barrier:
		return errors.New("it loads what another block has stored, and not published by a barrier, a fence and an atomic operation")
	case !w.block.knows || w.fenced[l] != w.block.barriers+1:
		return errors.New("it loads what another block has stored, without a fence behind an atomic operation and a barrier")
	}
	return nil
}

// vote takes the predicates of threads at a barrier.
func (w *warp) vote(in *instr, on, group mask) error {
	if on != group {
		return w.fail(group, "a barrier that some threads of a warp do not take part in")
	}
	p, err := w.predicate(in.src[0], on)
	if err != nil {
		return err
	}
	w.block.voted = w.block.voted || p&on != 0
	w.block.votes = append(w.block.votes, func() {
		for s := on; s != 0; s &= s - 1 {
			w.rows[in.dst[0]][bits.TrailingZeros32(s)] = bool1(w.block.voted)
		}
		w.written[in.dst[0]] |= on
	})
	return nil
}

// meet lets a block go on from a barrier.
func (b *blockOrder) meet() {
	for _, f := range b.votes {
		f()
	}
	b.votes, b.voted = nil, false
	b.barriers++
	b.knows, b.told = b.knows || b.told, false
}
