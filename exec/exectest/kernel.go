// Package exectest tests kernels: [TestKernel] runs one on Serial, Goroutines and simulated GPUs and compares the bits.
// Package space/spacetest tests execution spaces.
package exectest

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/exectest/internal/stale"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/tools"
)

// TestKernel checks that a kernel gives the same bits wherever it runs: on [exec.Serial] twice,
// on [exec.Goroutines], and on [exec.SimGPU] with warps of 32, 64 and 16 lanes, each under the
// schedules 0 to 7. One of these is an order that a real device may take, so a kernel that
// fails has a bug that would show there, some day.
//
// The kernel makes its input, runs launches on the space that it is given, and returns what
// they made: numbers, strings, bools, and arrays, slices, structs and pointers of these. It is
// called about thirty times, and must not run anything in parallel that uses what it returns.
// All NaN are the same. Options ask for more: see [Chunks].
//
// A kernel returns an error, as that of a launch, or hands it to [exec.Must]: both fail the test with its text and say where
// the kernel ran. Where errors are to be compared, it returns their texts.
//
// A failure says which runs differ and where, and what such a difference comes from. A kernel that launches on the default
// space alone fails, too: it has forgotten the space. With GOKKOS_SCHEDULE=n in the environment, SimGPU runs under that
// schedule only.
//
// The test fails before the kernel runs if the sources of compiled kernels have changed since go generate. It reads the
// sources of the packages that are in the program and in the module around the test's folder.
func TestKernel(t testing.TB, kernel func(space exec.Space) any, options ...Option) {
	t.Helper()
	if kernel == nil {
		t.Fatalf("exectest: TestKernel was given a nil kernel")
	}
	first, last, err := schedulesAsked()
	if err != nil {
		t.Fatalf("exectest: %v", err)
	}
	if old := stale.Kernels(workingDirectory); len(old) > 0 {
		t.Fatalf("exectest: %s", strings.Join(old, "\n\t"))
	}
	k := &kernelTest{t: t, kernel: kernel}
	for _, option := range options {
		option(k)
	}
	reference, err := record(k.run(exec.Serial{}, "Serial"))
	if err != nil {
		t.Fatalf("exectest: TestKernel cannot compare what the kernel returned: %v", err)
	}
	k.reference = reference
	k.compare(&k.again, exec.Serial{}, "Serial, once more", 0)
	if len(k.again) == 0 { // else the other runs tell nothing
		k.onGoroutines()
		for _, d := range []gpu.Device{gpu.H200(), gpu.MI300X(), gpu.Max1550()} {
			k.onDevice(d, first, last)
		}
		k.withChunks(gpu.H200())
	}
	k.report()
	how := "what the kernel reads and writes was not watched: go test -gcflags=-race does"
	if k.accesses > 0 {
		how = fmt.Sprintf("and watched what the kernel reads and writes on SimGPU, %d accesses", k.accesses)
	}
	t.Logf("exectest: compared Serial, Goroutines and SimGPU under schedules %d to %d; %s", first, last, how)
}

// An Option asks [TestKernel] for a test that not every kernel can pass.
type Option func(*kernelTest)

// Chunks lets [TestKernel] run the kernel with leaves of one item and with leaves of 2²⁰, whatever
// chunk its policies ask for, see [exec.SimGPU.WithChunk]. Floats may differ from the others by that many units in the last
// place, since their sums are rounded in another order, and nothing else may. A kernel fails that
// assigns to an accumulator in place of joining into it, or uses one as data.
func Chunks(ulps int) Option {
	return func(k *kernelTest) { k.chunks, k.ulps = []int{1, 1 << 20}, max(ulps, 0) }
}

// Checks lets [TestKernel] watch launches for more, if it sees accesses at all: see
// [exec.SimGPU.WithChecks].
func Checks(also ...check.Option) Option {
	return func(k *kernelTest) { k.also = append(k.also, also...) }
}

// workingDirectory is where a test begins: the folder of its package. A test may go elsewhere.
var workingDirectory, _ = os.Getwd()

// schedules are those under which a kernel is tested: the four that are no random order, and
// some that are.
const schedules = 8

// runsOnGoroutines is how often a kernel runs there, since no two runs are alike.
const runsOnGoroutines = 3

// schedulesAsked returns the schedules that the environment asks for.
func schedulesAsked() (first, last uint64, err error) {
	value := os.Getenv("GOKKOS_SCHEDULE")
	if value == "" {
		return 0, schedules - 1, nil
	}
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("GOKKOS_SCHEDULE=%q, expected the number of a schedule", value)
	}
	return n, n, nil
}

// kernelTest is one call of TestKernel.
type kernelTest struct {
	t         testing.TB
	kernel    func(space exec.Space) any
	reference recorded

	also       []check.Option
	chunks     []int       // with which the kernel runs, too
	ulps       int         // by which its floats may differ then
	accesses   int         // seen on a device
	again      []deviation // on Serial
	goroutines []deviation
	devices    []onDevice
	elsewhere  elsewhere
}

// deviation is a run whose result was another than that of Serial.
type deviation struct {
	schedule uint64
	difference
}

// onDevice is how a kernel ran on a simulated device.
type onDevice struct {
	name       string
	warp       int
	runs       int
	deviations []deviation
}

// run calls the kernel. An error that it returns, and a panic such as that of exec.Must, fails the test and leaves the
// others of the program alone.
func (k *kernelTest) run(space exec.Space, where string) any {
	k.t.Helper()
	result, panicked := k.call(space, where)
	if panicked != "" {
		k.t.Fatalf("exectest: the kernel panicked on %s: %s", where, panicked)
	}
	if err, ok := result.(error); ok {
		k.t.Fatalf("exectest: the kernel returned an error on %s: %v", where, err)
	}
	return result
}

