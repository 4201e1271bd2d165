package exec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
)

// panics returns a functor's body that panics at one index, and writes a slice out of bounds.
func panics[I comparable](at I) func(i I) {
	x := make([]int, 1)
	return func(i I) {
		if i == at {
			x[len(x)+fail] = 1
		}
	}
}

var fail = 0

// panickingSpaces are closed at the end of the test.
func panickingSpaces(t *testing.T) map[string]exec.Space {
	threads, sim := exec.NewGoroutines(3), exec.NewSimGPU(gpu.Device{})
	t.Cleanup(func() {
		assert.NoError(t, threads.Close())
		assert.NoError(t, sim.Close())
	})
	return map[string]exec.Space{"serial": exec.Serial{}, "goroutines": threads, "simgpu": sim, "random": sim.WithSchedule(7)}
}

// The message of a panic names the index, also one in the middle of a leaf, in each form of functor.
func TestPanicNamesTheIndex(t *testing.T) {
	var sum, other float64
	r, r2 := builtin.Sum(&sum), builtin.Sum(&other)
	box := policy.MDRange2([2]int{-3, 10}, [2]int{40, 73})
	left := policy.MDRange2([2]int{-3, 10}, [2]int{40, 73}).Iterate(policy.Left, policy.Left)
	box3 := policy.MDRange3([3]int{0, 0, 5}, [3]int{4, 9, 30})
	point, point3 := policy.Index2{I: 7, J: 61}, policy.Index3{I: 2, J: 8, K: 29}
	ints, points, points3 := panics(1234), panics(point), panics(point3)
	atRow := func(r policy.Row[policy.Index2]) {
		if r.At.I == 7 {
			ints(1234)
		}
	}
	on := func(s exec.Space) map[string]func() error {
		p, box, left, box3 := policy.Range(1000, 1300).On(s), box.On(s), left.On(s), box3.On(s)
		return map[string]func() error{
			"1234: for":    func() error { return exec.ParallelFor(p, ints) },
			"1234: chunk":  func() error { return exec.ParallelFor(p.Chunk(64), ints) },
			"1234: reduce": func() error { return exec.ParallelReduce(p, func(i int, _ *float64) { ints(i) }, r) },
			"1234: reduce2": func() error {
				return exec.ParallelReduce2(p, func(i int, _, _ *float64) { ints(i) }, r, r2)
			},
			"1234: scan": func() error {
				return exec.ParallelScan(p, func(i int, _ *float64, _ bool) { ints(i) }, r)
			},
			"1234: map": func() error {
				return exec.ParallelFold(exec.Map(p, func(i int) float64 { ints(i); return 0 }), r)
			},
			"(7, 61): for":      func() error { return exec.ParallelFor(box, points) },
			"(7, 61): for left": func() error { return exec.ParallelFor(left, points) },
			"(7, 61): reduce": func() error {
				return exec.ParallelReduce(box, func(i policy.Index2, _ *float64) { points(i) }, r)
			},
			"(7, 61): map": func() error {
				return exec.ParallelFold(exec.Map(box, func(i policy.Index2) float64 { points(i); return 0 }), r)
			},
			"(7, 10), points 10 to 72: scan": func() error {
				return exec.ParallelScan(box.Rows(), func(r policy.Row[policy.Index2], _ *float64, _ bool) { atRow(r) }, r)
			},
			"(2, 8, 29): for": func() error { return exec.ParallelFor(box3, points3) },
			"(7, 10), points 10 to 72: for": func() error {
				return exec.ParallelFor(box.Rows(), atRow)
			},
			"(7, 10), points 10 to 72: reduce": func() error {
				return exec.ParallelReduce(box.Rows(), func(r policy.Row[policy.Index2], _ *float64) { atRow(r) }, r)
			},
		}
	}
	for name, space := range panickingSpaces(t) {
		for form, launch := range on(space) {
			t.Run(name+"/"+form, func(t *testing.T) {
				got, err := panicOf(launch)
				require.NoError(t, err)
				p, ok := got.(*exec.Panic)
				require.True(t, ok, "%v", got)
				index, _, _ := strings.Cut(form, ": ")
				index, _, _ = strings.Cut(index, " to ") // a leaf may end within a row
				assert.True(t, strings.HasPrefix(p.Index, index), "%q, expected %q", p.Index, index)
				assert.Contains(t, p.Error(), fmt.Sprintf("exec: panic at index %s, in items [%d, %d): runtime error: index out of range", p.Index, p.Begin, p.End))
			})
		}
	}
}

// A message has the frames of the functor and of what it calls, and no others; the field has all frames.
func TestPanicShowsTheFunctorsFramesOnly(t *testing.T) {
	for name, on := range panickingSpaces(t) {
		for form, launch := range map[string]func() error{
			"for": func() error { return exec.ParallelFor(policy.Range(0, 100).On(on), panics(42)) },
			"team": func() error {
				f := panics(2)
				return exec.ParallelFor(policy.Team(4, 4).On(on), func(m *team.Member) { m.Barrier(); f(m.Rank()) })
			},
			"team of one": func() error {
				f := panics(2)
				return exec.ParallelFor(policy.Team(4, 1).On(on), func(m *team.Member) { f(m.LeagueRank()) })
			},
			"nested": func() error {
				return exec.ParallelFor(policy.Range(0, 3).On(on), func(int) {
					exec.Must(exec.ParallelFor(policy.Range(0, 100).On(exec.Serial{}), panics(42)))
				})
			},
			"library": func() error {
				return exec.ParallelFor(policy.Range(0, 100).On(on), func(int) { exec.Must(fmt.Errorf("wrong")) })
			},
		} {
			t.Run(name+"/"+form, func(t *testing.T) {
				got, err := panicOf(launch)
				require.NoError(t, err)
				p := got.(*exec.Panic)
				if inner, ok := p.Value.(*exec.Panic); ok {
					p = inner
				}
				_, shown, _ := strings.Cut(p.Error(), "\n\n")
				assert.Contains(t, shown, "panictext_test.go:")
				assert.Contains(t, string(p.Stack), "runtime/debug.Stack")
				for _, frame := range []string{"guarded", "Launch", "runNode", "tRunner", "runtime/debug", "lane.", "locate"} {
					assert.NotContains(t, shown, frame)
				}
				assert.LessOrEqual(t, strings.Count(shown, "\n"), 9, shown)
			})
		}
	}
}
