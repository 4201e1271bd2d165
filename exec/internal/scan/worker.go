package scan

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// scanUnits is the most units of a scan: tree.MaxUnits, except in tests.
var scanUnits = tree.MaxUnits

// scanWorker is the state of one worker of a scan.
type scanWorker[A any] struct {
	waiting []waiting // leaves that have run and wait for their prefixes, from head on
	head    int
	kept    []A           // sums of waiting leaves that share units
	sums    room[A]       // sums of the leaves that run
	accs    room[A]       // accumulators of a group of leaves
	inside  tree.Sweep[A] // tree inside a unit
	before  []A           // prefixes of the leaves of a unit
	_       [launch.LineBytes]byte
}

// waiting are leaves that wait. at is the place of their sums in kept if they share a unit; else it is
// below 0.
type waiting struct {
	launch.Node
	at int
}

// room is a buffer, one cache line away from other buffers.
type room[A any] struct{ buf []A }

// of returns n values of the buffer.
func (r *room[A]) of(n int) []A {
	if len(r.buf) < n {
		r.buf = make([]A, n+items.Apart[A]())[:n]
	}
	return r.buf[:n]
}

func (w *scanWorker[A]) Open(unit int, r reducers.Reducer[A], run tree.Run[A]) {
	w.waiting, w.head, w.kept = w.waiting[:0], 0, w.kept[:0]
	w.inside.R = r
	if unit > 1 {
		w.inside.Run = run
		w.inside.Sums = reuse.Resize(w.inside.Sums, unit)
		w.before = reuse.Resize(w.before, unit)
	}
}

func (w *scanWorker[A]) Release(flat bool) {
	w.inside.Release()
	w.kept, w.inside.Sums, w.before = forget(w.kept, flat), forget(w.inside.Sums, flat), forget(w.before, flat)
	w.sums.buf, w.accs.buf = forget(w.sums.buf, flat), forget(w.accs.buf, flat)
}

// wait adds leaves to the leaves that wait for their prefixes, with their sums if they share a unit.
func (w *scanWorker[A]) wait(n launch.Node, sums []A, unit int) {
	if unit == 1 {
		w.waiting = append(w.waiting, waiting{n, -1})
		return
	}
	w.waiting = append(w.waiting, waiting{n, len(w.kept)})
	w.kept = append(w.kept, sums...)
}

// waits reports whether leaves wait.
func (w *scanWorker[A]) waits() bool { return w.head < len(w.waiting) }

// first returns the leaves that have waited longest.
func (w *scanWorker[A]) first() waiting { return w.waiting[w.head] }

// sumsOf returns the sums of waiting leaves, or nil if they share no unit.
func (w *scanWorker[A]) sumsOf(x waiting) []A {
	if x.at < 0 {
		return nil
	}
	return w.kept[x.at:][:x.Last-x.Node.First]
}

// drop removes the leaves that have waited longest. It reuses the memory of removed leaves once no
// leaves wait, or once the removed are as many as the waiting and at least 16*MaxWaiting.
func (w *scanWorker[A]) drop() {
	w.head++
	rest := w.waiting[w.head:]
	if len(rest) > 0 && w.head < max(len(rest), 16*launch.MaxWaiting) {
		return
	}
	before := len(w.kept)
	if len(rest) > 0 && rest[0].at >= 0 {
		before = rest[0].at
	}
	for k := range rest {
		rest[k].at -= before
	}
	w.waiting, w.head = append(w.waiting[:0], rest...), 0
	w.kept = append(w.kept[:0], w.kept[before:]...)
}

// sum returns the sum of a unit of that many leaves, the last of which may be missing. The values in
// sums stay intact only if they are flat.
func (w *scanWorker[A]) sum(sums []A, leaves int) A {
	w.join(sums, nil)
	w.inside.Node(1, leaves)
	return w.inside.Sums[0]
}

// prefixes returns the prefixes of the leaves of a unit, given the first prefix. The values in sums stay
// intact only if they are flat.
func (w *scanWorker[A]) prefixes(first *A, sums []A) []A {
	before := w.before[:len(sums)]
	before[0] = *first
	w.join(sums, before)
	return before
}

// join joins the sums of neighbouring leaves up the tree and, unless prefixes is nil, the prefixes down
// it.
func (w *scanWorker[A]) join(sums, prefixes []A) {
	w.inside.Sums = w.inside.Sums[:len(sums)]
	copy(w.inside.Sums, sums)
	w.inside.Prefix = prefixes
	w.inside.Through(1, len(sums))
}

// forget returns the memory of values for another launch, or nil if it is too large to keep. It clears
// values that are not flat.
func forget[A any](x []A, flat bool) []A {
	if flat {
		return reuse.Kept(x)
	}
	return reuse.Wipe(x[:cap(x)])
}
