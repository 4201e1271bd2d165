package exec

import (
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/reducers"
)

// combine is how a simulated device joins the partial results of one column.
type combine struct {
	profile reducers.Profile
	group   gpu.GroupCombine
	grid    gpu.GridCombine
	shared  int // bytes of shared memory per block
}

// Limits of what a device joins in registers.
const (
	maxShuffleBytes = 64 // a value moves in words of 4 bytes, one shuffle each
	maxAtomicBytes  = 8
)

// chooseGroup chooses how the threads of a block are joined: by shuffles where the
// device has them, the values are in registers, and no leaf is in pieces of warps; else
// in shared memory.
func (c *combine) chooseGroup(r *simulation) {
	d := r.device
	c.group = gpu.GroupShared
	if d.Group != gpu.GroupShared && !d.NoShuffles && d.SubGroup > 1 && c.profile.Flat && c.profile.Bytes <= maxShuffleBytes &&
		(r.teams != nil || d.Block%min(r.threads(), d.SubGroup) == 0) {
		c.group = gpu.GroupShuffle
	}
	threads, perWarp := r.threads()*r.perBlock, d.SubGroup
	if r.teams != nil {
		threads, perWarp = r.teams.shape.Size, r.membersPerWarp()
	}
	switch {
	case threads == 1:
		c.shared = 0
	case c.group == gpu.GroupShared:
		c.shared = threads * c.profile.Bytes
	default: // one value of each warp
		c.shared = (threads - 1) / perWarp * c.profile.Bytes
	}
	if c.group == gpu.GroupShuffle && c.shared > 0 {
		c.shared += c.profile.Bytes
	}
}

// threads returns the number of threads that walk a leaf. Each has a lane, or several
// where the block is smaller than the leaf has lanes.
func (r *simulation) threads() int { return min(r.lanes, r.device.Block) }

// chooseGrid chooses how blocks are joined: with atomics where these give the same bits
// in any order, else by the last block.
func (c *combine) chooseGrid(r *simulation) {
	d := r.device
	atomic := c.profile.Exact && c.profile.Flat && c.profile.Bytes <= maxAtomicBytes && !d.NoAtomics
	c.grid = d.Grid
	switch {
	case d.Grid == gpu.GridAuto && atomic:
		c.grid = gpu.GridAtomic
	case d.Grid == gpu.GridAuto, d.Grid == gpu.GridAtomic && !atomic:
		c.grid = gpu.GridLastBlock
	}
}

// lanes joins the lanes of a leaf into a slot: lane l with lane l+h, for h a half, a
// quarter, and so on. It is the butterfly of a warp, whose halves may be joined in any
// order at each step. Lane l is found at at[l], or in its own place if at is nil.
func (c *combine) lanes(r *simulation, col column, slot, items int, at []int) {
	position := func(l int) int {
		if at == nil {
			return l
		}
		return at[l]
	}
	used := min(items, c.profile.Lanes)
	for h := c.profile.Lanes / 2; h > 0; h /= 2 {
		for _, l := range r.order(max(min(h, used-h), 0)) {
			col.JoinLanes(0, position(l), position(l+h))
		}
	}
	col.EndLane(0, position(0), slot)
}

// blockSteps tells of the synchronisation that joining the threads of a block takes: the
// lanes of all its leaves, and then its leaves.
func (r *simulation) blockSteps(leaves int) {
	if r.teams != nil {
		return // each team tells of its own
	}
	barriers := 0
	for k := range r.columns {
		barriers = max(barriers, r.columns[k].steps(r, leaves))
	}
	for range barriers {
		r.events.barrier()
	}
}

