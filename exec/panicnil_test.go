package exec_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// at returns a functor's body that calls f at one index.
func at[I comparable](index I, f func()) func(i I) {
	return func(i I) {
		if i == index {
			f()
		}
	}
}

// quitting are functors that call f where others panic in tests of indices.
func quitting(f func()) failing {
	return failing{
		at(1234, f), at(policy.Index2{I: 7, J: 61}, f), at(policy.Index3{I: 2, J: 8, K: 29}, f),
		at(policy.Index4{I: 1, J: 0, K: 2, L: 5}, f),
	}
}

// withoutIndex are launches in which f is called by what knows no index.
func withoutIndex(s exec.Space, f func()) map[string]func() error {
	p, sum := policy.Range(0, 300).On(s), 0.0
	r := builtin.Sum(&sum)
	teams := func(size int) policy.TeamPolicy { return policy.Team(5, size).On(s) }
	return map[string]func() error{
		"spans": func() error { return exec.ParallelFor(policy.Spans(0, 300).On(s), func(policy.Span) { f() }) },
		"lanes": func() error {
			return exec.ParallelReduceLanes(policy.Spans(0, 300).On(s), func(exec.Lanes[float64]) { f() }, r)
		},
		"join": func() error {
			return exec.ParallelReduce(p, func(int, *float64) {}, reducers.New(&sum, func(_, _ *float64) { f() }))
		},
		"join of a scan": func() error {
			return exec.ParallelScan(p, func(int, *float64, bool) {}, reducers.New(&sum, func(_, _ *float64) { f() }))
		},
		"asked": func() error {
			return exec.ParallelReduce(p, func(int, *float64) {}, questioned{reducers.New(&sum, func(_, _ *float64) {}), f})
		},
		"team":        func() error { return exec.ParallelFor(teams(4), func(m *team.Member) { m.Barrier(); f() }) },
		"team of one": func() error { return exec.ParallelFor(teams(1), func(*team.Member) { f() }) },
		"team, reduced": func() error {
			return exec.ParallelReduce(teams(4), func(m *team.Member, _ *float64) { m.Barrier(); f() }, r)
		},
		"combiner": func() error {
			return exec.ParallelFor(teams(4), func(m *team.Member) {
				x := 1.0
				team.Reduce(team.ThreadRange(m, 8), func(int, *float64) {}, reducers.New(&x, func(_, _ *float64) { f() }))
			})
		},
	}
}

// questioned is a reducer that calls f when a launch asks what it is.
type questioned struct {
	reducers.Func[float64]
	f func()
}

func (r questioned) Reference() *float64 {
	r.f()
	return r.Func.Reference()
}

// A panic with nil is a panic in every form of functor, though recover cannot see it.
func TestPanicWithNilIsAPanic(t *testing.T) {
	t.Setenv("GODEBUG", "panicnil=1")
	raise := func() { panic(nil) }
	for name, space := range panickingSpaces(t) {
		for form, launch := range quitting(raise).forms(space) {
			p := panicWithNil(t, name+"/"+form, launch)
			namesIndex(t, p, form)
		}
		for form, launch := range withoutIndex(space, raise) {
			panicWithNil(t, name+"/"+form, launch)
		}
	}
}

func panicWithNil(t *testing.T, name string, launch func() error) *exec.Panic {
	t.Helper()
	var got any
	err, returned := error(nil), false
	var done sync.WaitGroup
	done.Go(func() { // which the launch ends if it takes the panic for runtime.Goexit
		got, err = panicOf(launch)
		returned = true
	})
	done.Wait()
	require.True(t, returned, name)
	require.NoError(t, err, name)
	p, ok := got.(*exec.Panic)
	require.True(t, ok, "%s: %v", name, got)
	assert.Nil(t, p.Value, name)
	assert.Contains(t, p.Error(), "panicnil_test.go:", name)
	assert.Contains(t, p.Error(), ": <nil>", name)
	return p
}

// A functor that ends its goroutine ends that of the launch, whether panics with nil are seen or not.
func TestGoexitIsNoPanicWithNil(t *testing.T) {
	for _, panicnil := range []string{"panicnil=0", "panicnil=1"} {
		t.Setenv("GODEBUG", panicnil)
		for name, space := range panickingSpaces(t) {
			for _, launches := range []map[string]func() error{quitting(runtime.Goexit).forms(space), withoutIndex(space, runtime.Goexit)} {
				for form, launch := range launches {
					assert.Equal(t, "the goroutine ends", end(launch), "%s/%s/%s", panicnil, name, form)
				}
			}
		}
	}
}
