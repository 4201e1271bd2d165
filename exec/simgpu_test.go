package exec_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
	"github.com/gokkos/gokkos/views/atomics"
)

func simGPU(t testing.TB, d gpu.Device) *exec.SimGPU {
	s := exec.NewSimGPU(d)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func report(t testing.TB, s *exec.SimGPU) gpu.Report {
	r, ok := s.LastReport()
	require.True(t, ok)
	return r
}

// Each reducer of a launch is joined in the best way for it, whatever the others are.
func TestStrategiesOfEachReducer(t *testing.T) {
	const n = 100000
	launch := func(s *exec.SimGPU) (sum float64, count int32, where builtin.ValLoc[float64, int], bins []int) {
		bins = make([]int, 3)
		require.NoError(t, exec.ParallelReduce4(policy.Range(0, n).On(s), func(i int, a *float64, b *int32, c *builtin.ValLoc[float64, int], d *[]int) {
			x := math.Sin(float64(i))
			*a += x
			*b += int32(i)
			c.Min(x, i)
			(*d)[i%3]++
		}, builtin.Sum(&sum), builtin.Sum(&count), builtin.MinLoc(&where), reducers.Slice(&bins, builtin.Sum)))
		return
	}
	names := func(r gpu.Report) (group, grid []string) {
		for _, x := range r.Reducers {
			group, grid = append(group, x.Group), append(grid, x.Grid)
		}
		return group, grid
	}
	s := simGPU(t, gpu.Device{Block: 32})
	sum, count, where, bins := launch(s)
	group, grid := names(report(t, s))
	assert.Equal(t, []string{"shuffle", "shuffle", "shuffle", "shared"}, group)
	assert.Equal(t, []string{"last block", "atomic", "last block", "last block"}, grid)

	for name, c := range map[string]struct {
		device      gpu.Device
		group, grid []string
		kernels     int
	}{
		"no shuffles":   {gpu.Device{NoShuffles: true}, []string{"shared", "shared", "shared", "shared"}, grid, 1},
		"no atomics":    {gpu.Device{NoAtomics: true}, group, []string{"last block", "last block", "last block", "last block"}, 1},
		"shared":        {gpu.Device{Group: gpu.GroupShared}, []string{"shared", "shared", "shared", "shared"}, grid, 1},
		"shuffle":       {gpu.Device{Group: gpu.GroupShuffle}, group, grid, 1},
		"atomic":        {gpu.Device{Grid: gpu.GridAtomic}, group, grid, 1},
		"last block":    {gpu.Device{Grid: gpu.GridLastBlock}, group, []string{"last block", "last block", "last block", "last block"}, 1},
		"second kernel": {gpu.Device{Grid: gpu.GridSecondKernel}, group, []string{"second kernel", "second kernel", "second kernel", "second kernel"}, 2},
	} {
		for seed := range uint64(4) {
			c.device.Block = 32
			s := simGPU(t, c.device).WithSchedule(seed)
			sum2, count2, where2, bins2 := launch(s)
			r := report(t, s)
			gotGroup, gotGrid := names(r)
			assert.Equal(t, c.group, gotGroup, name)
			assert.Equal(t, c.grid, gotGrid, name)
			assert.Len(t, r.Kernels, c.kernels, name)
			assert.Equal(t, sum, sum2, name)
			assert.Equal(t, []any{count, where, bins}, []any{count2, where2, bins2}, name)
		}
	}
}

// With atomics, blocks are joined in the order in which they are done: an operation that
// claims to be exact and is not shows it.
func TestAtomicsJoinInAnyOrder(t *testing.T) {
	results := map[float64]bool{}
	s := simGPU(t, gpu.Device{Block: 32})
	for seed := range uint64(20) {
		var sum float64
		require.NoError(t, exec.ParallelReduce(policy.Range(0, 100000).On(s.WithSchedule(seed)), func(i int, acc *float64) {
			*acc += math.Sin(float64(i))
		}, reducers.Exact(builtin.Sum(&sum))))
		results[sum] = true
	}
	assert.Greater(t, len(results), 5)
}

// The schedule permutes blocks, warps and lanes; an item is run once.
func TestSchedulePermutesItems(t *testing.T) {
	s := simGPU(t, gpu.Device{})
	const n = 5000
	order := func(s *exec.SimGPU) []int {
		next, items := 0, make([]int, n)
		require.NoError(t, exec.ParallelFor(policy.Range(0, n).On(s), func(i int) { items[atomics.FetchAdd(&next, 1)] = i }))
		return items
	}
	ascending := order(s)
	for k, i := range ascending {
		require.Equal(t, k, i)
	}
	one, again, two := order(s.WithSchedule(4)), order(s.WithSchedule(4)), order(s.WithSchedule(5))
	assert.Equal(t, one, again)
	assert.NotEqual(t, one, two)
	assert.ElementsMatch(t, ascending, one)
	moved := 0
	for k := 1; k < n; k++ {
		if one[k]/32 == one[k-1]/32 && one[k] < one[k-1] {
			moved++
		}
	}
	assert.Greater(t, moved, n/4, "lanes of a warp")

	assert.Equal(t, ascending, order(s.WithSchedule(1)))
	warps, lanes := order(s.WithSchedule(2)), order(s.WithSchedule(3))
	assert.Equal(t, n-1, slices.Max(warps[:200]), "the last warp first")
	assert.Equal(t, warps[0]+1, warps[1], "its lanes in ascending order")
	assert.Equal(t, []int{31, 30}, lanes[:2], "the last lane first")
}

// A kernel that reads what another lane of its warp writes shows it.
func TestScheduleExposesOrderDependence(t *testing.T) {
	skipIfWatched(t)
	s := simGPU(t, gpu.Device{})
	results := map[string]bool{}
	for seed := range uint64(8) {
		x := make([]int, 65)
		require.NoError(t, exec.ParallelFor(policy.Range(1, 65).On(s.WithSchedule(seed)), func(i int) { x[i] = x[i-1] + 1 }))
		results[fmt.Sprint(x)] = true
	}
	assert.Greater(t, len(results), 4)
}

func TestReportOfRange(t *testing.T) {
	s := simGPU(t, gpu.Device{Block: 256, Name: "test card"})
	_, ok := s.LastReport()
	assert.False(t, ok)
	var sum float64
	p := policy.Range(0, 1<<16).On(s).WithLabel("sum") // 64 leaves of 1024 items, 8 to a block
	require.NoError(t, exec.ParallelReduce(p, func(i int, acc *float64) { *acc++ }, builtin.Sum(&sum)))
	r := report(t, s)
	assert.Equal(t, gpu.Report{
		Label: "sum", Device: "test card", SubGroup: 32,
		Kernels:  []gpu.Kernel{{Name: "range", Grid: 8, Block: 256, SharedBytes: 64}},
		Reducers: []gpu.ReducerReport{{Reducer: "builtin.sum[float64]", Group: "shuffle", Grid: "last block"}},
		Warps:    64,
		Barriers: 8,                // the warps' values are in shared memory
		Shuffles: 2 * (64*5 + 8*3), // 5 steps in each warp, 3 between those of a block; two words
		Atomics:  8,                // tickets
		Occupancy: gpu.Occupancy{
			Blocks: 8, Warps: 64, Fraction: 1, Limit: "warps",
		},
	}, r)
	text := r.String()
	for _, want := range []string{`launch of "sum" on test card`, "8 blocks of 256 threads", "builtin.sum[float64]: block by shuffle, grid by last block", "64 warps of 32 lanes, 8 barriers", "occupancy 100 %"} {
		assert.Contains(t, text, want)
	}

	s = simGPU(t, gpu.Device{Group: gpu.GroupShared, Grid: gpu.GridSecondKernel})
	require.NoError(t, exec.ParallelReduce(p.On(s), func(i int, acc *float64) { *acc++ }, builtin.Sum(&sum)))
	r = report(t, s)
	assert.Equal(t, []gpu.Kernel{{Name: "range", Grid: 8, Block: 256, SharedBytes: 2048}, {Name: "combine", Grid: 1, Block: 256, SharedBytes: 2048}}, r.Kernels)
	assert.Equal(t, []int{8 * (5 + 3), 0, 0}, []int{r.Barriers, r.Shuffles, r.Atomics})
}

func TestReportOfScan(t *testing.T) {
	s := simGPU(t, gpu.Device{Block: 4})
	var total int
	require.NoError(t, exec.ParallelScan(policy.Range(0, 1000).On(s), func(i int, acc *int, _ bool) { *acc += i }, builtin.Sum(&total)))
	assert.Equal(t, 499500, total)
	var names []string
	for _, k := range report(t, s).Kernels {
		names = append(names, k.Name)
	}
	assert.Equal(t, []string{"scan: sums", "scan: offsets", "scan: results"}, names)
}

// The counts of small launches, made by hand.
func TestReportCounts(t *testing.T) {
	type counts struct{ barriers, warpBarriers, shuffles, atomics, collectives int }
	h200, shared := gpu.H200(), gpu.Device{Group: gpu.GroupShared}
	small := gpu.Device{Block: 16}
	var f, g float64
	var n int64
	floats := func(p policy.TeamPolicy, f func(m *team.Member)) func(s exec.Space) error {
		return func(s exec.Space) error { return exec.ParallelFor(p.On(s), f) }
	}
	for name, c := range map[string]struct {
		device gpu.Device
		launch func(s exec.Space) error
		want   counts
	}{
		"teams of a warp, atomics": {h200, func(s exec.Space) error {
			return exec.ParallelReduce(policy.Team(1000, 32).On(s), func(_ *team.Member, acc *int64) { *acc++ }, builtin.Sum(&n))
		}, counts{shuffles: 1000 * 5 * 2, atomics: 1000}},
		"teams of two warps": {h200, func(s exec.Space) error {
			return exec.ParallelReduce(policy.Team(10, 64).On(s), func(_ *team.Member, acc *float64) { *acc++ }, builtin.Sum(&f))
		}, counts{barriers: 10, shuffles: 10 * (2*5 + 1) * 2, atomics: 10}},
		"a team in shared memory": {shared, func(s exec.Space) error {
			return exec.ParallelReduce(policy.Team(1, 1024).On(s), func(_ *team.Member, acc *float64) { *acc++ }, builtin.Sum(&f))
		}, counts{barriers: 10}},
		"four leaves to a warp": {h200, func(s exec.Space) error {
			return exec.ParallelReduce(policy.Range(0, 2048).Chunk(64).On(s), func(_ int, acc *float64) { *acc++ }, builtin.Sum(&f))
		}, counts{barriers: 1, shuffles: (8*3 + 8*2 + 3) * 2}},
		"one ticket for two columns": {h200, func(s exec.Space) error {
			return exec.ParallelReduce2(policy.Range(0, 256*1024).On(s), func(_ int, a, b *float64) { *a++ }, builtin.Sum(&f), builtin.Sum(&g))
		}, counts{barriers: 8, shuffles: 2 * 8 * (8*5 + 3) * 2, atomics: 8}},
		"several lanes to a thread": {small, func(s exec.Space) error {
			return exec.ParallelReduce(policy.Range(0, 1024).Chunk(1024).On(s), func(_ int, acc *float32) { *acc++ }, builtin.Sum(new(float32)))
		}, counts{shuffles: 4}},
		"nothing": {h200, func(s exec.Space) error {
			return exec.ParallelReduce(policy.Range(0, 0).On(s), func(_ int, acc *float64) {}, builtin.Sum(&f))
		}, counts{}},
		"collectives of a warp": {h200, floats(policy.Team(3, 32), func(m *team.Member) {
			m.Barrier()
			m.SubGroup().Barrier()
			team.AllReduce(m, int32(m.Rank()), builtin.Sum)
			team.AllReduce(m, float64(m.Rank()), builtin.Sum)
			team.Broadcast(m, 1.0, 3)
			group.ShuffleXor(m.SubGroup(), int32(1), 1)
			group.All(m, true)
		}), counts{barriers: 3, warpBarriers: 3, shuffles: 3 * (5 + 10 + 2 + 1), collectives: 15}},
		"a collective of four warps": {h200, floats(policy.Team(1, 100), func(m *team.Member) {
			team.AllReduce(m, int64(m.Rank()), builtin.Sum)
		}), counts{barriers: 2, shuffles: (4*5 + 2) * 2, collectives: 1}},
	} {
		s := simGPU(t, c.device)
		require.NoError(t, c.launch(s), name)
		r := report(t, s)
		assert.Equal(t, c.want, counts{r.Barriers, r.WarpBarriers, r.Shuffles, r.Atomics, r.Collectives}, name)
		assert.Equal(t, name == "nothing", len(r.Kernels) == 0, name)
	}
}

// The shared memory of a block holds the team's scratch and what joins its members.
func TestScratchAndReductionShareMemory(t *testing.T) {
	s := simGPU(t, gpu.Device{Group: gpu.GroupShared})
	p := policy.Team(1, 1024).Scratch(0, 227<<10, 0).On(s)
	assert.NoError(t, exec.ParallelFor(p, func(*team.Member) {}))
	var sum float64
	err := exec.ParallelReduce(p, func(*team.Member, *float64) {}, builtin.Sum(&sum))
	assert.ErrorContains(t, err, "joining the members of a team takes 240640 bytes of shared memory with scratch of 232448 bytes, expected at most the 232448 bytes")
}

// wrapped is a space that changes nothing.
type wrapped struct{ s exec.Space }

func (w wrapped) Name() string                           { return "wrapped" }
func (w wrapped) Concurrency() int                       { return w.s.Concurrency() }
func (w wrapped) Launch(g space.Grid, j space.Job) error { return w.s.Launch(g, j) }

func TestWrappedSimGPU(t *testing.T) {
	s := simGPU(t, gpu.Device{})
	f := func(m *team.Member) { m.Barrier() }
	assert.ErrorContains(t, exec.ParallelFor(policy.Team(1, 2000).On(wrapped{s}), f), "is 2000 threads")
	assert.NoError(t, exec.ParallelFor(policy.Team(1, 1000).On(wrapped{s}), f))
	most, err := exec.TeamSizeMax(policy.Team(1, 1).On(struct{ *exec.SimGPU }{s}))
	assert.NoError(t, err)
	assert.Equal(t, 1024, most)
}

// What fails first depends on the schedule, the fault of the lowest team does not.
func TestLowestFaultOnEverySchedule(t *testing.T) {
	sim := simGPU(t, gpu.Device{})
	for seed := range uint64(20) {
		s := sim.WithSchedule(seed)
		p := policy.Team(64, 2).Chunk(64).On(s)
		err := exec.ParallelFor(p, func(m *team.Member) {
			if m.LeagueRank() < 5 || m.Rank() > 0 {
				m.Barrier() //gokkosvet:ignore a divergence to be found
			}
		})
		assert.ErrorContains(t, err, "team 5 of 64")
		for size := 1; size <= 2; size++ {
			func() {
				defer func() {
					p, ok := recover().(*exec.Panic)
					assert.True(t, ok && p.Value == 5 || size == 1, "%v", p)
					assert.Equal(t, p.Value, p.Begin)
					assert.Equal(t, p.Begin+1, p.End)
				}()
				_ = exec.ParallelFor(policy.Team(64, size).Chunk(64).On(s), func(m *team.Member) {
					if m.LeagueRank() >= 5 {
						panic(m.LeagueRank())
					}
				})
			}()
		}
	}
}

func TestReportOfTeams(t *testing.T) {
	s := simGPU(t, gpu.Device{})
	var sum int64
	p := policy.Team(10, 64).Vector(2).Scratch(0, 100, 8).Scratch(1, 0, 1).On(s)
	require.NoError(t, exec.ParallelReduce(p, func(m *team.Member, acc *int64) {
		m.Barrier()
		m.SubGroup().Barrier()
		m.Barrier()
		*acc++
	}, builtin.Sum(&sum)))
	r := report(t, s)
	assert.EqualValues(t, 640, sum)
	assert.Equal(t, []gpu.Kernel{{Name: "team", Grid: 10, Block: 128, SharedBytes: 112 + 64*16 + 4*8}}, r.Kernels)
	assert.Equal(t, [2]int{112 + 64*16, 64 * 16}, r.ScratchBytes)
	assert.Equal(t, []int{40, 2*10 + 10, 40}, []int{r.Warps, r.Barriers, r.WarpBarriers}) // 16 members to a warp
	assert.Equal(t, 10*(4*4+2)*2, r.Shuffles)
	assert.Equal(t, []gpu.ReducerReport{{Reducer: "builtin.sum[int64]", Group: "shuffle", Grid: "atomic"}}, r.Reducers)
	assert.Equal(t, 10, r.Atomics)
}

// A report belongs to the space that the launch was made on, and no launch sees
// another's counts.
func TestReportsOfConcurrentLaunches(t *testing.T) {
	sim := simGPU(t, gpu.Device{})
	var all sync.WaitGroup
	for k := range 8 {
		all.Go(func() {
			s := sim.WithSchedule(uint64(k))
			for n := range 20 {
				assert.NoError(t, exec.ParallelFor(policy.Team(k+1, 33).On(s).WithLabel(fmt.Sprint(k)), func(m *team.Member) {
					for range n {
						m.Barrier()
					}
				}))
				r := report(t, s)
				assert.Equal(t, []any{fmt.Sprint(k), n * (k + 1)}, []any{r.Label, r.Barriers})
				assert.NoError(t, exec.ParallelFor(policy.Range(0, 10).On(sim), func(int) {}))
				_, ok := sim.LastReport()
				assert.True(t, ok)
			}
		})
	}
	all.Wait()
}

func TestLimitsOfDevice(t *testing.T) {
	s := simGPU(t, gpu.H200())
	ran := false
	kernel := func(*team.Member) { ran = true } //gokkosvet:ignore the launch is refused
	for want, p := range map[string]policy.TeamPolicy{
		"a team of 1025 members with 1 vector lanes each is 1025 threads, expected at most the 1024 of a block": policy.Team(1, 1025),
		"is 1280 threads": policy.Team(1, 320).Vector(4),
		"is 233472 bytes, expected at most the 232448 bytes of shared memory": policy.Team(1, 64).Scratch(0, 225<<10, 48),
		"sub-groups of 16 members with 1 vector lanes each, expected the 32":  policy.Team(1, 64).SubGroup(16),
	} {
		assert.ErrorContains(t, exec.ParallelFor(p.On(s), kernel), want)
		assert.ErrorContains(t, exec.ParallelFor(p.On(s), kernel), "gpu: ")
	}
	assert.False(t, ran)
	assert.NoError(t, exec.ParallelFor(policy.Team(2, 1024).On(s), func(*team.Member) {}))
	assert.NoError(t, exec.ParallelFor(policy.Team(2, 64).Scratch(1, 1<<20, 1<<10).On(s), func(*team.Member) {}))

	small := simGPU(t, gpu.Device{SharedPerSMBytes: 1280, Group: gpu.GroupShared})
	kept := [8]float64{1}
	err := exec.ParallelReduce(policy.Range(0, 100000).On(small), func(int, *[8]float64) {}, reducers.New(&kept, func(dst, src *[8]float64) {}))
	assert.ErrorContains(t, err, "2048 bytes of shared memory with scratch of 0 bytes, expected at most the 256 bytes")
	assert.Equal(t, [8]float64{1}, kept)
}

func TestTeamSizes(t *testing.T) {
	sizes := func(p policy.TeamPolicy) [2]int {
		most, err := exec.TeamSizeMax(p)
		require.NoError(t, err)
		recommended, err := exec.TeamSizeRecommended(p)
		require.NoError(t, err)
		assert.LessOrEqual(t, recommended, most)
		if p.Plan().Space.Name() == "simgpu" { // the largest runs, one more does not
			p := p
			shape := p.Plan().Team
			for size, want := range map[int]bool{most: true, recommended: true, most + 1: false} {
				q := policy.Team(1, size).On(p.Plan().Space).Vector(shape.Vector).Scratch(0, shape.Scratch[0].Team, shape.Scratch[0].Member)
				err := exec.ParallelFor(q, func(*team.Member) {})
				assert.Equal(t, want, err == nil, "%d members: %v", size, err)
			}
		}
		return [2]int{most, recommended}
	}
	sim := simGPU(t, gpu.H200())
	p := policy.Team(1, 1)
	assert.Equal(t, [2]int{space.MaxTeamSize, 1}, sizes(p.On(exec.Serial{})))
	assert.Equal(t, [2]int{1024, 256}, sizes(p.On(sim)))
	assert.Equal(t, [2]int{64, 16}, sizes(p.On(sim).Vector(16)))
	assert.Equal(t, 227, sizes(p.On(sim).Scratch(0, 0, 1024))[0])
	assert.Equal(t, 2, sizes(p.On(sim).Scratch(0, 27<<10, 100<<10))[0])
	assert.Equal(t, 28, sizes(p.On(sim).Scratch(0, 3<<10, 8<<10).Vector(32))[0])
	_, err := exec.TeamSizeMax(p.On(sim).Scratch(0, 228<<10, 0))
	assert.ErrorContains(t, err, "gpu: no team with 1 vector lanes")
	_, err = exec.TeamSizeRecommended(p.On(exec.NewSimGPU(gpu.Device{SubGroup: 3})))
	assert.ErrorContains(t, err, "sub-group of 3")
	_, err = exec.TeamSizeMax(policy.Team(-1, 1))
	assert.ErrorContains(t, err, "league")
}

// A block that would need more shared memory than there is owns fewer leaves.
func TestBlocksFitSharedMemory(t *testing.T) {
	s := simGPU(t, gpu.Device{SharedPerSMBytes: 4096 + 1024, Group: gpu.GroupShared})
	var got, want [8]float64
	join := func(dst, src *[8]float64) { dst[0] += src[0] }
	f := func(i int, acc *[8]float64) { acc[0] += math.Sin(float64(i)) }
	p := policy.Range(0, 100000)
	require.NoError(t, exec.ParallelReduce(p.On(s), f, reducers.New(&got, join)))
	require.NoError(t, exec.ParallelReduce(p.On(exec.Serial{}), f, reducers.New(&want, join)))
	assert.Equal(t, want, got)
	assert.Equal(t, gpu.Kernel{Name: "range", Grid: 49, Block: 256, SharedBytes: 4096}, report(t, s).Kernels[0])
}

func TestInvalidSimGPU(t *testing.T) {
	s := exec.NewSimGPU(gpu.Device{SubGroup: 48})
	f := func(int) {}
	assert.ErrorContains(t, exec.ParallelFor(policy.Range(0, 3).On(s), f), "sub-group of 48")
	assert.ErrorContains(t, exec.ParallelFor(policy.Team(3, 2).On(s), func(*team.Member) {}), "sub-group of 48")
	for _, s := range []*exec.SimGPU{nil, {}} {
		assert.ErrorContains(t, exec.ParallelFor(policy.Range(0, 3).On(s), f), "NewSimGPU did not make")
		assert.Error(t, s.Close())
		_, ok := s.LastReport()
		assert.False(t, ok)
		assert.Error(t, exec.ParallelFor(policy.Range(0, 3).On(s.WithSchedule(3)), f))
	}

	s = exec.NewSimGPU(gpu.Device{})
	require.NoError(t, exec.ParallelFor(policy.Team(3, 2).On(s), func(m *team.Member) {
		m.Barrier()
		assert.ErrorContains(t, s.Close(), "1 launches ran on it")
	}))
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	assert.ErrorIs(t, exec.ParallelFor(policy.Range(0, 3).On(s.WithSchedule(2)), f), space.ErrClosed)
	assert.ErrorIs(t, exec.ParallelFor(policy.Team(3, 2).On(s), func(*team.Member) {}), space.ErrClosed)
}

// The scratch memory and everything else of a team is the device's business only.
func TestNestedLaunchesOnSimGPU(t *testing.T) {
	s := simGPU(t, gpu.Device{})
	sums := make([]float64, 40)
	require.NoError(t, exec.ParallelFor(policy.Range(0, len(sums)).On(s.WithSchedule(3)), func(k int) {
		assert.NoError(t, exec.ParallelReduce(policy.Team(3, 4).On(s), func(m *team.Member, acc *float64) {
			m.Barrier()
			*acc += float64(k)
		}, builtin.Sum(&sums[k])))
	}))
	for k, x := range sums {
		assert.Equal(t, float64(12*k), x)
	}
}

func TestReportIsAValue(t *testing.T) {
	s := simGPU(t, gpu.Device{})
	require.NoError(t, exec.ParallelFor(policy.Range(0, 10).On(s), func(int) {}))
	report(t, s).Kernels[0].Name = "changed"
	assert.Equal(t, "range", report(t, s).Kernels[0].Name)
	assert.False(t, strings.Contains(report(t, s).String(), "scratch"))
}

// What a team reads of scratch memory before it writes there is no number on a device, so
// that a kernel that relies on it fails.
func TestScratchOfADeviceBeginsAsNaN(t *testing.T) {
	skipIfWatched(t)
	device := simGPU(t, gpu.Device{})
	for _, s := range []exec.Space{device, device.WithSchedule(1)} {
		p := policy.Team(3, 2).Scratch(0, 64, 16).On(s)
		require.NoError(t, exec.ParallelFor(p, func(m *team.Member) {
			ofTeam, own := team.Scratch[float64](m, 0, 8), team.MemberScratch[float64](m, 0, 2)
			m.Barrier()
			for _, x := range append(own, ofTeam...) {
				assert.True(t, math.IsNaN(x), "%v", x)
			}
			m.Barrier()
			ofTeam[0] = 1 // the next team begins anew
		}))
	}
}
