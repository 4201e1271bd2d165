package tensor

import (
	mathbits "math/bits"

	"github.com/gokkos/gokkos/internal/simd"
)

const (
	batch = 16 // leaves that are joined together, a power of two
	quad  = 4  // lanes that are moved together
)

// laneWalker is a walker for leaves of 32 lanes. It keeps the lanes of a batch of leaves, and
// joins these side by side.
type laneWalker[T, V, A any] struct {
	f      *folding[T, V, A]
	values values[T, V]
	unit   lanes[A]
	leaves []leaves[A] // by result
	levels int
	trees  []A // by result and level, as the slots of a slotWalker

	quads, across [simd.Lanes * batch]A
}

type lanes[A any] [simd.Lanes]A

// leaves has the lanes of n leaves, and the number of leaves that are joined already.
type leaves[A any] struct {
	n, joined int
	lanes     [batch]lanes[A]
}

func newLaneWalker[T, V, A any](f *folding[T, V, A], p split) *laneWalker[T, V, A] {
	w := &laneWalker[T, V, A]{f: f, values: values[T, V]{f: f.before}, levels: levelsOf(p)}
	copy(w.unit[:], f.identities(simd.Lanes))
	w.leaves = make([]leaves[A], p.width)
	for j := range w.leaves {
		w.leaves[j].n = batch
		w.clear(j)
	}
	w.trees = make([]A, p.width*w.levels)
	return w
}

func (w *laneWalker[T, V, A]) begin(j, _ int) { w.leaves[j].n++ }

// clear sets the lanes of all leaves to the identity, long before they are used: a vector
// that is loaded from what was just stored in parts waits for all that comes before it.
func (w *laneWalker[T, V, A]) clear(j int) {
	x := &w.leaves[j]
	for b := range x.n {
		x.lanes[b] = w.unit
	}
	x.n = 0
}

func (w *laneWalker[T, V, A]) add(j, _ int, x []T) {
	v := any(w.values.of(x)).([]A)
	l := &w.leaves[j].lanes[w.leaves[j].n-1]
	v = v[w.f.vector.Fold(l[:], v):]
	if len(v) > 0 { // less than one for each lane
		w.f.vector.Add(l[:len(v)], v, 0, 1)
	}
}

func (w *laneWalker[T, V, A]) end(j, _, items int) {
	x := &w.leaves[j]
	switch {
	case items < simd.Lanes:
		w.joinEach(j, items)
	case x.n == batch:
		w.push(j, w.joinAll(&x.lanes), batch)
		w.clear(j)
	}
}

// joinAll joins a batch of leaves: lane l with l+16, and so on, and then leaf b with b+1,
// and so on. Lane l of leaf b is at l*batch plus the bits of b in reverse, so each step
// joins the upper half of what is left to the lower one.
func (w *laneWalker[T, V, A]) joinAll(x *[batch]lanes[A]) A {
	const columns = batch * quad
	for b := range x {
		at := int(mathbits.Reverse8(uint8(b))>>4) * quad
		for l := 0; l < simd.Lanes; l += quad {
			*(*[quad]A)(w.quads[at:]) = *(*[quad]A)(x[b][l:])
			at += columns
		}
	}
	for h := simd.Lanes / 2 * batch; h >= columns; h /= 2 {
		w.f.vector.Join(w.quads[:h], w.quads[h:2*h])
	}
	for b := range batch {
		for l, v := range (*[quad]A)(w.quads[b*quad:]) {
			w.across[l*batch+b] = v
		}
	}
	for h := columns / 2; h > 0; h /= 2 {
		w.f.vector.Join(w.across[:h], w.across[h:2*h])
	}
	return w.across[0]
}

// joinEach joins the leaves one by one, of which the last one has that many items. A lane
// that no item has reached is left out.
func (w *laneWalker[T, V, A]) joinEach(j, items int) {
	x := &w.leaves[j]
	for b := range x.n {
		used := simd.Lanes
		if b == x.n-1 {
			used = items
		}
		l := &x.lanes[b]
		for h := simd.Lanes / 2; h > 0; h /= 2 {
			if n := min(h, used-h); n > 0 {
				w.f.vector.Join(l[:n], l[h:h+n])
			}
		}
		w.push(j, l[0], 1)
	}
	w.clear(j)
}

// push joins the next n leaves, a power of two, to those before them, a multiple of n.
func (w *laneWalker[T, V, A]) push(j int, v A, n int) {
	x := &w.leaves[j]
	level := j*w.levels + bits(x.joined)
	w.trees[level] = v
	for k := x.joined / n; k&1 == 1; k >>= 1 {
		level--
		w.f.reducer.Join(&w.trees[level], &w.trees[level+1])
	}
	x.joined += n
}

func (w *laneWalker[T, V, A]) leave(j, k, s, leaves int) {
	x := &w.leaves[j]
	w.joinEach(j, simd.Lanes)
	x.joined = 0
	trees := w.trees[j*w.levels:][:bits(leaves)]
	for level := len(trees) - 2; level >= 0; level-- {
		w.f.reducer.Join(&trees[level], &trees[level+1])
	}
	w.f.leave(k, s, &trees[0])
}
