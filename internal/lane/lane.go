package lane

import (
	"errors"
	"iter"

	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/schedule"
)

// A Lane is what the body of a block knows of the lane that it is.
//
// It is valid until the body returns, and for the running lane only: it then belongs to the
// next lane of its carrier. Its methods panic when another lane, or nobody, is running.
type Lane struct {
	// Local belongs to the caller, who finds here what an earlier lane of the same carrier left.
	Local any

	core  *core
	rank  int
	scope *Scope // in whose meeting the lane waits
	other *wait  // where it does, if that is not where the first of the scope does

	yield func(signal) bool // nil for the lane of a block of one
	next  func() (signal, bool)
	stop  func()
	end   *ending // while it is being unwound
}

// wait is a place where lanes wait.
type wait struct {
	scope *Scope
	site  uintptr
	op    Op
}

// signal is what a carrier tells the scheduler.
type signal uint8

const (
	rests signal = iota // it has no lane to run
	waits               // its lane waits in a meeting
	gone                // its lane called runtime.Goexit, and the coroutine with it
)

// Rank returns the number of the lane in its block, from 0.
func (l *Lane) Rank() int {
	if l.core.running != l {
		l.notRunning()
	}
	return l.rank
}

// Size returns the number of lanes in the block.
func (l *Lane) Size() int {
	if l.core.running != l {
		l.notRunning()
	}
	return l.core.Lanes
}

var errNotRunning = errors.New("a member of a team or a lane was used by another one: " +
	"it is valid only in the call that it was given to, until that returns")

// notRunning panics: l is not the lane that runs. A lane that is being unwound may still ask
// for its rank and scopes.
func (l *Lane) notRunning() {
	if l.end == nil {
		panic(&Misuse{errNotRunning})
	}
}

// Meet waits until every lane of the scope s has arrived at the same site (see Site) with the
// same op. Then combine, if not nil, is called once, and all go on. Every lane passes an
// equivalent combine: that of the first to arrive is called.
//
// Order: a meeting needs no other meeting before or after it; see Slot for values that lanes
// exchange.
//
// It returns true, or false in a deferred function of a lane that panics or calls
// runtime.Goexit, when the meeting cannot come about; see the package documentation.
//
// Panics: when the lane is not the running one, or not of s. Cost: one suspension, and some ten ns
// for each call between the functor and Meet, as the processor mispredicts each return behind a
// switch; none when s has one lane.
func (l *Lane) Meet(s *Scope, site uintptr, op Op, combine Combiner) bool {
	c := l.core
	if c.running != l {
		l.notRunning()
		return l.refused()
	}
	if l.rank < s.begin || l.rank >= s.end || s.core != c {
		panic("lane: a lane met in a scope that it is not a lane of")
	}
	if c.lanes != nil {
		c.lanes.Arrive(l.rank, s, site, op)
	}
	if s.end-s.begin == 1 {
		s.complete(site, op, combine)
		return true
	}
	l.scope, l.other = s, nil
	if s.arrived == 0 {
		s.first, s.combine = wait{s, site, op}, combine
	} else if s.first.site != site || s.first.op != op {
		s.mixed, l.other = true, &wait{s, site, op}
	}
	s.arrived++
	if s.arrived == s.end-s.begin && !s.mixed {
		c.full = append(c.full, s)
	}
	return l.yield(waits) || l.stranded()
}

// where returns where the lane waits, if it does.
func (l *Lane) where() wait {
	switch {
	case l.other != nil:
		return *l.other
	case l.scope != nil:
		return l.scope.first
	}
	return wait{}
}

// carrier returns a carrier that rests.
func (c *core) carrier() *Lane {
	if n := len(c.free); n > 0 {
		l := c.free[n-1]
		c.free = c.free[:n-1]
		return l
	}
	l := &Lane{core: c}
	l.next, l.stop = iter.Pull(l.carry)
	return l
}

// carry runs lanes, block after block, until the carrier is stopped.
func (l *Lane) carry(yield func(signal) bool) {
	l.yield = yield
	for {
		for !l.run() {
		}
		if !yield(rests) {
			return
		}
	}
}

// run runs lanes until all lanes of the block are started, or the one that a schedule has
// chosen. It returns false if it has to be called again: a lane has panicked, and others have
// to start. One deferred function serves all lanes that the carrier runs.
func (l *Lane) run() (finished bool) {
	c := l.core
	defer func() {
		if !finished {
			l.broke(recover())
			finished = c.Schedule != schedule.Ascending
		}
	}()
	if c.Schedule != schedule.Ascending && c.Lanes > 1 {
		c.body(l)
		return true
	}
	for c.started < c.Lanes {
		l.rank = c.started
		c.started++
		if c.lanes != nil {
			c.lanes.Resume(l.rank)
		}
		c.body(l)
	}
	return true
}

// broke notes how the lane ended: by a panic, or by runtime.Goexit. runtime.Goexit ends the coroutine, too. But it would
// pass through the call of next and end the scheduler, so the carrier yields first and waits to be retired.
func (l *Lane) broke(value any) {
	switch {
	case l.end != nil && !l.end.within(stack()):
	case value != nil || !goexit.Runs():
		l.core.panicked(l.rank, value)
	default:
		l.core.exited(l.rank)
		if l.yield != nil {
			l.yield(gone)
		}
	}
}
