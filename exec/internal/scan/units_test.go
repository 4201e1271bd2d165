package scan_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/internal/scan"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// With one leaf more than the most units, a unit has as many leaves as run in step.
func TestScanOfMoreLeavesThanUnits(t *testing.T) {
	if testing.Short() {
		t.Skip("a scan of 33 million items")
	}
	const n = 4096*8192 + 5*4096
	total, wrong := 0, 0
	require.NoError(t, exec.ParallelScan(policy.Range(0, n).On(exec.Serial{}), func(i int, acc *int, final bool) {
		if final && *acc != i {
			wrong++
		}
		*acc++
	}, builtin.Sum(&total)))
	require.Equal(t, []int{n, 0}, []int{total, wrong})
}

// A value whose Init reuses its memory is in one place only.
func TestScanUnitsShareNoMemory(t *testing.T) {
	defer func(most int) { *scan.Units = most }(*scan.Units)
	const n = 2000
	var want []int64
	for _, most := range []int{n, 100, 10} {
		*scan.Units = most
		total, got := make([]int64, 2), make([]int64, n)
		require.NoError(t, exec.ParallelScan(policy.Range(0, n).Chunk(1).On(exec.Serial{}), func(i int, acc *[]int64, final bool) {
			if final {
				got[i] = (*acc)[0]*1000003 + (*acc)[1]
			}
			(*acc)[i%2] += int64(i)
		}, reducers.Slice(&total, builtin.Sum)))
		if want == nil {
			want = got
		}
		require.Equal(t, want, got, "%d units", most)
	}
}

// The memory that a scan keeps for the next launch refers to no value of the caller.
func TestScanUnitsKeepNothing(t *testing.T) {
	type large [1 << 10]byte
	x := new(large)
	seen := weak.Make(x)
	func() {
		var result *large
		require.NoError(t, exec.ParallelScan(policy.Range(0, 4*5000+1).Chunk(1).On(exec.Serial{}), func(_ int, acc **large, _ bool) { *acc = x }, reducers.New(&result, func(dst, src **large) {
			if *src != nil {
				*dst = *src
			}
		})))
	}()
	runtime.KeepAlive(x)
	x = nil
	runtime.GC()
	require.Nil(t, seen.Value())
}
