// Package launch runs a kernel over the items of a policy on a space, with all types hidden: the job that spaces see, where
// its workers are, how a launch ends, what listeners hear, and the answers to what spaces ask. A [Kernel] is what a
// pattern makes of a functor; packages loops, folds, scan and league have them.
package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/trace"

	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/internal/reduce"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/policy"
)

// Launch runs a kernel over the items of a plan and stores the results of the
// columns. On an error or a panic, no result place has been written.
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

// Refuse returns the error of a launch that is not made. The space hears of it if it has to tell
// others, who may make the launch and wait.
func Refuse(plan *policy.Plan, err error) error {
	if r, ok := plan.Space.(space.Refuser); ok {
		return r.Refuse(err)
	}
	return err
}

// Check validates everything a launch is given before anything runs.
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

// checkPlaces returns an error if results of the columns would be written to the same memory.
func checkPlaces(columns []Column) error {
	switch len(columns) { // few, mostly
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

// apartFromEachOther reports whether it is plain that no two results share memory: each is one piece
// of it, and there are few. Others are looked at by reflection.
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

// NewJob returns a job that is not to be kept.
func NewJob(plan *policy.Plan, k Kernel, columns []Column) *Job {
	j := &Job{Columns: columns}
	j.Plan(plan, k)
	return j
}

// ChunkOf returns the chunk of a launch, which its space may have decided. Where an index stands for
// many items, a functor may count on how many they are, as one does that numbers blocks.
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

// Runs makes the kernel that of the launch.
func (j *Job) Runs(k Kernel) {
	j.unask()
	j.kernel = k
}

// Again readies the job, whose launch went well, for another one over the same items by another kernel. Some of them
// may have gone wrong already.
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

// LaunchOn launches the job and reports how it went. Listeners are told.
func (j *Job) LaunchOn(on space.Space) error {
	if tools.On() {
		return j.tell(on)
	}
	return j.Attempt(on)
}

// tell launches the job as an event that listeners are told of, with its labels in profiles.
func (j *Job) tell(on space.Space) error {
	e := j.Event(on)
	j.Labels = tools.Labels(e)
	return tools.Do(e, func() error { return j.Attempt(on) })
}

// Attempt launches the job and reports how it went.
func (j *Job) Attempt(on space.Space) error {
	j.Cancelled() // the space is told all the same, which may have to tell others
	if j.label != "" && trace.IsEnabled() {
		defer trace.StartRegion(context.Background(), j.label).End()
	}
	if watch.On && watch.Inside() {
		watch.Nest(true)
		defer watch.Nest(false)
	}
	err := on.Launch(j.Grid, j)
	if j.Grid.Leaves == 0 && j.Opens == 0 {
		j.Open(1, 1) // which the space should have done, of no consequence here
	}
	if !j.told {
		j.Cancelled() // a functor that cancels in the last leaf is heard as well
	}
	if j.Failed.Load() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.Fault.with(err)
		if err := j.Fault.Raise(); err != nil {
			return err
		}
		stop := j.stopErr()
		if err == nil || err == space.ErrFailed || errors.Is(stop, err) {
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

// Store finishes the columns and then writes all the result places, so that a
// panic in one Final leaves every result place alone.
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
