package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"runtime/pprof"

	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/goexit"
	"github.com/gokkos/gokkos/internal/lane"
	"github.com/gokkos/gokkos/team"
)

// guard calls f and returns its result, or false if f panics. It keeps a panic, or the end of the goroutine,
// as a fault in the items where *at is at that time.
func (j *Job) guard(at *Place, f func() bool) bool { return j.GuardFor(&j.Faults, at, f) }

// GuardAt is guard for work that no worker does, on the items of a node.
func (j *Job) GuardAt(n Node, f func() bool) bool {
	at := Place{Node: n}
	return j.guard(&at, f)
}

// GuardFor is guard that keeps faults in *to, and not in the job.
func (j *Job) GuardFor(to *Faults, at *Place, f func() bool) bool {
	if j.Labels != nil {
		return j.guardLabelled(to, at, f)
	}
	return j.guarded(to, at, f)
}

// guardLabelled is guarded with the labels of the launch in profiles. A second deferred function in guarded
// would cost each launch some nanoseconds.
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
			if goexit.Runs() { // the goroutine's exit goes on after this
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

// Panicked returns the fault of a panic at a place: an error if it is a misuse of a team.
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

// teamFault returns the fault of a team that could not finish.
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

// stopped reports whether leaves need not run since the launch is cancelled. It checks the context if the
// policy asked for a chunk, as for heavy items.
func (j *Job) stopped() bool { return j.heard.Load() || j.Chunked && j.Cancelled() }