// call returns what the kernel does, or what it panics with and where. If it ends its goroutine, the test says where it ran,
// unless it has failed, as by t.Fatal, or is skipped, which says so itself.
func (k *kernelTest) call(space exec.Space, where string) (result any, panicked string) {
	returned := false
	defer func() {
		if returned {
			return
		}
		switch value := recover().(type) {
		case nil:
			if !k.t.Failed() && !k.t.Skipped() {
				fmt.Fprintf(k.t.Output(), "exectest: the kernel did not return from its run on %s\n", where) // Logf would name a line of the runtime
			}
		case *exec.Panic: // its message has the functor's part of the stack
			panicked = value.Error()
		default:
			panicked = fmt.Sprintf("%v\n%s", value, debug.Stack())
		}
	}()
	result = k.kernel(space)
	returned = true
	return result, ""
}

func (k *kernelTest) compare(to *[]deviation, space exec.Space, where string, schedule uint64) {
	k.t.Helper()
	if d, ok := k.reference.differs(k.run(space, where)); ok {
		*to = append(*to, deviation{schedule, d})
	}
}

func (k *kernelTest) onGoroutines() {
	k.t.Helper()
	space := exec.NewGoroutines(4)
	defer space.Close()
	for range runsOnGoroutines {
		k.compare(&k.goroutines, space, "Goroutines with 4 workers", 0)
	}
}

func (k *kernelTest) onDevice(d gpu.Device, first, last uint64) {
	k.t.Helper()
	sim := exec.NewSimGPU(d)
	defer func() {
		if err := sim.Close(); err != nil {
			k.t.Errorf("exectest: after the runs on SimGPU, device %s: %v", d.Name, err)
		}
	}()
	defer tools.Listen(k.elsewhere.hear)()
	on := onDevice{name: d.Name, warp: d.SubGroup, runs: int(last-first) + 1}
	for n := first; n <= last; n++ {
		space := sim.WithSchedule(n)
		if n == first || k.accesses > 0 {
			space = space.WithChecks(k.also...)
		}
		k.compare(&on.deviations, space, fmt.Sprintf("SimGPU, device %s, schedule %d", d.Name, n), n)
		if r, ok := space.LastReport(); ok {
			k.accesses += r.Accesses
		}
		if n == last {
			break // it may be the largest number
		}
	}
	k.devices = append(k.devices, on)
}

// withChunks fails the test if the result depends on the chunk.
func (k *kernelTest) withChunks(d gpu.Device) {
	k.t.Helper()
	sim := exec.NewSimGPU(d)
	defer func() {
		if err := sim.Close(); err != nil {
			k.t.Errorf("exectest: after the runs with chunks, device %s: %v", d.Name, err)
		}
	}()
	for _, chunk := range k.chunks {
		where := fmt.Sprintf("SimGPU, device %s, with a chunk of %d", d.Name, chunk)
		if d, ok := k.reference.differsBy(k.ulps, k.run(sim.WithChunk(chunk), where)); ok {
			k.fail(where, deviation{0, d}, "the result depends on the chunk: look for a functor that assigns to its accumulator in place of joining into it, or uses it as data, and for a reducer that is not associative")
			return
		}
	}
}

// report fails the test if a run differs, once for each cause.
func (k *kernelTest) report() {
	k.t.Helper()
	switch {
	case len(k.again) > 0:
		k.fail("a second run on Serial", k.again[0], "the result is not a function of the input: look for time, math/rand, the order of a map, and memory that the kernel keeps from one call to the next")
		return
	case len(k.goroutines) > 0:
		k.fail("Goroutines", k.goroutines[0], "items that run at the same time touch the same memory, or the result depends on which comes first: look for variables that items share, and for atomics.Add of floats")
	}
	if launch, space, yes := k.elsewhere.forgotten(); yes {
		k.t.Errorf("exectest: the kernel launches nothing on the space that it is given: %s runs on %s, the space of launches that name none\n\tlet its policies name the space, as policy.Range(0, n).On(space)", launch, space)
	}
	for _, d := range k.devices {
		if len(d.deviations) == 0 {
			continue
		}
		first := d.deviations[0]
		numbers := make([]string, len(d.deviations))
		for i, x := range d.deviations {
			numbers[i] = fmt.Sprint(x.schedule)
		}
		where := fmt.Sprintf("SimGPU, device %s with warps of %d, under %s %s of %d", d.name, d.warp, plural(len(numbers), "schedule"), strings.Join(numbers, ", "), d.runs)
		k.fail(where, first, k.cause(d)+fmt.Sprintf("\n\tGOKKOS_SCHEDULE=%d go test -run '^%s$' runs this schedule alone", first.schedule, k.t.Name()))
	}
}

// cause says what makes a kernel differ on a device.
func (k *kernelTest) cause(d onDevice) string {
	switch {
	case slices.ContainsFunc(d.deviations, func(x deviation) bool { return x.nan }):
		return "memory of a device begins as NaN: look for scratch that is read before it is written"
	case len(d.deviations) < d.runs:
		return "the result depends on the order in which items or members of teams run: look for a missing barrier, a barrier of a sub-group in place of one of the team, items that read what others write, and atomics.Add of floats"
	case slices.ContainsFunc(k.devices, func(x onDevice) bool { return len(x.deviations) == 0 }):
		return "the result depends on the width of a warp or on another size of the device"
	}
	return "the result differs from that of a loop in every schedule: look for items that use what an earlier one has left, and for what the kernel asks of the space"
}

func (k *kernelTest) fail(where string, d deviation, cause string) {
	k.t.Helper()
	k.t.Errorf("exectest: the kernel gives another result on %s\n\t%v\n\t%s", where, d.difference, cause)
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
