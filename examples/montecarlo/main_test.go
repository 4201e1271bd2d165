package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views/random"
)

func TestGolden(t *testing.T) {
	var out strings.Builder
	program := func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, 20_000, 1) }
	require.NoError(t, spaces.Choice{Name: "all", Workers: 3}.Run(&out, program))
	require.NoError(t, spaces.Choice{Name: "mpi", Workers: 2}.Local(3, &out, program))
	assert.Equal(t, `pi                     3.123800 +- 0.011699, off by 1.5 of these
ball in 4 dimensions   5.009600 +- 0.052469, off by 1.4 of these
Asian option           6.086400 +- 0.059893
antithetic exponential 0.999997 +- 0.002987, off by 0.0 of these
bits: identical, 21e5f5e23c4c9033 on serial, goroutines, simgpu
pi                     3.123800 +- 0.011699, off by 1.5 of these
ball in 4 dimensions   5.009600 +- 0.052469, off by 1.4 of these
Asian option           6.086400 +- 0.059893
antithetic exponential 0.999997 +- 0.002987, off by 0.0 of these
bits: 21e5f5e23c4c9033 on mpi
`, out.String())
}

// What is known lies within four standard errors, for each of some seeds.
func TestExact(t *testing.T) {
	for seed := range uint64(10) {
		results, err := run(io.Discard, exec.Serial{}, 5000, seed)
		require.NoError(t, err)
		for k, e := range estimates {
			if mean, off := results[2*k].(float64), results[2*k+1].(float64); !math.IsNaN(e.exact) {
				assert.InDelta(t, e.exact, mean, 4*off, "%s, seed %d", e.name, seed)
			}
		}
	}
}

// The mean and the standard error are those of two plain loops.
func TestPlainLoops(t *testing.T) {
	const n = 1000
	results, err := run(io.Discard, exec.Serial{}, n, 3)
	require.NoError(t, err)
	for k, e := range estimates {
		var mean, squares float64
		sample := func(i int) float64 {
			g := random.New(3).Split(k).At(i)
			return e.sample(&g)
		}
		for i := range n {
			mean += sample(i) / n
		}
		for i := range n {
			squares += (sample(i) - mean) * (sample(i) - mean)
		}
		assert.InEpsilon(t, mean, results[2*k], 1e-12, e.name)
		assert.InEpsilon(t, math.Sqrt(squares/(n-1)/n), results[2*k+1], 1e-12, e.name)
	}
}

// Numbers of samples of which there is no standard error, or which no float64 counts, are errors at once.
func TestBadInput(t *testing.T) {
	for _, n := range []int64{math.MinInt64, 0, 1, 1<<53 + 1, math.MaxInt64} {
		if int64(int(n)) != n {
			continue // on a machine of 32 bits
		}
		_, err := run(io.Discard, exec.Serial{}, int(n), 1)
		assert.EqualError(t, err, fmt.Sprintf("%d samples, expected 2 to 2^53, up to which a float64 counts", n))
	}
}
