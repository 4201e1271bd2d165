// Card estimates π on a card, or on the host if there is none:
//
//	go -C examples tool gokkosc run -ptx ./card
package main

import (
	"fmt"
	"log"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// pi integrates 4/(1+x²) from 0 to 1 by the rule of midpoints, over n intervals.
func pi(on exec.Space, n int) (sum float64, err error) {
	x, err := views.As1(views.NewIn[float64](views.MemoryOf(on), "x", []int{n}))
	if err != nil {
		return 0, err
	}
	err = exec.ParallelFor(policy.Range(0, n).On(on), func(i int) {
		x.Set(i, (float64(i)+0.5)/float64(n))
	})
	if err != nil {
		return 0, err
	}
	err = exec.ParallelReduce(policy.Range(0, n).On(on), func(i int, acc *float64) {
		t := x.At(i)
		*acc += 4 / (1 + float64(t*t))
	}, builtin.Sum(&sum))
	return sum / float64(n), err
}

func main() {
	var on exec.Space = exec.Serial{}
	if first, err := cuda.Open(0); err == nil {
		defer first.Close()
		on = first
	}
	estimate, err := pi(on, 1_000_000)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.15f %x\n", estimate, estimate)
}
