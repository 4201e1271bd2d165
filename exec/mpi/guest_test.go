package mpi

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/policy"
)

// asks is a space that runs jobs on Serial, and lets ask look at them before.
type asks struct{ ask func(j space.Job) }

func (asks) Name() string     { return "asks" }
func (asks) Concurrency() int { return 1 }

func (s asks) Launch(g space.Grid, j space.Job) error {
	s.ask(j)
	return exec.Serial{}.Launch(g, j)
}

func is[T any](j space.Job) bool {
	_, ok := j.(T)
	return ok
}

// optional has the interfaces that a job may implement, without one that is no matter of a part: Divider,
// as ranks agree on leaves.
var optional = map[string]func(j space.Job) bool{
	"Carrier": is[ranks.Carrier], "Job": is[device.Job],
	"Failer": is[device.Failer], "Stepper": is[device.Stepper], "Hinter": is[space.Hinter],
}

// Over ranks a job implements the interfaces that it does alone, also in a launch inside of a functor.
func TestJobsKeepTheirOptionalParts(t *testing.T) {
	var alone, over, nested [](map[string]bool)
	note := func(to *[](map[string]bool), without ...string) asks {
		return asks{func(j space.Job) {
			found := map[string]bool{}
			for name, ask := range optional {
				found[name] = ask(j)
			}
			for _, name := range without {
				delete(found, name)
			}
			*to = append(*to, found)
		}}
	}
	// A part of a launch is no carrier.
	empty := func(int) {}
	require.NoError(t, exec.ParallelFor(policy.Range(0, 1).On(note(&alone, "Carrier")), empty))
	require.NoError(t, Local(2, func(c *Comm) error {
		inner := exec.Space(exec.Serial{})
		if c.Rank() == 0 {
			inner = note(&over, "Carrier")
		}
		return exec.ParallelFor(policy.Range(0, 2).Chunk(1).On(On(c, inner)), empty)
	}))
	require.Len(t, over, 1)
	assert.Equal(t, alone[0], over[0])
	alone = nil
	require.NoError(t, exec.ParallelFor(policy.Range(0, 1).On(note(&alone)), empty))
	require.NoError(t, Local(2, func(c *Comm) error {
		calls := 0
		on := On(c, asks{func(j space.Job) {
			if calls++; calls == 2 && c.Rank() == 0 {
				note(&nested).ask(j)
			}
		}})
		return exec.ParallelFor(policy.Range(0, 2).Chunk(1).On(on), func(int) {
			exec.Must(exec.ParallelFor(policy.Range(0, 1).On(on), empty))
		})
	}))
	require.Len(t, nested, 1)
	assert.Equal(t, alone[0], nested[0])
}

// told is a space of a device that cannot run the functor, which fails in an item of its part.
type told struct{ item int }

func (told) Name() string     { return "told" }
func (told) Concurrency() int { return 1 }

func (s told) Launch(g space.Grid, j space.Job) error {
	f, ok := j.(device.Failer)
	if !ok || s.item >= g.Items {
		return exec.Serial{}.Launch(g, j)
	}
	j.Open(1, 1)
	f.Fail(s.item, fmt.Errorf("no %d", s.item))
	return nil
}

// A functor that fails in an item on a device is a panic on all ranks, of the lowest item.
func TestFailOfADeviceIsAPanicOnAllRanks(t *testing.T) {
	const n = 1 << 12
	for name, test := range map[string]struct {
		items [3]int // of the part of each rank; n for none
		want  func(begin int) bool
	}{
		"the first rank":   {[3]int{7, n, n}, func(begin int) bool { return begin == 7 }},
		"the last rank":    {[3]int{n, n, 9}, func(begin int) bool { return begin > n/2 }},
		"several of them":  {[3]int{n, 3, 3}, func(begin int) bool { return begin > n/4 && begin < n/2 }},
		"all of the ranks": {[3]int{5, 3, 3}, func(begin int) bool { return begin == 5 }},
	} {
		var begins [3]int
		require.NoError(t, Local(3, func(c *Comm) (err error) {
			sum := 42.0
			defer func() {
				p, ok := recover().(*exec.Panic)
				if !ok || p.End != p.Begin+1 || sum != 42 {
					err = fmt.Errorf("%s: %v, with the result %v, expected a panic in one item, and 42", name, p, sum)
					return
				}
				begins[c.Rank()] = p.Begin
			}()
			on := On(c, told{test.items[c.Rank()]})
			return exec.ParallelReduce(policy.Range(0, n).On(on), func(i int, acc *float64) { *acc += float64(i) },
				builtin.Sum(&sum))
		}))
		assert.True(t, test.want(begins[0]), "%s: %v", name, begins)
		assert.Equal(t, [3]int{begins[0], begins[0], begins[0]}, begins, name)
	}
}
