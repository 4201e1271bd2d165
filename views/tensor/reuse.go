package tensor

import (
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/views"
)

// What a call was done with, the next one of its types is done with. It refers to nothing of the caller's then, but for
// the numbers that tell a shape. What ends with an error before the launch is left to the garbage collector.

func newCall[T any](s Source[T], folder device.TensorFolder) *call[T] {
	c := reduce.PoolOf[call[T]]().Get().(*call[T])
	c.source, c.folder = s, folder
	c.shape.of(s.settings)
	return c
}

// release ends the use of what the launch was done with. A worker that has panicked is not there: what it has may be
// torn.
func (c *call[T]) release() {
	if watch.On { // see take
		return
	}
	for k := range c.spare {
		if w := c.spare[k].worker.Load(); w != nil {
			w.release()
		}
	}
	for _, col := range c.columns {
		col.release()
	}
	c.settings, c.source, c.folder = settings{}, Source[T]{}, nil // the plan stays where it is: it is large
	c.columns, c.to = c.columns[:0], reuse.Wipe(c.to)[:0]
	c.part, c.side, c.vector = split{}, false, false
	c.alone, c.both, c.spare = nil, [2]*folding[T, T, T]{}, nil
	reduce.PoolOf[call[T]]().Put(c)
}

func (f *folding[T, V, A]) release() {
	f.studied.release()
	for _, r := range f.to {
		r.release()
	}
	*f = folding[T, V, A]{studied: f.studied, to: f.to[:0], roots: reuse.Wipe(f.roots), rooms: f.rooms}
}

func (b *buffer[A, O]) release() {
	if b.pointers {
		b.results = reuse.Wipe(b.results)
	} else {
		b.results = reuse.Kept(b.results) // to clear them takes as long as to write them
	}
	b.to, b.elements, b.at, b.f, b.scale, b.old = views.View[O]{}, nil, memory.Region{}, nil, nil, nil
}

// mostLeft is how many things a list has room for where earlier calls leave some.
const mostLeft = 16

// taken appends a *P to a list, behind whose end are those that earlier calls have left: one of them, or a new one. So
// nobody asks a pool, which takes as long as to reduce a short row.
func taken[P, I any](list []I) ([]I, *P) {
	n := len(list)
	left := list[n:cap(list)]
	for k := range left {
		if p, ok := any(left[k]).(*P); ok {
			left[0], left[k] = left[k], left[0]
			return list[:n+1], p
		}
	}
	p := new(P)
	x := any(p).(I)
	if cap(list) >= mostLeft { // in place of one that was not asked for
		return append(list, x), p
	}
	list = append(list[:cap(list)], x)
	last := len(list) - 1
	list[n], list[last] = list[last], list[n]
	return list[:n+1], p
}
