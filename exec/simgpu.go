package exec

import (
	"cmp"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/gokkos/gokkos/exec/internal/checked"
	"github.com/gokkos/gokkos/exec/internal/launch"

	findings "github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/internal/environment"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/internal/memory"
	"github.com/gokkos/gokkos/internal/simt"
	"github.com/gokkos/gokkos/internal/watch"
	"github.com/gokkos/gokkos/internal/workers"
)

// SimGPU runs launches as the GPU that a [gpu.Device] describes: as kernels of blocks of threads in
// warps. It joins results by shuffles, in shared memory, with atomics or in further kernels. It enforces
// the limits of the device and reports what each launch did. Results have the bits of [Serial].
//
// Over a range, a warp runs a leaf of the reduction tree, one item per lane at a time, and a block runs
// neighbouring leaves. One thread per leaf reduces values that are too large for lanes, or whose order
// matters. A team is a block.
//
// Teams of several members run on goroutines that the space keeps, everything else on the calling
// goroutine. The order depends on the launch and on the schedule only.
//
// A SimGPU may be used by several callers at once and by functors that run on it.
type SimGPU struct {
	*simulator
	schedule uint64
	chunk    int // items per leaf in all launches; 0: policies decide
	checks   bool
	also     findings.Option // findings that launches are watched for besides the usual ones
	last     atomic.Pointer[gpu.Report]
}

// simulator holds what all schedules of a simulated device share.
type simulator struct {
	device  gpu.Device
	err     error
	gate    workers.Gate
	engines *space.Engines
	memory  *memory.Heap
}

// NewSimGPU returns a space that simulates the device. If the device or GOKKOS_SIMGPU is invalid, every
// launch returns the error.
func NewSimGPU(d gpu.Device) *SimGPU {
	d, err := d.Complete()
	err = cmp.Or(err, environment.ErrChecks)
	if environment.Checks {
		watch.Want()
	}
	s := &SimGPU{simulator: &simulator{device: d, err: err, engines: new(space.Engines)}, checks: environment.Checks}
	s.memory = memory.NewHeap("SimGPU "+d.Name, s, s.usable)
	return s
}

// Name returns "simgpu".
func (s *SimGPU) Name() string { return "simgpu" }

// Concurrency returns 1: blocks run one after another.
func (s *SimGPU) Concurrency() int { return 1 }

// Memory returns the memory of the device, where package views can allocate views. Functors may touch it
// while a launch runs on the device; the host may not. All schedules of a device have the same memory.
// It implements [device.MemoryOwner].
func (s *SimGPU) Memory() device.Memory {
	if s == nil || s.simulator == nil {
		return memory.NewHeap("SimGPU", nil, s.invalid)
	}
	return s.memory
}

// WithSchedule returns the same device with another schedule. A schedule is an order in which a real
// device may run a kernel: if the result depends on it, the kernel has a bug. If several items of a leaf
// panic, the schedule also decides which panic is reported.
//
//	schedule    blocks and warps    lanes           members of teams
//	0           ascending           ascending       all up to their next barrier, then on
//	1           ascending           ascending       one sub-group as far as it can
//	2           descending          ascending       the last sub-group that can run
//	3           ascending           descending      one member as far as it can
//	4 and up    random              random          any member that can run
//
// Both spaces share what [SimGPU.Close] closes. Each has a [SimGPU.LastReport] of its own.
func (s *SimGPU) WithSchedule(schedule uint64) *SimGPU {
	if s == nil {
		return nil
	}
	return &SimGPU{simulator: s.simulator, schedule: schedule, chunk: s.chunk, checks: s.checks, also: s.also}
}

// WithChunk returns the same device and schedule with leaves of chunk items, rounded up to a power of
// two, whatever the policies ask for. Below 1, policies decide, which is the default.
//
// A policy whose index stands for many items, such as policy.Spans, keeps its leaves, because a functor
// may number its output by them. If an integer result changes with the chunk, or a float result by more
// than rounding, the functor is wrong: it overwrites or reads its accumulator instead of joining into
// it.
func (s *SimGPU) WithChunk(chunk int) *SimGPU {
	if s == nil {
		return nil
	}
	return &SimGPU{simulator: s.simulator, schedule: s.schedule, chunk: max(chunk, 0), checks: s.checks, also: s.also}
}

// WithChecks returns the same device and schedule, watching what functors do to memory. Package check
// lists what it finds and says how to build packages for it. A launch with findings ends with a
// [*check.Error] and stores no results. One launch of a process is watched at a time; others wait.
// Options add checks that some correct kernels fail.
//
// With GOKKOS_SIMGPU=check in the environment, [NewSimGPU] returns spaces that watch. If the build hides
// all accesses from them, a line on standard error says so once.
func (s *SimGPU) WithChecks(also ...findings.Option) *SimGPU {
	if s == nil {
		return nil
	}
	watch.Want()
	c := &SimGPU{simulator: s.simulator, schedule: s.schedule, chunk: s.chunk, checks: true, also: s.also}
	for _, option := range also {
		c.also |= option
	}
	if c.also&findings.Mirrors != 0 && s.invalid() == nil {
		watch.WantMirrors(s.memory.ID())
	}
	return c
}

