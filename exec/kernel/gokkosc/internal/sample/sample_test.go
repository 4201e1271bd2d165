package sample

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// The golden text is what runs, with the bits of the closures at each level and on each space.
func TestSampleHasTheBitsOfTheClosures(t *testing.T) {
	results := func(s exec.Space) any { return results(t, s) }
	exectest.TestKernel(t, results)
	_, undo := kernel.Limit(kernel.Closure)
	closures := results(exec.Serial{})
	undo()
	for _, level := range []kernel.Level{kernel.Go, kernel.AVX2, kernel.AVX512} {
		_, undo := kernel.Limit(level)
		assert.Equal(t, closures, results(exec.Serial{}), "%v", level)
		undo()
	}
}

// results returns what all kernels make of the same data.
func results(t *testing.T, s exec.Space) any {
	const n, rows, columns = 1003, 30, 33
	x, at, bytes := make([]float64, n), make([]int32, n), make([]uint8, n)
	for i := range n {
		x[i], at[i], bytes[i] = 1/float64(i+3), int32(i*7%n), uint8(i*31)
	}
	square, err := views.Of2("square", x[:rows*columns], rows, columns)
	require.NoError(t, err)
	blurred, err := views.New2[float64]("blurred", rows, columns)
	require.NoError(t, err)
	scaled, products, gathered, roots, greys := make([]float64, n), make([]float64, rows), make([]float64, n), make([]float64, n), make([]uint8, n)
	var squares, decay float64

	p, inner := policy.Range(0, n).On(s), policy.MDRange2([2]int{1, 1}, [2]int{rows - 1, columns - 1}).On(s)
	for _, each := range []func(int){Axpy(3, x, scaled), Gather(at, x, gathered), Root(x, roots), Grey(bytes, bytes, bytes, greys)} {
		require.NoError(t, exec.ParallelFor(p, each))
	}
	require.NoError(t, exec.ParallelFor(policy.Range(0, rows).On(s), Product(square, x, products)))
	require.NoError(t, exec.ParallelFor(inner, Blur(square, blurred)))
	require.NoError(t, exec.ParallelReduce(p, Dot(x, x), builtin.Sum(&squares)))
	require.NoError(t, exec.ParallelFold(exec.Map(p, Decayed(x)), builtin.Sum(&decay)))
	all, _ := blurred.Slice()
	return []any{scaled, gathered, roots, greys, products, all, squares, decay}
}
