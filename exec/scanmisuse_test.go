package exec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
)

// inMemory says of a range which values its scan joins.
type inMemory struct{ policy.RangePolicy }

func (inMemory) ScanValues() device.Scan { return device.Scan{} }

// hasty accepts scans without a look at the layout of their sums.
type hasty struct{ exec.Serial }

func (hasty) Launch(g space.Grid, j space.Job) error {
	if _, ok := j.(device.Job).Scan(); ok {
		j.Open(1, 1)
		j.(device.Job).Accept(0, 0, g.Leaves, 0, []byte{1})
	}
	return nil
}

// A sum that has no bytes is an error of the launch.
func TestSumWithoutBytes(t *testing.T) {
	total := map[int]bool{}
	r := reducers.New(&total, func(dst, src *map[int]bool) { *dst = *src })
	err := exec.ParallelScan(inMemory{policy.Range(0, 10).On(hasty{})}, func(int, *map[int]bool, bool) {}, r)
	assert.ErrorContains(t, err, "the space computed leaves 0 to")
	assert.ErrorContains(t, err, "map[int]bool")
	assert.Empty(t, total)
}
