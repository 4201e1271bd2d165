// Command dot computes a dot product on several spaces and prints equal bits.
package main

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/policy"
)

func main() {
	x, y := make([]float64, 1_000_000), make([]float64, 1_000_000)
	for i := range x {
		x[i], y[i] = 1/float64(i+1), math.Sqrt(float64(i))
	}
	two, seven, sim := exec.NewGoroutines(2), exec.NewGoroutines(7), exec.NewSimGPU(gpu.H200())
	defer two.Close()
	defer seven.Close()
	defer sim.Close()
	for _, on := range []exec.Space{exec.Serial{}, two, seven, sim} {
		var dot float64
		err := exec.ParallelReduce(policy.Range(0, len(x)).On(on), func(i int, acc *float64) {
			*acc += float64(x[i] * y[i])
		}, builtin.Sum(&dot))
		fmt.Printf("%-10s %d workers: %x %v\n", on.Name(), on.Concurrency(), dot, err)
	}
}
