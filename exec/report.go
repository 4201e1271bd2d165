package exec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/internal/lane"
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

func (r *Report) clone() Report {
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

// recorder makes a report of what it is told.
type recorder struct {
	*Report
	simulation *simulation
	columns    []column
}

// begin starts the report, or goes on with that of the earlier pass of the same launch.
func (x *recorder) begin(s *SimGPU, r *simulation) {
	x.Report, x.simulation = new(Report), r
	if r.mine != nil {
		if r.mine.report == nil {
			r.mine.report = x.Report
		}
		x.Report, x.columns = r.mine.report, r.mine.columns
		x.Label = r.mine.label
	}
	x.Device, x.Seed, x.SubGroup = s.device.Name, s.seed, s.device.SubGroup
	threads := s.device.Block
	x.Warps += r.blocks * s.device.warps(threads)
	if r.teams != nil {
		t := r.teams.shape
		threads = t.Size * t.Vector
		x.Warps = t.League * s.device.warps(threads)
		x.ScratchBytes = [2]int{t.Bytes(0), t.Bytes(1)}
		r.teams.host.settings.Observer = x.team()
	}
	x.Occupancy, _ = s.device.Occupancy(threads, 0, r.shared)
}

// end returns the report.
func (x *recorder) end() *Report {
	r := x.Report.clone()
	return &r
}

func (x *recorder) kernel(k Kernel) { x.Kernels = append(x.Kernels, k) }

func (x *recorder) block(int) {}

func (x *recorder) barrier() { x.Barriers++ }

func (x *recorder) shuffle(warps, bytes int) { x.Shuffles += warps * words(bytes) }

func (x *recorder) atomic(n int) { x.Atomics += n }

func (x *recorder) combined(column int, group, grid string) {
	x.Reducers = append(x.Reducers, ReducerReport{x.columns[column].Name(), group, grid})
}

func (x *recorder) team() lane.Observer { return teamRecorder{x} }

// words returns the number of words of 4 bytes that hold a value.
func words(bytes int) int { return (bytes + 3) / 4 }

// teamRecorder listens to the members of teams.
type teamRecorder struct{ *recorder }

func (teamRecorder) Begin(int) {}

// End joins what the members have contributed to the reduction over the league.
func (x teamRecorder) End(fault error) {
	if fault == nil {
		x.simulation.teamSteps()
	}
}

// Complete counts a meeting as a device carries it out.
func (x teamRecorder) Complete(s *lane.Scope, _ uintptr, op lane.Op) {
	if op.Kind != "barrier" {
		x.Collectives++
		x.collective(s.Size(), op)
		return
	}
	if s.Whole() {
		x.Barriers++
	} else {
		x.WarpBarriers++
	}
}

// collective counts the steps of a collective of that many members. One of several warps
// goes through shuffles in each, shared memory, and shuffles in one.
func (x teamRecorder) collective(size int, op lane.Op) {
	warps := (size-1)/x.simulation.membersPerWarp() + 1
	steps := log2(min(size, x.simulation.membersPerWarp()))
	if op.Kind == "broadcast" || op.Kind == "single" || strings.HasPrefix(op.Kind, "shuffle") {
		steps = min(steps, 1) // one lane's value goes to others
	}
	x.shuffle(warps*steps, op.Bytes) // a vote moves none
	if warps > 1 {
		x.shuffle(log2(warps), op.Bytes)
		x.Barriers += 2 // the warps' values are written, the result is
	}
}
