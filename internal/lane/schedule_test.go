package lane

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/schedule"
)

// steps returns what a block does in a schedule: the lanes in the order in which they run,
// each up to its next meeting. All meet twice: in pairs, and then all four.
func steps(t *testing.T, e *Engine, schedule uint64) (order []int) {
	require.NoError(t, run(t, e, Block{Lanes: 4, Schedule: schedule, Warp: 2}, func(l *Lane) {
		order = append(order, l.Rank())
		l.Meet(l.Group(2), 1, Op{Kind: "pair"}, nil)
		order = append(order, l.Rank())
		l.Meet(l.All(), 2, Op{Kind: "all"}, nil)
		order = append(order, l.Rank())
	}))
	return order
}

func TestSchedules(t *testing.T) {
	e := engine(t)
	for _, c := range []struct {
		schedule uint64
		want     []int
	}{
		{schedule.Ascending, []int{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}},
		{schedule.WarpFirst, []int{0, 1, 1, 0, 2, 3, 3, 2, 2, 3, 0, 1}},
		{schedule.LastWarpFirst, []int{2, 3, 3, 2, 0, 1, 1, 0, 2, 3, 0, 1}},
		{schedule.LaneFirst, []int{0, 1, 1, 2, 3, 3, 0, 2, 2, 3, 0, 1}},
	} {
		assert.Equal(t, c.want, steps(t, e, c.schedule), "schedule %d", c.schedule)
	}
}

func TestRandomSchedulesDifferAndRepeat(t *testing.T) {
	e := engine(t)
	seen := map[string]bool{}
	for k := range uint64(50) {
		order := steps(t, e, schedule.Random+k)
		assert.Equal(t, order, steps(t, e, schedule.Random+k))
		seen[fmt.Sprint(order)] = true
	}
	assert.Greater(t, len(seen), 40)
}

// A picker gives each lane once, whatever it is asked in between.
func TestPickerChoosesAmongAllThatAreReady(t *testing.T) {
	for kind := schedule.WarpFirst; kind <= schedule.Random+2; kind++ {
		for _, lanes := range []int{1, 2, 63, 64, 65, 200} {
			for _, warp := range []int{0, 1, 16, 64, 1000} {
				var p picker
				p.begin(Block{Lanes: lanes, Schedule: kind, Warp: warp})
				times := make([]int, lanes)
				for p.count > 0 {
					r := p.take()
					if times[r]++; r == lanes/2 && times[r] < 3 {
						p.add(r, r+1)
					}
				}
				for r, n := range times {
					want := 1
					if r == lanes/2 {
						want = 3
					}
					require.Equal(t, want, n, "schedule %d, lane %d of %d, warps of %d", kind, r, lanes, warp)
				}
			}
		}
	}
}

func TestRandomPickerReachesEveryOrder(t *testing.T) {
	seen := map[[3]int]int{}
	for k := range uint64(600) {
		var p picker
		p.begin(Block{Lanes: 3, Schedule: schedule.Random + 1000*k})
		seen[[3]int{p.take(), p.take(), p.take()}]++
	}
	assert.Len(t, seen, 6)
	for x, n := range seen {
		assert.InDelta(t, 100, n, 40, "%v", x)
	}
}

// A warp that waits for nobody else goes on while others have not begun.
func TestWarpsRunAheadOfOthers(t *testing.T) {
	e := engine(t)
	for kind, first := range map[uint64]int{schedule.WarpFirst: 0, schedule.LastWarpFirst: 96, schedule.LaneFirst: 0} {
		begun := 0
		var at []int
		require.NoError(t, run(t, e, Block{Lanes: 128, Schedule: kind, Warp: 32}, func(l *Lane) {
			begun++
			for range 5 {
				l.Meet(l.Group(32), 1, Op{}, nil)
			}
			if l.Rank() == first+31 {
				at = append(at, begun)
			}
		}))
		if kind != schedule.LaneFirst {
			assert.Equal(t, []int{32}, at, "schedule %d", kind)
		}
	}
}
