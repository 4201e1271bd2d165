//gokkosvet:ignore kernels with bugs

package exectest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
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

// inBlocks numbers what it computes by the chunk of its policy.
func inBlocks(s exec.Space) any {
	sums := make([]int, items/64+1)
	exec.Must(exec.ParallelFor(policy.Spans(0, items).Chunk(64).On(s), func(p policy.Span) { sums[p.Begin/64] = p.Len() }))
	return sums
}

// withoutThirds removes elements from a view.
func withoutThirds(s exec.Space) any {
	v := views.Must(views.New1[int]("v", items))
	for i := range items {
		v.Set(i, i)
	}
	n, err := algorithms.RemoveIf(v, func(x int) bool { return x%3 == 0 }, policy.On(s))
	exec.Must(err)
	return v.Row()[:n]
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
		{"assigns in a scan", func(s exec.Space) any {
			total := 0
			exec.Must(exec.ParallelScan(over(s), func(i int, acc *int, _ bool) { *acc = i }, builtin.Sum(&total)))
			return total
		}, 0, true},
		{"spans of a chunk", inBlocks, 0, false},
		{"removes", withoutThirds, 0, false},
		{"joins floats, bit for bit", accumulating(func(i int, acc *float64, x []float64) { *acc += 1 / float64(i+1) }), 0, true},
	} {
		assert.Empty(t, tested(c.kernel, "").errors, "%s: found without the option", c.name)
		said := strings.Join(tested(c.kernel, "", exectest.Chunks(c.ulps)).errors, "\n")
		if c.found {
			assert.Contains(t, said, "depends on the chunk", c.name)
		} else {
			assert.Empty(t, said, c.name)
		}
	}
}
