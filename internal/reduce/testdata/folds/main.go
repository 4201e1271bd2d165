// Program folds asks for nothing by reflection, so its linker drops all methods that nobody calls.
package main

import (
	"os"
	"strconv"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

func main() {
	x := make([]float64, 1000)
	for k := range x {
		x[k] = 1 + float64(k%2)
	}
	source := policy.Range(0, len(x)).On(exec.Serial{})
	var sum, product float64
	must(exec.ParallelFold(exec.Slice(source, x), builtin.Sum(&sum), builtin.Prod(&product)))
	print(sum, product)
	must(exec.ParallelFold(exec.Slice(source, x), builtin.SumSq(&sum)))
	print(sum)
	must(exec.ParallelFold(exec.Products(source, x, x), builtin.Sum(&sum)))
	print(sum)

	matrix, rows := views.Must(views.New[float64]("x", []int{50, 20})), views.Must(views.New[float64]("rows", []int{50}))
	memory, _ := matrix.Slice()
	copy(memory, x)
	must(tensor.Reduce(tensor.Over(matrix, 1).On(exec.Serial{}), tensor.Fold(builtin.Norm1[float64], tensor.Into(rows))))
	print(rows.At(49))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func print(x ...float64) {
	for _, v := range x {
		_, _ = os.Stdout.WriteString(strconv.FormatFloat(v, 'g', -1, 64) + "\n")
	}
}
