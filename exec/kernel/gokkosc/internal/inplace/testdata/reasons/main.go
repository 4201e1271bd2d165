// Reasons is a program whose functor is refused for several reasons. The comment on a line says which.
package main

import (
	"fmt"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func main() {
	x := make([]float64, 10)
	names := map[string]float64{}
	var sum float64
	exec.Must(exec.ParallelFor(policy.Range(0, len(x)), func(i int) {
		a := names["a"] // type map[string]float64
		x[i] = a * 2
		sum += x[i] // the functor assigns to sum
		for k := range 3 {
			defer fmt.Println(k) // a kernel cannot have defer
			x[i] += float64(k)
		}
		if x[i] > 3 {
			go print() // a kernel cannot have goroutines
		} else if b := fmt.Sprint(i); b != "" { // package fmt is not of this module
			x[i] = float64(len(b))
		}
		helper(x, i)
	}))
}

func helper(x []float64, i int) {
	c := make(chan int) // a kernel cannot allocate
	<-c
	x[i] = float64(append(x, 1)[i]) // a kernel cannot allocate
}
