package exec

import (
	"fmt"
	"math/rand/v2"

	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
)

// simulation is one launch on a SimGPU. A block of threads owns an aligned range of
// leaves. Each leaf has a thread per lane, or one thread if its values are not reduced
// in lanes.
type simulation struct {
	device *gpu.Device
	random *rand.Rand // nil for the ascending order
	grid   space.Grid
	job    space.Job
	report *recorder
	events events

	mine     *job        // the job, unless it is a stranger's that only has the verbs of Job
	teams    *teamKernel // its kernel, if the blocks are teams
	columns  []combine   // how its columns are joined
	lanes    int         // threads per leaf
	perBlock int         // leaves per block, a power of two
	blocks   int
	shared   int // bytes of shared memory per block

	free     []int // slots
	atomics  bool  // some columns are joined with atomics
	added    bool  // and some block has done so
	gridWide bool  // blocks are being joined
}

// attach lets the simulation see inside of a job.
func (r *simulation) attach(j *job) {
	r.mine = j
	j.device = r
	r.teams, _ = j.kernel.(*teamKernel)
}

// plan chooses the shape of the kernel and how partial results are joined.
func (r *simulation) plan() error {
	r.lanes = r.grid.Lanes
	if r.mine != nil {
		for _, c := range r.mine.columns {
			r.columns = append(r.columns, combine{profile: c.Profile(r.grid.Lanes)})
			r.lanes = min(r.lanes, r.columns[len(r.columns)-1].profile.Lanes)
		}
	}
	if r.lanes < r.grid.Lanes {
		r.lanes = 1 // a leaf that is not reduced in lanes by all is walked by one thread
	}
	r.perBlock = tree.FloorPow2(r.device.Block / r.threads())
	if r.teams != nil {
		r.perBlock = 1
	}
	r.perBlock = min(r.perBlock, tree.CeilPow2(max(r.grid.Leaves, 1)))
	if err := r.fit(); err != nil {
		return err
	}
	r.blocks = (r.grid.Leaves + r.perBlock - 1) / r.perBlock
	for k := range r.columns {
		r.columns[k].chooseGrid(r)
		r.atomics = r.atomics || r.columns[k].grid == gpu.GridAtomic
	}
	return nil
}

// fit lets a block own as many leaves as its shared memory has room for.
func (r *simulation) fit() error {
	scratch, what := 0, "the threads of a leaf"
	if r.teams != nil {
		if err := checkTeams(r.device, r.teams.shape); err != nil { // the space may be wrapped
			return err
		}
		scratch, what = r.teams.shape.Bytes(0), "the members of a team"
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
			return fmt.Errorf("exec: joining %s takes %d bytes of shared memory with scratch of %d bytes, expected at most the %d bytes of a block on %s", what, r.shared, scratch, r.device.SharedPerBlockBytes, r.device.Name)
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
	blocks := make([]int, r.blocks)
	for _, b := range r.order(r.blocks) {
		r.events.block(b)
		blocks[b] = r.block(b)
		if r.atomics && blocks[b] >= 0 {
			r.joinAtomic(slots, blocks[b], !r.added)
			r.added = true
			r.events.atomic(r.atomicsOf(b))
		}
	}
	if len(blocks) == 0 {
		return
	}
	r.finalKernel()
	r.gridWide = true
	root := r.tree(blocks)
	if r.added && root == 0 {
		r.settle(slots)
	}
}

// block runs the leaves of a block and returns the slot of their partial result, or -1.
func (r *simulation) block(b int) int {
	first := b * r.perBlock
	at := make([]int, min(r.perBlock, r.grid.Leaves-first))
	for _, k := range r.order(len(at)) {
		leaf := first + k
		at[k] = r.take(leaf)
		if !r.job.Run(0, leaf, leaf+1, at[k]) {
			at[k] = r.give(at[k])
		}
	}
	r.blockSteps(len(at))
	return r.tree(at)
}

// tree joins neighbouring slots, level by level, those of a level in any order. It
// returns the slot of the root, or -1 where a partial result is missing.
func (r *simulation) tree(at []int) int {
	for width := 1; width < len(at); width *= 2 {
		pairs := (len(at) - 1) / (2 * width)
		if (len(at)-1)%(2*width) >= width {
			pairs++
		}
		for _, p := range r.order(pairs) {
			k := 2 * width * p
			r.join(at, k, k+width)
		}
	}
	return at[0]
}

func (r *simulation) join(at []int, dst, src int) {
	if at[dst] >= 0 && at[src] >= 0 && r.job.Join(at[dst], at[src]) {
		at[src] = r.give(at[src])
		return
	}
	at[dst], at[src] = r.give(at[dst]), r.give(at[src])
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

// order returns the numbers from 0 to n-1 in the order of the schedule.
func (r *simulation) order(n int) []int {
	x := r.ascending(n)
	r.shuffle(x)
	return x
}

func (*simulation) ascending(n int) []int {
	x := make([]int, n)
	for k := range x {
		x[k] = k
	}
	return x
}

func (r *simulation) shuffle(x []int) {
	if r.random != nil {
		r.random.Shuffle(len(x), func(a, b int) { x[a], x[b] = x[b], x[a] })
	}
}

// leaf runs the kernel over one leaf and joins its lanes into a slot. It is what the job
// does with a leaf on a device.
func (r *simulation) leaf(leaf, begin, items, slot int) {
	at := r.schedule(items)
	r.mine.kernel.run(0, leaf, begin, begin+items)
	for k, c := range r.mine.columns {
		r.columns[k].lanes(r, c, slot, items, at)
	}
}

// joined reports whether a column needs no joining of blocks, because each has joined its
// own part with atomics.
func (r *simulation) joined(column int) bool {
	return r.gridWide && r.columns[column].grid == gpu.GridAtomic
}

// joinAtomic joins a block's values into the global ones of the columns that are joined
// with atomics, in the order in which blocks are done.
func (r *simulation) joinAtomic(global, block int, first bool) {
	n := r.mine.nodes[block]
	r.mine.guard(&n, func() bool {
		for k, c := range r.mine.columns {
			if r.columns[k].grid != gpu.GridAtomic {
				continue
			}
			if first {
				c.Clear(global)
			}
			c.Join(global, block)
		}
		return true
	})
}

// settle moves the global values to slot 0, where the results are expected.
func (r *simulation) settle(global int) {
	all := r.mine.all()
	r.mine.guard(&all, func() bool {
		for k, c := range r.mine.columns {
			if r.columns[k].grid == gpu.GridAtomic {
				c.Clear(0)
				c.Join(0, global)
			}
		}
		return true
	})
}

// schedule sets the order in which the lanes of a leaf take their items, and returns
// where each lane's partial result will be, or nil if that is its own place. Lanes that
// have one item more than others come first, so that the last row is whole.
func (r *simulation) schedule(items int) (at []int) {
	k, ok := r.mine.kernel.(interface {
		schedule(order []int) (moved bool)
	})
	if !ok || r.random == nil || r.lanes == 1 {
		return nil
	}
	order := r.ascending(r.lanes)
	more := items % r.lanes
	r.shuffle(order[:more])
	r.shuffle(order[more:])
	if !k.schedule(order) {
		return nil
	}
	at = make([]int, r.lanes)
	for position, l := range order {
		at[l] = position
	}
	return at
}
