package tensor

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Reduce reduces a tensor over some of its dimensions, with every one of the operations, in
// one pass: each element is read once and seen by all of them.
//
// Order: the elements of a result are numbered over the reduced dimensions in their
// order, the last one fastest, whatever the layout. Each result has the bits of
// [exec.ParallelFold] over a slice of them, on every space and with every strategy. If
// there are none, it is made of the reducer's identity.
//
// It is an error if the dimensions or the extents of an output do not fit, if an output
// has an element in common with another one or with the tensor, and what is an error of
// exec.ParallelFold. On any error and on a panic all outputs keep their old content.
//
// Cost: one launch, however many results and reductions there are, and where the elements
// of a result are split, a second one that joins what units left. Results are in memory
// twice until they are written. Sums, min, max and bits of floats and integers of 4 and 8
// bytes run at the speed of exec.ParallelFold over the whole memory if neighbours in memory
// are of one result, or of neighbouring ones.
func Reduce[T any](s Source[T], operations ...Operation[T]) error {
	switch {
	case s.err != nil:
		return s.err
	case s.open == nil:
		return errors.New("tensor: Reduce of a zero Source, expected one made by Over")
	case len(operations) == 0:
		return errors.New("tensor: Reduce without operations")
	}
	if s.freed() {
		return fmt.Errorf("tensor: Reduce of %v, whose memory was freed", s.name)
	}
	if s.in != views.Host { // which every space reaches
		space, err := memory.Reach(s.in, s.on.Space(), "tensor: Reduce of "+s.name.String())
		if err != nil {
			return err
		}
		s = s.On(space)
	}
	c := &call[T]{shape: newShape(s.settings), source: s}
	to, err := c.open(operations)
	if err != nil {
		return err
	}
	if err := checkApart(s.settings, to); err != nil {
		return err
	}
	if err := c.run(); err != nil {
		return err
	}
	for _, w := range to {
		if err := w.write(c.small(c.outputs)); err != nil {
			return err
		}
	}
	return nil
}

// checkApart returns an error if an output has memory in common with another or with the
// tensor.
func checkApart(s settings, to []writer) error {
	for k, w := range to {
		m := w.region()
		if m.Overlaps(s.region) {
			return fmt.Errorf("tensor: output %v and the tensor %s have elements in common", w, s.name)
		}
		for _, v := range to[:k] {
			if m.Overlaps(v.region()) {
				return fmt.Errorf("tensor: outputs %v and %v have elements in common", v, w)
			}
		}
	}
	return nil
}

// A call is one Reduce under way.
type call[T any] struct {
	shape
	source  Source[T]
	columns []column[T]
	part    split
	side    bool // elements of several results are read side by side
	vector  bool // and joined so

	mu   sync.Mutex
	free []*worker[T]
}

// Sizes of the pieces in which elements pass through all the columns: they stay in the
// L1 cache. They are multiples of the number of lanes.
const (
	pieceItems = 2048    // of one result
	sideWidth  = 16      // results side by side, a cache line of float32 or more
	sideItems  = 128     // of each of these
	rowItems   = 2048    // results side by side that are joined so
	aloneItems = 1 << 16 // of one result, if nobody else waits for them and they are in place
)

// run does all but write the results.
func (c *call[T]) run() error {
	if c.outputs == 0 {
		return nil
	}
	if done, err := c.whole(); done {
		return err
	}
	if c.items > 0 {
		c.part = c.split(c.width())
		for _, col := range c.columns {
			col.divide(c.part)
		}
		if c.processes() != nil {
			if err := c.runDistributed(); err != nil {
				return err
			}
		} else {
			p := policy.Range(0, c.part.units).Chunk(1).With(c.on)
			if err := exec.ParallelFor(p, c.unit); err != nil || c.part.subtrees == 1 {
				return err
			}
		}
	}
	p := policy.Spans(0, c.outputs).With(c.on).On(c.small(c.outputs * c.part.subtrees))
	return exec.ParallelFor(p, func(s policy.Span) {
		for _, col := range c.columns {
			col.finish(s.Begin, s.End)
		}
	})
}

