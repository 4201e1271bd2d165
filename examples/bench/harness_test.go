package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// beside races an implementation against the loop of a kernel, and returns the error.
func beside(t *testing.T, k kernel, run func(s setup) float64) error {
	k.make = implementations{
		"loop":  k.make["loop"],
		"gonum": func(s setup) implementation { return func() float64 { return run(s) } },
	}
	h := newHarness(t.Context(), &options{workers: 1, rounds: 1, time: 1}, nil)
	defer h.close()
	_, err := h.measure(k, 10000)
	return err
}

// An implementation that computes something else is no competitor.
func TestWrongResultsAreFound(t *testing.T) {
	assert.ErrorContains(t, beside(t, sumKernel, func(setup) float64 { return 42 }), "gonum computes 42")
	assert.ErrorContains(t, beside(t, sumKernel, func(setup) float64 { return math.NaN() }), "gonum computes NaN")
}

// Neither is one that does nothing, unless that is the work.
func TestNoWorkIsFound(t *testing.T) {
	for _, k := range kernels {
		err := beside(t, k, func(setup) float64 { return 0 })
		if k.name == launchForKernel.name {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, "gonum computes", k.name)
	}
}

// Nor is one that does a part of the work, or all of it in the wrong places.
func TestMissingWorkIsFound(t *testing.T) {
	whole := func(k kernel, s setup) { k.make[plain](s)() }
	for name, c := range map[string]struct {
		k   kernel
		run func(s setup)
	}{
		"axpy, half":           {axpyKernel, func(s setup) { axpy(-.5, s.x[:s.n/2], s.z) }},
		"axpy, the other sign": {axpyKernel, func(s setup) { axpy(.5, s.x[:s.n], s.z) }},
		"triad, one item":      {triadKernel, func(s setup) { triad(s, s.n/2, s.n/2+1) }},
		"triad, one item less": {triadKernel, func(s setup) { triad(s, 0, s.n-1) }},
		"triad, two swapped": {triadKernel, func(s setup) {
			whole(triadKernel, s)
			s.z[1], s.z[2] = s.z[2], s.z[1]
		}},
		"scan, the total": {scanKernel, func(s setup) {
			whole(scanKernel, s)
			reset(s.z[:s.n-1])
		}},
		"scan, all but the first": {scanKernel, func(s setup) {
			whole(scanKernel, s)
			reset(s.z[:1])
		}},
		"stencil, the first row": {stencilKernel, func(s setup) {
			m := edge(s.n)
			stencil(s.z[m:2*m], s.x[:m], s.x[m:2*m], s.x[2*m:3*m])
		}},
		"stencil, a border too": {stencilKernel, func(s setup) {
			whole(stencilKernel, s)
			s.z[0] = 0
		}},
		"gemv, the first row":   {gemvKernel, func(s setup) { s.z[0] = dot(s.x[:edge(s.n)], s.y[:edge(s.n)]) }},
		"tensor, the first row": {tensorKernel, func(s setup) { s.z[0], s.z[1] = means(s.x[:edge(s.n)]) }},
	} {
		err := beside(t, c.k, func(s setup) float64 { c.run(s); return 0 })
		assert.ErrorContains(t, err, "gonum computes", name)
	}
}

// The peers in C++ write the same each time, and so does axpy, whose sign alternates.
func TestPeersAreReset(t *testing.T) {
	p, err := startPeers(t.Context())
	if err != nil {
		t.Skip(err)
	}
	defer p.close()
	first, err := p.written("axpy", "cpp-omp", 100, 1)
	assert.NoError(t, err)
	second, err := p.written("axpy", "cpp-omp", 100, 1)
	assert.NoError(t, err)
	assert.Equal(t, first, second)
}
