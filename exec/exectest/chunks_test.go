//gokkosvet:ignore kernels with bugs

package exectest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
)

// accumulating is a kernel of one reduction, whose functor may write to x.
func accumulating[T int | float64](f func(i int, acc *T, x []T)) func(s exec.Space) any {
	return func(s exec.Space) any {
		var sum T
		x := make([]T, items)
		exec.Must(exec.ParallelReduce(over(s), func(i int, acc *T) { f(i, acc, x) }, builtin.Sum(&sum)))
		return struct {
			Sum T
			X   []T
		}{sum, x}
	}
}

func TestChunks(t *testing.T) {
	for _, c := range []struct {
		name   string
		kernel func(s exec.Space) any
		ulps   int
		found  bool
	}{
		{"assigns", accumulating(func(i int, acc *int, _ []int) { *acc = i }), 0, true},
		{"assigns what is large", accumulating(func(i int, acc *int, _ []int) { *acc = max(i, 3) }), 0, true},
		{"uses it as data", accumulating(func(i int, acc *int, x []int) { *acc += i; x[i] = *acc }), 0, true},
		{"branches on it", accumulating(func(i int, acc *int, x []int) {
			if *acc += i; *acc > 100 {
				x[i] = 1
			}
		}), 0, true},
		{"assigns a float", accumulating(func(i int, acc *float64, _ []float64) { *acc = float64(i) }), 1000, true},
		{"joins", accumulating(func(i int, acc *int, x []int) { *acc += i; x[i] = i }), 0, false},
		{"joins floats", accumulating(func(i int, acc *float64, x []float64) { *acc += 0.1 * float64(i) }), 1000, false},
		{"joins floats, bit for bit", accumulating(func(i int, acc *float64, x []float64) { *acc += 1 / float64(i+1) }), 0, true},
	} {
		assert.Empty(t, tested(c.kernel, "").errors, "%s: found without the option", c.name)
		said := strings.Join(tested(c.kernel, "", Chunks(c.ulps)).errors, "\n")
		if c.found {
			assert.Contains(t, said, "depends on the chunk", c.name)
		} else {
			assert.Empty(t, said, c.name)
		}
	}
}
