package exec_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
)

// spaced is every second integer.
type spaced struct {
	from int
	on   exec.Space
}

func (s spaced) Plan() policy.Plan { return policy.Plan{Items: 10, Space: s.on} }

func (s spaced) Next(begin, end int, dst []int) (n, next int) {
	for n = 0; n < len(dst) && begin+n < end; n++ {
		dst[n] = s.from + 2*(begin+n)
	}
	return n, begin + n
}

// told is spaced, and says where from.
type told struct{ spaced }

func (s told) String() string { return fmt.Sprint("from ", s.from) }

// Launches over other items have other fingerprints, with the same functor and as many items,
// and so have folds of the values of another function.
func TestFingerprintsOfItems(t *testing.T) {
	var sum int
	r := reducers.New(&sum, func(dst, src *int) { *dst += *src })
	at := func(policy.Index2) int { return 1 }
	maps := []func(int) int{func(i int) int { return i }, func(i int) int { return -i }}
	fills := []func(policy.Span, []int){func(policy.Span, []int) {}, func(_ policy.Span, dst []int) { clear(dst) }}
	box := policy.MDRange2([2]int{}, [2]int{4, 6})
	moved := policy.MDRange2([2]int{1, 0}, [2]int{5, 6})
	ranges := [2]policy.RangePolicy{policy.Range(0, 10), policy.Range(5, 15)}
	boxes := []policy.MDRangePolicy[policy.Index2, [2]int]{box, moved, policy.MDRange2([2]int{}, [2]int{6, 4}), box.Tile([2]int{2, 2}), box.Tile([2]int{2, 3}), box.Iterate(policy.Left, policy.Right), box.Iterate(policy.Right, policy.Left), box.Tile([2]int{2, 2}).Iterate(policy.Hilbert, policy.Right)}
	for name, c := range map[string]struct {
		n      int
		launch func(k int, on exec.Space) error
	}{
		"for":    {2, func(k int, on exec.Space) error { return exec.ParallelFor(ranges[k].On(on), func(int) {}) }},
		"reduce": {2, func(k int, on exec.Space) error { return exec.ParallelReduce(ranges[k].On(on), func(int, *int) {}, r) }},
		"lanes": {2, func(k int, on exec.Space) error {
			return exec.ParallelReduceLanes(policy.Spans(5*k, 5*k+10).On(on), func(exec.Lanes[int]) {}, r)
		}},
		"scan": {2, func(k int, on exec.Space) error {
			return exec.ParallelScan(ranges[k].On(on), func(int, *int, bool) {}, r)
		}},
		"slice": {2, func(k int, on exec.Space) error {
			return exec.ParallelFold(exec.Slice(ranges[k].On(on), make([]int, 20)), r)
		}},
		"fill": {2, func(k int, on exec.Space) error {
			return exec.ParallelFold(exec.Fill(ranges[k].On(on), func(policy.Span, []int) {}), r)
		}},
		"maps": {len(maps), func(k int, on exec.Space) error {
			return exec.ParallelFold(exec.Map(ranges[0].On(on), maps[k]), r)
		}},
		"fills": {len(fills), func(k int, on exec.Space) error {
			return exec.ParallelFold(exec.Fill(ranges[0].On(on), fills[k]), r)
		}},
		"boxes": {len(boxes), func(k int, on exec.Space) error { return exec.ParallelFor(boxes[k].On(on), func(policy.Index2) {}) }},
		"map":   {len(boxes), func(k int, on exec.Space) error { return exec.ParallelFold(exec.Map(boxes[k].On(on), at), r) }},
		"rows": {len(boxes), func(k int, on exec.Space) error {
			return exec.ParallelFor(boxes[k].On(on).Rows(), func(policy.Row[policy.Index2]) {})
		}},
		"tiles": {3, func(k int, on exec.Space) error { // as many of each
			p := []policy.MDRangePolicy[policy.Index2, [2]int]{box, moved, box.Iterate(policy.Hilbert, policy.Right)}[k]
			return exec.ParallelFor(p.On(on).Tiles([2]int{2, 2}), func(policy.Tile[policy.Index2]) {})
		}},
		"teams": {2, func(k int, on exec.Space) error {
			return exec.ParallelFor(policy.Team(10, 2+k).On(on), func(*team.Member) {})
		}},
		"told":   {2, func(k int, on exec.Space) error { return exec.ParallelFor(told{spaced{k, on}}, func(int) {}) }},
		"untold": {1, func(k int, on exec.Space) error { return exec.ParallelFor(spaced{k, on}, func(int) {}) }},
	} {
		seen := map[string]bool{}
		for k := range c.n {
			for range 2 { // one launch is like another
				on := asking{ask: func(g space.Grid, j space.Job) {
					text, err := j.(ranks.Carrier).AppendFingerprint(nil)
					assert.NoError(t, err)
					seen[string(text)] = true
					j.Open(1, 1)
					j.Run(0, 0, g.Leaves, 0)
				}}
				require.NoError(t, c.launch(k, on), name)
			}
		}
		passes := 1
		if name == "scan" {
			passes = 2
		}
		assert.Len(t, seen, c.n*passes, name)
	}
}
