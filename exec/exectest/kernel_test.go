package exectest_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/atomics"
)

// recorder is a testing.T that keeps what it is told.
type recorder struct {
	testing.TB
	errors []string
	logs   []string
	output strings.Builder
	fatal  bool
}

func (*recorder) Helper()             {}
func (*recorder) Name() string        { return "TestMine" }
func (r *recorder) Failed() bool      { return len(r.errors) > 0 }
func (*recorder) Skipped() bool       { return false }
func (r *recorder) Output() io.Writer { return &r.output }
func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	r.fatal = true
	runtime.Goexit()
}

// tested returns what TestKernel says of a kernel.
func tested(kernel func(exec.Space) any, env string, options ...exectest.Option) *recorder {
	const schedule = "GOKKOS_SCHEDULE"
	before := os.Getenv(schedule)
	_ = os.Setenv(schedule, env)
	defer func() { _ = os.Setenv(schedule, before) }()
	r := new(recorder)
	done := make(chan struct{})
	go func() {
		defer close(done)
		exectest.TestKernel(r, kernel, options...)
	}()
	<-done
	return r
}

// overItems runs f for the items of a range. On Goroutines they run one after another: what
// races is a mistake of the kernel, and not of the test.
func overItems(f func(x []float64, i int)) func(exec.Space) any {
	return func(s exec.Space) any {
		if s.Name() == "goroutines" {
			s = exec.Serial{}
		}
		x := make([]float64, 5000)
		exec.Must(exec.ParallelFor(policy.Range(0, len(x)).On(s), func(i int) { f(x, i) }))
		return x
	}
}

func overMembers(f func(m *team.Member, e, x []float64)) func(exec.Space) any {
	return func(s exec.Space) any {
		const league, size = 6, 128
		x := make([]float64, league*size)
		p := policy.Team(league, size).Scratch(0, 8*size, 0).On(s)
		exec.Must(exec.ParallelFor(p, func(m *team.Member) {
			f(m, team.Scratch[float64](m, 0, size), x[m.LeagueRank()*size:][:size])
		}))
		return x
	}
}

func TestKernelsThatAreRightPass(t *testing.T) {
	watched := seesAccesses()
	for name, kernel := range map[string]func(exec.Space) any{
		"items": overItems(func(x []float64, i int) { x[i] = 1 / float64(i) }),
		"members": overMembers(func(m *team.Member, e, x []float64) {
			e[m.Rank()] = float64(m.Rank())
			m.Barrier()
			x[m.Rank()] = e[m.Size()-1-m.Rank()]
		}),
		"a sum, a struct and a view": func(s exec.Space) any {
			var sum float64
			v, err := views.New2[float32]("v", 3, 5)
			exec.Must(err)
			exec.Must(exec.ParallelReduce(policy.Range(0, 1000).On(s), func(i int, acc *float64) { *acc += 1 / float64(i+1) }, builtin.Sum(&sum)))
			exec.Must(exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{3, 5}).On(s), func(i policy.Index2) { v.Set(i.I, i.J, float32(i.I*i.J)) }))
			return struct {
				sum  float64
				view any
				more []string
				next *int
			}{sum, v, []string{"a", "b"}, new(int)}
		},
		"NaN of any bits": func(exec.Space) any { return -(float64(0) / zero) },
		"nothing":         func(exec.Space) any { return nil },
		"atomics of integers": func(s exec.Space) any {
			var n int64
			exec.Must(exec.ParallelFor(policy.Range(0, 1000).On(s), func(i int) { atomics.Add(&n, int64(i)) }))
			return n
		},
	} {
		r := tested(kernel, "")
		assert.Empty(t, r.errors, name)
		require.Len(t, r.logs, 1)
		assert.Contains(t, r.logs[0], "exectest: compared Serial, Goroutines and SimGPU under schedules 0 to 7; ")
		if !watched {
			assert.Contains(t, r.logs[0], "what the kernel reads and writes was not watched: go test -gcflags=-race does")
		}
	}
}

var (
	zero  float64
	calls atomic.Int64
)

