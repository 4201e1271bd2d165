package launch

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
)

// An Ending is how a launch ends: by a fault in its items, by its space's breach of contract, by a cancel, or
// well.
type Ending struct {
	label   string          // label of the policy; "": none
	context context.Context // context of the policy, or nil
	done    <-chan struct{} // closed by a cancel; nil: the launch cannot be cancelled
	Labels  context.Context // profile labels; nil: none
	Faults                  // Failed is set for refused and ended, too
	heard   atomic.Bool     // the cancel is known: workers end early, and there is no result
	refused stop            // the space's breach of contract
	ended   stop            // the cancel
}

// stop is a reason to end a launch that is no fault of an item.
type stop struct {
	err  error
	told bool // a process has sent it to all, see SetFault
}

// set keeps the first reason. A reason that processes share replaces one of this process alone. If their
// texts are equal, this process's error stays, which wraps more.
func (s *stop) set(err error, told bool) {
	if s.err == nil || told && !s.told && s.err.Error() != err.Error() {
		s.err = err
	}
	s.told = s.told || told
}

// Refuse keeps the space's breach of contract, and returns false.
func (e *Ending) Refuse(err error) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refused.set(err, false)
	e.Failed.Store(true)
	return false
}

// stopErr returns the breach of contract, or else the cancel, or nil. The caller must hold the lock.
func (e *Ending) stopErr() error { return cmp.Or(e.refused.err, e.ended.err) }

// named returns the label of the launch for a message, as ` of "label"`, or "".
func (e *Ending) named() string {
	if e.label == "" {
		return ""
	}
	return fmt.Sprintf(" of %q", e.label)
}

// Cancelled implements [device.Job]. It reports whether the policy's context was cancelled, and keeps the
// cause.
func (e *Ending) Cancelled() bool {
	if e.done == nil {
		return false
	}
	select {
	case <-e.done:
	default:
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.heard.Load() {
		e.ended.set(fmt.Errorf("exec: launch%s cancelled: %w", e.named(), context.Cause(e.context)), false)
		e.Failed.Store(true)
		e.heard.Store(true)
	}
	return true
}
