package device_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
)

// sorter is a device that sorts integers by code of its own.
type sorter struct{ exec.Serial }

func (sorter) Memory() device.Memory { return nil } // here that of the host

func (sorter) Rearrange(_ context.Context, r device.Rearrangement) (kept int, err error) {
	x, ok := r.Keys.([]int)
	if !ok || r.Rule != "sort" || r.KeyStride != 1 || r.Values != nil {
		return 0, fmt.Errorf("it sorts neighbouring integers alone, and does not %s %T", r.Rule, r.Keys)
	}
	slices.Sort(x)
	return len(x), nil
}

// A space is told of the keys, and of the memory that they are in.
func ExampleRearranger() {
	var on device.Rearranger = sorter{}
	x := []int{3, 1, 2}
	kept, err := on.Rearrange(context.Background(), device.Rearrangement{Rule: "sort", Keys: x, KeyStride: 1})
	fmt.Println(kept, err, x)
	fmt.Println(on.Rearrange(context.Background(), device.Rearrangement{Rule: "reverse", Keys: x, KeyStride: 1}))
	// Output:
	// 3 <nil> [1 2 3]
	// 0 it sorts neighbouring integers alone, and does not reverse []int
}