// width returns the number of results in a block, and decides how they are read.
func (c *call[T]) width() int {
	if c.side = c.sideBySide(); !c.side {
		return 1
	}
	bytes := 0
	for _, col := range c.columns {
		if col.laneBytes() == 0 {
			return sideWidth
		}
		bytes += col.laneBytes()
	}
	c.vector = true
	return max(min(accBytes/bytes, rowItems)&^(sideWidth-1), sideWidth)
}

// small returns the space for work on that many values, of which few are not worth one.
func (c *call[T]) small(n int) exec.Space {
	if n < leastUnit {
		return exec.Serial{}
	}
	if inner := c.processes(); inner != nil { // each needs all
		return inner
	}
	return c.on.Space()
}

// unit does one unit of the work.
func (c *call[T]) unit(n int) {
	w := c.take()
	s := n % c.part.subtrees
	first := n / c.part.subtrees * c.part.each
	for k := first; k < min(first+c.part.each, c.part.blocks); k++ {
		if c.vector {
			w.reduceRows(c.block(&c.part, k), s)
		} else {
			w.reduce(c.block(&c.part, k), s)
		}
	}
	c.give(w)
}

// take returns a worker that nobody uses.
func (c *call[T]) take() *worker[T] {
	c.mu.Lock()
	if n := len(c.free) - 1; n >= 0 && !watch.On { // units of a launch that is watched share no memory
		w := c.free[n]
		c.free = c.free[:n]
		c.mu.Unlock()
		return w
	}
	c.mu.Unlock()
	w := &worker[T]{call: c, reader: c.source.open()}
	for _, col := range c.columns {
		if c.vector {
			w.rows = append(w.rows, col.rows(c.part))
		} else {
			w.walkers = append(w.walkers, col.walker(c.part))
		}
	}
	w.prepare()
	return w
}

// prepare decides how elements of one result are read.
func (w *worker[T]) prepare() {
	if w.side {
		return
	}
	most := pieceItems
	if memory, ok := w.reader.(direct[T]); ok && w.inner.Rank == 1 && w.inner.A[0] == 1 {
		w.memory = memory
		if len(w.walkers) == 1 && w.walkers[0].plain() {
			most = aloneItems
		}
	}
	for _, x := range w.walkers {
		if !x.nodes() {
			return
		}
	}
	w.node = min(most/w.grid.Leaf, w.part.leaves)
}

func (c *call[T]) give(w *worker[T]) {
	c.mu.Lock()
	c.free = append(c.free, w)
	c.mu.Unlock()
}

// A worker has what one unit at a time is done with.
type worker[T any] struct {
	*call[T]
	reader  reader[T]
	walkers []walker[T]
	rows    []rowWalker[T] // instead of walkers
	node    int            // leaves that are reduced in one call, a power of two, or 0
	memory  direct[T]      // what is read if the elements of a result are neighbours, or nil
	buf     []T            // elements of a piece, result by result
	row     []T            // elements side by side
}

// reduce reduces a subtree of the results of a block.
func (w *worker[T]) reduce(b block, subtree int) {
	first := subtree * w.part.leaves
	leaves := min(w.part.leaves, w.grid.Leaves-first)
	begin := first * w.grid.Leaf
	end := min(begin+leaves*w.grid.Leaf, w.items)
	switch {
	case w.side:
		w.besides(b, begin, end)
	case w.node > 0:
		leaves = (leaves-1)/w.node + 1
		w.inNodes(b, begin, end)
	default:
		w.along(b, begin, end)
	}
	for _, x := range w.walkers {
		for j := range b.n {
			x.leave(j, b.number+j*b.b, subtree, leaves)
		}
	}
}

// along reads elements begin to end of each result of a block, one result after the other.
func (w *worker[T]) along(b block, begin, end int) {
	for j := range b.n {
		for k := begin; k < end; k += pieceItems {
			w.join(j, begin, k, w.piece(b.place+j*b.a, k, min(k+pieceItems, end)))
		}
	}
}

// inNodes is along with several leaves at a time.
func (w *worker[T]) inNodes(b block, begin, end int) {
	for j := range b.n {
		n, length := 0, w.node*w.grid.Leaf
		for k := begin; k < end; k += length {
			x := w.piece(b.place+j*b.a, k, min(k+length, end))
			for _, y := range w.walkers {
				y.node(j, n, k, x, w.grid.Leaf)
			}
			n++
		}
	}
}

