//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

func ExampleAxpy() {
	const n, a = 3, 2
	space := exec.Serial{}
	x, y := []float64{1, 2, 3}, []float64{10, 20, 30}
	err := exec.ParallelFor(policy.Range(0, n).On(space), Axpy(a, x, y))
	fmt.Println(y, err)
	// Output: [12 24 36] <nil>
}

func ExampleVariance() {
	const n = 4
	space := exec.Serial{}
	x := []float64{1, 2, 3, 4}
	var moments builtin.Moments[float64]
	err := exec.ParallelReduce(policy.Range(0, n).On(space), Variance(x), builtin.Variance(&moments))
	fmt.Println(moments.Mean, moments.Variance(), err)
	// Output: 2.5 1.25 <nil>
}

// A step of Jacobi's method on the points inside of a square, as a compiled functor.
func ExampleRelaxed() {
	const n = 4
	u, v := views.Must(views.New2[float64]("u", n, n)), views.Must(views.New2[float64]("v", n, n))
	for i := range n {
		u.Set(i, 0, 8)
	}
	err := exec.ParallelFor(policy.MDRange2([2]int{1, 1}, [2]int{n - 1, n - 1}), Relaxed(u, v))
	fmt.Println(v.Row(1), v.Row(2), err)
	// Output: [0 2 0 0] [0 2 0 0] <nil>
}

// Rows that are multiplied by numbers of their own.
func ExampleScaledRow() {
	u := views.Must(views.Of3("u", []float64{1, 2, 3, 4, 5, 6}, 1, 2, 3))
	err := exec.ParallelFor(policy.MDRange3([3]int{}, [3]int{1, 2, 3}).Rows(), ScaledRow([]float64{1, 9}, u))
	fmt.Println(u.Row(0, 0), u.Row(0, 1), err)
	// Output: [2 4 6] [40 50 60] <nil>
}
