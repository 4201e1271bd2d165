// Package launch runs a kernel over the items of a policy on a space, with all types hidden. It has the job
// that spaces see, the walks of workers, the endings of a launch, the events for listeners, and the answers
// to spaces.
//
// A [Kernel] is what a pattern makes of a functor; packages loops, folds, scan and league have kernels.
package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/trace"

	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/policy"
)

// Launch runs a kernel over the items of a plan and stores the results of the columns. On an error or a panic
// it has written no result place.
func (j *Job) Launch(plan *policy.Plan, k Kernel) error {
	on, err := Check(plan, j.Columns)
	if err != nil {
		return err
	}
	j.Plan(plan, k)
	if err := j.LaunchOn(on); err != nil {
		return err
	}
	if err := j.Store(); err != nil {
		return err
	}
	j.Give()
	return nil
}

// Refuse returns the error of a launch that is not made. It tells a space over several processes, since the
// others may make the launch and wait.
func Refuse(plan *policy.Plan, err error) error {
	if r, ok := plan.Space.(ranks.Space); ok {
		return r.Refuse(err)
	}
	return err
}

// Check validates the plan and the columns before anything runs, and returns the space.
func Check(plan *policy.Plan, columns []Column) (space.Space, error) {
	if err := checkAll(plan, columns); err != nil {
		return nil, Refuse(plan, err)
	}
	if plan.Space == nil {
		return environment.Default()
	}
	return plan.Space, nil
}

func checkAll(plan *policy.Plan, columns []Column) error {
	switch {
	case plan.Err != nil:
		return plan.Err
	case plan.Team.Size != 0 && (plan.Team.Valid() != nil || plan.Team.League != plan.Items):
		return fmt.Errorf("exec: the policy plans %d items and a shape of teams that is %+v: %w", plan.Items, plan.Team, cmp.Or(plan.Team.Valid(), errLeague))
	case plan.Items < 0 || plan.Chunk < 0:
		return fmt.Errorf("exec: the policy plans %d items and a chunk of %d, expected neither below 0", plan.Items, plan.Chunk)
	}
	for _, c := range columns {
		if err := c.Err(); err != nil {
			return err
		}
	}
	return checkPlaces(columns)
}

// checkPlaces returns an error if two results share memory.
func checkPlaces(columns []Column) error {
	switch len(columns) { // mostly 0 or 1
	case 0:
		return nil
	case 1:
		return reduce.CheckPlaces([]any{columns[0].Place()})
	}
	if apartFromEachOther(columns) {
		return nil
	}
	var room [8]any
	places := room[:0]
	for _, c := range columns {
		places = append(places, c.Place())
	}
	return reduce.CheckPlaces(places)
}

// apartFromEachOther reports whether results are known to share no memory, without reflection: there are at
// most eight, each in one piece of memory.
func apartFromEachOther(columns []Column) bool {
	var room [8]reduce.Extent
	if len(columns) > len(room) {
		return false
	}
	extents := room[:len(columns)]
	for k, c := range columns {
		var known bool
		if extents[k], known = c.Extent(); !known {
			return false
		}
	}
	return reduce.Apart(extents)
}

var errLeague = errors.New("expected as many teams as items")

// NewJob returns a job that later launches do not use.
func NewJob(plan *policy.Plan, k Kernel, columns []Column) *Job {
	j := &Job{Columns: columns}
	j.Plan(plan, k)
	return j
}

// ChunkOf returns the chunk of a launch, which its space may decide unless the plan is Whole. The functor of
// a Whole plan may count on the items per index, as one does that numbers blocks.
func ChunkOf(plan *policy.Plan) int {
	if s, ok := plan.Space.(space.Chunker); ok && !plan.Whole {
		if chunk := s.Chunk(); chunk > 0 {
			return chunk
		}
	}
	return plan.Chunk
}

// Plan readies the job for a launch.
func (j *Job) Plan(plan *policy.Plan, k Kernel) {
	j.Grid = space.NewGrid(plan.Items, ChunkOf(plan), plan.Whole)
	j.Hint = space.Hints{SlotStride: slotStride}
	for _, c := range j.Columns {
		if c.Profile(1).Bytes >= LineBytes {
			j.Hint.SlotStride = 1
		}
	}
	j.Chunked, j.halvings, j.apart = plan.Chunk > 0, 0, false
	j.label = plan.Label
	j.watched, j.samples = environment.Watches(plan.Space), nil
	j.Runs(k)
	if j.context = plan.Context; j.context != nil {
		j.done = j.context.Done()
	}
	j.Faults.Reset()
}

// Runs sets the kernel of the launch.
func (j *Job) Runs(k Kernel) {
	j.unask()
	j.kernel = k
}

// Again readies the job, whose launch went well, for a second pass over the same items by another kernel.
// wrong has the faults of items so far.
func (j *Job) Again(k Kernel, wrong *Faults) {
	j.Runs(k)
	j.Hint = space.Hints{SlotStride: slotStride}
	j.nodes, j.Opens, j.Carries, j.told = j.nodes[:0], 0, false, false
	if wrong.Failed.Load() {
		j.limit.Store(wrong.limit.Load())
		j.Fault = wrong.Fault
		j.Failed.Store(true)
	}
}

// LaunchOn launches the job and returns how it ended. If there are listeners, it tells them.
func (j *Job) LaunchOn(on space.Space) error {
	if tools.On() {
		return j.tell(on)
	}
	return j.Attempt(on)
}

// tell launches the job as an event for listeners, with the event's labels in profiles.
func (j *Job) tell(on space.Space) error {
	e := j.Event(on)
	j.Labels = tools.Labels(e)
	return tools.Do(e, func() error { return j.Attempt(on) })
}

// Attempt launches the job and returns its error, or panics with its fault.
func (j *Job) Attempt(on space.Space) error {
	j.Cancelled() // the space still launches: it may have to tell other processes
	if j.label != "" && trace.IsEnabled() {
		defer trace.StartRegion(context.Background(), j.label).End()
	}
	if watch.On && watch.Inside() {
		watch.Nest(true)
		defer watch.Nest(false)
	}
	err := on.Launch(j.Grid, j)
	if j.Grid.Leaves == 0 && j.Opens == 0 {
		j.Open(1, 1) // the space should have; without leaves it does not matter
	}
	if !j.told {
		j.Cancelled() // a cancel by the functor in the last leaf counts, too
	}
	if j.Failed.Load() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.Fault.with(err)
		if err := j.Fault.Raise(); err != nil {
			return err
		}
		stop := j.stopErr()
		if err == nil || err == ranks.ErrFailed || errors.Is(stop, err) {
			return stop
		}
		return errors.Join(stop, err)
	}
	switch {
	case err != nil:
		return err
	case j.Grid.Leaves > 0 && (len(j.nodes) == 0 || !j.apart && j.held(0) != j.All()):
		return fmt.Errorf("exec: space %s returned without the root of the reduction tree in slot 0", on.Name())
	}
	return nil
}

// Store applies Final to all columns and then writes all results. So a panic in one Final leaves every result
// place alone.
func (j *Job) Store() error {
	if len(j.Columns) == 0 {
		return nil
	}
	ok := j.GuardAt(j.All(), func() bool {
		for _, c := range j.Columns {
			if j.Grid.Leaves == 0 {
				c.Open(1, 1, 1)
				c.Clear(0)
			}
			c.Finish(0)
		}
		for _, c := range j.Columns {
			c.Store(0)
		}
		return true
	})
	if !ok {
		return j.Fault.Raise()
	}
	return nil
}
