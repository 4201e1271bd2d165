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
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// A norm is a normalization: the dimensions that mean and variance are taken over.
type norm struct {
	name string
	over []int
}

var norms = []norm{
	{"batch, over N H W", []int{0, 1, 2}},
	{"layer, over C", []int{3}},
	{"layer, over H W C", []int{1, 2, 3}},
}

// noCard says why -space cuda is an error.
const noCard = "its tensors are in the memory of the host: views.MirrorCopy can move them"

func main() {
	spaces.Choice{Name: "all", NoCard: noCard}.Main("normalize", func(w io.Writer, on exec.Space) ([]any, error) {
		return run(w, on, [4]int{32, 28, 28, 64})
	})
}

// run normalizes a tensor in all ways, and checks it.
func run(w io.Writer, on exec.Space, lengths [4]int) (results []any, err error) {
	x, err := views.New4[float32]("x", lengths[0], lengths[1], lengths[2], lengths[3])
	if err != nil {
		return nil, err
	}
	if err := fill(on, x); err != nil {
		return nil, err
	}
	for _, n := range norms {
		s, err := newStatistics(x, n.over)
		if err != nil {
			return nil, err
		}
		y, err := views.New4[float32]("y", lengths[0], lengths[1], lengths[2], lengths[3])
		if err != nil {
			return nil, err
		}
		if err := s.compute(on); err != nil {
			return nil, err
		}
		if err := s.apply(on, y); err != nil {
			return nil, err
		}
		if err := report(w, n, s, y); err != nil {
			return nil, err
		}
		memory, _ := y.Slice()
		results = append(results, memory)
	}
	return results, nil
}

// fill makes elements with values around 1000 and a variance of 1.
func fill(on exec.Space, x views.View4[float32]) error {
	memory, _ := x.Slice()
	return exec.ParallelFor(policy.Range(0, len(memory)).On(on), func(i int) {
		// The sum of three bytes that look random has variance 3·(256²-1)/12.
		h := (uint64(i) + 1) * 0x9e3779b97f4a7c15
		h ^= h >> 29
		h *= 0xbf58476d1ce4e5b9
		sum := float32(h>>56) + float32(h>>48&255) + float32(h>>40&255)
		memory[i] = 1000 + (sum-382.5)/128
	})
}