func TestKernelsThatAreWrongAreFound(t *testing.T) {
	if seesAccesses() {
		t.Skip("a launch that is watched returns an error in place of such results")
	}
	for _, c := range []struct {
		name   string
		kernel func(exec.Space) any
		want   []string // in the first failure
	}{
		{"an item reads what another writes", overItems(func(x []float64, i int) { x[i] = x[max(i-1, 0)] + 1 }),
			[]string{"the result is", "and 1 (bits 3ff0000000000000) on Serial"}},
		{"a barrier is missing", overMembers(func(m *team.Member, e, x []float64) {
			e[m.Rank()] = float64(m.Rank())
			x[m.Rank()] = e[max(m.Rank()-40, 0)]
		}), []string{"SimGPU, device H200 with warps of 32, under schedules 2, ", "[", "is NaN", "begins as NaN: look for scratch"}},
		{"a sub-group's barrier in place of the team's", overMembers(func(m *team.Member, e, x []float64) {
			e[m.Rank()] = 0
			m.Barrier()
			e[m.Rank()] = float64(m.Rank())
			m.SubGroup().Barrier()
			x[m.Rank()] = e[m.Size()-1-m.Rank()]
		}), []string{"SimGPU, device H200 with warps of 32, under schedules 1, 2, 3, ", "[32] is 0 (bits 0000000000000000), and 95 (bits 4057c00000000000) on Serial; 378 of 768 values differ", "a barrier of a sub-group in place of one of the team", "GOKKOS_SCHEDULE=1 go test -run '^TestMine$'"}},
		{"scratch that nobody wrote", overMembers(func(m *team.Member, e, x []float64) { x[m.Rank()] = e[m.Rank()] }),
			[]string{"under schedules 0, 1, 2, 3, 4, 5, 6, 7 of 8", "[0] is NaN", "and 0 (bits 0000000000000000) on Serial; 768 of 768 values differ", "look for scratch"}},
		{"the width of a warp", overMembers(func(m *team.Member, e, x []float64) { x[m.Rank()] = float64(m.SubGroup().Size()) }),
			[]string{"SimGPU, device MI300X with warps of 64, under schedules 0, 1, 2, 3, 4, 5, 6, 7 of 8", "[0] is 64 (bits 4050000000000000), and 32", "the width of a warp"}},
		{"not a function of the input", func(exec.Space) any { return []int64{1, calls.Add(1)} },
			[]string{"a second run on Serial", "[1] is ", "1 of 2 values differ", "look for time, math/rand"}},
		{"another length", func(exec.Space) any { return make([]int, calls.Add(1)) },
			[]string{"the result is of length "}},
		{"another type", func(exec.Space) any {
			if calls.Add(1)%2 == 0 {
				return 1
			}
			return "one"
		}, []string{"the result is of type "}},
		{"nil or not", func(exec.Space) any {
			if calls.Add(1)%2 == 0 {
				return struct{ next *int }{}
			}
			return struct{ next *int }{new(int)}
		}, []string{".next is nil or not "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tested(c.kernel, "")
			require.NotEmpty(t, r.errors)
			if c.name == "an item reads what another writes" { // Goroutines may be right
				r.errors[0] = r.errors[len(r.errors)-1]
				c.want = []string{"under schedules 2, 3, 4, 5, 6, 7 of 8", "items that read what others write"}
			}
			for _, want := range c.want {
				assert.Contains(t, r.errors[0], want)
			}
		})
	}
}

func TestKernelUnderOneSchedule(t *testing.T) {
	if seesAccesses() {
		t.Skip("a launch that is watched returns an error in place of such results")
	}
	wrong := overItems(func(x []float64, i int) { x[i] = x[max(i-1, 0)] + 1 })
	for schedule, found := range map[string]bool{"0": false, "2": true, "18446744073709551615": true} {
		r := tested(wrong, schedule)
		onDevices := 0
		for _, e := range r.errors {
			if strings.Contains(e, "under schedule "+schedule+" of 1") {
				onDevices++
			}
		}
		assert.Equal(t, found, onDevices == 3, "schedule %s: %s", schedule, r.errors)
		assert.Contains(t, strings.Join(r.logs, "\n"), "under schedules "+schedule+" to "+schedule)
	}
	r := tested(wrong, "first")
	assert.Equal(t, []string{`exectest: GOKKOS_SCHEDULE="first", expected the number of a schedule`}, r.errors)
	assert.True(t, r.fatal)
}

func TestKernelsThatCannotBeTested(t *testing.T) {
	type ring struct{ next *ring }
	round := new(ring)
	round.next = round
	strided, err := views.New2[float64]("strided", 4, 4)
	require.NoError(t, err)
	part, err := strided.Sub(views.All(), views.Index(1))
	require.NoError(t, err)
	for _, c := range []struct {
		kernel func(exec.Space) any
		want   string
	}{
		{nil, "TestKernel was given a nil kernel"},
		{func(exec.Space) any { return map[int]int{} }, "the result is a map[int]int, expected numbers, strings"},
		{func(exec.Space) any { return []any{1, struct{ f func() }{}} }, "the result[1].f is a func(), expected"},
		{func(exec.Space) any { return round }, "does it refer to itself?"},
		{func(exec.Space) any { return part }, "whose elements are not contiguous"},
	} {
		r := tested(c.kernel, "")
		require.Len(t, r.errors, 1)
		assert.Contains(t, r.errors[0], c.want)
		assert.True(t, r.fatal)
	}
}

