package mpi

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/bitset"
	"github.com/gokkos/gokkos/views/hashmap"
	"github.com/gokkos/gokkos/views/random"
	contribution "github.com/gokkos/gokkos/views/scatter"
	"github.com/gokkos/gokkos/views/token"
)

// A scatter into a view of one rank is an error on all ranks before any item runs, and the view keeps its
// content.
func TestScatterOverRanksIsAnError(t *testing.T) {
	type access = contribution.Access[int]
	type scatter func(y views.Viewer[int], on ...policy.Launch) reducers.Reducer[access]
	for name, into := range map[string]scatter{
		"Sum": contribution.Sum[int],
		"Max": contribution.Max[int],
		"Duplicated Sum": func(y views.Viewer[int], on ...policy.Launch) reducers.Reducer[access] {
			return contribution.Duplicated(contribution.Sum(y, on...))
		},
		"AtomicSum": func(y views.Viewer[int], _ ...policy.Launch) reducers.Reducer[access] {
			return contribution.AtomicSum(y)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var ran atomic.Bool
			require.NoError(t, Local(3, func(c *Comm) error {
				y := views.Must(views.New1[int]("y", 5))
				p := policy.Range(0, 1000).On(On(c, exec.Serial{}))
				err := exec.ParallelReduce(p, func(i int, acc *access) {
					ran.Store(true)
					acc.Combine1(i%5, 1)
				}, into(y))
				assert.ErrorContains(t, err, `into "y" [5] of one process, on a space of several, expected the space of this`)
				assert.Equal(t, make([]int, 5), slices.Collect(y.Values()))
				return nil
			}))
			assert.False(t, ran.Load())
		})
	}
}

// What a scatter stores is stored by its rank alone, also on the space of all: others may make another
// launch.
func TestScatterStoresOnItsRank(t *testing.T) {
	const cells = 1 << 16
	require.NoError(t, Local(3, func(c *Comm) error {
		on := On(c, exec.Serial{})
		if c.Rank() == 1 {
			y := views.Must(views.Must(views.New1[int]("y", 2*cells)).Sub(views.All().By(2)))
			sum := contribution.Duplicated(contribution.Sum(y, policy.On(on)))
			alone := policy.Range(0, 3*cells).On(exec.Serial{})
			err := exec.ParallelReduce(alone, func(i int, acc *contribution.Access[int]) { acc.Combine1(i%cells, 1) }, sum)
			require.NoError(t, err)
			require.Equal(t, slices.Repeat([]int{3}, cells), slices.Collect(y.Values()))
		}
		var ranks int
		err := exec.ParallelReduce(policy.Range(0, 3).On(on), func(_ int, acc *int) { *acc++ }, builtin.Sum(&ranks))
		if ranks != 3 {
			return fmt.Errorf("the other launch counts %d, %w", ranks, err)
		}
		return err
	}))
}

// Views in the memory of a rank's device are copied to and from the host on that rank, all of them.
func TestMirrorsAndDualsAreOfOneRank(t *testing.T) {
	require.NoError(t, Local(3, func(c *Comm) error {
		const n = 5000
		sim := exec.NewSimGPU(gpu.H200())
		on := policy.On(On(c, sim))
		x := views.Must(views.New1[int]("x", n))
		want := func(k int) int { return k*3 + c.Rank() }
		fill := func(s policy.Span, x []int) {
			for k := range x {
				x[k] = want(s.Begin + k)
			}
		}
		require.NoError(t, views.FillFunc(x, fill, policy.On(On(c, exec.Serial{}))))
		there, err := views.MirrorCopy[int](sim.Memory(), x, on)
		require.NoError(t, err)
		back, err := views.MirrorCopy[int](views.Host, there, on)
		require.NoError(t, err)
		d, err := views.NewDual[int](sim.Memory(), x, on)
		require.NoError(t, err)
		require.NoError(t, views.FillFunc(d.Device(), func(s policy.Span, x []int) {
			fill(s, x)
			for k := range x {
				x[k]++
			}
		}, on))
		require.NoError(t, d.ModifiedDevice())
		require.NoError(t, d.SyncHost(on))
		for k := range n {
			if back.At(k) != want(k) || x.At(k) != want(k)+1 {
				return fmt.Errorf("rank %d: element %d is %d and %d", c.Rank(), k, back.At(k), x.At(k))
			}
		}
		require.NoError(t, views.Fill(x, 7, policy.On(On(c, exec.Serial{}))))
		require.NoError(t, d.ModifiedHost())
		require.NoError(t, d.SyncDevice(on))
		again, err := views.MirrorCopy[int](views.Host, d.Device(), on)
		require.NoError(t, err)
		if slices.ContainsFunc(slices.Collect(again.Values()), func(v int) bool { return v != 7 }) {
			return fmt.Errorf("rank %d: the device side is not that of the host", c.Rank())
		}
		return nil
	}))
}

