package tensor

import (
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/reuse"
	"github.com/gokkos/gokkos/internal/watch"
)

// What a call was done with, the next one of its types is done with. It refers to nothing of the caller's then. What
// ends with an error before the launch is left to the garbage collector.

func newCall[T any](s Source[T], folder space.TensorFolder) *call[T] {
	c := reduce.PoolOf[call[T]]().Get().(*call[T])
	c.shape, c.source, c.folder = newShape(s.settings), s, folder
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
	*c = call[T]{columns: reuse.Wipe(c.columns)[:0], to: reuse.Wipe(c.to)[:0]}
	reduce.PoolOf[call[T]]().Put(c)
}

func (f *folding[T, V, A]) release() {
	f.first.Release()
	for _, r := range f.to {
		r.release()
	}
	*f = folding[T, V, A]{to: reuse.Wipe(f.to), roots: reuse.Wipe(f.roots)}
	reduce.PoolOf[folding[T, V, A]]().Put(f)
}

func (b *buffer[A, O]) release() {
	*b = buffer[A, O]{results: reuse.Wipe(b.results)}
	reduce.PoolOf[buffer[A, O]]().Put(b)
}
