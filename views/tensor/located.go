package tensor

import (
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/reuse"
)

// A joinRowsAt joins values side by side, and where they are: row r is x[r*stride], x[r*stride+1] and so on, and has the
// location first+r*step. Values may come in any order. room is for as many as accs.
type joinRowsAt[V, A any] = func(accs []A, first, step int, x []V, stride, rows int, room []V)

// rowsAtOf returns what joins values with their locations with vector instructions, or nil.
func rowsAtOf[V, A any](r any) joinRowsAt[V, A] {
	if h, ok := r.(interface{ RowsAt() joinRowsAt[V, A] }); ok {
		return h.RowsAt()
	}
	return nil
}

// locatedRows has one accumulator for each result of a block: the order of joins is no matter.
type locatedRows[T, V, A any] struct {
	f      *folding[T, V, A]
	values values[T, V]
	n      int // results of the block
	first  int // element of the leaf
	accs   []A
	room   []V
}

func (f *folding[T, V, A]) locatedRows(p split) rowWalker[T] {
	w := reduce.PoolOf[locatedRows[T, V, A]]().Get().(*locatedRows[T, V, A])
	w.f, w.values.f = f, f.before
	w.accs, w.room = reuse.Resize(w.accs, p.width), reuse.Resize(w.room, p.width)
	w.init()
	return w
}

func (w *locatedRows[T, V, A]) init() {
	for k := range w.accs {
		w.f.reducer.Init(&w.accs[k])
	}
}

// release keeps the memory for the next call.
func (w *locatedRows[T, V, A]) release() {
	*w = locatedRows[T, V, A]{accs: reuse.Wipe(w.accs), room: reuse.Wipe(w.room)}
	reduce.PoolOf[locatedRows[T, V, A]]().Put(w)
}

func (w *locatedRows[T, V, A]) begin(n, first, _ int) { w.n, w.first = n, first }

func (w *locatedRows[T, V, A]) add(k, step int, x []T, stride, rows int) {
	w.f.rowsAt(w.accs[:w.n], w.first+k, step, w.values.of(x), stride, rows, w.room)
}

func (w *locatedRows[T, V, A]) anyOrder() bool { return true }

func (w *locatedRows[T, V, A]) plain() bool { return w.values.f.f == nil }

func (w *locatedRows[T, V, A]) end(_, _ int) {}

func (w *locatedRows[T, V, A]) leave(b block, s, _ int) {
	w.f.leave(b.number, b.b, s, w.accs[:w.n])
	w.init()
}
