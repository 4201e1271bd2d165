package exectest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers/reducertest"
)

// The corpus is kernels with bugs that a device would show, and kernels like them that are
// right. A kernel with a bug says how that is to be found. What races, or is touched by mistake,
// is at lines that end with the comment //! and at no other.

// planted is a kernel of the corpus. It returns what it computes.
type planted struct {
	name string
	by   oracle
	run  func(s exec.Space) (any, error)
}

// An oracle is how a bug is found.
type oracle struct {
	kinds  []error // of the findings of a launch that is watched: the first must be there
	cause  string  // what TestKernel says
	ends   string  // the text of an error or a panic of a launch on a device
	bounds bool    // with the tag gokkos_bounds
	also   check.Option
	some   bool // which lines depends on the schedule: it branches on what races, or atomic operations order some accesses
}

var (
	right        = oracle{}
	races        = oracle{kinds: []error{check.ErrRace}}
	unwritten    = oracle{kinds: []error{check.ErrUninitialised}}
	results      = oracle{kinds: []error{check.ErrResult, check.ErrRace}}
	inSums       = oracle{kinds: []error{check.ErrScan, check.ErrRace}}
	accumulators = oracle{kinds: []error{check.ErrAccumulator, check.ErrRace}}
	sides        = oracle{kinds: []error{check.ErrSide}}
	hosts        = oracle{kinds: []error{check.ErrHost, check.ErrRace}}
	hostMemory   = oracle{kinds: []error{check.ErrMemory}, also: check.DeviceMemory}
	rightOnCards = oracle{also: check.DeviceMemory}
	stale        = oracle{kinds: []error{check.ErrMirror}, also: check.Mirrors}
	copiedInTime = oracle{also: check.Mirrors}
)

func (o oracle) and(other oracle) oracle {
	o.kinds = slices.Concat(o.kinds, other.kinds)
	return o
}

func (o oracle) sometimes() oracle {
	o.some = true
	return o
}

func differs(cause string) oracle   { return oracle{cause: cause} }
func fails(text string) oracle      { return oracle{ends: text} }
func panicsWith(text string) oracle { return oracle{ends: text} }
func denied(text string) oracle     { return oracle{ends: text} }
func outside(text string) oracle    { return oracle{ends: text, bounds: true} }

// A class is kernels of one file.
type class struct {
	file    string
	kernels []planted
}

var corpus = []class{
	{"items", itemRaces}, {"items", itemsThatAreRight},
	{"atomics", atomicRaces}, {"atomics", atomicsThatAreRight},
	{"views", viewRaces}, {"views", outOfBounds}, {"views", wrongSides}, {"views", viewsThatAreRight},
	{"reduce", ownResults}, {"reduce", foreignAccumulators}, {"reduce", writesInSums}, {"reduce", reductionsThatAreRight},
	{"teams", memberRaces}, {"teams", laneRaces}, {"teams", leagueRaces},
	{"barriers", uninitialised}, {"barriers", barriersThatAreRight},
	{"orders", orderRaces}, {"orders", ordersThatAreRight},
	{"bytes", byteRaces}, {"bytes", bytesThatAreRight}, {"bytes", heapRaces}, {"bytes", heapsThatAreRight},
	{"memory", hostsMemory}, {"memory", devicesMemory}, {"mirrors", staleMirrors}, {"mirrors", mirrorsThatAreRight},
	{"runs", dependsOnTheRun}, {"runs", dependsOnTheDevice}, {"runs", endsInAnError}, {"runs", withTheHost}, {"runs", runsThatAreRight},
}

// items is how many items a kernel has that needs no other number.
const items = 1000

func over(s exec.Space) policy.RangePolicy { return policy.Range(0, items).On(s) }

// key returns a number that looks like one at random.
func key(i int) int { return int(uint64(i) * 2654435761 >> 7 & 0xffff) }

func ramp(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i%17) + 0.1*float64(i%7)
	}
	return x
}

