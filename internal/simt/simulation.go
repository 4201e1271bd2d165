// Package simt runs one launch on a simulated GPU.
//
// [Run] plans the kernel (simulation.go): how many leaves a block of threads owns, and how
// each column of values is joined within a block and between blocks (combine.go). It then
// takes the job's steps in the order of a schedule, and tells of kernels, barriers, shuffles
// and atomics (events.go), of which a report is made (report.go).
package simt

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/internal/tree"
)

// Run runs a launch on a device, in the order of a schedule. It calls done with the report, even if a functor ends the goroutine, unless it
// returns an error, which says what the device cannot run.
func Run(d *gpu.Device, schedule uint64, g space.Grid, j space.Job, done func(gpu.Report)) error {
	r := &simulation{device: d, grid: g, job: j, order: newOrder(schedule, g.Items)}
	if s, ok := j.(device.Stepper); ok {
		r.steps = s.Steps()
		r.parts = r.steps.Parts()
	}
	if err := r.plan(); err != nil {
		return err
	}
	report := newRecorder(r, schedule)
	r.events = report
	defer func() { done(report.Clone()) }()
	r.run()
	return nil
}

// simulation is one launch on a device. A block of threads owns an aligned range of leaves.
// Each leaf has a thread per lane, or one thread if its values are not reduced in lanes.
type simulation struct {
	device *gpu.Device
	order  order
	grid   space.Grid
	job    space.Job
	events events

	steps    device.Steps // of the job, or nil if it has only the verbs of one
	parts    device.Parts // what they are
	columns  []combine    // how the job's columns are joined
	lanes    int          // threads per leaf
	perBlock int          // leaves per block, a power of two
	blocks   int
	shared   int // bytes of shared memory per block

	free    []int  // slots
	atomics []bool // the columns that blocks join with atomics, or nil
	added   bool   // some block has done so
}

// teams reports whether the blocks are teams.
func (r *simulation) teams() bool { return r.parts.Teams.Size > 0 }

// plan chooses the shape of the kernel and how partial results are joined.
func (r *simulation) plan() error {
	r.lanes = r.grid.Lanes
	for _, c := range r.parts.Columns {
		r.columns = append(r.columns, combine{Column: c})
		r.lanes = min(r.lanes, c.Lanes)
	}
	if r.lanes < r.grid.Lanes {
		r.lanes = 1 // a leaf that is not reduced in lanes by all is walked by one thread
	}
	r.perBlock = tree.FloorPow2(r.device.Block / r.threads())
	if r.teams() {
		r.perBlock = 1
	}
	r.perBlock = min(r.perBlock, tree.CeilPow2(max(r.grid.Leaves, 1)))
	if err := r.fit(); err != nil {
		return err
	}
	r.blocks = (r.grid.Leaves + r.perBlock - 1) / r.perBlock
	for k := range r.columns {
		if r.columns[k].chooseGrid(r); r.columns[k].grid == gpu.GridAtomic {
			if r.atomics == nil {
				r.atomics = make([]bool, len(r.columns))
			}
			r.atomics[k] = true
		}
	}
	return nil
}

// fit lets a block own as many leaves as its shared memory has room for.
func (r *simulation) fit() error {
	scratch, what := 0, "the threads of a leaf"
	if r.teams() {
		if err := r.device.CheckTeams(r.parts.Teams); err != nil { // the space may be wrapped
			return err
		}
		scratch, what = r.parts.Teams.Bytes(0), "the members of a team"
	}
	for ; ; r.perBlock /= 2 {
		r.shared = scratch
		for k := range r.columns {
			r.columns[k].chooseGroup(r)
			r.shared += r.columns[k].shared
		}
		if r.shared <= r.device.SharedPerBlockBytes {
			return nil
		}
		if r.perBlock == 1 {
			return fmt.Errorf("gpu: joining %s takes %d bytes of shared memory with scratch of %d bytes, expected at most the %d bytes of a block on %s", what, r.shared, scratch, r.device.SharedPerBlockBytes, r.device.Name)
		}
	}
}

// run launches the kernels.
func (r *simulation) run() {
	slots := r.blocks + r.perBlock
	r.job.Open(1, slots+1) // the last one is where atomics join
	for k := slots - 1; k > 0; k-- {
		r.free = append(r.free, k)
	}
	r.kernels()
	blocks := r.runBlocks(slots)
	if len(blocks) == 0 {
		return
	}
	r.finalKernel()
	if root := r.tree(blocks, r.atomics); r.added && root == 0 {
		r.collect(0, slots, true) // where the results are expected
	}
}

