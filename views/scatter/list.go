package scatter

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// An entry is a contribution to a cell.
type entry[T any] struct {
	cell uint32
	x    T
}

// A piece is memory for contributions, in the order of items. Those that others refer to
// never change: only the list that took a piece writes to it, behind them.
type piece[T any] struct {
	memory []entry[T]   // all of it, as long as a power of two
	lists  atomic.Int32 // how many refer to it
}

// A run is the first contributions of a piece.
type run[T any] struct {
	*piece[T]
	n int
}

// A list has contributions in the order of items: those of the runs, and then those of open.
type list[T any] struct {
	open   []entry[T] // in the memory of last
	last   *piece[T]  // of this list, if not nil
	runs   []run[T]
	count  int // contributions in runs
	length int // that open is expected to get
}

// The lengths of the memory of pieces, which are powers of two.
const (
	shortest = 32
	longer   = 128 // from this length on, a run is shared and not copied if it fills half a piece
	longest  = 1 << longestBits

	longestBits = 10
)

func (l *list[T]) len() int { return l.count + len(l.open) }

// grow makes room in open.
func (l *list[T]) grow(p *pieces) {
	if len(l.open) >= longest {
		l.seal(p)
	}
	last := newPiece[T](p, min(max(2*len(l.open), l.length, shortest), longest))
	l.open = append(last.memory[:0], l.open...)
	l.last.release(p)
	l.last = last
}

// seal moves open to the runs, in a piece that it fills at least half of.
func (l *list[T]) seal(p *pieces) {
	n := len(l.open)
	if n == 0 {
		return
	}
	if 2*n < len(l.last.memory) {
		fitting := newPiece[T](p, n)
		copy(fitting.memory, l.open)
		l.last.release(p)
		l.last = fitting
	}
	l.count += n
	l.runs = append(l.runs, run[T]{l.last, n})
	l.open, l.last = nil, nil
}

// forget empties the list. It keeps memory for as many contributions as it had in open.
func (l *list[T]) forget(p *pieces) {
	for k := range l.runs {
		l.runs[k].release(p)
	}
	clear(l.runs)
	l.runs, l.count = l.runs[:0], 0
	if l.last != nil && l.last.lists.Load() > 1 {
		l.length = len(l.open)
		l.last.release(p)
		l.open, l.last = nil, nil
	}
	l.open = l.open[:0]
}

// free empties the list at the end of a launch. It keeps no contributions' memory.
func (l *list[T]) free(p *pieces) {
	l.forget(p)
	l.last.release(p)
	*l = list[T]{runs: l.runs}
}

// join appends src to l. Long runs are then in both.
func (l *list[T]) join(src *list[T], p *pieces) {
	for _, r := range src.runs {
		l.append(r, p)
	}
	if len(src.open) > 0 {
		l.append(run[T]{src.last, len(src.open)}, p)
	}
}

func (l *list[T]) append(r run[T], p *pieces) {
	if r.n >= longer && 2*r.n >= len(r.memory) {
		l.seal(p)
		r.lists.Add(1)
		l.count += r.n
		l.runs = append(l.runs, r)
		return
	}
	for entries := r.entries(); len(entries) > 0; {
		if len(l.open) == cap(l.open) {
			l.grow(p)
		}
		n := min(len(entries), cap(l.open)-len(l.open))
		l.open = append(l.open, entries[:n]...)
		entries = entries[n:]
	}
}

func (r run[T]) entries() []entry[T] { return r.memory[:r.n] }

// pieces are kept from launch to launch: those of each length, of one type.
type pieces [longestBits + 1]sync.Pool

// newPiece returns a piece with room for that many contributions, or some more, for one list.
func newPiece[T any](p *pieces, length int) *piece[T] {
	k := bits.Len(uint(length - 1))
	x, ok := p[k].Get().(*piece[T])
	if !ok {
		x = &piece[T]{memory: make([]entry[T], 1<<k)}
	}
	x.lists.Store(1)
	return x
}

// release is called by a list that refers to x no longer. The last one gives it back.
func (x *piece[T]) release(p *pieces) {
	if x != nil && x.lists.Add(-1) == 0 {
		p[bits.Len(uint(len(x.memory)-1))].Put(x)
	}
}
