package exec_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	kept "github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/exec/internal/loops"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/internal/tree"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// What a launch keeps does not grow with the number of leaves: a million of them here, of one
// item each, and a byte for each would be seen.
func TestLaunchesKeepNothingForEachLeaf(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long, above all under -race")
	}
	const n = 1 << 20
	two := exec.NewGoroutines(2)
	defer two.Close()
	for _, on := range []exec.Space{exec.Serial{}, two} {
		p := policy.Range(0, n).Chunk(1).On(on)
		total := 0
		sum := reducers.New(&total, func(dst, src *int) { *dst += *src })
		plan := p.Plan()
		require.Equal(t, n, space.NewGrid(plan.Items, plan.Chunk, plan.Whole).Leaves)
		assert.Less(t, allocated(func() {
			require.NoError(t, exec.ParallelReduce(p, func(i int, acc *int) { *acc++ }, sum))
		}), uint64(n/2), "reduce on %s", on.Name())
		assert.Equal(t, n, total)
		// 2^13 units: some lines of the cache for each.
		assert.Less(t, allocated(func() {
			require.NoError(t, exec.ParallelScan(p, func(i int, acc *int, final bool) { *acc++ }, sum))
		}), uint64(tree.MaxUnits*200), "scan on %s", on.Name())
		assert.Equal(t, n, total)
	}
}

// A job that waits for the next launch keeps no large accumulators.
func TestJobsKeepNoLargeAccumulators(t *testing.T) {
	type large [1 << 16]float64
	var sum large
	p := policy.Range(0, 3).On(exec.Serial{})
	r := reducers.New(&sum, func(dst, src *large) { dst[0] += src[0] })
	require.NoError(t, exec.ParallelReduce(p, func(_ int, acc *large) { acc[0]++ }, r))
	require.Equal(t, 3.0, sum[0])
	j, _ := kept.Take[loops.For]() // that one, unless others are there
	for k := range j.Walks {
		for _, l := range j.Walks[k].Lanes {
			assert.Less(t, l.Size, unsafe.Sizeof(sum))
		}
	}
}
