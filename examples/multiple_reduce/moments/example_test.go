package moments_test

import (
	"fmt"
	"slices"

	"github.com/gokkos/gokkos/examples/multiple_reduce/moments"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// The means of the rows of a tensor, the means of their squares, and the hash of all.
func ExampleReduce() {
	x := views.Must(views.Of2("x", []float32{1, 2, 3, 4, 5, 6}, 2, 3))
	mean, square := views.Must(views.New[float32]("mean", []int{2})), views.Must(views.New[float32]("square", []int{2}))
	err := moments.Reduce(tensor.Over(x, 1), mean, square, func() {})
	fmt.Println(slices.Collect(mean.Values()), slices.Collect(square.Values()), err)
	fmt.Printf("%016x\n", moments.Hash(mean.Values(), square.Values()))
	// Output:
	// [2 5] [4.6666665 25.666666] <nil>
	// 7f2ddfdbb55f7f0a
}
