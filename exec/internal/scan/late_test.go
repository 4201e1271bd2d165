package scan_test

import (
	"bytes"
	"fmt"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/internal/launch"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// halves runs the left half of a tree as worker 0 and the right half as worker 1, which runs first. The
// workers of early call AtEnd before worker 0 has run, the workers of atEnd at the end, in this order.
type halves struct {
	atEnd, early []int
	hints        *space.Hints
}

func (halves) Name() string     { return "halves" }
func (halves) Concurrency() int { return 2 }

func (s halves) Launch(g space.Grid, j space.Job) error {
	h := space.HintsOf(j)
	*s.hints = h
	j.Open(2, 2)
	middle := half(0, g.Leaves)
	end := func(workers []int) {
		for _, w := range workers {
			if h.AtEnd != nil {
				var ended sync.WaitGroup
				ended.Go(func() { h.AtEnd(w) })
				ended.Wait()
			}
		}
	}
	right := j.Run(1, middle, g.Leaves, 1)
	end(s.early)
	if left := j.Run(0, 0, middle, 0); left && right {
		j.Join(0, 1)
	}
	end(s.atEnd)
	return nil
}

// scanHalves scans n items. Of every hundredth result, it counts the results that are left to a second
// launch.
func scanHalves(t *testing.T, s halves, n int) (left int) {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	var totals [2]float64
	var results [2][]float64
	for k, on := range []exec.Space{exec.Serial{}, s} {
		y, finals := make([]float64, n), make([]int, n)
		left = 0
		require.NoError(t, exec.ParallelScan(policy.Range(0, n).On(on), func(i int, acc *float64, final bool) {
			if final {
				y[i] = *acc
				finals[i]++
				if i%100 == 0 && bytes.Contains(debug.Stack(), []byte("scanResults")) {
					left++ //gokkosvet:ignore workers follow each other
				}
			}
			*acc += x[i]
		}, builtin.Sum(&totals[k])))
		results[k] = y
		for i, f := range finals {
			require.Equal(t, 1, f, "item %d on %s", i, on.Name())
		}
	}
	require.Equal(t, totals[0], totals[1])
	require.Equal(t, results[0], results[1])
	return left
}

// If the data fits the caches, the results wait until all is read. The same launch then computes them,
// each worker for the leaves that it has read.
func TestLateScanTakesOneLaunch(t *testing.T) {
	const n = 20_000
	var h space.Hints
	assert.Zero(t, scanHalves(t, halves{atEnd: []int{0, 1}, hints: &h}, n))
	assert.Zero(t, h.MaxClaim, "leaves next to each other")
	assert.Zero(t, scanHalves(t, halves{atEnd: []int{1, 0}, hints: &h}, n), "no matter who is first")
	assert.Equal(t, n/100, scanHalves(t, halves{hints: &h}, n), "nobody calls AtEnd")
}

// A worker waits for the prefixes of the leaves that it has run, but not for long.
func TestLateScanWaitsALittle(t *testing.T) {
	var h space.Hints
	left := scanHalves(t, halves{early: []int{1}, hints: &h}, 20_000)
	assert.Equal(t, 200, left)
	assert.Zero(t, scanHalves(t, halves{early: []int{1}, atEnd: []int{1, 0}, hints: &h}, 20_000), "the worker may come again")
}

// If the data does not fit the caches, workers take leaves in order. Results that wait at the end are
// computed, too.
func TestSoonScanFinishesAtEnd(t *testing.T) {
	const n = 2*launch.LateItems + 4*4096
	var h space.Hints
	assert.Zero(t, scanHalves(t, halves{atEnd: []int{1}, hints: &h}, n))
	assert.NotZero(t, h.MaxClaim)
	assert.NotZero(t, scanHalves(t, halves{hints: &h}, n))
}

// After a panic, no result is computed, and no worker waits for a prefix that never comes.
func TestLateScanPanics(t *testing.T) {
	for _, at := range []bool{false, true} {
		for _, item := range []int{0, 9_000, 19_999} {
			var h space.Hints
			total, finals := 5, 0
			p := scanPanic(func() error {
				return exec.ParallelScan(policy.Range(0, 20_000).On(halves{atEnd: []int{1, 0}, hints: &h}), func(i int, acc *int, final bool) {
					if final {
						finals++ //gokkosvet:ignore halves runs items one after the other
					}
					if i == item && final == at {
						panic(i)
					}
					*acc++
				}, reducers.New(&total, func(dst, src *int) { *dst += *src }))
			})
			name := fmt.Sprintf("item %d, final %t", item, at)
			require.NotNil(t, p, name)
			assert.Equal(t, item, p.Value, name)
			assert.LessOrEqual(t, p.Begin, item, name)
			assert.Less(t, item, p.End, name)
			assert.Equal(t, 5, total, name)
			if !at {
				assert.Zero(t, finals, name)
			}
		}
	}
}

// A space that calls AtEnd for a worker that it has not opened gets an error, as in Run.
func TestAtEndOfNoWorker(t *testing.T) {
	for _, worker := range []int{-1, 2} {
		for _, s := range []halves{{early: []int{worker}}, {atEnd: []int{worker}}} {
			s.hints = new(space.Hints)
			total := 5
			err := exec.ParallelScan(policy.Range(0, 20_000).On(s), func(_ int, acc *int, _ bool) { *acc++ }, builtin.Sum(&total))
			require.EqualError(t, err, fmt.Sprintf("exec: the space called AtEnd for worker %d, having opened 2 workers", worker))
			require.Equal(t, 5, total)
		}
	}
}