// What algorithms and random numbers do to a view, each rank does to its own, as without the others.
func TestAlgorithmsAreOfOneRank(t *testing.T) {
	const n = 5000
	results := func(on policy.Launch, seed uint64) (all []any) {
		x, y := views.Must(views.New1[float64]("x", n)), views.Must(views.New1[float64]("y", n))
		counts := views.Must(views.New1[int]("counts", 8))
		keep := func(result any, err error) {
			require.NoError(t, err)
			all = append(all, result)
		}
		require.NoError(t, random.FillUniform(x, random.New(seed), 0, 8, on))
		require.NoError(t, algorithms.Transform(y, x, math.Floor, on))
		require.NoError(t, algorithms.Histogram(counts, x, algorithms.UniformBins(0.0, 8, 8), on))
		keep(algorithms.MinElement(x, on))
		keep(algorithms.CountIf(x, func(v float64) bool { return v < 3 }, on))
		keep(algorithms.Find(y, 7, on))
		keep(algorithms.StablePartition(x, func(v float64) bool { return v > 4 }, on))
		keep(algorithms.Unique(y, on))
		require.NoError(t, algorithms.Reverse(y, on))
		return append(all, slices.Collect(x.Values()), slices.Collect(y.Values()), slices.Collect(counts.Values()))
	}
	require.NoError(t, Local(3, func(c *Comm) error {
		seed := uint64(c.Rank())
		assert.Equal(t, results(policy.On(exec.Serial{}), seed), results(policy.On(On(c, exec.Serial{})), seed))
		return nil
	}))
}

// Sets and maps are of one rank: they have what the items of [Part] have put there. Numbers are each item's
// own on its rank.
func TestSetsMapsAndNumbersAreOfOneRank(t *testing.T) {
	require.NoError(t, Local(3, func(c *Comm) error {
		const n = 1000
		inner := exec.NewGoroutines(2)
		defer inner.Close()
		on := On(c, inner)
		set, err := bitset.New(n)
		require.NoError(t, err)
		keys, err := hashmap.New[int, int](n)
		require.NoError(t, err)
		numbers, err := token.New(on.Concurrency())
		require.NoError(t, err)
		taken := make([]atomic.Int32, numbers.Size())
		p := policy.Range(0, n).Chunk(1).On(on)
		require.NoError(t, exec.ParallelFor(p, func(i int) {
			number := numbers.Acquire()
			defer numbers.Release(number)
			if taken[number].Add(1) != 1 {
				panic("two items have a number")
			}
			set.Set(i)
			keys.Insert(i, -i, i)
			taken[number].Add(-1)
		}))
		begin, end, err := Part(on, p)
		require.NoError(t, err)
		var want, entered []int
		for i := begin; i < end; i++ {
			want = append(want, i)
		}
		for _, e := range keys.Entries() {
			entered = append(entered, e.Value)
		}
		require.NotEmpty(t, want)
		assert.Equal(t, want, slices.Collect(set.All()))
		assert.Equal(t, want, entered)
		return nil
	}))
}
