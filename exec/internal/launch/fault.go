package launch

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	findings "github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/space"
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

// TeamFault is panicked with when a team could not finish.
type TeamFault struct {
	Item int
	Err  error // of lane.Engine.Run
}
