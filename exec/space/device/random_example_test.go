package device_test

import (
	"context"
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
)

// constants is a device whose random numbers are the least that a law allows, by code of its own.
type constants struct{ exec.Serial }

func (constants) Memory() device.Memory { return nil } // here that of the host

func (constants) FillRandom(_ context.Context, r device.Random) error {
	law, ok := r.Law.(device.UniformInts)
	if !ok {
		return fmt.Errorf("it knows integers alone, and no %T", r.Law)
	}
	for k := range r.X.([]int) {
		r.X.([]int)[k] = int(law.From)
	}
	return nil
}

// A space is told of the numbers, and of the memory that it puts them into.
func ExampleRandomFiller() {
	var on device.RandomFiller = constants{}
	x := make([]int, 3)
	fmt.Println(on.FillRandom(context.Background(), device.Random{X: x, Law: device.UniformInts{From: 4, Count: 6}}), x)
	fmt.Println(on.FillRandom(context.Background(), device.Random{X: x, Law: device.NormalFloats{}}), x)
	// Output:
	// <nil> [4 4 4]
	// it knows integers alone, and no device.NormalFloats [4 4 4]
}
