package machine

import (
	"errors"
	"math/bits"
)

// In an entry whose blocks count themselves, a block may load a value that another block has stored under two
// conditions. First, the block that stored came to a barrier after the store. Behind the barrier, one of its
// threads ran a fence and the atomic operation which said that the block is done. Second, the block that
// loads got the result of that operation before a barrier of its own. Behind this barrier, the thread that
// loads has run a fence.

// A writer is the thread that has stored at an address. No other block may load the value before the writer's
// block has published it.
type writer struct {
	of      *blockOrder
	warp    *warp
	lane    int
	barrier int // number of barriers that the block had reached
}

// A blockOrder has the steps by which a block makes its stores visible to other blocks.
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

// order notes the thread of a store, and refuses a load without the order above.
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
