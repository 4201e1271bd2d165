// Command spaces runs one program on four spaces and prints the hash of all bits that it comes to on each.
package main

import (
	"fmt"
	"os"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/examples/spaces/prefix"
	"github.com/gokkos/gokkos/exec/gpu"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "spaces:", err)
		os.Exit(1)
	}
}

func run() error {
	goroutines, sim := exec.NewGoroutines(0), exec.NewSimGPU(gpu.H200())
	defer goroutines.Close()
	defer sim.Close()
	spaces := []exec.Space{exec.Serial{}, goroutines, sim}
	card, err := cuda.Open(0)
	if err == nil {
		defer card.Close()
		spaces = append(spaces, card)
	}
	for _, on := range spaces {
		hash, err := prefix.Hash(on)
		if err != nil {
			return err
		}
		fmt.Printf("%-10s %016x\n", on.Name(), hash)
	}
	return err // why there is no card
}
