package gpu_test

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/gpu"
)

func ExampleDevice() {
	d := gpu.MI300X()
	d.Block = 192
	d.Grid = gpu.GridLastBlock
	fmt.Println(d.Name, d.SubGroup, d.Block, d.Group, d.Grid)

	_, err := gpu.Device{SubGroup: 48}.Occupancy(256, 0, 0)
	fmt.Println(err)
	// Output:
	// MI300X 64 192 auto last block
	// gpu: a device with a sub-group of 48 lanes, expected a power of two from 1 to 128
}

func ExampleDevice_Complete() {
	d, err := gpu.Device{SubGroup: 16}.Complete()
	fmt.Println(d.SubGroup, d.Block, d.MaxBlock, d.MaxWarps, err)
	// Output: 16 256 1024 128 <nil>
}

func ExampleDevice_Occupancy() {
	o, err := gpu.H200().Occupancy(256, 64, 16<<10)
	fmt.Printf("%d blocks, %d warps, %.0f %%, limited by %s, %v\n", o.Blocks, o.Warps, 100*o.Fraction, o.Limit, err)

	_, err = gpu.H200().Occupancy(1024, 128, 0)
	fmt.Println(err)
	// Output:
	// 4 blocks, 32 warps, 50 %, limited by registers, <nil>
	// gpu: a block of 1024 threads with 128 registers each is 32 warps, expected at most the 16 that the 65536 registers per SM of H200 have room for
}

func ExampleH200() {
	for _, d := range []gpu.Device{gpu.H200(), gpu.A100(), gpu.MI300X(), gpu.Max1550()} {
		fmt.Println(d.Name, d.SMs, d.SubGroup, d.SharedPerBlockBytes>>10)
	}
	// Output:
	// H200 132 32 227
	// A100 108 32 163
	// MI300X 304 64 64
	// Max 1550 128 16 128
}

func ExampleA100() {
	o, err := gpu.A100().Occupancy(128, 0, 100<<10)
	fmt.Println(o.Blocks, o.Limit, err)
	// Output: 1 shared memory <nil>
}

func ExampleMI300X() {
	o, err := gpu.MI300X().Occupancy(256, 128, 0)
	fmt.Println(o.Blocks, o.Limit, err)
	// Output: 4 registers <nil>
}

func ExampleMax1550() {
	o, err := gpu.Max1550().Occupancy(256, 256, 0)
	fmt.Println(o.Blocks, o.Limit, err)
	// Output: 2 registers <nil>
}
