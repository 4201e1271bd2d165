package exec_test

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/ranks"
	"github.com/gokkos/gokkos/policy"
)

// 64 items are 16 leaves by the rule, but 32 workers run them at a time.
func TestFewItemsForManyWorkers(t *testing.T) {
	const workers, items = 32, 64
	s := exec.NewGoroutines(workers)
	defer func() { require.NoError(t, s.Close()) }()
	var inside atomic.Int32
	all := make(chan struct{})
	ran := make([]int, items)
	require.NoError(t, exec.ParallelFor(policy.Range(0, items).On(s), func(i int) {
		ran[i]++
		if inside.Add(1) == workers {
			close(all)
		}
		select {
		case <-all:
		case <-time.After(time.Minute):
			t.Error("not all workers have an item")
		}
	}))
	for i, n := range ran {
		assert.Equal(t, 1, n, "item %d", i)
	}
}

// asked runs launches over leaves as short as it asks for.
type asked struct {
	leaves int
	got    *space.Grid
}

func (asked) Name() string     { return "asked" }
func (asked) Concurrency() int { return 1 }

func (a asked) Launch(_ space.Grid, j space.Job) error {
	*a.got, _ = j.(space.Divider).Divide(a.leaves)
	j.Open(1, 2)
	for leaf := a.got.Leaves; leaf > 0; leaf-- { // the last one first
		j.Run(0, leaf-1, leaf, 1)
	}
	return nil
}

// What is reduced has the leaves of the rule, as have functors that see where a leaf ends and launches with a chunk.
func TestDivide(t *testing.T) {
	const n = 1000 // 31 leaves of 32 and one of 8
	var got space.Grid
	grid := func(leaf, leaves int) space.Grid { return space.Grid{Items: n, Leaf: leaf, Leaves: leaves, Lanes: 4} }
	on := func(leaves int) asked { return asked{leaves, &got} }
	for _, c := range []struct{ asked, leaf, leaves int }{{0, 32, 32}, {32, 32, 32}, {33, 16, 63}, {100, 8, 125}, {n, 1, n}, {2 * n, 1, n}} {
		ran := make([]int, n)
		require.NoError(t, exec.ParallelFor(policy.Range(7, 7+n).On(on(c.asked)), func(i int) { ran[i-7]++ }))
		assert.Equal(t, grid(c.leaf, c.leaves), got, "%d leaves", c.asked)
		for i := range ran {
			require.Equal(t, 1, ran[i], "item %d of %d leaves", i, c.asked)
		}
	}
	require.NoError(t, exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{25, 40}).On(on(100)), func(policy.Index2) {}))
	assert.Equal(t, grid(8, 125), got, "of a box")
	require.NoError(t, exec.ParallelFor(policy.Range(0, n).Chunk(64).On(on(100)), func(int) {}))
	assert.Equal(t, 16, got.Leaves, "a chunk")
	require.NoError(t, exec.ParallelFor(policy.Spans(0, n).On(on(100)), func(policy.Span) {}))
	assert.Equal(t, 32, got.Leaves, "spans")
	require.NoError(t, exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{25, 40}).Rows().On(on(100)), func(policy.Row[policy.Index2]) {}))
	assert.Equal(t, 32, got.Leaves, "rows")
}

// A loop of vectors takes as long for one item as for all lanes.
func TestDivideCompiled(t *testing.T) {
	if !compiles() {
		t.Skip("no loops in this build")
	}
	const n = 1000
	var got space.Grid
	for _, c := range []struct{ asked, leaf int }{{32, 32}, {100, 8}, {n, 8}, {2 * n, 8}} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = float64(i)
		}
		require.NoError(t, exec.ParallelFor(policy.Range(0, n).On(asked{c.asked, &got}), Axpy(2, x, y)))
		assert.Equal(t, space.Grid{Items: n, Leaf: c.leaf, Leaves: (n-1)/c.leaf + 1, Lanes: 4}, got, "%d leaves", c.asked)
		for i := range y {
			require.Equal(t, float64(2*i), y[i], "item %d of %d leaves", i, c.asked)
		}
	}
}

