package token

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/check"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/internal/leaktest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func spaces(t *testing.T) []exec.Space {
	seven, sim := exec.NewGoroutines(7), exec.NewSimGPU(gpu.H200())
	t.Cleanup(func() { seven.Close(); sim.Close() })
	return []exec.Space{exec.Serial{}, seven, sim, sim.WithSchedule(2)}
}

// Concurrency of a space is enough for its items, each of which has its number alone, and all are used again.
func TestNobodyElseHasTheNumber(t *testing.T) {
	for _, s := range spaces(t) {
		numbers, err := New(s.Concurrency())
		require.NoError(t, err)
		require.Equal(t, s.Concurrency(), numbers.Size())
		owners := make([]int, numbers.Size()) // no atomics: -race sees two owners
		var most int
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 5000).Chunk(1).On(s), func(i int, acc *int) {
			number := numbers.Acquire()
			defer numbers.Release(number)
			owners[number] = i
			for range i % 50 {
				if owners[number] != i {
					panic("two items have one number")
				}
			}
			*acc = max(*acc, number)
		}, builtin.Max(&most)))
		assert.Less(t, most, numbers.Size())
		assert.Zero(t, numbers.held.Load())
	}
}

// Launches that share numbers need those of each.
func TestLaunchesAtOneTime(t *testing.T) {
	s := exec.NewGoroutines(3)
	defer s.Close()
	numbers, err := New(3 * s.Concurrency())
	require.NoError(t, err)
	counts := make([]int, numbers.Size())
	var launches sync.WaitGroup
	for range 3 {
		launches.Go(func() {
			assert.NoError(t, exec.ParallelFor(policy.Range(0, 1000).Chunk(1).On(s), func(int) {
				number := numbers.Acquire()
				counts[number]++
				numbers.Release(number)
			}))
		})
	}
	launches.Wait()
	total := 0
	for _, n := range counts {
		total += n
	}
	assert.Equal(t, 3000, total)
}

// One who asks for too many is told, and what the others have can be used on.
func TestAllAreTaken(t *testing.T) {
	for _, s := range spaces(t) {
		numbers, err := New(s.Concurrency())
		require.NoError(t, err)
		func() {
			defer func() {
				p, ok := recover().(*exec.Panic)
				require.True(t, ok)
				assert.Contains(t, p.Error(), "numbers are taken, expected one for each item that runs at the same time")
			}()
			_ = exec.ParallelFor(policy.Range(0, 1).On(s), func(int) {
				for range numbers.Size() + 1 {
					number := numbers.Acquire()
					defer numbers.Release(number)
				}
			})
			t.Errorf("%s: no panic", s.Name())
		}()
		seen := map[int]bool{}
		for range numbers.Size() {
			seen[numbers.Acquire()] = true
		}
		assert.Len(t, seen, numbers.Size())
		for number := range seen {
			numbers.Release(number)
		}
	}
}

func TestNobodyHasIt(t *testing.T) {
	numbers, err := New(2)
	require.NoError(t, err)
	number := numbers.Acquire()
	numbers.Release(number)
	assert.PanicsWithValue(t, "token: number 1 of 2 is released, and nobody has it", func() { numbers.Release(1) })
	for _, number := range []int{-1, 0, 2} {
		assert.Panics(t, func() { numbers.Release(number) })
	}
	first, second := numbers.Acquire(), numbers.Acquire()
	assert.NotEqual(t, first, second, "a release of what nobody has makes no number free")
}

func TestSizes(t *testing.T) {
	for _, size := range []int{0, -1, math.MinInt} {
		numbers, err := New(size)
		assert.ErrorContains(t, err, "numbers, expected 1 or more")
		assert.Nil(t, numbers)
	}
	_, err := New(math.MaxInt)
	assert.ErrorContains(t, err, "more memory than there can be")
}

// A watched launch knows that who has a number comes after those who had it, and nobody else does.
func TestItemsOfWatchedLaunches(t *testing.T) {
	exectest.TestKernel(t, func(s exec.Space) any {
		numbers, err := New(4 * s.Concurrency())
		require.NoError(t, err)
		scratch := views.Must(views.New2[int]("scratch", numbers.Size(), 8))
		x := make([]int, 100)
		exec.Must(exec.ParallelFor(policy.Spans(0, len(x)).Chunk(4).On(s), func(items policy.Span) {
			number := numbers.Acquire()
			defer numbers.Release(number)
			row := scratch.Row(number)
			for i := range items.All() {
				for k := range row {
					row[k] = i * k
				}
				x[i] = row[3]
			}
		}))
		return x
	})
}

// Numbers do not hide the races of items that have different ones.
func TestItemsThatRaceAllTheSame(t *testing.T) {
	sim := exec.NewSimGPU(gpu.H200()).WithChecks()
	defer sim.Close()
	last := make([]int, 1)
	numbers, err := New(4)
	require.NoError(t, err)
	err = exec.ParallelFor(policy.Range(0, 8).On(sim), func(i int) {
		defer numbers.Release(numbers.Acquire())
		last[0] = i //gokkosvet:ignore the race that is planted
	})
	if report, _ := sim.LastReport(); report.Accesses == 0 {
		t.Skip("go test -gcflags=-race watches these items")
	}
	assert.ErrorIs(t, err, check.ErrRace)
}
