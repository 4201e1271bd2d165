package gpu

import (
	"fmt"
	"slices"
	"strings"
)

// A Report says what a launch did on a [SimGPU]. It is a plain value.
type Report struct {
	Label  string // of the policy
	Device string
	Seed   uint64 // of the schedule

	Kernels  []Kernel
	Reducers []ReducerReport

	Warps        int // of all blocks of the main kernel
	SubGroup     int // lanes per warp
	Barriers     int // of blocks, each counted once for its block
	WarpBarriers int // of sub-groups
	Shuffles     int // instructions of warps, each moving 4 bytes per lane; those of a team.VectorRange are not counted
	Atomics      int // on global memory
	Collectives  int // of teams and sub-groups, barriers not counted

	Accesses int // of the functor to memory that were seen, see package check

	ScratchBytes [2]int    // per team, of the two levels
	Occupancy    Occupancy // of the main kernel, if registers do not bind it
}

// A Kernel is one kernel of a launch.
type Kernel struct {
	Name        string
	Grid        int // blocks
	Block       int // threads per block
	SharedBytes int // shared memory per block
}

// A ReducerReport says how the values of one reducer were joined.
type ReducerReport struct {
	Reducer string // its type
	Group   string // within a block: "shuffle", "shared" or "one thread"
	Grid    string // between blocks: "atomic", "last block", "second kernel" or "one block"
}

// Clone returns a copy that shares nothing with r.
func (r *Report) Clone() Report {
	c := *r
	c.Kernels, c.Reducers = slices.Clone(r.Kernels), slices.Clone(r.Reducers)
	return c
}

// String returns the report as text of several lines.
func (r Report) String() string {
	var b strings.Builder
	label := ""
	if r.Label != "" {
		label = fmt.Sprintf(" of %q", r.Label)
	}
	fmt.Fprintf(&b, "launch%s on %s, schedule %d\n", label, r.Device, r.Seed)
	for _, k := range r.Kernels {
		fmt.Fprintf(&b, "  kernel %q: %d blocks of %d threads, %d bytes of shared memory\n", k.Name, k.Grid, k.Block, k.SharedBytes)
	}
	for _, x := range r.Reducers {
		fmt.Fprintf(&b, "  %s: block by %s, grid by %s\n", x.Reducer, x.Group, x.Grid)
	}
	fmt.Fprintf(&b, "  %d warps of %d lanes, %d barriers, %d warp barriers, %d shuffles, %d atomics, %d collectives\n",
		r.Warps, r.SubGroup, r.Barriers, r.WarpBarriers, r.Shuffles, r.Atomics, r.Collectives)
	if r.ScratchBytes != [2]int{} {
		fmt.Fprintf(&b, "  scratch per team: %d bytes of level 0, %d bytes of level 1\n", r.ScratchBytes[0], r.ScratchBytes[1])
	}
	fmt.Fprintf(&b, "  occupancy %.0f %%: %d blocks and %d warps per SM, limited by %s\n",
		100*r.Occupancy.Fraction, r.Occupancy.Blocks, r.Occupancy.Warps, r.Occupancy.Limit)
	return b.String()
}