func integers() []int    { return make([]int, items) }
func numbers() []float64 { return ramp(items) }

// nothings is a policy whose indices have no size.
type nothings struct {
	items int
	space exec.Space
}

func (p nothings) Plan() policy.Plan { return policy.Plan{Items: p.items, Space: p.space} }

func (p nothings) Next(begin, end int, dst []struct{}) (n, next int) {
	n = min(len(dst), end-begin)
	return n, begin + n
}

// runOn runs a kernel and returns its error, or what it panics with as one.
func (k planted) runOn(s exec.Space) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v", value)
		}
	}()
	_, err = k.run(s)
	return err
}

// forTestKernel returns the kernel as TestKernel takes it. On Goroutines it would be the test
// that races, and not what it tests.
func (k planted) forTestKernel() func(s exec.Space) any {
	return func(s exec.Space) any {
		if s.Name() == "goroutines" {
			s = exec.Serial{}
		}
		x, err := k.run(s)
		if err != nil {
			return err.Error()
		}
		return x
	}
}

// A source is the lines of a file of the corpus.
type source []string

func sourceOf(t *testing.T, file string) source {
	text, err := os.ReadFile("corpus_" + file + "_test.go")
	require.NoError(t, err)
	return strings.Split(string(text), "\n")
}

// about requires that what was found is at the lines of the kernel where it was planted.
func (lines source) about(t *testing.T, file string, k planted, f check.Finding) {
	for _, a := range []check.Access{f.Now, f.Before} {
		if a.File == "" {
			continue
		}
		ok := filepath.Base(a.File) == "corpus_"+file+"_test.go" && strings.HasSuffix(lines[a.Line-1], "//!")
		for line := a.Line - 1; ok && line >= 0; line-- { // a function that kernels call stands before or after them
			if text := lines[line]; strings.HasPrefix(text, "\t{\"") {
				ok = strings.HasPrefix(text, "\t{\""+k.name+"\"")
				break
			} else if strings.HasPrefix(text, "func ") {
				break
			}
		}
		assert.True(t, ok, "%s: %v", k.name, f)
	}
}

// seesAccesses reports whether this test was built for accesses to be seen.
func seesAccesses() bool {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	x := make([]int, 2)
	exec.Must(exec.ParallelFor(policy.Range(0, 2).On(sim), func(i int) { x[i] = i }))
	r, _ := sim.LastReport()
	return r.Accesses > 0
}

// Each bug is found under each schedule, at its lines and for what it is, and nothing is found
// in what is right.
func TestCorpusWatched(t *testing.T) {
	if !seesAccesses() {
		t.Skip("go test -gcflags=-race watches these kernels")
	}
	schedules := uint64(8)
	if testing.Short() {
		schedules = 3
	}
	bugs, correct := 0, 0
	for _, c := range corpus {
		lines := sourceOf(t, c.file)
		for _, k := range c.kernels {
			if k.by.cause != "" || k.by.ends != "" {
				continue
			}
			for _, d := range []gpu.Device{gpu.H200(), gpu.Max1550()} {
				sim := exec.NewSimGPU(d).WithChecks(k.by.also)
				for n := range schedules {
					err := k.runOn(sim.WithSchedule(n))
					if k.by.kinds == nil {
						assert.NoError(t, err, "%s, %s, schedule %d", k.name, d.Name, n)
						continue
					}
					var e *check.Error
					if !assert.True(t, errors.As(err, &e), "%s, %s, schedule %d: %v", k.name, d.Name, n, err) {
						continue
					}
					assert.ErrorIs(t, e, k.by.kinds[0], "%s, schedule %d", k.name, n)
					for _, f := range e.Findings {
						assert.True(t, slices.Contains(k.by.kinds, f.Err), "%s, schedule %d: %v", k.name, n, f)
						lines.about(t, c.file, k, f)
					}
				}
				sim.Close()
			}
			if k.by.kinds == nil {
				correct++
			} else {
				bugs++
			}
		}
	}
	t.Logf("%d kernels with a bug, %d that are right", bugs, correct)
}

