package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"sync/atomic"

	findings "github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/team"
)

// How a launch ends depends on what went wrong, and not on when that was: a fault counts before
// what the space is to blame for, and that before a cancel, see package space.

// fault is what went wrong in the items of a launch; at most one field is set.
type fault struct {
	panic *space.Panic
	quit  bool  // runtime.Goexit was called
	err   error // the functor asked its team for what cannot be, or the policy broke its contract
}

// with adds what was found in the launch, if err says that there is anything.
func (f *fault) with(err error) {
	var found *findings.Error
	if !errors.As(err, &found) {
		return
	}
	if f.panic != nil {
		f.panic.Found = found
	}
	if f.err != nil {
		f.err = errors.Join(f.err, found)
	}
}

// Raise makes the caller's goroutine go the way that the functor went.
func (f fault) Raise() error {
	switch {
	case f.panic != nil:
		panic(f.panic)
	case f.quit:
		runtime.Goexit()
	}
	return f.err
}

// breach is panicked with where a policy breaks its contract, which is an error of
// the items that it happens in and no panic of the functor's.
type breach struct{ err error }

// Breach returns what to panic with where a policy, or a loop, breaks its contract.
func Breach(format string, args ...any) any { return breach{fmt.Errorf(format, args...)} }

// Faults are what has gone wrong in the items of a launch.
type Faults struct {
	limit  atomic.Int64 // leaves from here on need not run
	Failed atomic.Bool
	mu     sync.Mutex
	Fault  fault // at the lowest items
}

// Reset makes f none. A store takes far longer than to see that there are none.
func (f *Faults) Reset() {
	if f.limit.Load() != math.MaxInt64 {
		f.limit.Store(math.MaxInt64)
	}
}

// Past reports whether a leaf need not run.
func (f *Faults) Past(leaf int) bool { return int64(leaf) >= f.limit.Load() }

// stop is why a launch ends that no item is to blame for.
type stop struct {
	err  error
	told bool // by a process, to all of them
}

// set keeps the first reason: the first that processes tell each other, which is the same in
// all of them, or else the first of this one. Of equal texts, this one's error says more.
func (s *stop) set(err error, told bool) {
	if s.err == nil || told && !s.told && s.err.Error() != err.Error() {
		s.err = err
	}
	s.told = s.told || told
}

// Refuse keeps what a space did against its contract.
func (j *Job) Refuse(err error) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.refused.set(err, false)
	j.Failed.Store(true)
	return false
}

// stopErr returns why the launch ends that no item is to blame for; the lock is held.
func (j *Job) stopErr() error { return cmp.Or(j.refused.err, j.ended.err) }

// guard returns what f returns, or false if f panics. The panic is kept, as one
// in the items of *at at that moment.
func (j *Job) guard(at *Place, f func() bool) bool { return j.GuardFor(&j.Faults, at, f) }

// GuardAt is guard for what no worker does, in the items of a node.
func (j *Job) GuardAt(n Node, f func() bool) bool {
	at := Place{Node: n}
	return j.guard(&at, f)
}

// GuardFor is guard for other faults than those of the launch.
func (j *Job) GuardFor(to *Faults, at *Place, f func() bool) bool {
	if j.Labels != nil {
		return j.guardLabelled(to, at, f)
	}
	return j.guarded(to, at, f)
}

// guardLabelled is guard with the labels of the launch in profiles. A second deferred function in
// guarded would cost each launch some nanoseconds.
func (j *Job) guardLabelled(to *Faults, at *Place, f func() bool) bool {
	pprof.SetGoroutineLabels(j.Labels)
	defer pprof.SetGoroutineLabels(cmp.Or(j.context, context.Background()))
	return j.guarded(to, at, f)
}

func (j *Job) guarded(to *Faults, at *Place, f func() bool) bool {
	returned := false
	defer func() {
		if returned {
			return
		}
		switch value := recover().(type) {
		case nil:
			if goexit.Runs() { // and goes on after this
				to.Keep(at.First, fault{quit: true})
				return
			}
			to.Keep(at.First, j.Panicked(at, nil, debug.Stack()))
		case breach:
			to.Keep(at.First, fault{err: value.err})
		case *TeamFault:
			to.Keep(at.First, j.teamFault(value))
		case *lane.Panic: // beside the members of a team
			to.Keep(at.First, j.Panicked(at, value.Value, value.Stack))
		default:
			to.Keep(at.First, j.Panicked(at, value, debug.Stack()))
		}
	}()
	ok := f()
	returned = true
	return ok
}

// Keep remembers the fault in the lowest leaf, and of those in one leaf, of which a space may tell, the panic at the
// lowest items. Leaves above it need not run, those below may still fail.
func (f *Faults) Keep(leaf int, kept fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if limit := f.limit.Load(); int64(leaf) > limit || int64(leaf) == limit && !kept.below(f.Fault) {
		return
	}
	f.limit.Store(int64(leaf))
	f.Fault = kept
	f.Failed.Store(true)
}

// below reports whether both are panics, and f at lower items.
func (f fault) below(g fault) bool {
	return f.panic != nil && g.panic != nil && f.panic.Begin < g.panic.Begin
}

// Panicked returns the fault of a panic in the items of a place.
func (j *Job) Panicked(at *Place, value any, stack []byte) fault {
	if m, ok := value.(*lane.Misuse); ok {
		return fault{err: fmt.Errorf("exec: launch%s: %w", j.named(), m.Err)}
	}
	n := j.ruled(at.Node)
	begin, end := n.First*j.Grid.Leaf, n.Last*j.Grid.Leaf
	if n.Last == j.Grid.Leaves {
		end = j.Grid.Items
	}
	return fault{panic: &space.Panic{Value: value, Stack: stack, Index: at.index(), Begin: begin, End: end, Label: j.label}}
}

// TeamFault returns the fault of a team.
func (j *Job) teamFault(t *TeamFault) fault {
	var p *lane.Panic
	var m *lane.Misuse
	switch {
	case errors.As(t.Err, &m):
		return fault{err: fmt.Errorf("exec: launch%s, team %d of %d: %w", j.named(), t.Item, j.Grid.Items, m.Err)}
	case errors.As(t.Err, &p):
		return fault{panic: &space.Panic{Value: p.Value, Stack: p.Stack, Begin: t.Item, End: t.Item + 1, Label: j.label}}
	}
	return fault{err: fmt.Errorf("exec: launch%s, team %d of %d: %w: %w", j.named(), t.Item, j.Grid.Items, team.ErrDivergence, t.Err)}
}

// named returns the label of the launch for use in a message.
func (j *Job) named() string {
	if j.label == "" {
		return ""
	}
	return fmt.Sprintf(" of %q", j.label)
}

// stopped reports whether leaves need not run as the launch is cancelled. Where a chunk was
// asked for, which is for heavy items, it looks.
func (j *Job) stopped() bool { return j.heard.Load() || j.Chunked && j.Cancelled() }

// Cancelled implements [space.Accepter]. It reports whether the policy's context was cancelled, and keeps why.
func (j *Job) Cancelled() bool {
	if j.done == nil {
		return false
	}
	select {
	case <-j.done:
	default:
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.heard.Load() {
		j.ended.set(fmt.Errorf("exec: launch%s cancelled: %w", j.named(), context.Cause(j.context)), false)
		j.Failed.Store(true)
		j.heard.Store(true)
	}
	return true
}

// TeamFault is panicked with when a team could not finish.
type TeamFault struct {
	Item int
	Err  error // of lane.Engine.Run
}
