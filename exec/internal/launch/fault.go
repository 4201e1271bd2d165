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

// The kind of failure decides how a launch ends, and never its time: a fault in items counts before a breach
// by the space, and a breach before a cancel. See package space.

// fault is what went wrong in the items of a launch; at most one field is set.
type fault struct {
	panic *space.Panic
	quit  bool  // runtime.Goexit was called
	err   error // the functor misused its team, or a policy or a loop broke its contract
}

// with copies the check.Error in err, if there is one, into the panic or the error of f.
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

// Raise panics, ends the goroutine, or returns an error, as the fault does.
func (f fault) Raise() error {
	switch {
	case f.panic != nil:
		panic(f.panic)
	case f.quit:
		runtime.Goexit()
	}
	return f.err
}

// breach is the value of a panic for a broken contract of a policy or a loop. It ends as an error of the
// items, and not as a panic of the functor.
type breach struct{ err error }

// Breach returns the value to panic with if a policy or a loop breaks its contract.
func Breach(format string, args ...any) any { return breach{fmt.Errorf(format, args...)} }

// Faults are what has gone wrong in the items of a launch.
type Faults struct {
	limit  atomic.Int64 // leaf of the lowest fault, from which on leaves need not run; MaxInt64: none
	Failed atomic.Bool  // there is a fault; in an Ending also a breach of contract or a cancel
	mu     sync.Mutex
	Fault  fault // the fault of leaf limit
}

// Reset sets limit to none. It loads first: a store takes far longer, and limit is seldom set.
func (f *Faults) Reset() {
	if f.limit.Load() != math.MaxInt64 {
		f.limit.Store(math.MaxInt64)
	}
}

// Past reports whether a leaf need not run, as it is not below the lowest fault.
func (f *Faults) Past(leaf int) bool { return int64(leaf) >= f.limit.Load() }

// Keep remembers a fault if its leaf is the lowest so far. Of two panics in one leaf, which a space may
// report, it keeps the one at the lower items. Leaves above need not run; leaves below may still fail.
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

// A TeamFault is the value of a panic for a team that could not finish.
type TeamFault struct {
	Item int   // number of the team
	Err  error // of lane.Engine.Run
}
