package tensor

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/internal/tree"
)

// vectorOf returns what joins accumulators with vector instructions, if there is such:
// Add is nil if not.
func vectorOf[A any](r any) simd.Rows[A] {
	if h, ok := r.(interface{ Rows() simd.Rows[A] }); ok {
		return h.Rows()
	}
	return simd.Rows[A]{}
}

// A rowWalker is a walker that takes an element of all the results of a block at a time.
type rowWalker[T any] interface {
	// begin begins a leaf of that many elements of n results each, from that element on.
	begin(n, first, items int)
	// add joins elements k, k+step, k+2*step, ... of the leaf of every result, as many as
	// rows, which begin a stride apart in x. They are of one lane, unless any order will do.
	add(k, step int, x []T, stride, rows int)
	// anyOrder reports whether the order of elements is no matter.
	anyOrder() bool
	// plain reports whether values are joined as they are.
	plain() bool
	// end joins the leaf, number leaf of the unit, to those before it.
	end(leaf, items int)
	// leave hands over what has been joined: subtree s of the results of b.
	leave(b block, s, leaves int)
	// release ends the use of the walker.
	release()
}

const (
	// accBytes is the size of the accumulators of a block of results side by side: as much
	// as stays in the L2 cache, so that rows are long.
	accBytes = 1 << 18
	// rowsAtOnce is the number of rows of a lane that are added at a time: the
	// accumulators are read and written once, and the rows stay in the L1 cache until all
	// reductions have them.
	rowsAtOnce = 4
	// rowsInAnyOrder is the number of rows that are added at a time where all reductions take any: they stay in the L2 cache.
	rowsInAnyOrder = 64
)

// laneBytes returns the size of the accumulators of a result, or 0 if there are no vector
// instructions for them.
func (f *folding[T, V, A]) laneBytes() int {
	if f.vector = vectorOf[A](f.reducer); f.vector.Add != nil {
		return f.shape.grid.Lanes * int(unsafe.Sizeof(*new(A)))
	}
	if f.rowsAt = rowsAtOf[V, A](f.reducer); f.rowsAt != nil {
		return int(unsafe.Sizeof(*new(A)) + unsafe.Sizeof(*new(V)))
	}
	return 0
}

// identities returns n identities.
func (f *folding[T, V, A]) identities(n int) []A {
	x := make([]A, n)
	for k := range x {
		f.reducer.Init(&x[k])
	}
	return x
}

func (f *folding[T, V, A]) rows(p split) rowWalker[T] {
	if f.vector.Add == nil {
		return f.locatedRows(p)
	}
	w := reduce.PoolOf[vectorRows[T, V, A]]().Get().(*vectorRows[T, V, A])
	w.f, w.values.f, w.width = f, f.before, p.width
	w.unit = reuse.Resize(w.unit, p.width)
	for k := range w.unit {
		f.reducer.Init(&w.unit[k])
	}
	w.lanes = reuse.Resize(w.lanes, p.width*f.shape.grid.Lanes)
	w.trees = reuse.Resize(w.trees, p.width*tree.Slots(p.leaves))
	return w
}

// release keeps the memory for the next call.
func (w *vectorRows[T, V, A]) release() {
	*w = vectorRows[T, V, A]{unit: reuse.Wipe(w.unit), lanes: reuse.Wipe(w.lanes), trees: reuse.Wipe(w.trees)}
	reduce.PoolOf[vectorRows[T, V, A]]().Put(w)
}

// vectorRows has the lanes of the results of a block side by side, and in slots what a
// slotWalker has there.
type vectorRows[T, V, A any] struct {
	f      *folding[T, V, A]
	values values[T, V]
	width  int
	n      int // results of the block
	unit   []A // identities
	lanes  []A // lane by lane
	trees  []A // slot by slot
}

func (w *vectorRows[T, V, A]) slot(s int) []A { return w.trees[s*w.width:][:w.n] }

func (w *vectorRows[T, V, A]) lane(l int) []A { return w.lanes[l*w.width:][:w.n] }

func (w *vectorRows[T, V, A]) begin(n, _, items int) {
	w.n = n
	for l := range min(items, w.f.shape.grid.Lanes) {
		copy(w.lane(l), w.unit)
	}
}

func (w *vectorRows[T, V, A]) add(k, _ int, x []T, stride, rows int) {
	w.f.vector.Add(w.lane(k&(w.f.shape.grid.Lanes-1)), any(w.values.of(x)).([]A), stride, rows)
}

func (w *vectorRows[T, V, A]) anyOrder() bool { return false }

func (w *vectorRows[T, V, A]) plain() bool { return w.values.f.f == nil }

func (w *vectorRows[T, V, A]) end(leaf, items int) {
	lanes := w.f.shape.grid.Lanes
	used := min(items, lanes)
	for h := lanes / 2; h > 0; h /= 2 {
		for l := 0; l < h && l+h < used; l++ {
			w.f.vector.Join(w.lane(l), w.lane(l+h))
		}
	}
	copy(w.slot(tree.Slot(leaf)), w.lane(0))
	tree.Carry(leaf, w.join)
}

// join joins slot dst+1 into slot dst.
func (w *vectorRows[T, V, A]) join(dst int) {
	w.f.vector.Join(w.slot(dst), w.slot(dst+1))
}

func (w *vectorRows[T, V, A]) leave(b block, s, leaves int) {
	tree.Collect(leaves, w.join)
	w.f.leave(b.number, b.b, s, w.slot(0))
}
