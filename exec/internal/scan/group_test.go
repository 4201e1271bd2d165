package scan_test

import (
	"bytes"
	"math"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"

	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// In these tests, leaves that run in step have 16 items, and a group has 4 leaves.
const stepItems, stepLeaf, stepGroup = 400, 16, 64

func TestScanRunsLeavesInStep(t *testing.T) { inUnits(t, testScanRunsLeavesInStep) }

func testScanRunsLeavesInStep(t *testing.T) {
	var order []int
	total := 0
	require.NoError(t, exec.ParallelScan(policy.Range(10, 10+stepItems).On(exec.Serial{}), func(i int, acc *int, final bool) {
		if !final {
			order = append(order, i-10)
		}
		*acc += i
	}, reducers.New(&total, func(dst, src *int) { *dst += *src })))
	assert.Equal(t, []int{0, 16, 32, 48, 1, 17, 33, 49}, order[:8])
	assert.Equal(t, []int{384, 385, 386}, order[384:387], "the last leaf is alone")
	assert.Len(t, order, stepItems)
	assert.Equal(t, (10+9+stepItems)*stepItems/2, total)
}

// A single worker knows each prefix in time. It leaves nothing to the launch for results, not even the
// last group, which has one leaf here.
func TestScanOnOneWorkerTakesOneLaunch(t *testing.T) { inUnits(t, testScanOnOneWorkerTakesOneLaunch) }

func testScanOnOneWorkerTakesOneLaunch(t *testing.T) {
	left := func(space exec.Space) (items int) {
		total, late := 0, atomic.Int64{}
		require.NoError(t, exec.ParallelScan(policy.Range(0, stepItems).On(space), func(_ int, acc *int, final bool) {
			if final && bytes.Contains(debug.Stack(), []byte("scanResults")) {
				late.Add(1)
			}
			*acc++
		}, reducers.New(&total, func(dst, src *int) { *dst += *src })))
		return int(late.Load())
	}
	assert.Zero(t, left(exec.Serial{}))
	sim := exec.NewSimGPU(gpu.Device{})
	defer sim.Close()
	assert.Equal(t, stepItems, left(sim), "a device has kernels for sums and for results")
}

// The panic in the lowest leaf counts, even if a higher leaf of its group panicked before. All items
// before it have run, once.
func TestScanInStepPanicsInTheLowestLeaf(t *testing.T) {
	inUnits(t, testScanInStepPanicsInTheLowestLeaf)
}

func testScanInStepPanicsInTheLowestLeaf(t *testing.T) {
	two := exec.NewGoroutines(2)
	defer two.Close()
	for _, c := range []struct {
		name   string
		panics []int // items
		want   int
	}{
		{"one", []int{100}, 100},
		{"the first item", []int{0}, 0},
		{"the last leaf of a group comes first", []int{stepGroup + 3*stepLeaf, stepGroup + 15}, stepGroup + 15},
		{"each leaf, the lowest latest", []int{15, 16 + 10, 32 + 5, 48}, 15},
		{"the same row", []int{16 + 7, 32 + 7}, 16 + 7},
		{"the second of one leaf", []int{16 + 7, 16 + 9}, 16 + 7},
		{"the leaf after the groups", []int{stepItems - 1}, stepItems - 1},
		{"groups", []int{stepGroup, 3 * stepGroup}, stepGroup},
	} {
		for _, at := range []bool{false, true} {
			for _, space := range []exec.Space{exec.Serial{}, two} {
				var calls [stepItems]atomic.Int32
				total := 0
				p := scanPanic(func() error {
					return exec.ParallelScan(policy.Range(0, stepItems).On(space), func(i int, acc *int, final bool) {
						if final == at {
							calls[i].Add(1)
							for _, k := range c.panics {
								if i == k {
									panic(i)
								}
							}
						}
						*acc++
					}, reducers.New(&total, func(dst, src *int) { *dst += *src }))
				})
				require.NotNil(t, p, c.name)
				leaf := c.want / stepLeaf * stepLeaf
				assert.Equal(t, []any{c.want, leaf, min(leaf+stepLeaf, stepItems)}, []any{p.Value, p.Begin, p.End}, "%s, final %t, on %s", c.name, at, space.Name())
				for i := range calls {
					n := calls[i].Load()
					assert.LessOrEqual(t, n, int32(1), "%s: item %d", c.name, i)
					if i <= c.want {
						assert.Equal(t, int32(1), n, "%s, final %t, on %s: item %d", c.name, at, space.Name(), i)
					}
				}
				assert.Zero(t, total)
			}
		}
	}
}

// scanPanic returns the panic of run, or nil.
func scanPanic(run func() error) (p *exec.Panic) {
	defer func() { p, _ = recover().(*exec.Panic) }()
	_ = run()
	return nil
}

// A functor that ends its goroutine ends the caller's goroutine, once the leaves below have run.
func TestScanInStepExits(t *testing.T) { inUnits(t, testScanInStepExits) }

func testScanInStepExits(t *testing.T) {
	for _, at := range []bool{false, true} {
		calls, returned := 0, false
		done := make(chan struct{})
		go func() {
			defer close(done)
			total := 0
			_ = exec.ParallelScan(policy.Range(0, stepItems).On(exec.Serial{}), func(i int, _ *int, final bool) {
				if final != at {
					return
				}
				if i < 2*stepLeaf {
					calls++
				}
				if i == 2*stepLeaf {
					runtime.Goexit()
				}
			}, reducers.New(&total, func(dst, src *int) { *dst += *src }))
			returned = true
		}()
		<-done
		assert.False(t, returned)
		assert.Equal(t, 2*stepLeaf, calls)
	}
}

// lastNode runs the last four leaves only.
type lastNode struct{}

func (lastNode) Name() string     { return "last node" }
func (lastNode) Concurrency() int { return 1 }
func (lastNode) Launch(g space.Grid, j space.Job) error {
	j.Open(1, 1)
	j.Run(0, g.Leaves-4, g.Leaves, 0)
	return nil
}

// With math.MaxInt items, the last leaf is not full.
func TestScanOfTheMostItems(t *testing.T) {
	if math.MaxInt > math.MaxInt32 {
		t.Skip("takes too long; run with GOARCH=386")
	}
	total, beyond := 0, 0
	_ = exec.ParallelScan(policy.Range(0, math.MaxInt).On(lastNode{}), func(i int, acc *int, final bool) { //gokkosvet:ignore the launch is refused
		if i == math.MaxInt {
			beyond++
		}
	}, reducers.New(&total, func(d, s *int) { *d += *s }))
	assert.Zero(t, beyond, "an item that there is not")
}
