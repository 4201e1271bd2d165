package launch

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
)

// An Ending is how a launch ends: by a fault in its items, by what its space does against the contract, by a cancel, or well.
type Ending struct {
	label   string          // of the policy
	context context.Context // of the policy, or nil
	done    <-chan struct{} // closed when the launch is cancelled
	Labels  context.Context // of profiles, nil unless they are wanted
	Faults                  // Failed is set for refused and ended, too
	heard   atomic.Bool     // the launch is cancelled: what runs ends early, and has no result
	refused stop            // what the space did against its contract
	ended   stop            // that the launch was cancelled
}

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
func (e *Ending) Refuse(err error) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refused.set(err, false)
	e.Failed.Store(true)
	return false
}

// stopErr returns why the launch ends that no item is to blame for; the lock is held.
func (e *Ending) stopErr() error { return cmp.Or(e.refused.err, e.ended.err) }

// named returns the label of the launch for use in a message.
func (e *Ending) named() string {
	if e.label == "" {
		return ""
	}
	return fmt.Sprintf(" of %q", e.label)
}

// Cancelled implements [space.Accepter]. It reports whether the policy's context was cancelled, and keeps why.
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
