package tensor_test

import (
	"fmt"
	"math"
	"slices"

	"github.com/x448/float16"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
	"github.com/gokkos/gokkos/views/tensor/bfloat16"
)

// list returns the elements of a view.
func list[T any](v views.Viewer[T]) []T { return slices.Collect(views.As(v).Values()) }

// matrix returns the matrix 3 1 4 / 1 5 9.
func matrix() views.View[float64] {
	return views.Must(views.Of("x", []float64{3, 1, 4, 1, 5, 9}, []int{2, 3}))
}

func Example() {
	mean := views.Must(views.New1[float64]("mean", 2))
	meanSq := views.Must(views.New1[float64]("mean of squares", 2))
	largest := views.Must(views.New1[float64]("largest", 2))
	where := views.Must(views.New1[int]("where", 2))
	err := tensor.Reduce(tensor.Over(matrix(), 1).On(exec.Serial{}),
		tensor.Fold(builtin.Sum[float64], tensor.IntoMap(mean, tensor.Average[float64])),
		tensor.Fold(builtin.SumSq[float64], tensor.IntoMap(meanSq, tensor.Average[float64])),
		tensor.Fold(builtin.MaxLoc[float64, int],
			tensor.IntoMap(largest, tensor.Value[float64]),
			tensor.IntoMap(where, tensor.Index[float64])))
	fmt.Printf("%.3f %.3f %v %v %v\n", list(mean), list(meanSq), list(largest), list(where), err)
	// Output: [2.667 5.000] [8.667 35.667] [4 9] [2 2] <nil>
}

func ExampleReduce() {
	columns := views.Must(views.New1[float64]("columns", 3))
	err := tensor.Reduce(tensor.Over(matrix(), 0), tensor.Fold(builtin.Sum[float64], tensor.Into(columns)))
	fmt.Println(list(columns), err)
	// Output: [4 6 13] <nil>
}

func ExampleOver() {
	total := views.Must(views.New[float64]("total", nil))
	all := tensor.Over(matrix(), 0, 1).WithStrategy(tensor.Blockwise).WithLabel("total")
	err := tensor.Reduce(all, tensor.Fold(builtin.Sum[float64], tensor.Into(total)))
	fmt.Println(total.At(), err)
	err = tensor.Reduce(tensor.Over(matrix(), 2), tensor.Fold(builtin.Sum[float64], tensor.Into(total)))
	fmt.Println(err)
	// Output:
	// 23 <nil>
	// tensor: dimensions [2] of "x" [2 3]: 2, expected 0 to 1
}

// Elements have the numbers of the view, in whatever order its dimensions are given.
func ExampleOver_order() {
	x := views.Must(views.Of("x", []float64{0, 0, 9, 0, 0, 0}, []int{2, 3}))
	at := views.Must(views.New[int]("at", nil))
	for _, dims := range [][]int{{0, 1}, {1, 0}} {
		err := tensor.Reduce(tensor.Over(x, dims...),
			tensor.Fold(builtin.MaxLoc[float64, int], tensor.IntoMap(at, tensor.Index[float64])))
		fmt.Println(at.At(), err)
	}
	// Output:
	// 2 <nil>
	// 2 <nil>
}

// The input is float16, sums are float32, the result is bfloat16.
func ExampleMap() {
	x := views.Must(views.Of("x", []float16.Float16{float16.Fromfloat32(1.5), float16.Fromfloat32(2)}, []int{2}))
	mean := views.Must(views.New[bfloat16.BFloat16]("mean", nil))
	average := func(sum float32, n int) bfloat16.BFloat16 { return bfloat16.FromFloat32(sum / float32(n)) }
	wide := tensor.Map(tensor.Over(x, 0), float16.Float16.Float32)
	err := tensor.Reduce(wide, tensor.Fold(builtin.Sum[float32], tensor.IntoMap(mean, average)))
	fmt.Println(mean.At(), err)
	// Output: 1.75 <nil>
}

func ExampleMapSlice() {
	x := views.Must(views.Of("x", []float32{1, 2, 3}, []int{3}))
	sum := views.Must(views.New[float64]("sum", nil))
	wide := tensor.MapSlice(tensor.Over(x, 0), func(dst []float64, src []float32) {
		for k, v := range src {
			dst[k] = float64(v)
		}
	})
	err := tensor.Reduce(wide, tensor.Fold(builtin.Sum[float64], tensor.Into(sum)))
	fmt.Println(sum.At(), err)
	// Output: 6 <nil>
}

