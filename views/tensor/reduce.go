package tensor

import (
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
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
	if err := memory.Alone(s.in, s.on.Space(), "tensor: Reduce of "+s.name.String()); err != nil {
		return err
	}
	folder := folderOf(s.settings)
	switch {
	case folder != nil:
		s = s.On(exec.Serial{}) // for what is done with results
	case s.in != views.Host: // which every space reaches
		space, err := memory.Reach(s.in, s.on.Space(), "tensor: Reduce of "+s.name.String())
		if err != nil {
			return err
		}
		s = s.On(space)
	}
	s.on = policy.Launch{}.WithLabel("tensor.Reduce").With(s.on)
	c := newCall(s, folder)
	if err := c.open(operations); err != nil {
		return err
	}
	defer c.release()
	if err := checkApart(s.settings, c.to); err != nil {
		return err
	}
	if err := c.run(); err != nil {
		return err
	}
	for _, w := range c.to {
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
	folder  device.TensorFolder // which folds the tensor where it is, or nil
	columns []column[T]
	to      []writer
	part    split
	side    bool                 // elements of several results are read side by side
	vector  bool                 // and joined so
	alone   direct[T]            // what results are read from that are reduced one by one, or nil
	both    [2]*folding[T, T, T] // two of the columns that one kernel does then, or nil
	spare   []spare[T]
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
	switch {
	case c.items == 0:
	case c.folder != nil:
		return c.fold()
	default:
		c.part = c.split(c.width(), c.many())
		c.oneByOne()
		if c.alone == nil {
			c.spare = c.spares()
		}
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
	p := policy.Spans(0, c.outputs).With(c.on).On(c.small(c.outputs * max(c.part.subtrees, 1)))
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

// many returns how many units keep all workers busy: one alone needs none but the large ones.
func (c *call[T]) many() int {
	s := c.on.Space()
	if s == nil {
		s, _ = exec.Default() // whose error is that of the launch
	}
	if s == nil || c.processes() != nil { // all processes must cut alike
		return manyUnits
	}
	workers := s.Concurrency()
	if workers <= 1 {
		return 1
	}
	return min(manyOfSeveral*workers, manyUnits)
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
	s := n % c.part.subtrees
	first := n / c.part.subtrees * c.part.each
	last := min(first+c.part.each, c.part.blocks)
	if c.alone != nil {
		c.reduceAlone(first, last)
		return
	}
	w, at := c.take(n)
	for k := first; k < last; k++ {
		if c.vector {
			w.reduceRows(c.block(&c.part, k), s)
		} else {
			w.reduce(c.block(&c.part, k), s)
		}
	}
	c.give(w, at)
}

// prepare decides how elements of one result are read.
func (w *worker[T]) prepare() {
	if w.call.side {
		return
	}
	most := pieceItems
	if memory, ok := w.reader.(direct[T]); ok && w.call.inner.Rank == 1 && w.call.inner.A[0] == 1 {
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
	w.node = min(most/w.call.grid.Leaf, w.call.part.leaves)
}
