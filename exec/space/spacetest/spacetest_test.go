package spacetest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/space/spacetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSerial(t *testing.T) { spacetest.TestSpace(t, exec.Serial{}) }

func TestGoroutines(t *testing.T) {
	for _, workers := range []int{1, 2, 5, 16, 61} {
		if testing.Short() && workers != 5 && workers != 16 {
			continue
		}
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			space := exec.NewGoroutines(workers)
			defer func() { require.NoError(t, space.Close()) }()
			spacetest.TestSpace(t, space)
		})
	}
}

// Odd blocks and sub-groups, strategies and schedules: the tree stays the same.
func TestSimGPU(t *testing.T) {
	for a, block := range []int{1, 3, 7, 32, 33, 49, 64, 256} {
		for b, subGroup := range []int{1, 8, 16, 32, 64} {
			if (a+b)%5 != 0 || a%some() != 0 { // every one of each, not all pairs
				continue
			}
			t.Run(fmt.Sprintf("%d threads, sub-groups of %d", block, subGroup), func(t *testing.T) {
				space := exec.NewSimGPU(gpu.Device{Block: block, SubGroup: subGroup})
				defer func() { require.NoError(t, space.Close()) }()
				spacetest.TestSpace(t, space.WithSchedule(uint64(block*subGroup%5)))
			})
		}
	}
}

func TestSimGPUStrategies(t *testing.T) {
	for _, group := range []gpu.GroupCombine{gpu.GroupAuto, gpu.GroupShuffle, gpu.GroupShared} {
		for _, grid := range []gpu.GridCombine{gpu.GridAuto, gpu.GridAtomic, gpu.GridLastBlock, gpu.GridSecondKernel} {
			if (int(group)+int(grid))%2 != 0 || some() > 1 && group != gpu.GroupShared {
				continue
			}
			t.Run(fmt.Sprintf("%v, %v", group, grid), func(t *testing.T) {
				space := exec.NewSimGPU(gpu.Device{Block: 96, Group: group, Grid: grid})
				defer func() { require.NoError(t, space.Close()) }()
				spacetest.TestSpace(t, space.WithSchedule(7))
			})
		}
	}
}

// some says that one of so many shapes is tested.
func some() int {
	if testing.Short() {
		return 3
	}
	return 2
}