func ExampleFold() {
	rows := views.Must(views.New[float64]("rows", []int{2, 1}))
	err := tensor.Reduce(tensor.Over(matrix(), 1), tensor.Fold(builtin.Norm2[float64], tensor.Into(rows)))
	fmt.Printf("%.3f %v\n", rows.At(1, 0), err)
	// Output: 10.344 <nil>
}

// The index of the element with the largest absolute value.
func ExampleFoldMap() {
	x := views.Must(views.Of("x", []float64{3, -7, 4}, []int{3}))
	at := views.Must(views.New[int]("at", nil))
	err := tensor.Reduce(tensor.Over(x, 0),
		tensor.FoldMap(tensor.Abs[float64], builtin.MaxLoc[float64, int], tensor.IntoMap(at, tensor.Index[float64])))
	fmt.Println(at.At(), err)
	// Output: 1 <nil>
}

func ExampleInto() {
	tooShort := views.Must(views.New1[float64]("sums", 2))
	err := tensor.Reduce(tensor.Over(matrix(), 0), tensor.Fold(builtin.Sum[float64], tensor.Into(tooShort)))
	fmt.Println(err)
	// Output: tensor: the output of "x" [2 3] is "sums" [2], expected extents [3] or [1 3]
}

// One reduction has several outputs: mean and variance.
func ExampleIntoMap() {
	mean, variance := views.Must(views.New1[float64]("mean", 2)), views.Must(views.New1[float64]("variance", 2))
	err := tensor.Reduce(tensor.Over(matrix(), 1),
		tensor.Fold(builtin.Variance[float64],
			tensor.IntoMap(mean, func(m builtin.Moments[float64], _ int) float64 { return m.Mean }),
			tensor.IntoMap(variance, func(m builtin.Moments[float64], _ int) float64 { return m.Variance() })))
	fmt.Printf("%.3f %.3f %v\n", list(mean), list(variance), err)
	// Output: [2.667 5.000] [1.556 10.667] <nil>
}

func ExampleOutput_Scaled() {
	y := views.Must(views.Of1("y", []float64{100, 200}))
	err := tensor.Reduce(tensor.Over(matrix(), 1), tensor.Fold(builtin.Sum[float64], tensor.Into(y).Scaled(2, 1)))
	fmt.Println(list(y), err)
	// Output: [116 230] <nil>
}

func ExampleIgnoreNaN() {
	x := views.Must(views.Of("x", []float64{math.NaN(), 2, 1}, []int{3}))
	least, first := views.Must(views.New[float64]("least", nil)), views.Must(views.New[int]("first", nil))
	err := tensor.Reduce(tensor.Over(x, 0),
		tensor.Fold(tensor.IgnoreNaN(builtin.Min[float64]), tensor.Into(least)),
		tensor.Fold(builtin.MinLoc[float64, int], tensor.IntoMap(first, tensor.Index[float64])))
	fmt.Println(least.At(), first.At(), err)
	// Output: 1 0 <nil>
}

func ExampleAbs() {
	fmt.Println(tensor.Abs(-1.5))
	// Output: 1.5
}

// The sum of squares of numbers whose squares a float32 does not hold.
func ExampleFloat64s() {
	x := views.Must(views.Of1("x", []float32{1 << 20, 1}))
	sum := views.Must(views.New[float64]("sum", nil))
	exec.Must(tensor.Reduce(tensor.MapSlice(tensor.Over(x, 0), tensor.Float64s), tensor.Fold(builtin.SumSq[float64], tensor.Into(sum))))
	fmt.Printf("%.0f\n", sum.At())
	// Output: 1099511627777
}

func ExampleAverage() {
	fmt.Println(tensor.Average(10.0, 4))
	// Output: 2.5
}

func ExampleIndex() {
	var at builtin.ValLoc[float64, int]
	err := exec.ParallelFold(exec.Slice(policy.Range(0, 3), []float64{3, 1, 1}), builtin.MinLoc(&at))
	fmt.Println(tensor.Index(at, 3), tensor.Value(at, 3), err)
	// Output: 1 1 <nil>
}
