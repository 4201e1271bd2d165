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

// failing are bodies of functors that fail at one index each.
type failing struct {
	ints    func(int)           // at 1234
	points  func(policy.Index2) // at (7, 61)
	points3 func(policy.Index3) // at (2, 8, 29)
	points4 func(policy.Index4) // at (1, 0, 2, 5)
}

// forms are launches of all forms of functors that know indices, by the index that fails and a name.
func (f failing) forms(s exec.Space) map[string]func() error {
	var sums [4]float64
	a, b, c, d := builtin.Sum(&sums[0]), builtin.Sum(&sums[1]), builtin.Sum(&sums[2]), builtin.Sum(&sums[3])
	p := policy.Range(1000, 1300).On(s)
	box := policy.MDRange2([2]int{-3, 10}, [2]int{40, 73}).On(s)
	left := box.Iterate(policy.Left, policy.Left)
	single := oneByOne[policy.Index2]{box}
	box3 := policy.MDRange3([3]int{0, 0, 5}, [3]int{4, 9, 30}).On(s)
	box4 := policy.MDRange4([4]int{}, [4]int{2, 2, 3, 7}).On(s)
	atRow := func(r policy.Row[policy.Index2]) {
		if r.At.I == 7 {
			f.ints(1234)
		}
	}
	return map[string]func() error{
		"1234: for":    func() error { return exec.ParallelFor(p, f.ints) },
		"1234: chunk":  func() error { return exec.ParallelFor(p.Chunk(64), f.ints) },
		"1234: reduce": func() error { return exec.ParallelReduce(p, func(i int, _ *float64) { f.ints(i) }, a) },
		"1234: reduce2": func() error {
			return exec.ParallelReduce2(p, func(i int, _, _ *float64) { f.ints(i) }, a, b)
		},
		"1234: reduce3": func() error {
			return exec.ParallelReduce3(p, func(i int, _, _, _ *float64) { f.ints(i) }, a, b, c)
		},
		"1234: reduce4": func() error {
			return exec.ParallelReduce4(p, func(i int, _, _, _, _ *float64) { f.ints(i) }, a, b, c, d)
		},
		"1234: scan": func() error {
			return exec.ParallelScan(p, func(i int, _ *float64, _ bool) { f.ints(i) }, a)
		},
		"1234: map": func() error {
			return exec.ParallelFold(exec.Map(p, func(i int) float64 { f.ints(i); return 0 }), a)
		},
		"(7, 61): for":      func() error { return exec.ParallelFor(box, f.points) },
		"(7, 61): for left": func() error { return exec.ParallelFor(left, f.points) },
		"(7, 61): reduce": func() error {
			return exec.ParallelReduce(box, func(i policy.Index2, _ *float64) { f.points(i) }, a)
		},
		"(7, 61): reduce2": func() error {
			return exec.ParallelReduce2(box, func(i policy.Index2, _, _ *float64) { f.points(i) }, a, b)
		},
		"(7, 61): map": func() error {
			return exec.ParallelFold(exec.Map(box, func(i policy.Index2) float64 { f.points(i); return 0 }), a)
		},
		"(7, 61): scan": func() error {
			return exec.ParallelScan(box, func(i policy.Index2, _ *float64, _ bool) { f.points(i) }, a)
		},
		"(7, 10), points 10 to 72: scan": func() error {
			return exec.ParallelScan(box.Rows(), func(r policy.Row[policy.Index2], _ *float64, _ bool) { atRow(r) }, a)
		},
		"(7, 61): for one by one": func() error { return exec.ParallelFor(single, f.points) },
		"(7, 61): reduce one by one": func() error {
			return exec.ParallelReduce(single, func(i policy.Index2, _ *float64) { f.points(i) }, a)
		},
		"(7, 61): reduce2 one by one": func() error {
			return exec.ParallelReduce2(single, func(i policy.Index2, _, _ *float64) { f.points(i) }, a, b)
		},
		"(7, 61): scan one by one": func() error {
			return exec.ParallelScan(single, func(i policy.Index2, _ *float64, _ bool) { f.points(i) }, a)
		},
		"(2, 8, 29): for":   func() error { return exec.ParallelFor(box3, f.points3) },
		"(1, 0, 2, 5): for": func() error { return exec.ParallelFor(box4, f.points4) },
		"(7, 10), points 10 to 72: for": func() error {
			return exec.ParallelFor(box.Rows(), atRow)
		},
		"(7, 10), points 10 to 72: reduce": func() error {
			return exec.ParallelReduce(box.Rows(), func(r policy.Row[policy.Index2], _ *float64) { atRow(r) }, a)
		},
		"(7, 10), points 10 to 72: reduce2": func() error {
			return exec.ParallelReduce2(box.Rows(), func(r policy.Row[policy.Index2], _, _ *float64) { atRow(r) }, a, b)
		},
		"(7, 10), points 10 to 72: lanes": func() error {
			return exec.ParallelReduceLanes(box.Rows(), func(l exec.RowLanes[policy.Index2, float64]) { atRow(l.Row) }, a)
		},
		"(7, 10), points 10 to 72: lanes of rows one by one": func() error {
			rows := oneByOne[policy.Row[policy.Index2]]{box.Rows()}
			return exec.ParallelReduceLanes(rows, func(l exec.RowLanes[policy.Index2, float64]) { atRow(l.Row) }, a)
		},
	}
}

// The message of a panic names the index, also one in the middle of a leaf, in each form of functor.
func TestPanicNamesTheIndex(t *testing.T) {
	f := failing{
		panics(1234), panics(policy.Index2{I: 7, J: 61}), panics(policy.Index3{I: 2, J: 8, K: 29}),
		panics(policy.Index4{I: 1, J: 0, K: 2, L: 5}),
	}
	for name, space := range panickingSpaces(t) {
		for form, launch := range f.forms(space) {
			t.Run(name+"/"+form, func(t *testing.T) {
				got, err := panicOf(launch)
				require.NoError(t, err)
				p, ok := got.(*exec.Panic)
				require.True(t, ok, "%v", got)
				namesIndex(t, p, form)
				assert.Contains(t, p.Error(), fmt.Sprintf("exec: panic at index %s, in items [%d, %d): runtime error: index out of range", p.Index, p.Begin, p.End))
			})
		}
	}
}

// namesIndex holds that a panic has the index that the name of a form begins with.
func namesIndex(t *testing.T, p *exec.Panic, form string) {
	index, _, _ := strings.Cut(form, ": ")
	index, _, _ = strings.Cut(index, " to ") // a leaf may end within a row
	assert.True(t, strings.HasPrefix(p.Index, index), "%q, expected %q", p.Index, index)
}

// A message has the frames of the functor and of what it calls, and no others; the field has all frames.
func TestPanicShowsTheFunctorsFramesOnly(t *testing.T) {
	for name, on := range panickingSpaces(t) {
		for form, launch := range map[string]func() error{
			"for": func() error { return exec.ParallelFor(policy.Range(0, 100).On(on), panics(42)) },
			"team": func() error {
				f := panics(2)
				//gokkosvet:ignore the store panics
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
