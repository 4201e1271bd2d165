package exec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// An owner is a functor that owns the loop over its items. Its loop leaves some items to it.
type owner struct {
	leaves func(n int) bool
	panics int
}

func (k *owner) item(n int, acc *float64) {
	if n == k.panics {
		panic("here")
	}
	*acc = *acc*0.75 + math.Sqrt(float64(n+10)) // the order of a lane's items matters
}

func (k *owner) lanes(s exec.Lanes[float64]) {
	for i, acc := range s.Items() {
		k.item(i, acc)
	}
}

func (k *owner) rows(r exec.RowLanes[policy.Index2, float64]) {
	for j, acc := range r.Items() {
		k.item(100*r.At.I+j, acc)
	}
}

type (
	ownedSpan owner
	ownedRows owner
)

func (k *ownedSpan) Span(begin, end, item int, a []float64) (next int) {
	spans.Add(1)
	for i := begin; i < end; i++ {
		if k.leaves(i) {
			return i
		}
		(*owner)(k).item(i, lane(begin, item, i, a))
	}
	return end
}

func (k *ownedRows) Runs(runs []policy.Run, item, leaf int, a []float64) (done, items int) {
	spans.Add(1)
	for done := range runs {
		r := &runs[done]
		if r.Dim != 1 {
			panic("a row along the first dimension")
		}
		for n := range r.Len {
			if k.leaves(100*r.At[0] + r.At[1] + n) {
				return done, n
			}
			(*owner)(k).item(100*r.At[0]+r.At[1]+n, &a[item&(len(a)-1)])
			if item++; item%leaf == 0 {
				a = kernel.NextLeaf(a)
			}
		}
	}
	return len(runs), 0
}

func init() {
	from := kernel.Source{Name: "exec_test.owner", File: "compiledlanes_test.go", Version: kernel.Version}
	kernel.Attach(kernel.Go, from, func(k *owner) func(exec.Lanes[float64]) { return k.lanes }, func(k *owner) kernel.Reduce[float64] { return (*ownedSpan)(k) })
	kernel.Attach(kernel.Go, from, func(k *owner) func(exec.RowLanes[policy.Index2, float64]) { return k.rows }, func(k *owner) kernel.ReduceRuns[float64] { return (*ownedRows)(k) })
}

// Loops of functors that own their loops give the bits of the functors, whatever items they leave to them.
func TestLoopsOfLanes(t *testing.T) {
	if !compiles() {
		t.Skip("loops are off")
	}
	on := exec.NewGoroutines(3)
	defer on.Close()
	dev := exec.NewSimGPU(gpu.H200())
	for name, leaves := range map[string]func(n int) bool{
		"none": func(int) bool { return false }, "all": func(int) bool { return true }, "one in seven": func(n int) bool { return n%7 == 3 },
		"few": func(n int) bool { return n%511 == 510 }, "the first": func(n int) bool { return n < 40 },
	} {
		k := &owner{leaves: leaves, panics: math.MinInt}
		alone := func(s exec.Lanes[float64]) { k.lanes(s) }
		aloneRows := func(r exec.RowLanes[policy.Index2, float64]) { k.rows(r) }
		for _, s := range []space.Space{exec.Serial{}, on, dev} {
			for _, n := range []int{0, 1, 31, 33, 4099, 70001} {
				var want, got float64
				require.NoError(t, exec.ParallelReduceLanes(policy.Spans(-5, n-5).On(s), alone, builtin.Sum(&want)))
				ran := called(func() {
					require.NoError(t, exec.ParallelReduceLanes(policy.Spans(-5, n-5).On(s), k.lanes, builtin.Sum(&got)))
				})
				assert.Equal(t, math.Float64bits(want), math.Float64bits(got), "%s %T %d", name, s, n)
				assert.Equal(t, n > 0, ran > 0, "%s %T %d", name, s, n)
			}
			for _, p := range rowsOfBox(policy.MDRange2([2]int{2, 3}, [2]int{61, 95})) {
				var want, got float64
				require.NoError(t, exec.ParallelReduceLanes(p.On(s), aloneRows, builtin.Sum(&want)))
				require.NoError(t, exec.ParallelReduceLanes(p.On(s), k.rows, builtin.Sum(&got)))
				assert.Equal(t, math.Float64bits(want), math.Float64bits(got), "%s %T %v", name, s, p)
			}
		}
	}
}

func rowsOfBox(p policy.MDRangePolicy[policy.Index2, [2]int]) []policy.RowsPolicy[policy.Index2, [2]int] {
	return []policy.RowsPolicy[policy.Index2, [2]int]{p.Rows(), p.Tile([2]int{7, 13}).Rows(), p.Iterate(policy.Left, policy.Left).Rows(), p.Iterate(policy.Hilbert, policy.Right).Tile([2]int{8, 8}).Rows()}
}

// An item that fails is the functor's, and its leaf is that of the closure.
func TestLoopsOfLanesPanic(t *testing.T) {
	fails := func(f func(s exec.Lanes[float64])) (says string) {
		defer func() {
			p := recover().(*exec.Panic)
			says = fmt.Sprint(p.Value, p.Begin, p.End, p.Index)
		}()
		var sum float64
		exec.Must(exec.ParallelReduceLanes(policy.Spans(0, 9999).On(exec.Serial{}), f, builtin.Sum(&sum)))
		return ""
	}
	for _, at := range []int{0, 1, 31, 4096, 9998} {
		k := &owner{leaves: func(n int) bool { return n%5 == 0 || n == at }, panics: at}
		want := fails(func(s exec.Lanes[float64]) { k.lanes(s) })
		assert.NotEmpty(t, want)
		assert.Equal(t, want, fails(k.lanes))
	}
}

// A loop of another form is a mistake.
func TestAttachToLanes(t *testing.T) {
	from := kernel.Source{Name: "exec_test.owner", Version: kernel.Version}
	assert.PanicsWithValue(t, "kernel: a loop that is a kernel.ReduceRuns[float64] attached to exec_test.owner, whose functor is a func(exec.Lanes[float64])", func() {
		kernel.Attach(kernel.Go, from, func(k *owner) func(exec.Lanes[float64]) { return k.lanes }, func(k *owner) kernel.ReduceRuns[float64] { return (*ownedRows)(k) })
	})
	assert.Panics(t, func() {
		kernel.Attach(kernel.Go, from, func(k *owner) func(exec.RowLanes[policy.Index2, float64]) { return k.rows }, func(k *owner) kernel.Reduce[float64] { return (*ownedSpan)(k) })
	})
	assert.Panics(t, func() {
		kernel.Attach(kernel.Go, from, func(k *owner) func(exec.Lanes[float64]) { return k.lanes }, func(k *owner) kernel.Reduce[float32] { return nil })
	})
}
