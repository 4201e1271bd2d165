package simt

import (
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space/device"
)

// combine is how a simulated device joins the partial results of one column.
type combine struct {
	device.Column
	group  gpu.GroupCombine
	grid   gpu.GridCombine
	shared int // bytes of shared memory per block
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
	if d.Group != gpu.GroupShared && !d.NoShuffles && d.SubGroup > 1 && c.Flat && c.Bytes <= maxShuffleBytes &&
		(r.teams() || d.Block%min(r.threads(), d.SubGroup) == 0) {
		c.group = gpu.GroupShuffle
	}
	threads, perWarp := r.threads()*r.perBlock, d.SubGroup
	if r.teams() {
		threads, perWarp = r.parts.Teams.Size, r.membersPerWarp()
	}
	switch {
	case threads == 1:
		c.shared = 0
	case c.group == gpu.GroupShared:
		c.shared = threads * c.Bytes
	default: // one value of each warp
		c.shared = (threads - 1) / perWarp * c.Bytes
	}
	if c.group == gpu.GroupShuffle && c.shared > 0 {
		c.shared += c.Bytes
	}
}

// threads returns the number of threads that walk a leaf. Each has a lane, or several
// where the block is smaller than the leaf has lanes.
func (r *simulation) threads() int { return min(r.lanes, r.device.Block) }

// chooseGrid chooses how blocks are joined: with atomics where these give the same bits
// in any order, else by the last block.
func (c *combine) chooseGrid(r *simulation) {
	d := r.device
	atomic := c.Exact && c.Flat && c.Bytes <= maxAtomicBytes && !d.NoAtomics
	c.grid = d.Grid
	switch {
	case d.Grid == gpu.GridAuto && atomic:
		c.grid = gpu.GridAtomic
	case d.Grid == gpu.GridAuto, d.Grid == gpu.GridAtomic && !atomic:
		c.grid = gpu.GridLastBlock
	}
}

// blockSteps tells of the synchronisation that joining the threads of a block takes: the
// lanes of all its leaves, and then its leaves.
func (r *simulation) blockSteps(leaves int) {
	if r.teams() {
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
	r.events.shuffle(warps*log2(inWarp), c.Bytes)
	// The leaves of a warp, and then one value of each warp.
	together := max(r.device.SubGroup/threads, 1)
	r.events.shuffle(warps*log2(min(leaves, together)), c.Bytes)
	if left := (leaves + together - 1) / together; left > 1 {
		barriers++
		for h := 1; h < left; h *= 2 {
			r.events.shuffle(r.device.Warps(left), c.Bytes)
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
	return max(r.device.SubGroup/r.parts.Teams.Vector, 1)
}

// teamSteps tells of the synchronisation that joining the members of a team takes.
func (r *simulation) teamSteps() {
	size, perWarp := r.parts.Teams.Size, r.membersPerWarp()
	warps := (size-1)/perWarp + 1
	barriers := 0
	for _, c := range r.columns {
		if c.group == gpu.GroupShared {
			barriers = max(barriers, log2(size))
			continue
		}
		r.events.shuffle(warps*log2(min(size, perWarp)), c.Bytes)
		if warps > 1 { // one value each, through shared memory
			barriers = max(barriers, 1)
			r.events.shuffle(log2(warps), c.Bytes)
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
	if r.steps != nil {
		k.Name = r.parts.Kernel
	}
	if t := r.parts.Teams; r.teams() {
		k.Grid, k.Block = t.League, t.Size*t.Vector
	}
	if r.parts.Before != "" && r.blocks > 1 {
		r.events.kernel(gpu.Kernel{Name: r.parts.Before, Grid: 1, Block: r.device.Block})
	}
	r.events.kernel(k)
	for n, c := range r.columns {
		grid := c.grid.String()
		if k.Grid <= 1 {
			grid = "one block"
		}
		group := c.group.String()
		if k.Block == 1 || !r.teams() && r.threads()*r.perBlock == 1 {
			group = "one thread"
		}
		r.events.combined(n, group, grid)
	}
}

// finalKernel tells of the kernel that joins the blocks, if there is one.
func (r *simulation) finalKernel() {
	blocks := r.blocks
	if r.teams() {
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
	for _, atomic := range r.atomics {
		if atomic {
			n++
		}
	}
	if r.teams() { // each team is a block on the device
		n *= min(r.grid.Leaf, r.grid.Items-block*r.grid.Leaf)
	}
	return n
}
