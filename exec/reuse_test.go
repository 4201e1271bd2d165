package exec_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// quickSpaces are the spaces that give the jobs of launches back.
func quickSpaces(t *testing.T) []exec.Space {
	two, three := exec.NewGoroutines(2), exec.NewGoroutines(3)
	t.Cleanup(func() {
		assert.NoError(t, two.Close())
		assert.NoError(t, three.Close())
	})
	return []exec.Space{exec.Serial{}, two, three}
}

func TestLaunchesAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("sync.Pool drops what it is given at random")
	}
	for _, space := range quickSpaces(t) {
		for _, l := range append(launches(space)[:8], boxLaunches(space)...) {
			launch := func() { require.NoError(t, l.run()) }
			for range 10 {
				launch()
			}
			// The least of several tries: others allocate, and the collector empties pools.
			least := testing.AllocsPerRun(50, launch)
			for range 10 {
				least = min(least, testing.AllocsPerRun(50, launch))
			}
			assert.Zero(t, least, "%s on %s of %d", l.name, space.Name(), space.Concurrency())
		}
	}
}

// big is what a test finds out about whether it can be collected.
type big [1 << 10]byte

// pointers is a policy whose indices refer to memory.
type pointers struct {
	space exec.Space
	at    *big
}

func (p pointers) Plan() policy.Plan { return policy.Plan{Items: 100, Space: p.space} }
func (p pointers) Next(begin, end int, dst []*big) (n, next int) {
	for k := range dst {
		dst[k] = p.at
	}
	return len(dst), begin + len(dst)
}

// scanner is a policy that scans leaves by itself.
type scanner struct{ pointers }

func (scanner) ScanLeaves(_, _, _ int, _ []int, _ bool) {}

// What a launch was given, and what it computed, can be collected once it is over: one
// collection leaves alone what is in a sync.Pool, and frees all else.
func TestLaunchKeepsNothing(t *testing.T) {
	keep := func(dst, src **big) {
		if *src != nil {
			*dst = *src
		}
	}
	tests := []struct {
		name string
		run  func(space exec.Space, b *big) error
	}{
		{"functor of For", func(space exec.Space, b *big) error {
			return exec.ParallelFor(policy.Range(0, 100).On(space), func(int) { _ = b[0] })
		}},
		{"policy and indices", func(space exec.Space, b *big) error {
			return exec.ParallelFor(pointers{space, b}, func(*big) {})
		}},
		{"context", func(space exec.Space, b *big) error {
			return exec.ParallelFor(policy.Range(0, 100).On(space).WithContext(context.WithValue(t.Context(), b, b)), func(int) {})
		}},
		{"compiled functor", func(space exec.Space, b *big) error {
			return exec.ParallelFor(policy.Range(0, 100).On(space), (&each0{x: make([]float64, 100), leaves: func(int) bool { return b[0] > 0 }}).at)
		}},
		{"compiled functor of Reduce", func(space exec.Space, b *big) error {
			var n float64
			return exec.ParallelReduce(policy.Range(0, 100).On(space), (&each1{x: make([]float64, 100), leaves: func(int) bool { return b[0] > 0 }}).at, builtin.Sum(&n))
		}},
		{"functor of Reduce", func(space exec.Space, b *big) error {
			var n int
			return exec.ParallelReduce(policy.Range(0, 100).On(space), func(int, *int) { _ = b[0] }, reducers.New(&n, addInt))
		}},
		{"reducer", func(space exec.Space, b *big) error {
			var n int
			return exec.ParallelReduce(policy.Range(0, 100).On(space), func(int, *int) {}, reducers.New(&n, func(_, _ *int) { _ = b[0] }))
		}},
		{"partial results", func(space exec.Space, b *big) error {
			var r *big
			return exec.ParallelReduce(policy.Range(0, 100).On(space), func(_ int, acc **big) { *acc = b }, reducers.New(&r, keep)) //gokkosvet:ignore any of equal values
		}},
		{"flat partial results", func(space exec.Space, b *big) error {
			var r func()
			f := func() { _ = b[0] }
			return exec.ParallelReduce(policy.Range(0, 1000).On(space), func(_ int, acc *func()) { *acc = f }, //gokkosvet:ignore any of equal values
				reducers.New(&r, func(dst, src *func()) { *dst = *src }))
		}},
		{"four reducers", func(space exec.Space, b *big) error {
			var r [4]*big
			f := func(_ int, w, x, y, z **big) { *w, *x, *y, *z = b, b, b, b } //gokkosvet:ignore any of equal values
			return exec.ParallelReduce4(policy.Range(0, 100).On(space), f,
				reducers.New(&r[0], keep), reducers.New(&r[1], keep), reducers.New(&r[2], keep), reducers.New(&r[3], keep))
		}},
		{"lanes", func(space exec.Space, b *big) error {
			var n int
			return exec.ParallelReduceLanes(policy.Spans(0, 100).On(space), func(exec.Lanes[int]) { _ = b[0] }, reducers.New(&n, addInt))
		}},
		{"rows", func(space exec.Space, b *big) error {
			return exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{10, 100}).On(space).Rows(), func(policy.Row[policy.Index2]) { _ = b[0] })
		}},
		{"lanes of rows", func(space exec.Space, b *big) error {
			var n int
			return exec.ParallelReduceLanes(policy.MDRange2([2]int{}, [2]int{10, 100}).On(space).Rows(), func(exec.RowLanes[policy.Index2, int]) { _ = b[0] }, reducers.New(&n, addInt))
		}},
		{"runs", func(space exec.Space, b *big) error {
			p := zigzag[cell]{n: 100, index: func(i, j int) cell { _ = b[0]; return cell{i, j} }}
			return exec.ParallelFor(p, func(cell) { _ = b[0] })
		}},
		{"functor of points", func(space exec.Space, b *big) error {
			var n int
			return exec.ParallelReduce(policy.MDRange2([2]int{}, [2]int{10, 100}).On(space), func(policy.Index2, *int) { _ = b[0] }, reducers.New(&n, addInt))
		}},
		{"fold of a slice", func(space exec.Space, b *big) error {
			var n int
			return exec.ParallelFold(exec.Slice(policy.Range(0, 100).On(space), b[:]), reducers.Folding(reducers.New(&n, addInt), func(*int, int, byte) { _ = b[0] }))
		}},
		{"scan", func(space exec.Space, b *big) error {
			var r *big
			return exec.ParallelScan(policy.Range(0, 100).On(space), func(_ int, acc **big, _ bool) { *acc = b }, reducers.New(&r, keep))
		}},
		{"policy that scans leaves", func(space exec.Space, b *big) error {
			var n int
			return exec.ParallelScan(scanner{pointers{space, b}}, func(*big, *int, bool) {}, reducers.New(&n, addInt))
		}},
	}
	for _, space := range quickSpaces(t) {
		for _, test := range tests {
			t.Run(fmt.Sprintf("%s/%s=%d", test.name, space.Name(), space.Concurrency()), func(t *testing.T) {
				b := new(big)
				seen := weak.Make(b)
				require.NoError(t, test.run(space, b))
				b = nil
				runtime.GC()
				assert.Nil(t, seen.Value())
			})
		}
	}
}

