package device_test

import (
	"encoding/binary"
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
)

// scans is a device that scans sums of int64, in whose tree the order does not matter, by code of its own.
type scans struct{ exec.Serial }

func (scans) Memory() device.Memory { return nil } // here that of the host
func (scans) ScansMemory()          {}

func (scans) Launch(g space.Grid, j space.Job) error {
	job := j.(device.Job)
	x, ok := job.Scan() // before Open
	if !ok {
		space.Alone(g, j)
		return nil
	}
	j.Open(1, 1)
	before := int64(binary.NativeEndian.Uint64(x.Initial))
	var sum int64
	for k, v := range x.Src.([]int64) {
		x.Dst.([]int64)[k] = before + sum
		sum += v
	}
	if g.Leaves > 0 {
		job.Accept(0, 0, g.Leaves, 0, binary.NativeEndian.AppendUint64(nil, uint64(sum)))
	}
	return nil
}

// places is a policy that says which values are scanned, as package algorithms has one for views.
type places struct {
	policy.SpansPolicy
	values device.Scan
}

func (p places) ScanValues() device.Scan { return p.values }

// A space is told of the values, and of the reducer: it stores the results itself.
func ExampleJob_Scan() {
	x, y := []int64{3, 1, 4}, make([]int64, 3)
	values := device.Scan{Dst: y, Src: x, DstStride: 1, SrcStride: 1}
	var total int64
	err := exec.ParallelScan(places{policy.Spans(0, 3).On(scans{}), values}, func(policy.Span, *int64, bool) {}, builtin.Sum(&total))
	fmt.Println(y, total, err)
	// Output: [0 3 4] 8 <nil>
}

// Only a device that says so is given scans of values that the host cannot touch.
func ExampleMemoryScanner() {
	var on any = scans{}
	_, is := on.(device.MemoryScanner)
	fmt.Println(is)
	// Output: true
}
