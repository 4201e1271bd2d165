package scan

import (
	"github.com/gokkos/gokkos/exec/internal/items"
	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// scanUnits is tree.MaxUnits, but in tests.
var scanUnits = tree.MaxUnits

// scanWorker is what a worker of a scan keeps for itself.
type scanWorker[A any] struct {
	waiting []waiting // what it has run, and whose prefixes are not known, from head on
	head    int
	kept    []A           // the sums of what is in waiting
	sums    room[A]       // of the leaves that it runs
	accs    room[A]       // of a group of them
	inside  tree.Sweep[A] // of a unit
	before  []A           // prefixes of its leaves
	_       [launch.LineBytes]byte
}

// waiting are leaves and, if they share a unit, where their sums are in kept; else below 0.
type waiting struct {
	launch.Node
	at int
}

// room is a buffer, a line of the cache away from others.
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

// wait lets leaves wait for their prefixes, with their sums if they share a unit.
func (w *scanWorker[A]) wait(n launch.Node, sums []A, unit int) {
	if unit == 1 {
		w.waiting = append(w.waiting, waiting{n, -1})
		return
	}
	w.waiting = append(w.waiting, waiting{n, len(w.kept)})
	w.kept = append(w.kept, sums...)
}

// waits reports whether there are leaves that wait.
func (w *scanWorker[A]) waits() bool { return w.head < len(w.waiting) }

// first returns the leaves that have waited longest.
func (w *scanWorker[A]) first() waiting { return w.waiting[w.head] }

// sumsOf returns the sums of leaves that wait, or nil.
func (w *scanWorker[A]) sumsOf(x waiting) []A {
	if x.at < 0 {
		return nil
	}
	return w.kept[x.at:][:x.Last-x.Node.First]
}

// drop lets the leaves that have waited longest wait no more. Once they are more than the
// others, their memory is used again.
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

// sum returns the sum of a unit of that many leaves, of which the last may be missing. Only
// values that are flat are still in sums then.
func (w *scanWorker[A]) sum(sums []A, leaves int) A {
	w.join(sums, nil)
	w.inside.Node(1, leaves)
	return w.inside.Sums[0]
}

// prefixes returns the prefixes of the leaves of a unit, the first of which is given. Only
// values that are flat are still in sums then.
func (w *scanWorker[A]) prefixes(first *A, sums []A) []A {
	before := w.before[:len(sums)]
	before[0] = *first
	w.join(sums, before)
	return before
}

// join joins the sums of neighbouring leaves up the tree, and prefixes down it.
func (w *scanWorker[A]) join(sums, prefixes []A) {
	w.inside.Sums = w.inside.Sums[:len(sums)]
	copy(w.inside.Sums, sums)
	w.inside.Prefix = prefixes
	w.inside.Through(1, len(sums))
}

// forget returns the memory of values for another launch: cleared, unless they are flat, or nil if it is too large to be
// kept.
func forget[A any](x []A, flat bool) []A {
	if flat {
		return reuse.Kept(x)
	}
	return reuse.Wipe(x[:cap(x)])
}
