package exec

import (
	"strings"

	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/lane"
)

// recorder makes a report of what it is told.
type recorder struct {
	*gpu.Report
	simulation *simulation
	columns    []column
}

// begin starts the report, or goes on with that of the earlier pass of the same launch.
func (x *recorder) begin(s *SimGPU, r *simulation) {
	x.Report, x.simulation = new(gpu.Report), r
	if r.mine != nil {
		if r.mine.report == nil {
			r.mine.report = x.Report
		}
		x.Report, x.columns = r.mine.report, r.mine.columns
		x.Label = r.mine.label
	}
	x.Device, x.Seed, x.SubGroup = s.device.Name, s.seed, s.device.SubGroup
	threads := s.device.Block
	x.Warps += r.blocks * s.device.Warps(threads)
	if r.teams != nil {
		t := r.teams.shape
		threads = t.Size * t.Vector
		x.Warps = t.League * s.device.Warps(threads)
		x.ScratchBytes = [2]int{t.Bytes(0), t.Bytes(1)}
		r.teams.observer = x.team()
	}
	x.Occupancy, _ = s.device.Occupancy(threads, 0, r.shared)
}

// end returns the report.
func (x *recorder) end() *gpu.Report {
	r := x.Report.Clone()
	return &r
}

func (x *recorder) kernel(k gpu.Kernel) { x.Kernels = append(x.Kernels, k) }

func (x *recorder) block(int) {}

func (x *recorder) barrier() { x.Barriers++ }

func (x *recorder) shuffle(warps, bytes int) { x.Shuffles += warps * words(bytes) }

func (x *recorder) atomic(n int) { x.Atomics += n }

func (x *recorder) combined(column int, group, grid string) {
	x.Reducers = append(x.Reducers, gpu.ReducerReport{Reducer: x.columns[column].Name(), Group: group, Grid: grid})
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