// runBlocks runs all blocks and returns the slots of their partial results, -1 where there is none. Values that are
// joined with atomics go to a slot of their own.
func (r *simulation) runBlocks(atomics int) []int {
	blocks := missing(r.blocks)
	untilFailure(r.order.of(r.blocks), func(b int) bool {
		var complete bool
		r.events.block(b)
		blocks[b], complete = r.block(b)
		if r.atomics != nil && blocks[b] >= 0 {
			r.collect(atomics, blocks[b], !r.added)
			r.added = true
			r.events.atomic(r.atomicsOf(b))
		}
		return complete
	})
	return blocks
}

// block runs the leaves of a block. It returns the slot of their partial result, or -1, and whether each leaf has one.
func (r *simulation) block(b int) (slot int, complete bool) {
	first := b * r.perBlock
	at := missing(min(r.perBlock, r.grid.Leaves-first))
	complete = untilFailure(r.order.of(len(at)), func(k int) bool {
		leaf := first + k
		at[k] = r.take(leaf)
		ok := r.leaf(leaf, at[k])
		if !ok {
			at[k] = r.give(at[k])
		}
		return ok
	})
	r.blockSteps(len(at))
	return r.tree(at, nil), complete
}

// missing returns the slots of n partial results that do not exist.
func missing(n int) []int { return slices.Repeat([]int{-1}, n) }

// untilFailure calls run for leaves, or blocks of leaves, in an order, and reports whether all succeed.
//
// A leaf fails if its functor panics, if it lies above a leaf that did, or if the launch is cancelled. The rest then
// runs in ascending order, up to the next failure: no lower leaf panics, and higher ones need not run.
func untilFailure(order []int, run func(k int) bool) (complete bool) {
	complete = true
	for n, k := range order {
		if run(k) {
			continue
		}
		if !complete {
			break
		}
		complete = false
		slices.Sort(order[n+1:])
	}
	return complete
}

// tree joins neighbouring slots, level by level, those of a level in any order, but for the
// columns that are left out. It returns the slot of the root, or -1 where a partial result is
// missing.
func (r *simulation) tree(at []int, out []bool) int {
	for width := 1; width < len(at); width *= 2 {
		pairs := (len(at) - 1) / (2 * width)
		if (len(at)-1)%(2*width) >= width {
			pairs++
		}
		for _, p := range r.order.of(pairs) {
			k := 2 * width * p
			r.join(at, k, k+width, out)
		}
	}
	return at[0]
}

func (r *simulation) join(at []int, dst, src int, out []bool) {
	if at[dst] >= 0 && at[src] >= 0 && r.joinSlots(at[dst], at[src], out) {
		at[src] = r.give(at[src])
		return
	}
	at[dst], at[src] = r.give(at[dst]), r.give(at[src])
}

func (r *simulation) joinSlots(dst, src int, out []bool) bool {
	if r.steps == nil {
		return r.job.Join(dst, src)
	}
	return r.steps.JoinColumns(dst, src, out)
}

// take returns a free slot for a leaf. The first leaf's is slot 0, where the root ends.
func (r *simulation) take(leaf int) int {
	if leaf == 0 {
		return 0
	}
	last := len(r.free) - 1
	slot := r.free[last]
	r.free = r.free[:last]
	return slot
}

// give takes a slot back and returns -1.
func (r *simulation) give(slot int) int {
	if slot > 0 {
		r.free = append(r.free, slot)
	}
	return -1
}

// leaf runs a leaf into a slot. It returns false if there is no result.
func (r *simulation) leaf(leaf, slot int) bool {
	if r.steps == nil {
		return r.job.Run(0, leaf, leaf+1, slot)
	}
	items := min(r.grid.Leaf, r.grid.Items-leaf*r.grid.Leaf)
	if !r.steps.RunLanes(leaf, slot, r.lanesOrder(items)) {
		return false
	}
	for k := range r.columns {
		if !r.joinLanes(k, slot, items) {
			return false
		}
	}
	return true
}

// joinLanes joins the lanes of a leaf into a slot: lane l with lane l+h, for h a half, a
// quarter, and so on. It is the butterfly of a warp, whose halves may be joined in any order
// at each step.
func (r *simulation) joinLanes(column, slot, items int) bool {
	lanes := r.columns[column].Lanes
	used := min(items, lanes)
	for h := lanes / 2; h > 0; h /= 2 {
		for _, l := range r.order.of(max(min(h, used-h), 0)) {
			if !r.steps.JoinLanes(column, l, l+h) {
				return false
			}
		}
	}
	return r.steps.EndLanes(column, slot)
}

// lanesOrder returns the order of the lanes of a leaf, or nil for the ascending one.
func (r *simulation) lanesOrder(items int) []int {
	if !r.parts.Reorders || r.lanes == 1 {
		return nil
	}
	return r.order.lanes(r.lanes, items)
}

// collect joins the values of the columns that are joined with atomics from one slot into
// another.
func (r *simulation) collect(dst, src int, first bool) {
	for k, atomic := range r.atomics {
		if atomic && !r.steps.Collect(k, dst, src, first) {
			return
		}
	}
}