// The same lines are found under each schedule.
func TestCorpusUnderSchedules(t *testing.T) {
	if !seesAccesses() {
		t.Skip("go test -gcflags=-race watches these kernels")
	}
	schedules := uint64(32)
	if testing.Short() {
		schedules = 6
	}
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	for _, c := range corpus {
		for _, k := range c.kernels {
			if k.by.kinds == nil {
				continue
			}
			var first []string
			differ := false
			for n := range schedules {
				got := findingLines(k.runOn(sim.WithSchedule(n).WithChecks(k.by.also)))
				if n == 0 {
					first = got
				}
				differ = differ || !slices.Equal(first, got)
				if !k.by.some {
					assert.Equal(t, first, got, "%s, schedule %d", k.name, n)
				}
			}
			assert.True(t, differ || !k.by.some || testing.Short(), "%s is the same under each schedule", k.name)
		}
	}
}

// findingLines returns what was found at which lines, whichever access came first.
func findingLines(err error) (all []string) {
	var e *check.Error
	if !errors.As(err, &e) {
		return []string{fmt.Sprint(err)}
	}
	for _, f := range e.Findings {
		low, high := min(f.Now.Line, f.Before.Line), max(f.Now.Line, f.Before.Line)
		all = append(all, fmt.Sprintf("%.6v %d %d", f.Err, low, high))
	}
	return all
}

// What depends on the run, the schedule or the device is told by its results.
func TestCorpusCompared(t *testing.T) {
	bugs, correct := 0, 0
	for _, c := range corpus {
		for _, k := range c.kernels {
			if k.by.kinds != nil || k.by.ends != "" {
				continue
			}
			said := strings.Join(tested(k.forTestKernel(), "", exectest.Checks(k.by.also)).errors, "\n")
			if k.by.cause == "" {
				assert.Empty(t, said, k.name)
				correct++
			} else {
				assert.Contains(t, said, k.by.cause, k.name)
				bugs++
			}
		}
	}
	t.Logf("%d kernels with a bug, %d that are right", bugs, correct)
}

func TestCorpusEndsInErrors(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	bugs := 0
	for _, c := range corpus {
		for _, k := range c.kernels {
			if k.by.ends != "" && (!k.by.bounds || checksBounds) {
				assert.ErrorContains(t, k.runOn(sim), k.by.ends, k.name)
				bugs++
			}
		}
	}
	t.Logf("%d kernels with a bug", bugs)
}

// laws is a test that counts what it is told of.
type laws struct{ broken int }

func (*laws) Helper()                 {}
func (l *laws) Errorf(string, ...any) { l.broken++ }

// A launch finds what shows on its own partial results: those of a maximum that begins with zero are
// not negative, so that zero is an identity for them. Final is called once.
func TestCorpusOfReducersLaunched(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	hidden := []string{"product without an identity", "maximum without an identity", "minimum without an identity", "final with a state"}
	found := 0
	for _, k := range unlawful {
		result := -1.0
		r := k.reducer(&result)
		err := exec.ParallelReduce(over(sim), func(i int, acc *float64) {
			x := float64(i%19)/8 + 1
			r.Join(acc, &x)
		}, r)
		if k.lawful || slices.Contains(hidden, k.name) {
			assert.NoError(t, err, k.name)
			continue
		}
		if assert.ErrorIs(t, err, check.ErrLaw, k.name) {
			found++
			assert.Contains(t, err.Error(), "corpus_runs_test.go:", k.name)
		}
		assert.Equal(t, -1.0, result, k.name)
	}
	t.Logf("%d reducers that break a law", found)
}

func TestCorpusOfReducers(t *testing.T) {
	for _, k := range unlawful {
		var l laws
		reducertest.Check(&l, k.reducer(new(float64)), []float64{0.5, 1, 2, 3.25, -4}, reducertest.ULPs(4))
		assert.Equal(t, k.lawful, l.broken == 0, k.name)
	}
}