// Launches of one kind and of all sizes, some of which fail, leave nothing of
// themselves to those that come after.
func TestLaunchesLeaveNothingToLaterOnes(t *testing.T) {
	for _, space := range quickSpaces(t) {
		t.Run(fmt.Sprintf("%s=%d", space.Name(), space.Concurrency()), func(t *testing.T) {
			var callers sync.WaitGroup
			for caller := range 3 {
				callers.Go(func() {
					for round := range 150 {
						n := (round*7919 + caller*31) % 700
						p := policy.Range(0, n).On(space)
						if round%3 == 1 {
							p = p.Chunk(1 + round%64)
						}
						switch (round + caller) % 5 {
						case 0: // a panic in the middle
							assert.Panics(t, func() {
								_ = exec.ParallelReduce(p.Chunk(8), func(i int, acc *int) { *acc = 1 << 30; panic(i) }, reducers.New(new(int), addInt))
								panic("no items")
							})
						case 1: // a cancelled launch
							ctx, cancel := context.WithCancel(t.Context())
							err := exec.ParallelReduce(p.WithContext(ctx), func(_ int, acc *int) { *acc = 1 << 30; cancel() }, reducers.New(new(int), addInt))
							assert.Equal(t, n > 0, err != nil)
							cancel()
						case 2: // a functor that ends its goroutine
							done := make(chan struct{})
							go func() {
								defer close(done)
								_ = exec.ParallelReduce(p, func(_ int, acc *int) { *acc = 1 << 30; runtime.Goexit() }, reducers.New(new(int), addInt))
							}()
							<-done
						}
						sum, initial := -1, 1000
						require.NoError(t, exec.ParallelReduce(p, func(i int, acc *int) {
							if i%100 == 7 { // a launch of the same kind in the middle
								inner := 0
								assert.NoError(t, exec.ParallelReduce(p, func(_ int, acc *int) { *acc++ }, reducers.New(&inner, addInt)))
								assert.Equal(t, n, inner)
							}
							*acc += i
						}, reducers.New(&sum, addInt)))
						require.NoError(t, exec.ParallelReduce(p, func(i int, acc *int) { *acc += i }, reducers.WithInitial(reducers.New(&initial, addInt))))
						assert.Equal(t, [2]int{n * (n - 1) / 2, 1000 + n*(n-1)/2}, [2]int{sum, initial})
					}
				})
			}
			callers.Wait()
		})
	}
}

// A result may share memory with a partial result, which no later launch may write to.
func TestResultsShareNoMemoryWithLaterLaunches(t *testing.T) {
	for _, space := range quickSpaces(t) {
		var results [5][]int
		for round := range results {
			results[round] = make([]int, 3)
			p := policy.Range(0, 100).On(space)
			require.NoError(t, exec.ParallelReduce(p, func(i int, acc *[]int) { (*acc)[i%3] += round }, reducers.Slice(&results[round], func(x *int) reducers.Func[int] {
				return reducers.New(x, addInt)
			})))
		}
		for round, r := range results {
			assert.Equal(t, []int{34 * round, 33 * round, 33 * round}, r)
		}
	}
}
