package main

import (
	"bytes"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
)

// All machines print the same hash.
func TestGolden(t *testing.T) {
	two := exec.NewGoroutines(2)
	defer two.Close()
	var first string
	for _, s := range []exec.Space{exec.Serial{}, two} {
		var out bytes.Buffer
		_, err := run(&out, s, 5000)
		require.NoError(t, err)
		_, bits, ok := bytes.Cut(out.Bytes(), []byte("bits: "))
		require.True(t, ok, out.String())
		if first == "" {
			first = string(bits)
		}
		assert.Equal(t, first, string(bits))
	}
	assert.Contains(t, first, "identical, b35aa03e95146eb4")
	_, err := run(&bytes.Buffer{}, exec.Serial{}, 0)
	assert.ErrorContains(t, err, "expected at least 1")
}

// A price from the literature: Hull, Options, Futures, and Other Derivatives, example 15.6.
func TestPrice(t *testing.T) {
	o := options{[]float64{42}, []float64{40}, []float64{.5}, make([]float64, 1), make([]float64, 1)}
	Price(market{rate: .1, volatility: .2}, o)(0)
	assert.InDelta(t, 4.76, o.call[0], .005)
	assert.InDelta(t, .81, o.put[0], .005)
}

func TestNormal(t *testing.T) {
	for x := -8.0; x < 8; x += .01 {
		assert.InDelta(t, .5*math.Erfc(-x/math.Sqrt2), normal(x), 7.6e-8, "%g", x)
	}
}

// Sizes that no memory holds, or whose products wrap, are errors.
func TestHugeSizesAreErrors(t *testing.T) {
	for _, n := range []int{1 << 40, 1 << 62, math.MaxInt, math.MinInt, 0, -1} {
		_, err := run(io.Discard, exec.Serial{}, n)
		require.ErrorContains(t, err, "expected at ", "%d", n)
	}
}
