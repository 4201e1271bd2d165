//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/kernel"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views/random"
)

func init() {
	runs["walk"] = func(r *rand.Rand, n int) run {
		w := walker{random.New(r.Uint64()).Split(3), r.IntN(9), r.IntN(7)}
		if r.IntN(4) == 0 {
			w.sides = math.MaxInt - r.IntN(9)
		}
		x, die := make([]float32, n), make([]int, n)
		return run{walk(w, x, die), Walk(w, x, die), []any{x, die}}
	}
	runs["bell"] = func(r *rand.Rand, n int) run {
		pool, mean := random.New(r.Uint64()), r.Float64()
		x, y := make([]float64, n), make([]float64, n)
		return run{bell(pool, mean, x, y), Bell(pool, mean, x, y), []any{x, y}}
	}
}

// Random numbers of kernels are those of generators.
func TestDraws(t *testing.T) {
	pool := random.New(42)
	var counts []int
	for _, level := range []kernel.Level{kernel.Closure, kernel.Go, kernel.AVX2, kernel.AVX512} {
		_, undo := kernel.Limit(level)
		n := 0
		require.NoError(t, exec.ParallelReduce(policy.Range(-100, 5000), Inside(pool), builtin.Sum(&n)))
		counts = append(counts, n)
		undo()
	}
	assert.InDelta(t, math.Pi/4, float64(counts[0])/5/5100, .02)
	for _, n := range counts {
		assert.Equal(t, counts[0], n)
	}
}
