package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An implementation that does a part of the work, or none, is no competitor.
func TestMissingWorkIsFound(t *testing.T) {
	few := map[string]struct {
		k   kernel
		run func(s setup) float64
	}{
		"axpy, no item":         {axpyKernel, func(s setup) float64 { return 0 }},
		"scan, no item":         {scanKernel, func(s setup) float64 { return s.z[s.n-1] }},
		"triad, one item":       {triadKernel, func(s setup) float64 { triad(s, s.n/2, s.n/2+1); return s.z[s.n/2] }},
		"tensor, the first row": {tensorKernel, func(s setup) float64 { s.z[0], s.z[1] = means(s.x[:edge(s.n)]); return s.z[0] + s.z[1] }},
	}
	for name, c := range few {
		c.k.make = implementations{
			"loop":  c.k.make["loop"],
			"gonum": func(s setup) implementation { return func() float64 { return c.run(s) } },
		}
		h := newHarness(t.Context(), &options{workers: 1, rounds: 1, time: 1}, nil)
		_, err := h.measure(c.k, 10000)
		assert.ErrorContains(t, err, "gonum computes", name)
		h.close()
	}
}
