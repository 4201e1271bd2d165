package exec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// A panic that a space tells of has the index of its item, as one in a functor has.
func TestFailNamesTheIndex(t *testing.T) {
	on := faulty{func(_ space.Grid, j space.Job) error {
		j.Open(1, 1)
		j.(device.Failer).Fail(51, "no")
		return nil
	}}
	var sum float64
	a := builtin.Sum(&sum)
	p := policy.Range(-20, 100).On(on)
	box := policy.MDRange2([2]int{3, 10}, [2]int{40, 30}).On(on)
	box3 := policy.MDRange3([3]int{}, [3]int{4, 5, 6}).On(on)
	point := func(policy.Index2) float64 { return 0 }
	for name, c := range map[string]struct {
		index  string
		launch func() error
	}{
		"range": {"31", func() error { return exec.ParallelFor(p, func(int) {}) }},
		"spans": {"31", func() error { return exec.ParallelFor(policy.Spans(-20, 100).On(on), func(policy.Span) {}) }},
		"scan":  {"31", func() error { return exec.ParallelScan(p, func(int, *float64, bool) {}, a) }},
		"map":   {"31", func() error { return exec.ParallelFold(exec.Map(p, func(int) float64 { return 0 }), a) }},
		"slice": {"71", func() error {
			return exec.ParallelFold(exec.Slice(policy.Range(20, 80).On(on), make([]float64, 90)), a)
		}},
		"box":     {"(5, 21)", func() error { return exec.ParallelFor(box, func(policy.Index2) {}) }},
		"box map": {"(5, 21)", func() error { return exec.ParallelFold(exec.Map(box, point), a) }},
		"left": {"(17, 11)", func() error {
			return exec.ParallelReduce(box.Iterate(policy.Left, policy.Left), func(policy.Index2, *float64) {}, a)
		}},
		"rows": {"(5, 21)", func() error { return exec.ParallelFor(box.Rows(), func(policy.Row[policy.Index2]) {}) }},
		"row lanes": {"(5, 21)", func() error {
			return exec.ParallelReduceLanes(box.Rows(), func(exec.RowLanes[policy.Index2, float64]) {}, a)
		}},
		"box of three": {"(1, 3, 3)", func() error { return exec.ParallelFor(box3, func(policy.Index3) {}) }},
		"teams":        {"", func() error { return exec.ParallelFor(policy.Team(60, 2).On(on), func(*team.Member) {}) }},
		"another's":    {"", func() error { return exec.ParallelFor(liar{p, []int{51}}, func(int) {}) }},
	} {
		got, err := panicOf(c.launch)
		require.NoError(t, err, name)
		panicked, ok := got.(*exec.Panic)
		require.True(t, ok, "%s: %v", name, got)
		assert.Equal(t, c.index, panicked.Index, name)
		assert.Equal(t, [2]int{51, 52}, [2]int{panicked.Begin, panicked.End}, name)
	}
}
