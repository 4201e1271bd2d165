package exec

import (
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/reducers"
)

// scanUnits is tree.MaxUnits, but in tests.
var scanUnits = tree.MaxUnits

// scanWorker is what a worker of a scan keeps for itself.
type scanWorker[A any] struct {
	at      node          // whose results it computes
	waiting []waiting[A]  // what it has run, and whose prefixes are not known
	spare   [][]A         // for the sums of further ones
	sums    room[A]       // of the leaves that it runs
	accs    room[A]       // of a group of them
	inside  tree.Sweep[A] // of a unit
	before  []A           // prefixes of its leaves
	_       [lineBytes]byte
}

// waiting are leaves and, if they share a unit, their sums.
type waiting[A any] struct {
	node
	sums []A
}

// room is a buffer, a line of the cache away from others.
type room[A any] struct{ buf []A }

// of returns n values of the buffer.
func (r *room[A]) of(n int) []A {
	if len(r.buf) < n {
		r.buf = make([]A, n+apart[A]())[:n]
	}
	return r.buf[:n]
}

func (w *scanWorker[A]) open(unit int, r reducers.Reducer[A]) {
	for _, x := range w.waiting {
		w.reuse(x.sums)
	}
	clear(w.waiting)
	w.waiting = w.waiting[:0]
	w.inside.R = r
	if unit > 1 {
		w.inside.Sums = reuse.Resize(w.inside.Sums, unit)
		w.before = reuse.Resize(w.before, unit)
	}
}

func (w *scanWorker[A]) release() {
	clear(w.waiting[:cap(w.waiting)])
	w.waiting, w.spare = w.waiting[:0], nil
	w.inside.Release()
	w.inside.Sums = reuse.Wipe(w.inside.Sums[:cap(w.inside.Sums)])
	w.before = reuse.Wipe(w.before[:cap(w.before)])
	w.sums.buf, w.accs.buf = reuse.Wipe(w.sums.buf), reuse.Wipe(w.accs.buf)
}

// keep returns a copy of sums in memory of its own.
func (w *scanWorker[A]) keep(sums []A) []A {
	var x []A
	if last := len(w.spare) - 1; last >= 0 {
		x, w.spare = w.spare[last], w.spare[:last]
	}
	return append(x[:0], sums...)
}

// reuse takes what keep returned back.
func (w *scanWorker[A]) reuse(sums []A) {
	if sums != nil {
		w.spare = append(w.spare, sums)
	}
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
	for p := 1; p < len(sums); p++ {
		w.inside.Next(p)
	}
}
