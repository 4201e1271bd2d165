package lane

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"github.com/gokkos/gokkos/internal/goexit"
)

// What an Engine cannot do.
var (
	ErrBusy = errors.New(
		"lane: the engine is in use: one Do at a time, neither nested nor concurrent")
	ErrClosed = errors.New("lane: the engine is closed")
)

// An Engine runs blocks, one after another, on a goroutine of its own, and keeps the coroutines
// they needed.
//
// The goroutine is its own because coroutines cannot move between goroutines that are locked to
// threads and others that are not; Do's caller may be either. It starts with the first Do and
// ends with Close, or when the engine is dropped.
type Engine struct{ core *core }

// core is what the worker and the lanes refer to; they do not keep the Engine alive.
type core struct {
	state   atomic.Uint32
	working bool // the worker runs; guarded by state
	jobs    chan func()
	done    chan outcome

	free []*Lane // carriers without a lane
	block
}

const (
	idle uint32 = iota
	busy
	closed
)

// outcome is how a job ended: the zero value is a return.
type outcome struct {
	panic *Panic
	exit  bool
}

// New returns an engine that has no goroutine yet.
func New() *Engine {
	c := &core{jobs: make(chan func()), done: make(chan outcome)}
	c.alone.core, c.all.core = c, c
	e := &Engine{core: c}
	runtime.AddCleanup(e, func(c *core) { _ = c.close() }, c)
	return e
}

// Do runs f on the engine's goroutine, where f may call Run any number of times, and returns
// when f has.
//
// Errors: ErrBusy when the engine is in a Do already, also when a lane of that Do is the
// caller, because waiting could be for ever; ErrClosed after Close. Panics: with a *Panic when
// f panics. A runtime.Goexit in f is repeated in the caller.
func (e *Engine) Do(f func()) error {
	c := e.core
	if err := c.acquire(busy); err != nil {
		return err
	}
	c.start()
	c.jobs <- f
	out := <-c.done
	c.state.Store(idle)
	runtime.KeepAlive(e)
	if out.panic != nil {
		panic(out.panic)
	}
	if out.exit {
		runtime.Goexit()
	}
	return nil
}

// Carriers returns the number of coroutines that the engine keeps. It is not to be called while
// the engine is in a Do.
func (e *Engine) Carriers() int { return len(e.core.free) }

// Close ends the engine's goroutine and its coroutines and returns when they have ended.
// Closing twice is once.
//
// Errors: ErrBusy when the engine is in a Do; it is not closed then.
func (e *Engine) Close() error {
	err := e.core.close()
	runtime.KeepAlive(e)
	return err
}

func (c *core) close() error {
	switch err := c.acquire(closed); {
	case errors.Is(err, ErrClosed):
		return nil
	case err != nil:
		return err
	}
	if !c.working && len(c.free) == 0 {
		return nil
	}
	c.start()
	close(c.jobs)
	<-c.done
	return nil
}

// acquire goes from idle to the state given.
func (c *core) acquire(state uint32) error {
	if c.state.CompareAndSwap(idle, state) {
		return nil
	}
	if c.state.Load() == closed {
		return ErrClosed
	}
	return ErrBusy
}

func (c *core) start() {
	if !c.working {
		c.working = true
		go c.work()
	}
}

// work does jobs until there are no more. A job that ends in runtime.Goexit takes the goroutine
// with it: the next Do starts another, which takes over the coroutines.
func (c *core) work() {
	left := false
	defer func() {
		if !left {
			c.working = false
			c.done <- outcome{exit: true}
		}
	}()
	for f := range c.jobs {
		c.done <- outcome{panic: attempt(f)}
	}
	left = true
	for _, l := range c.free {
		l.stop()
	}
	c.free = nil
	close(c.done)
}

// attempt calls f and returns its panic, if any.
func attempt(f func()) (p *Panic) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if v := recover(); v != nil || !goexit.Runs() {
			p = &Panic{Lane: -1, Value: v, Stack: debug.Stack()}
		}
	}()
	f()
	returned = true
	return nil
}
