package prefix_test

import (
	"fmt"

	"github.com/gokkos/gokkos/examples/walk/prefix"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/gpu"
)

// Four spaces, and the same bits. Where there is no card, Serial takes its turn.
func ExampleHash() {
	goroutines, sim := exec.NewGoroutines(3), exec.NewSimGPU(gpu.H200())
	defer goroutines.Close()
	defer sim.Close()
	var last exec.Space = exec.Serial{}
	if card, err := cuda.Open(0); err == nil {
		defer card.Close()
		last = card
	}
	for k, on := range []exec.Space{exec.Serial{}, goroutines, sim, last} {
		hash, err := prefix.Hash(on)
		exec.Must(err)
		fmt.Printf("%-10s %016x\n", []string{"serial", "goroutines", "simgpu", "cuda"}[k], hash)
	}
	// Output:
	// serial     8c4416932827abb3
	// goroutines 8c4416932827abb3
	// simgpu     8c4416932827abb3
	// cuda       8c4416932827abb3
}
