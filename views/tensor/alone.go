package tensor

import (
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/reducers/concept"
	"github.com/gokkos/gokkos/views"
)

// Results of few elements each that are neighbours in memory are reduced one by one, each in one call for
// each reduction. Nothing is opened for that, and units have nothing in common.

// mostAlone is the most elements of such a result: where there are several reductions, those after the
// first one find them in a cache.
const mostAlone = 1 << 13

// oneByOne decides whether results are reduced so.
func (c *call[T]) oneByOne() {
	c.alone = nil
	if watch.On || c.side || c.part.subtrees > 1 || c.items > mostAlone || c.in != views.Host || c.processes() != nil || c.inner.Rank != 1 || c.inner.A[0] != 1 {
		return
	}
	memory, ok := c.source.open().(direct[T])
	for _, col := range c.columns {
		ok = ok && col.alone()
	}
	if ok {
		c.alone = memory
		c.both = c.bothSums()
	}
}

// bothSums returns the first sum and the first sum of squares among the columns, if there are both, which one
// kernel does.
func (c *call[T]) bothSums() (both [2]*folding[T, T, T]) {
	for _, col := range c.columns {
		f, ok := col.(*folding[T, T, T])
		if !ok {
			continue
		}
		switch o := f.operation; {
		case o.Join != concept.OpSum:
		case o.Map == "" && both[0] == nil:
			both[0] = f
		case o.Map == concept.MapSquare && both[1] == nil:
			both[1] = f
		}
	}
	if both[0] == nil || both[1] == nil {
		return [2]*folding[T, T, T]{}
	}
	return both
}

// reduceAlone reduces some results, all reductions for as many at a time as a cache has room for.
func (c *call[T]) reduceAlone(begin, end int) {
	some := max(2*pieceItems/c.items, 1)
	if passes := len(c.columns); passes == 1 || passes == 2 && c.both[0] != nil {
		some = end - begin // each element is read once
	}
	_, a, b := c.kept.Inner()
	for r := c.kept.Rows(begin, end); r.Next(); {
		for k := 0; k < r.N; k += some {
			memory, n := c.alone[r.A+k*a:], min(some, r.N-k)
			done := c.both[0] != nil && c.reduceBoth(memory, r.B+k*b, n)
			for _, col := range c.columns {
				if !done || col != column[T](c.both[0]) && col != column[T](c.both[1]) {
					col.reduceAlone(memory, r.B+k*b, n)
				}
			}
		}
	}
}

// reduceBoth is reduceAlone of both sums in one pass, or it does nothing and returns false.
func (c *call[T]) reduceBoth(memory []T, k, n int) bool {
	s, lanes := &c.shape, c.both[0].lanes
	_, a, b := s.kept.Inner()
	room := c.both[0].rooms.Get().(*reduce.Room[T])
	for n > 0 {
		some := min(n, reduce.RoomRows)
		sums, squares := reduce.RowsOfBoth(room, some, memory, a, s.items, s.grid.Leaf, lanes)
		if sums == nil {
			break
		}
		c.both[0].put(k, b, sums)
		c.both[1].put(k, b, squares)
		if n -= some; n > 0 {
			memory, k = memory[some*a:], k+some*b
		}
	}
	c.both[0].rooms.Put(room)
	return n == 0
}

func (f *folding[T, V, A]) alone() bool {
	if f.before.f != nil || !f.first.TakesNodes() {
		return false
	}
	if f.rooms == nil {
		f.rooms = reduce.PoolOf[reduce.Room[A]]()
	}
	f.lanes = f.first.Column().Profile(f.shape.grid.Lanes).Lanes // found out before several ask
	return true
}

func (f *folding[T, V, A]) reduceAlone(memory []T, k, n int) {
	s := f.shape
	values := any(memory).([]V)
	_, a, b := s.kept.Inner()
	room := f.rooms.Get().(*reduce.Room[A])
	for n > 0 {
		some := min(n, reduce.RoomRows)
		f.put(k, b, reduce.Rows(f.first, room, some, reduce.ValuesOf(values), a, s.items, s.grid.Leaf, f.lanes))
		if n -= some; n > 0 {
			values, k = values[some*a:], k+some*b
		}
	}
	f.rooms.Put(room)
}
