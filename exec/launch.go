package exec

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

// launch runs a kernel over the items of a plan and stores the results of the
// columns. On an error or a panic, no result place has been written.
func (j *job) launch(plan *policy.Plan, k kernel) error {
	on, err := check(plan, j.columns)
	if err != nil {
		return err
	}
	j.plan(plan, k)
	if err := j.launchOn(on); err != nil {
		return err
	}
	if err := j.store(); err != nil {
		return err
	}
	j.give()
	return nil
}

// refuse returns the error of a launch that is not made. The space hears of it if it has to tell
// others, who may make the launch and wait.
func refuse(plan *policy.Plan, err error) error {
	if r, ok := plan.Space.(space.Refuser); ok {
		return r.Refuse(err)
	}
	return err
}

// check validates everything a launch is given before anything runs.
func check(plan *policy.Plan, columns []column) (space.Space, error) {
	if err := checkAll(plan, columns); err != nil {
		return nil, refuse(plan, err)
	}
	if plan.Space == nil {
		return environment.Default()
	}
	return plan.Space, nil
}

func checkAll(plan *policy.Plan, columns []column) error {
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
func checkPlaces(columns []column) error {
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
func apartFromEachOther(columns []column) bool {
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

// newJob returns a job that is not to be kept.
func newJob(plan *policy.Plan, k kernel, columns []column) *job {
	j := &job{columns: columns}
	j.plan(plan, k)
	return j
}

// chunkOf returns the chunk of a launch, which its space may have decided. Where an index stands for
// many items, a functor may count on how many they are, as one does that numbers blocks.
func chunkOf(plan *policy.Plan) int {
	if s, ok := plan.Space.(space.Chunker); ok && !plan.Whole {
		if chunk := s.Chunk(); chunk > 0 {
			return chunk
		}
	}
	return plan.Chunk
}

// plan readies the job for a launch.
func (j *job) plan(plan *policy.Plan, k kernel) {
	j.grid = space.NewGrid(plan.Items, chunkOf(plan), plan.Whole)
	j.hint = space.Hints{SlotStride: slotStride}
	for _, c := range j.columns {
		if c.Profile(1).Bytes >= lineBytes {
			j.hint.SlotStride = 1
		}
	}
	j.chunked, j.halvings, j.apart = plan.Chunk > 0, 0, false
	j.label = plan.Label
	j.watched, j.samples = environment.Watches(plan.Space), nil
	j.runs(k)
	if j.context = plan.Context; j.context != nil {
		j.done = j.context.Done()
	}
	j.faults.reset()
}

// runs makes the kernel that of the launch.
func (j *job) runs(k kernel) {
	j.kernel, j.about = k, about{}
	k.about(&j.about)
}

// again readies the job, whose launch went well, for another one over the same items by another kernel. Some of them
// may have gone wrong already.
func (j *job) again(k kernel, wrong *faults) {
	j.runs(k)
	j.hint = space.Hints{SlotStride: slotStride}
	j.nodes, j.opens, j.carries, j.told = j.nodes[:0], 0, false, false
	if wrong.failed.Load() {
		j.limit.Store(wrong.limit.Load())
		j.fault = wrong.fault
		j.failed.Store(true)
	}
}

// launchOn launches the job and reports how it went. Listeners are told.
func (j *job) launchOn(on space.Space) error {
	if tools.On() {
		return j.tell(on)
	}
	return j.attempt(on)
}

// tell launches the job as an event that listeners are told of, with its labels in profiles.
func (j *job) tell(on space.Space) error {
	e := j.event(on)
	j.labels = tools.Labels(e)
	return tools.Do(e, func() error { return j.attempt(on) })
}

// attempt launches the job and reports how it went.
func (j *job) attempt(on space.Space) error {
	j.Cancelled() // the space is told all the same, which may have to tell others
	if j.label != "" && trace.IsEnabled() {
		defer trace.StartRegion(context.Background(), j.label).End()
	}
	if watch.On && watch.Inside() {
		watch.Nest(true)
		defer watch.Nest(false)
	}
	err := on.Launch(j.grid, j)
	if j.grid.Leaves == 0 && j.opens == 0 {
		j.Open(1, 1) // which the space should have done, of no consequence here
	}
	if !j.told {
		j.Cancelled() // a functor that cancels in the last leaf is heard as well
	}
	if j.failed.Load() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.fault.with(err)
		if err := j.fault.raise(); err != nil {
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
	case j.grid.Leaves > 0 && (len(j.nodes) == 0 || !j.apart && j.held(0) != j.all()):
		return fmt.Errorf("exec: space %s returned without the root of the reduction tree in slot 0", on.Name())
	}
	return nil
}

// store finishes the columns and then writes all the result places, so that a
// panic in one Final leaves every result place alone.
func (j *job) store() error {
	if len(j.columns) == 0 {
		return nil
	}
	ok := j.guardAt(j.all(), func() bool {
		for _, c := range j.columns {
			if j.grid.Leaves == 0 {
				c.Open(1, 1, 1)
				c.Clear(0)
			}
			c.Finish(0)
		}
		for _, c := range j.columns {
			c.Store(0)
		}
		return true
	})
	if !ok {
		return j.fault.raise()
	}
	return nil
}