// join joins the elements x of result j, of which x[0] is number k, and those of the unit
// begin with begin. Pieces and leaves are powers of two in length.
func (w *worker[T]) join(j, begin, k int, x []T) {
	for leaf := (k - begin) / w.grid.Leaf; len(x) > 0; leaf++ {
		from := begin + leaf*w.grid.Leaf
		to := min(from+w.grid.Leaf, w.items)
		n := min(to-k, len(x))
		for _, y := range w.walkers {
			if k == from {
				y.begin(j, to-from)
			}
			y.add(j, k, x[:n])
			if k+n == to {
				y.end(j, leaf, to-from)
			}
		}
		x, k = x[n:], k+n
	}
}

// piece returns elements begin to end of the result whose first element is at a place.
func (w *worker[T]) piece(place, begin, end int) []T {
	if w.memory != nil {
		return w.memory[place+begin : place+end]
	}
	_, stride, _ := w.inner.Inner()
	if w.buf == nil {
		w.buf = make([]T, min(pieceItems, w.items))
	}
	buf := w.buf
	r := w.inner.Rows(begin, end)
	for r.Next() {
		x := w.reader.read(place+r.A, stride, r.N, buf)
		if r.N == end-begin {
			return x
		}
		copy(buf, x)
		buf = buf[r.N:]
	}
	return w.buf[:end-begin]
}

// besides reads elements begin to end of each result of a block, all the results at a time.
func (w *worker[T]) besides(b block, begin, end int) {
	if w.buf == nil {
		w.buf, w.row = make([]T, w.part.width*sideItems), make([]T, w.part.width)
	}
	_, stride, _ := w.inner.Inner()
	for piece := begin; piece < end; piece += sideItems {
		k, next := 0, min(piece+sideItems, end)
		r := w.inner.Rows(piece, next)
		for r.Next() {
			place := b.place + r.A
			for range r.N {
				for j, v := range w.reader.read(place, b.a, b.n, w.row) {
					w.buf[j*sideItems+k] = v
				}
				place += stride
				k++
			}
		}
		for j := range b.n {
			w.join(j, begin, piece, w.buf[j*sideItems:][:k])
		}
	}
}

// reduceRows is reduce with elements side by side.
func (w *worker[T]) reduceRows(b block, subtree int) {
	first := subtree * w.part.leaves
	leaves := min(w.part.leaves, w.grid.Leaves-first)
	for leaf := range leaves {
		begin := (first + leaf) * w.grid.Leaf
		end := min(begin+w.grid.Leaf, w.items)
		for _, x := range w.rows {
			x.begin(b.n, end-begin)
		}
		k := 0
		r := w.inner.Rows(begin, end)
		for r.Next() {
			w.joinRows(b, b.place+r.A, k, r.N)
			k += r.N
		}
		for _, x := range w.rows {
			x.end(leaf, end-begin)
		}
	}
	for _, x := range w.rows {
		x.leave(b, subtree, leaves)
	}
}

// joinRows joins n rows from a place on, of which the first is element k of a leaf. Rows
// of one lane are joined together, if they are in memory as they are.
func (w *worker[T]) joinRows(b block, place, k, n int) {
	_, stride, _ := w.inner.Inner()
	memory, direct := w.reader.(direct[T])
	if !direct || b.a != 1 && b.n > 1 || !w.plain() {
		if w.row == nil {
			w.row = make([]T, w.part.width)
		}
		for r := range n {
			x := w.reader.read(place+r*stride, b.a, b.n, w.row)
			for _, y := range w.rows {
				y.add(k+r, x, 0, 1)
			}
		}
		return
	}
	lanes := w.grid.Lanes
	for begin := 0; begin < n; begin += lanes * rowsAtOnce {
		some := min(n-begin, lanes*rowsAtOnce)
		for l := range min(lanes, some) {
			rows := (some-l-1)/lanes + 1
			x := memory[place+(begin+l)*stride:]
			for _, y := range w.rows {
				y.add(k+begin+l, x, lanes*stride, rows)
			}
		}
	}
}

// plain reports whether all reductions join values as they are.
func (w *worker[T]) plain() bool {
	for _, y := range w.rows {
		if !y.plain() {
			return false
		}
	}
	return true
}
