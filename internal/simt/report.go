package simt

import (
	"strings"

	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space/device"
)

// recorder makes a report of what it is told.
type recorder struct {
	*gpu.Report
	simulation *simulation
}

// newRecorder starts a report, or goes on with that of the pass before of the same launch.
func newRecorder(r *simulation, seed uint64) *recorder {
	x := &recorder{new(gpu.Report), r}
	d := r.device
	if r.steps != nil {
		if before, ok := (*r.steps.Memo()).(*gpu.Report); ok {
			x.Report = before
		}
		*r.steps.Memo() = x.Report
		x.Label = r.parts.Label
	}
	x.Device, x.Seed, x.SubGroup = d.Name, seed, d.SubGroup
	threads := d.Block
	x.Warps += r.blocks * d.Warps(threads)
	if t := r.parts.Teams; r.teams() {
		threads = t.Size * t.Vector
		x.Warps = t.League * d.Warps(threads)
		x.ScratchBytes = [2]int{t.Bytes(0), t.Bytes(1)}
		r.steps.ObserveTeams(x.team())
	}
	x.Occupancy, _ = d.Occupancy(threads, 0, r.shared)
	return x
}

func (x *recorder) kernel(k gpu.Kernel) { x.Kernels = append(x.Kernels, k) }

func (x *recorder) block(int) {}

func (x *recorder) barrier() { x.Barriers++ }

func (x *recorder) shuffle(warps, bytes int) { x.Shuffles += warps * words(bytes) }

func (x *recorder) atomic(n int) { x.Atomics += n }

func (x *recorder) combined(column int, group, grid string) {
	x.Reducers = append(x.Reducers, gpu.ReducerReport{Reducer: x.simulation.parts.Columns[column].Reducer, Group: group, Grid: grid})
}

func (x *recorder) team() device.TeamObserver { return teamRecorder{x} }

// words returns the number of words of 4 bytes that hold a value.
func words(bytes int) int { return (bytes + 3) / 4 }

// teamRecorder listens to the members of teams.
type teamRecorder struct{ *recorder }

// End joins what the members have contributed to the reduction over the league.
func (x teamRecorder) End(ok bool) {
	if ok {
		x.simulation.teamSteps()
	}
}

// Met counts a meeting as a device carries it out.
func (x teamRecorder) Met(m device.Meeting) {
	switch {
	case m.Kind != "barrier":
		x.Collectives++
		x.collective(m)
	case m.Whole:
		x.Barriers++
	default:
		x.WarpBarriers++
	}
}

// collective counts the steps of a collective of that many members. One of several warps
// goes through shuffles in each, shared memory, and shuffles in one.
func (x teamRecorder) collective(m device.Meeting) {
	warps := (m.Members-1)/x.simulation.membersPerWarp() + 1
	steps := log2(min(m.Members, x.simulation.membersPerWarp()))
	if m.Kind == "broadcast" || m.Kind == "single" || strings.HasPrefix(m.Kind, "shuffle") {
		steps = min(steps, 1) // one lane's value goes to others
	}
	x.shuffle(warps*steps, m.Bytes) // a vote moves none
	if warps > 1 {
		x.shuffle(log2(warps), m.Bytes)
		x.Barriers += 2 // the warps' values are written, the result is
	}
}
