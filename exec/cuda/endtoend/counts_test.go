//go:build linux && (amd64 || arm64)

package endtoend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/endtoend/internal/executor"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// An item of the kernels that cards are timed with is no more instructions than it was, those counted
// that load constants. What the driver makes of an instruction is none to some twenty of the card's, so this says whether a
// text has become longer, and not how long it takes.
func TestInstructionsOfAnItem(t *testing.T) {
	e := &executor.Executor{}
	s := e.Open(t)
	const n = 4096
	in := func(f func(i int) float64) views.View1[float64] {
		h := views.Must(views.New1[float64]("h", 2*n))
		for i := range 2 * n {
			h.Set(i, f(i))
		}
		return views.Must(views.MirrorCopy(s.Memory(), h))
	}
	price, strike, years := in(func(i int) float64 { return 40 + float64(i%61) }), in(func(i int) float64 { return 60.5 + float64(i%7) }), in(func(i int) float64 { return .25 + float64(i%9)/4 })
	call := in(func(int) float64 { return 0 })
	counts := views.Must(views.NewIn[int32](s.Memory(), "counts", []int{2 * n}))
	rounds := views.Must(views.As1(counts, nil))
	var hits int64
	for _, c := range []struct {
		what string
		most int // instructions of an item
		each int // rounds of an item
		f    func(n int) error
	}{
		{"Black-Scholes", 273, 1, func(n int) error {
			return exec.ParallelFor(policy.Range(0, n).On(s), kernels.Option(price, strike, years, .02, .3, call))
		}},
		{"a round of Mandelbrot", 17, 50, func(n int) error {
			return exec.ParallelFor(policy.Range(0, n).On(s), kernels.Mandel(-.1, 1e-9, .01, 50, rounds))
		}},
		{"Monte Carlo", 29, 1, func(n int) error {
			return exec.ParallelReduce(policy.Range(0, n).On(s), kernels.Inside(5), builtin.Sum(&hits))
		}},
	} {
		run := func(n int) map[string]int {
			e.Count = map[string]int{}
			require.NoError(t, c.f(n))
			return e.Count
		}
		once, twice := run(n), run(2*n)
		var parts []string
		all := 0
		for _, name := range slices.Sorted(maps.Keys(twice)) {
			k := twice[name] - once[name]
			if all += k; k*20 >= n*c.each {
				parts = append(parts, fmt.Sprintf("%s %.2f", name, float64(k)/float64(n*c.each)))
			}
		}
		t.Logf("%s: %.1f instructions: %s", c.what, float64(all)/float64(n*c.each), strings.Join(parts, ", "))
		assert.LessOrEqual(t, all, c.most*n*c.each, c.what)
	}
}

// A reduction by one block, as that of some thousand items, waits for no other block. One by several does.
func TestReductionByOneBlock(t *testing.T) {
	e := &executor.Executor{Count: map[string]int{}}
	s := e.Open(t)
	x := views.Must(views.NewIn[float64](s.Memory(), "x", []int{100_000}))
	require.NoError(t, views.Fill(x, .5))
	var hits int64
	var sum float64
	for n, together := range map[int]bool{1: false, 1000: false, 100_000: true} {
		part := views.Must(x.Sub(views.Range(0, n)))
		for _, reduce := range []func() error{
			func() error {
				return exec.ParallelReduce(policy.Range(0, n).On(s), kernels.Inside(5), builtin.Sum(&hits))
			},
			func() error { return exec.ParallelFold(views.Source(part), builtin.Sum(&sum)) },
		} {
			clear(e.Count)
			require.NoError(t, reduce())
			assert.Equal(t, together, e.Count["atom.global.inc.u32"] > 0, "%d items", n)
			assert.Equal(t, together, e.Count["fence.acq_rel.gpu"] > 0, "%d items", n)
		}
		assert.Equal(t, float64(n)/2, sum)
	}
}

// A tensor is one launch, whose blocks wait for others only where a result has leaves in several of them.
func TestTensorByOneBlock(t *testing.T) {
	e := &executor.Executor{Count: map[string]int{}}
	s := e.Open(t)
	for _, c := range []struct {
		extents  []int
		over     int
		together bool
	}{
		{[]int{2, 250}, 1, false}, // 31 leaves of 1 lane
		{[]int{2, 1100}, 1, false},
		{[]int{2, 4400}, 1, true},
		{[]int{12, 40}, 0, true}, // a block is a leaf of neighbours
		{[]int{1, 40}, 0, false},
	} {
		x := views.Must(views.NewIn[float64](s.Memory(), "x", c.extents))
		require.NoError(t, views.Fill(x, .5))
		y := views.Must(views.New[float64]("y", []int{c.extents[1-c.over]}))
		clear(e.Count)
		before := e.Launches
		require.NoError(t, tensor.Reduce(tensor.Over(x, c.over), tensor.Fold(builtin.Sum[float64], tensor.Into(y))))
		assert.EqualValues(t, 1, e.Launches-before, "%v", c)
		assert.Equal(t, c.together, e.Count["atom.global.inc.u32"] > 0, "%v", c)
		for sum := range y.Values() {
			assert.Equal(t, float64(c.extents[c.over])/2, sum)
		}
	}
}
