// Normalize computes batch and layer normalization of a tensor of shape (N, H, W, C):
//
//	y = (x - mean) / sqrt(variance + epsilon)
//
// where mean and variance are those of the elements over some dimensions: over N, H and W
// for each channel (batch normalization), over C for each pixel, or over H, W and C for
// each sample (layer normalization). Both come from one pass over x; a second one applies
// them.
//
//	go -C examples run ./normalize
//	go -C examples tool gokkosc run -ptx ./normalize -space all,cuda
//
// There are two ways to the variance in one pass. E[x²] - E[x]² takes sums only, which are
// fast, but subtracts two large numbers: with values around 1000 and a variance of 1 and
// sums of float32 it has one digit right at best. builtin.Variance keeps mean and squared
// distances from it, joined by the formula of Chan, and has all the digits of a loop that
// computes the mean first. The program normalizes with the second, and prints how far off
// both are.
//
// Its exit status is 0 if all is within rounding of the loop, and has the same bits on all
// spaces.
package main

import (
	"io"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/examples/normalize/norm"
	"github.com/gokkos/gokkos/exec"
)

func main() {
	spaces.Choice{Name: "all"}.Main("normalize", func(w io.Writer, on exec.Space) ([]any, error) {
		return norm.Run(w, on, [4]int{32, 28, 28, 64})
	})
}
