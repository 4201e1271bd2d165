package tensor_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// Which operations there are may be decided while the program runs.
func ExampleOperation() {
	rows := views.Must(views.New1[float64]("rows", 2))
	for _, largest := range []bool{false, true} {
		var operation tensor.Operation[float64] = tensor.Fold(builtin.Sum[float64], tensor.Into(rows))
		if largest {
			operation = tensor.Fold(builtin.Max[float64], tensor.Into(rows))
		}
		err := tensor.Reduce(tensor.Over(matrix(), 1), operation)
		fmt.Println(list(rows), err)
	}
	// Output:
	// [8 15] <nil>
	// [4 9] <nil>
}

// A strategy changes the time and no bit.
func ExampleStrategy() {
	rows := views.Must(views.New1[float64]("rows", 2))
	for _, s := range []tensor.Strategy{tensor.Auto, tensor.Blockwise, tensor.Threadwise} {
		err := tensor.Reduce(tensor.Over(matrix(), 1).WithStrategy(s), tensor.Fold(builtin.Sum[float64], tensor.Into(rows)))
		fmt.Println(s, list(rows), err)
	}
	// Output:
	// auto [8 15] <nil>
	// blockwise [8 15] <nil>
	// threadwise [8 15] <nil>
}

// A source may be kept and reduced again; its methods return changed copies.
func ExampleSource() {
	rows := views.Must(views.New1[float64]("rows", 2))
	source := tensor.Over(matrix(), 1).With(policy.On(exec.Serial{}).WithLabel("sums of rows"))
	sum := tensor.Fold(builtin.Sum[float64], tensor.Into(rows))
	fmt.Println(tensor.Reduce(source, sum), list(rows))

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := tensor.Reduce(source.WithContext(ctx), sum)
	fmt.Println(errors.Is(err, context.Canceled))
	// Output:
	// <nil> [8 15]
	// true
}

// A chunk is part of what decides the bits: here, each element is a leaf, and 1 is lost where
// it is added to 1e16 alone.
func ExampleSource_Chunk() {
	x := views.Must(views.Of("x", []float64{1e16, 1, 1, 1}, []int{4}))
	sum := views.Must(views.New[float64]("sum", nil))
	for _, chunk := range []int{1, 4} {
		err := tensor.Reduce(tensor.Over(x, 0).Chunk(chunk), tensor.Fold(builtin.Sum[float64], tensor.Into(sum)))
		fmt.Printf("%.0f %v\n", sum.At(), err)
	}
	// Output:
	// 10000000000000002 <nil>
	// 10000000000000000 <nil>
}

// NaNSkipper is what IgnoreNaN makes of a reducer, whose traits it has.
func ExampleNaNSkipper() {
	var least float64
	var r tensor.NaNSkipper[float64, float64] = tensor.IgnoreNaN(builtin.Min[float64])(&least)
	fmt.Println(r.Traits().Exact)
	// Output: true
}
