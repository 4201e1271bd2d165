//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
)

// Loops over spans have the bits of their closures, whatever the space, and the same spans.
func TestSpansOfIntegers(t *testing.T) {
	if !closures {
		assert.NotNil(t, kernel.Of(SpanMeans(nil, nil)))
		assert.NotNil(t, kernel.Of(SpanSum(nil, nil)))
		assert.NotNil(t, kernel.Of(Lengths(nil)))
	}
	pool := exec.NewGoroutines(3)
	defer pool.Close()
	for _, s := range []space.Space{exec.Serial{}, pool, exec.NewSimGPU(gpu.H200())} {
		for _, n := range []int{0, 1, 5, 64, 1000, 40000} {
			for _, short := range []int{0, 1} { // the last item panics
				t.Run(fmt.Sprint(s.Name(), n, short), func(t *testing.T) { testSpan(t, s, n, short) })
			}
		}
	}
}

func testSpan(t *testing.T, s space.Space, n, short int) {
	r := rand.New(rand.NewPCG(uint64(n), 7))
	x := floats(r, n+2-short)
	y, z := make([]float64, n), make([]float64, n)
	p := policy.Spans(0, n).On(s)
	run := func(f func() error) (message string) {
		defer func() { message = fmt.Sprint(message, recover() != nil) }()
		return fmt.Sprint(f())
	}
	assert.Equal(t, run(func() error { return exec.ParallelFor(p, spanMeans(x, y)) }), run(func() error { return exec.ParallelFor(p, SpanMeans(x, z)) }))
	if short == 0 {
		assert.Equal(t, hex(y), hex(z))
	}
	for i := range z {
		z[i] = r.NormFloat64()
	}
	var sum, least, sum2, least2 float64
	w := x[:n]
	require.NoError(t, exec.ParallelReduce2(p, spanSum(w, z), builtin.Sum(&sum), builtin.Min(&least)))
	require.NoError(t, exec.ParallelReduce2(p, SpanSum(w, z), builtin.Sum(&sum2), builtin.Min(&least2)))
	assert.Equal(t, fmt.Sprintf("%x", sum), fmt.Sprintf("%x", sum2)) // which of several NaNs a sum has is the CPU's choice
	assert.Equal(t, fmt.Sprintf("%x", least), fmt.Sprintf("%x", least2))
	if s != space.Space(exec.Serial{}) {
		return // others cut leaves as time has it
	}
	a, b := make([]int, n), make([]int, n)
	require.NoError(t, exec.ParallelFor(p.Chunk(64), lengths(a)))
	require.NoError(t, exec.ParallelFor(p.Chunk(64), Lengths(b)))
	assert.Equal(t, a, b)
}
