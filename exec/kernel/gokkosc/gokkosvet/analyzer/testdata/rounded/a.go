// Package rounded has products that -fix rounds.
package rounded

import (
	"math/bits"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

type celsius float64

const width = bits.UintSize

func square[T ~float32 | ~float64](x T) T { return x * x } // want `rounds? this product and the sum once`

func sums(x, y []float64, s, t []float32, c []celsius) error {
	return exec.ParallelFor(policy.Range(0, 9), func(i int) {
		y[i] += x[i] * x[i+1]          // want `round this product and the sum once`
		y[i] = width*x[i] + 1 - x[i]/4 // want `round this product and the sum once` `round this product and the sum once`
		s[i] += (s[i] + 1) * t[i] * 3  // want `round this product and the sum once`
		c[i] -= c[i] * c[i+1]          // want `round this product and the sum once`
		t[i] = square(s[i]) + 1
		p := x[i] * y[i] // want `round this product and the sum once`
		y[i] = p + float64(p*x[i])
		y[i] *= x[i] // want `round this product and the sum once`
		y[i]++
	})
}