// What exec.Must panics with, and what a functor panics with, fails the test and does not end the program.
func TestKernelThatPanics(t *testing.T) {
	failure := errors.New("no convergence")
	for want, kernel := range map[string]func(s exec.Space){
		"exectest: the kernel panicked on SimGPU, device H200, schedule 0: no convergence\n": func(exec.Space) { exec.Must(failure) },
		`the kernel panicked on SimGPU, device H200, schedule 0: exec: panic at index 0, in items [0, 1) of "one": `: func(s exec.Space) {
			exec.Must(exec.ParallelFor(policy.Range(0, 1).On(s).WithLabel("one"), func(int) { panic("stop") }))
		},
	} {
		r := tested(func(s exec.Space) any {
			if s.Name() == "simgpu" {
				kernel(s)
			}
			return 1
		}, "")
		require.Len(t, r.errors, 1)
		assert.Contains(t, r.errors[0], want)
		assert.Contains(t, r.errors[0], "kernel_test.go:", "where it was")
		assert.True(t, r.fatal)
	}
}

// An error that a kernel returns fails the test with its text, on every space.
func TestKernelThatReturnsAnError(t *testing.T) {
	for where, on := range map[string]func(exec.Space) bool{
		"Serial":                          func(exec.Space) bool { return true },
		"SimGPU, device H200, schedule 0": func(s exec.Space) bool { return s.Name() == "simgpu" },
	} {
		r := tested(func(s exec.Space) any {
			if on(s) {
				return errors.New("no convergence")
			}
			return 1
		}, "")
		assert.Equal(t, []string{"exectest: the kernel returned an error on " + where + ": no convergence"}, r.errors)
		assert.True(t, r.fatal)
	}
}

// The output has no position: that of the runtime would tell nothing.
func TestKernelThatDoesNotReturnNamesItsSpace(t *testing.T) {
	r := tested(func(s exec.Space) any {
		if s.Name() == "simgpu" {
			runtime.Goexit()
		}
		return 1
	}, "")
	assert.Empty(t, r.logs)
	assert.Equal(t, "exectest: the kernel did not return from its run on SimGPU, device H200, schedule 0\n", r.output.String())
}

// What t.Fatal and require say is not followed by more.
func TestKernelThatFailsTheTestItself(t *testing.T) {
	r := new(recorder)
	done := make(chan struct{})
	go func() {
		defer close(done)
		exectest.TestKernel(r, func(exec.Space) any { r.Fatalf("no convergence"); return 1 })
	}()
	<-done
	assert.Equal(t, []string{"no convergence"}, r.errors)
	assert.Empty(t, r.logs)
	assert.Empty(t, r.output.String())
}

// A kernel that launches on the default space alone has forgotten the one that it is given.
func TestKernelThatForgetsTheSpace(t *testing.T) {
	on, err := exec.Default()
	require.NoError(t, err)
	if on.Name() != "goroutines" {
		t.Skip("the default space is another one")
	}
	like := exec.NewGoroutines(1) // the default space itself would keep helpers to the end of the program
	defer like.Close()
	p := policy.Range(0, 8).On(like)
	count := func(p policy.RangePolicy) (n int) {
		exec.Must(exec.ParallelReduce(p, func(i int, acc *int) { *acc += i }, builtin.Sum(&n)))
		return n
	}
	r := tested(func(exec.Space) any { return count(p) }, "")
	require.Len(t, r.errors, 1)
	assert.Regexp(t, `^exectest: the kernel launches nothing on the space that it is given: kernel_test\.go:\d+ runs on `+on.Name(), r.errors[0])

	r = tested(func(exec.Space) any { return count(p.WithLabel("count")) }, "3")
	assert.Len(t, r.errors, 1, "under one schedule, too")

	for what, kernel := range map[string]func(s exec.Space) any{
		"some of its launches run there": func(s exec.Space) any { return count(p) + count(p.On(s)) },
		"a space made of it": func(s exec.Space) any {
			if sim, ok := s.(*exec.SimGPU); ok {
				s = sim.WithSchedule(5)
			}
			return count(p.On(s))
		},
		"a space of its own": func(exec.Space) any { return count(p.On(exec.NewSimGPU(gpu.H200()))) },
		"no launch":          func(exec.Space) any { return 1 },
	} {
		assert.Empty(t, tested(kernel, "").errors, what)
	}
}