// steps returns how many barriers joining the threads of a block takes, and tells of the
// shuffles. Columns share the barriers.
func (c *combine) steps(r *simulation, leaves int) (barriers int) {
	threads := r.threads()
	if c.group == gpu.GroupShared {
		return log2(threads) + log2(leaves)
	}
	// The lanes of a leaf: halves that are in several warps go through shared memory.
	inWarp := min(threads, r.device.SubGroup)
	barriers = log2(threads / inWarp)
	warps := r.device.Warps(threads * leaves)
	r.events.shuffle(warps*log2(inWarp), c.profile.Bytes)
	// The leaves of a warp, and then one value of each warp.
	together := max(r.device.SubGroup/threads, 1)
	r.events.shuffle(warps*log2(min(leaves, together)), c.profile.Bytes)
	if left := (leaves + together - 1) / together; left > 1 {
		barriers++
		for h := 1; h < left; h *= 2 {
			r.events.shuffle(r.device.Warps(left), c.profile.Bytes)
		}
	}
	return barriers
}

// log2 returns the number of halvings that lead from n to 1.
func log2(n int) (steps int) {
	for h := 1; h < n; h *= 2 {
		steps++
	}
	return steps
}

// membersPerWarp returns how many members of a team a warp holds.
func (r *simulation) membersPerWarp() int {
	return max(r.device.SubGroup/r.teams.shape.Vector, 1)
}

// teamSteps tells of the synchronisation that joining the members of a team takes.
func (r *simulation) teamSteps() {
	size, perWarp := r.teams.shape.Size, r.membersPerWarp()
	warps := (size-1)/perWarp + 1
	barriers := 0
	for _, c := range r.columns {
		if c.group == gpu.GroupShared {
			barriers = max(barriers, log2(size))
			continue
		}
		r.events.shuffle(warps*log2(min(size, perWarp)), c.profile.Bytes)
		if warps > 1 { // one value each, through shared memory
			barriers = max(barriers, 1)
			r.events.shuffle(log2(warps), c.profile.Bytes)
		}
	}
	for range barriers {
		r.events.barrier()
	}
}

// kernels tells of the main kernel, and of a kernel before it.
func (r *simulation) kernels() {
	if r.grid.Items == 0 {
		return
	}
	k := gpu.Kernel{Name: "range", Grid: r.blocks, Block: r.device.Block, SharedBytes: r.shared}
	switch {
	case r.teams != nil:
		t := r.teams.shape
		k.Name, k.Grid, k.Block = "team", t.League, t.Size*t.Vector
	case r.mine != nil:
		if s, ok := r.mine.kernel.(interface{ stage() (before, name string) }); ok {
			before, name := s.stage()
			if before != "" && r.blocks > 1 {
				r.events.kernel(gpu.Kernel{Name: before, Grid: 1, Block: r.device.Block})
			}
			k.Name = name
		}
	}
	r.events.kernel(k)
	for n, c := range r.columns {
		grid := c.grid.String()
		if k.Grid <= 1 {
			grid = "one block"
		}
		group := c.group.String()
		if k.Block == 1 || r.teams == nil && r.threads()*r.perBlock == 1 {
			group = "one thread"
		}
		r.events.combined(n, group, grid)
	}
}

// finalKernel tells of the kernel that joins the blocks, if there is one.
func (r *simulation) finalKernel() {
	blocks := r.blocks
	if r.teams != nil {
		blocks = r.grid.Items
	}
	if blocks <= 1 {
		return
	}
	second, last := false, false
	for k := range r.columns {
		second = second || r.columns[k].grid == gpu.GridSecondKernel
		last = last || r.columns[k].grid == gpu.GridLastBlock
	}
	if last {
		r.events.atomic(blocks) // each block draws a ticket
	}
	if second {
		r.events.kernel(gpu.Kernel{Name: "combine", Grid: 1, Block: r.device.Block, SharedBytes: r.shared})
	}
}

// atomicsOf returns how many atomics a block joins its values with.
func (r *simulation) atomicsOf(block int) int {
	n := 0
	for k := range r.columns {
		if r.columns[k].grid == gpu.GridAtomic {
			n++
		}
	}
	if r.teams != nil { // each team is a block on the device
		n *= min(r.grid.Leaf, r.grid.Items-block*r.grid.Leaf)
	}
	return n
}