// A panic is told of as in a leaf of the rule, and of several that at the lowest item.
func TestPanicInShorterLeaves(t *testing.T) {
	many := exec.NewGoroutines(16)
	defer func() { require.NoError(t, many.Close()) }()
	for _, on := range []exec.Space{exec.Serial{}, many, asked{1000, new(space.Grid)}} {
		for _, p := range []struct {
			name string
			run  func(f func(i int)) error
		}{
			{"range", func(f func(i int)) error { return exec.ParallelFor(policy.Range(0, 1000).On(on), f) }},
			{"box", func(f func(i int)) error {
				return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{25, 40}).Tile([2]int{25, 40}).On(on), func(x policy.Index2) { f(40*x.I + x.J) })
			}},
		} {
			for range 20 {
				require.PanicsWithError(t, fmt.Sprint("at ", 517), func() {
					defer func() {
						e := recover().(*exec.Panic)
						assert.Equal(t, [2]int{512, 544}, [2]int{e.Begin, e.End}, "%s on %s", p.name, on.Name())
						panic(e.Value)
					}()
					_ = p.run(func(i int) {
						if i >= 517 {
							panic(fmt.Errorf("at %d", i))
						}
						runtime.Gosched()
					})
				})
			}
		}
	}
}

// A policy of others may go wrong where a leaf begins or ends: that is told alike on every space.
func TestFaultsOfAPolicyInFewItems(t *testing.T) {
	many := exec.NewGoroutines(16)
	defer func() { require.NoError(t, many.Close()) }()
	ints := func(begin, end int, dst []int) (n, next int) {
		for k := range dst {
			dst[k] = begin + k
		}
		return end - begin, end
	}
	for _, c := range []struct {
		name string
		next func(begin, end int, dst []int) (n, next int)
	}{
		{"one index too few", func(begin, end int, dst []int) (n, next int) {
			n, next = ints(begin, end, dst)
			return n - 1, next
		}},
		{"wrong for many", func(begin, end int, dst []int) (n, next int) {
			n, next = ints(begin, end, dst)
			return min(n, 16), next
		}},
		{"panics for what has item 517", func(begin, end int, dst []int) (n, next int) {
			if begin <= 517 && 517 < end {
				panic(fmt.Sprint("items from ", begin))
			}
			return ints(begin, end, dst)
		}},
	} {
		launch := func(on exec.Space) string {
			return end(func() error {
				return exec.ParallelFor(custom{policy.Plan{Items: 1000, Space: on}, c.next}, func(i int) {
					if i == 514 {
						panic("in item 514")
					}
				})
			})
		}
		want := launch(exec.Serial{})
		for _, on := range []exec.Space{many, asked{1000, new(space.Grid)}} {
			assert.Equal(t, want, launch(on), "%s on %s", c.name, on.Name())
		}
	}
}

// misdividing asks for short leaves, and does what a space must not do then.
type misdividing struct {
	asked
	launch func(j space.Job, g space.Grid)
}

func (s misdividing) Launch(_ space.Grid, j space.Job) error {
	g, _ := j.(space.Divider).Divide(s.leaves)
	s.launch(j, g)
	return nil
}

// Leaves that are cut have no lanes to be taken in steps, no process knows those of another one, and a space that has asked for
// them must open the job nevertheless.
func TestMisuseOfDivide(t *testing.T) {
	for _, c := range []struct {
		name, want string
		launch     func(j space.Job, g space.Grid)
	}{
		{"steps", "cut into 63, expected the 32 of the launch", func(j space.Job, g space.Grid) {
			s := j.(device.Stepper).Steps()
			j.Open(1, 2)
			for leaf := range g.Leaves {
				s.RunLanes(leaf, 1, nil)
			}
		}},
		{"processes", "cut into 63, expected the 32 of the launch", func(j space.Job, g space.Grid) {
			_, err := j.(ranks.Carrier).AppendFingerprint(nil)
			assert.NoError(t, err)
			j.Open(1, 1)
			j.Run(0, 0, g.Leaves, 0)
		}},
		{"after Open", "after Open, expected it before", func(j space.Job, g space.Grid) {
			j.Open(1, 1)
			again, apart := j.(space.Divider).Divide(1000)
			assert.Equal(t, 32, again.Leaves)
			assert.False(t, apart)
			j.Run(0, 0, g.Leaves, 0)
		}},
		{"nothing", "without the root", func(space.Job, space.Grid) {}},
	} {
		err := exec.ParallelFor(policy.Range(0, 1000).On(misdividing{asked{leaves: 60}, c.launch}), func(int) {})
		assert.ErrorContains(t, err, c.want, c.name)
	}
}
