// Package fused has products that are added to something.
package fused

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func sums(x, y []float64) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		y[i] = 3*x[i] + y[i] // want `some processors round this product and the sum once`
		y[i] += 3 * x[i]     // want `some processors round this product and the sum once`
		y[i] = float64(2*x[i]) + y[i]
		y[i] += float64(2 * x[i])
		y[i] = x[i] * 2 * y[i]    // want `some processors round this product and the sum once`
		y[i] = y[i] - -(3 * x[i]) // want `some processors round this product and the sum once`
	})
}

func generic[T ~float32 | ~float64](x, y []T, a T) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		y[i] += a * x[i] // want `some processors round this product and the sum once`
		y[i] += T(a * x[i])
	})
}
