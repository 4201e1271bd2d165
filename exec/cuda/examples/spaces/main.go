// Command spaces runs one program on four spaces and prints the hash of all bits that it comes to on each. Where there is no
// card it says so, and runs on three.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/examples/spaces/prefix"
	"github.com/gokkos/gokkos/exec/gpu"
)

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "spaces:", err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	goroutines, sim := exec.NewGoroutines(0), exec.NewSimGPU(gpu.H200())
	defer goroutines.Close()
	defer sim.Close()
	spaces := []exec.Space{exec.Serial{}, goroutines, sim}
	cards, absent := cuda.Devices()
	if cards > 0 {
		card, err := cuda.Open(0)
		if err != nil {
			return err
		}
		defer card.Close()
		spaces = append(spaces, card)
	}
	for _, on := range spaces {
		hash, err := prefix.Hash(on)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-10s %016x\n", on.Name(), hash)
	}
	if absent != nil {
		fmt.Fprintln(w, "no card:", absent)
	}
	return nil
}
