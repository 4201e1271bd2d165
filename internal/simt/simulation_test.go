package simt_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/simt"
	_ "github.com/gokkos/gokkos/internal/watch" // its hooks, in a build that calls them
)

// failing is a job whose leaves have a result unless fails says otherwise. It has no steps.
type failing struct {
	fails func(leaf int) bool
	asked []int // the leaves in the order in which they were asked to run
}

func (*failing) Open(int, int)      {}
func (*failing) Join(int, int) bool { return true }

func (f *failing) Run(_, first, _, _ int) bool {
	f.asked = append(f.asked, first)
	return !f.fails(first)
}

// schedules has one of each kind of order, and several random ones.
var schedules = []uint64{0, 1, 2, 3, 4, 5, 6, 99}

func runFailing(t *testing.T, schedule uint64, f *failing) space.Grid {
	t.Helper()
	g := space.NewGrid(1<<22, 0, false)
	require.Greater(t, g.Leaves, 1000)
	d, err := gpu.Device{}.Complete()
	require.NoError(t, err)
	require.NoError(t, simt.Run(&d, schedule, g, f, func(gpu.Report) {}))
	return g
}

// Each leaf would panic, those above one that did are refused: few run, and the lowest one does.
func TestFewLeavesRunWhereAllOfThemPanic(t *testing.T) {
	for _, schedule := range schedules {
		t.Run(fmt.Sprint("schedule ", schedule), func(t *testing.T) {
			limit, panics := math.MaxInt, 0
			f := &failing{fails: func(leaf int) bool {
				if leaf < limit {
					limit = leaf
					panics++
				}
				return true
			}}
			runFailing(t, schedule, f)
			assert.Zero(t, limit, "the lowest leaf that panicked")
			assert.LessOrEqual(t, panics, 4, "at most two in each of two blocks")
			assert.LessOrEqual(t, len(f.asked), 6)
		})
	}
}

func TestFewLeavesAreAskedOfACancelledLaunch(t *testing.T) {
	for _, schedule := range schedules {
		f := &failing{fails: func(int) bool { return true }}
		runFailing(t, schedule, f)
		assert.LessOrEqual(t, len(f.asked), 6, "schedule %d", schedule)
	}
}

// The lowest of a few leaves that panic runs in every order.
func TestLowestFailingLeafRuns(t *testing.T) {
	for _, schedule := range schedules {
		for _, low := range []int{0, 1, 7, 8, 500, 1023} {
			limit := math.MaxInt
			f := &failing{fails: func(leaf int) bool {
				if leaf >= limit {
					return true
				}
				if leaf == low || leaf == low+1 || leaf == low+9 || leaf == 1020 {
					limit = leaf
				}
				return leaf == limit
			}}
			runFailing(t, schedule, f)
			assert.Equal(t, min(low, 1020), limit, "schedule %d", schedule)
		}
	}
}
