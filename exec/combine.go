package exec

import "github.com/gokkos/gokkos/reducers"

// combine is how a simulated device joins the partial results of one column.
type combine struct {
	profile reducers.Profile
	group   GroupCombine
	grid    GridCombine
	shared  int // bytes of shared memory per block
}

// Limits of what a device joins in registers.
const (
	maxShuffleBytes = 64 // a value moves in words of 4 bytes, one shuffle each
	maxAtomicBytes  = 8
)

// chooseGroup chooses how the threads of a block are joined: by shuffles where the
// device has them and the values are in registers, else in shared memory.
func (c *combine) chooseGroup(r *simulation) {
	d := r.device
	c.group = GroupShared
	if d.Group != GroupShared && !d.NoShuffles && d.SubGroup > 1 && c.profile.Flat && c.profile.Bytes <= maxShuffleBytes {
		c.group = GroupShuffle
	}
	threads := r.lanes * r.perBlock
	if r.teams != nil {
		threads = r.teams.shape.Size
	}
	switch {
	case threads == 1:
		c.shared = 0
	case c.group == GroupShared:
		c.shared = threads * c.profile.Bytes
	case threads > d.SubGroup: // one value of each warp
		c.shared = d.warps(threads) * c.profile.Bytes
	default:
		c.shared = 0
	}
}

// chooseGrid chooses how blocks are joined: with atomics where these give the same bits
// in any order, else by the last block.
func (c *combine) chooseGrid(r *simulation) {
	d := r.device
	atomic := c.profile.Exact && c.profile.Flat && c.profile.Bytes <= maxAtomicBytes && !d.NoAtomics
	c.grid = d.Grid
	switch {
	case d.Grid == GridAuto && atomic:
		c.grid = GridAtomic
	case d.Grid == GridAuto, d.Grid == GridAtomic && !atomic:
		c.grid = GridLastBlock
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
		if r.lanes > 1 && c.group == GroupShuffle && h < r.device.SubGroup {
			r.events.shuffle(1, c.profile.Bytes)
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
// shuffles between its leaves. Columns share the barriers.
func (c *combine) steps(r *simulation, leaves int) (barriers int) {
	if c.group == GroupShared {
		return log2(r.lanes) + log2(leaves)
	}
	inWarp := 1 // leaves of which a warp holds all threads
	if r.lanes <= r.device.SubGroup {
		inWarp = r.device.SubGroup / r.lanes
	} else {
		barriers += log2(r.lanes / r.device.SubGroup) // halves of a leaf in several warps
	}
	for h := 1; h < leaves && h < inWarp; h *= 2 {
		r.events.shuffle((leaves+inWarp-1)/inWarp, c.profile.Bytes)
	}
	if warps := (leaves + inWarp - 1) / inWarp; warps > 1 { // one value each, through shared memory
		barriers++
		for h := 1; h < warps; h *= 2 {
			r.events.shuffle((warps+r.device.SubGroup-1)/r.device.SubGroup, c.profile.Bytes)
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

// kernels tells of the main kernel, and of a kernel before it.
func (r *simulation) kernels() {
	k := Kernel{Name: "range", Grid: r.blocks, Block: r.device.Block, SharedBytes: r.shared}
	switch {
	case r.teams != nil:
		t := r.teams.shape
		k.Name, k.Grid, k.Block = "team", t.League, t.Size*t.Vector
		k.SharedBytes += t.Bytes(0)
	case r.mine != nil:
		if s, ok := r.mine.kernel.(interface{ stage() (before, name string) }); ok {
			before, name := s.stage()
			if before != "" && r.blocks > 1 {
				r.events.kernel(Kernel{Name: before, Grid: 1, Block: r.device.Block})
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
		if k.Block == 1 || r.teams == nil && r.lanes*r.perBlock == 1 {
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
	second := false
	for k := range r.columns {
		switch r.columns[k].grid {
		case GridSecondKernel:
			second = true
		case GridLastBlock:
			r.events.atomic(blocks) // each block draws a ticket
		}
	}
	if second {
		r.events.kernel(Kernel{Name: "combine", Grid: 1, Block: r.device.Block, SharedBytes: r.shared})
	}
}

// atomicsOf returns how many atomics a block joins its values with.
func (r *simulation) atomicsOf(block int) int {
	n := 0
	for k := range r.columns {
		if r.columns[k].grid == GridAtomic {
			n++
		}
	}
	if r.teams != nil { // each team is a block on the device
		n *= min(r.grid.Leaf, r.grid.Items-block*r.grid.Leaf)
	}
	return n
}
