package bfloat16_test

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/views/tensor/bfloat16"
)

func ExampleFromFloat32() {
	third := bfloat16.FromFloat32(1.0 / 3)
	fmt.Println(third, third.Float32() == 1.0/3)
	fmt.Printf("%#x\n", third.Bits())
	// Output:
	// 0.33398438 false
	// 0x3eab
}

func ExampleFromBits() {
	one := bfloat16.FromBits(0x3f80)
	fmt.Println(one, one.IsNaN(), bfloat16.FromFloat32(float32(math.NaN())).IsNaN())
	// Output: 1 false true
}