// Chunk returns the chunk that [SimGPU.WithChunk] has set, in items, or 0 if policies decide. It
// implements [space.Chunker].
func (s *SimGPU) Chunk() int {
	if s == nil {
		return 0
	}
	return s.chunk
}

func init() {
	environment.WatchedOn = func(on Space) bool {
		s, ok := on.(*SimGPU)
		return ok && s.invalid() == nil && s.checks
	}
}

// LastReport returns the report of the last launch on s that has ended, and false if there is none. A
// refused launch has no report. A caller that needs the reports of its own launches while others launch
// takes a space of its own from [SimGPU.WithSchedule].
func (s *SimGPU) LastReport() (gpu.Report, bool) {
	if s.invalid() != nil {
		return gpu.Report{}, false
	}
	r := s.last.Load()
	if r == nil {
		return gpu.Report{}, false
	}
	return r.Clone(), true
}

// Close ends the goroutines that members of teams run on. Later launches return [space.ErrClosed].
// Closing a space while a launch runs on it is an error, and the space stays open. Closing it again is
// no error.
//
// If checks have seen the host touch the memory of the device, or read a stale mirror, Close returns a
// [*check.Error].
func (s *SimGPU) Close() error {
	if s == nil || s.simulator == nil {
		return s.invalid()
	}
	if running := s.gate.Close(); running > 0 {
		return fmt.Errorf("exec: a SimGPU space was closed while %d launches ran on it", running)
	}
	s.engines.Close()
	found := append(watch.WrongSide(s.memory.ID()), watch.StaleReads(s.memory.ID())...)
	return s.inMemory(found, "when it was closed")
}

// wrongSide returns the accesses to the memory of the device while no launch ran there, as an error.
func (s *SimGPU) wrongSide(when string) error {
	return s.inMemory(watch.WrongSide(s.memory.ID()), when)
}

func (s *SimGPU) inMemory(found []*watch.Finding, when string) error {
	return checked.Error(found, nil, "the memory of SimGPU "+s.device.Name+", "+when)
}

// usable returns the reason why launches are refused, or nil.
func (s *SimGPU) usable() error {
	if err := s.invalid(); err != nil {
		return err
	}
	if s.gate.Closed() {
		return space.ErrClosed
	}
	return nil
}

func (s *SimGPU) invalid() error {
	if s == nil || s.simulator == nil {
		return errors.New("exec: a SimGPU space that NewSimGPU did not make")
	}
	return s.err
}

// Teams implements [space.TeamSpace].
func (s *SimGPU) Teams() space.Teams {
	if err := s.invalid(); err != nil {
		return space.Teams{Limits: noTeams{err}}
	}
	return space.Teams{SubGroup: s.device.SubGroup, Schedule: s.schedule, Poison: true, Limits: &s.device, Engines: s.engines}
}

// noTeams are the limits of an unusable space: they refuse every team with err.
type noTeams struct{ err error }

func (n noTeams) CheckTeams(space.TeamShape) error { return n.err }

func (n noTeams) TeamSizes(space.TeamShape) (most, recommended int, err error) { return 0, 0, n.err }

// Launch implements [Space].
func (s *SimGPU) Launch(g space.Grid, j space.Job) error {
	if err := s.invalid(); err != nil {
		return err
	}
	if !s.gate.Enter() {
		return space.ErrClosed
	}
	defer s.gate.Leave()
	guard := s.memory.Guard()
	guard.Enter()
	defer guard.Leave()
	run := func() error { return simt.Run(&s.device, s.schedule, g, j, func(r gpu.Report) { s.last.Store(&r) }) }
	if own, ok := j.(launch.Watchable); ok && own.IsWatched() { // or else it may be a part of one
		return s.watched(own, run)
	}
	return run()
}

// watched runs a launch and returns the findings in its functor as an error.
func (s *SimGPU) watched(j launch.Watchable, run func() error) error {
	if err := s.wrongSide("before a launch"); err != nil {
		return err
	}
	if err := watch.Begin(); err != nil {
		return fmt.Errorf("exec: a launch cannot be watched: %w", err)
	}
	ended := false
	defer func() {
		if !ended { // a functor ends the goroutine
			watch.End()
		}
	}()
	if s.also&findings.DeviceMemory != 0 {
		if err := watch.DeviceOnly(s.memory.ID(), s.memory.Blocks()); err != nil {
			return fmt.Errorf("exec: memory of the host cannot be told: %w", err)
		}
	}
	err := run()
	found, accesses := watch.End()
	ended = true
	if accesses > 0 {
		environment.Seen()
	}
	var broken []findings.Finding
	if err == nil {
		broken = j.BrokenLaws()
	}
	if err != nil && len(found) == 0 {
		return err
	}
	r := s.last.Load().Clone()
	if accesses == 0 {
		environment.TellBlind("no access was seen in " + checked.LaunchText(&r) + ": build its package with -gcflags=-race")
	}
	r.Accesses = accesses
	s.last.Store(&r)
	wrong := checked.Error(found, broken, checked.LaunchText(&r))
	if err == nil || wrong != nil && errors.Is(err, ranks.ErrFailed) { // the job knows why
		return wrong
	}
	return errors.Join(err, wrong)
}
