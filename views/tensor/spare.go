package tensor

import (
	"runtime"
	"sync/atomic"

	"github.com/gokkos/gokkos/internal/watch"
)

// A spare is a place for a worker that nobody uses. Units next to each other are mostly done by one
// goroutine, one after the other: it finds what it has left, and waits for nobody. With a lock over
// all of them, 16 goroutines were put to sleep and woken for longer than they worked.
type spare[T any] struct {
	worker atomic.Pointer[worker[T]]
	_      [lineBytes]byte // each is in a line of the cache of its own
}

const (
	lineBytes = 64
	mostSpare = 64
)

// spares returns places for as many workers as are used at a time, mostly. Those beyond are not kept.
func (c *call[T]) spares() []spare[T] {
	return make([]spare[T], min(runtime.GOMAXPROCS(0), c.part.units, mostSpare))
}

// home returns the number of the spare that a unit takes first.
func (c *call[T]) home(unit int) int { return unit * len(c.spare) / c.part.units }

// take returns a worker for a unit, and the spare that it is from.
func (c *call[T]) take(unit int) (w *worker[T], at int) {
	home := c.home(unit)
	for k := 0; k < len(c.spare) && !watch.On; k++ { // units of a launch that is watched share no memory
		at := (home + k) % len(c.spare)
		if s := &c.spare[at].worker; s.Load() != nil {
			if w := s.Swap(nil); w != nil {
				return w, at
			}
		}
	}
	return c.newWorker(), home
}

// give leaves a worker to units that come later.
func (c *call[T]) give(w *worker[T], at int) {
	if watch.On { // see take
		return
	}
	if !c.spare[at].worker.CompareAndSwap(nil, w) {
		w.release()
	}
}

func (c *call[T]) newWorker() *worker[T] {
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

// release ends the use of the worker.
func (w *worker[T]) release() {
	for _, x := range w.walkers {
		x.release()
	}
	for _, x := range w.rows {
		x.release()
	}
}
