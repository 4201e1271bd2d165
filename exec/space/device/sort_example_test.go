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

func (sorter) Sort(_ context.Context, s device.Sort) error {
	x, ok := s.Keys.([]int)
	if !ok || s.KeyStride != 1 || s.Values != nil {
		return fmt.Errorf("it sorts neighbouring integers alone, and no %T", s.Keys)
	}
	slices.Sort(x)
	return nil
}

// A space is told of the keys, and of the memory that they are in.
func ExampleSorter() {
	var on device.Sorter = sorter{}
	x := []int{3, 1, 2}
	fmt.Println(on.Sort(context.Background(), device.Sort{Keys: x, KeyStride: 1}), x)
	fmt.Println(on.Sort(context.Background(), device.Sort{Keys: []string{"b", "a"}, KeyStride: 1}))
	// Output:
	// <nil> [1 2 3]
	// it sorts neighbouring integers alone, and no []string
}
