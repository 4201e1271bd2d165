package main

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/examples/bench/compiled"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// Kernels that show what the compiler of kernels does with a functor: gokkos-index runs it as a
// closure, gokkos-kernel compiled.

var rootsKernel = kernel{
	name: "roots", bytes: 8, sizes: []int{medium},
	make: reduction[float64]{
		gokkos: functors[float64, float64]{
			reducer: builtin.Sum[float64],
			index:   func(s setup) func(int, *float64) { return compiled.RootsClosure(s.x) },
			kernel:  func(s setup) func(int, *float64) { return compiled.Roots(s.x) },
		}.launches(),
		loop: func(s setup, begin, end int) (sum float64) {
			for _, v := range s.x[begin:end] {
				sum += math.Sqrt(float64(v*v)+1) / (v + 2)
			}
			return sum
		},
		join:  add,
		value: itself,
	}.implementations(),
}

// relaxKernel is a 5-point stencil whose items are rows.
var relaxKernel = kernel{
	name: "relax", bytes: 16, sizes: []int{tinySquare}, shape: squareShape, writes: "z", exact: true,
	make: transform{
		gokkos: written(innerRows, func(s setup) func(int) {
			return compiled.RelaxClosure(edge(s.n), s.x, s.z)
		}, func(s setup) func(int) { return compiled.Relax(edge(s.n), s.x, s.z) }),
		over: innerRows,
		loop: func(s setup, begin, end int) {
			m, x, z := edge(s.n), s.x, s.z
			for i := begin; i < end; i++ {
				for j := 1; j < m-1; j++ {
					z[i*m+j] = float64(.25 * (x[(i-1)*m+j] + x[(i+1)*m+j] + x[i*m+j-1] + x[i*m+j+1]))
				}
			}
		},
	}.implementations(),
}

// innerRows are the rows inside of a square.
func innerRows(n int) (begin, end int) { return 1, max(edge(n)-1, 1) }

var hashKernel = kernel{
	name: "hash", bytes: 8, sizes: []int{medium}, writes: "z", exact: true,
	make: transform{
		gokkos: written(items, func(s setup) func(int) { return compiled.HashClosure(s.z) }, func(s setup) func(int) { return compiled.Hash(s.z) }),
		over:   items,
		loop: func(s setup, begin, end int) {
			for i := begin; i < end; i++ {
				s.z[i] = uniform(uint64(i))
			}
		},
	}.implementations(),
}

// mandelbrotKernel is a picture whose pixels take from 1 to 256 rounds.
var mandelbrotKernel = kernel{
	name: "mandelbrot", bytes: 8, sizes: []int{tinySquare}, shape: squareShape, writes: "z", exact: true,
	make: transform{
		gokkos: written(pixels, func(s setup) func(int) { return compiled.MandelbrotClosure(edge(s.n), s.z) }, func(s setup) func(int) { return compiled.Mandelbrot(edge(s.n), s.z) }),
		over:   pixels,
		loop: func(s setup, begin, end int) {
			m := edge(s.n)
			step := 3 / float64(m)
			for i := begin; i < end; i++ {
				s.z[i] = escape(float64(step*float64(i%m))-2.25, float64(step*float64(i/m))-1.5)
			}
		},
	}.implementations(),
}

// pixels are those of a square.
func pixels(n int) (begin, end int) { return 0, edge(n) * edge(n) }

// escape returns how many rounds a point stays within 2 of the origin.
func escape(cr, ci float64) float64 {
	re, im, k := 0.0, 0.0, 0
	for ; k < 256; k++ {
		rr, ii := float64(re*re), float64(im*im)
		if rr+ii > 4 {
			break
		}
		re, im = rr-ii+cr, float64(2*re*im)+ci
	}
	return float64(k)
}

// nearestKernel finds the nearest of eight centres for each point in four dimensions.
var nearestKernel = kernel{
	name: "nearest", bytes: 40, sizes: []int{1e4}, writes: "z", exact: true,
	room: func(n int) int { return 4*n + 32 },
	make: transform{
		gokkos: written(items, func(s setup) func(int) { return compiled.NearestClosure(s.x, s.y, s.z) }, func(s setup) func(int) { return compiled.Nearest(s.x, s.y, s.z) }),
		over:   items,
		loop: func(s setup, begin, end int) {
			for i := begin; i < end; i++ {
				s.z[i] = nearest(s.x[4*i:4*i+4], s.y)
			}
		},
	}.implementations(),
}

// nearest returns the square of the distance from p to the nearest of the centres.
func nearest(p, centres []float64) float64 {
	best := math.MaxFloat64
	for c := range 8 {
		d := 0.0
		for k, v := range centres[4*c : 4*c+4] {
			t := p[k] - v
			d += float64(t * t)
		}
		best = min(best, d)
	}
	return best
}

// written are the launches of a functor that writes z, as a closure that is made anew and compiled.
func written(over func(n int) (begin, end int), closure, kernel func(s setup) func(i int)) loops {
	items := func(s setup) policy.RangePolicy {
		begin, end := over(s.n)
		return policy.Range(begin, end).On(s.space)
	}
	return loops{
		"gokkos-index": func(s setup) func() error {
			p := items(s)
			return func() error { return exec.ParallelFor(p, closure(s)) }
		},
		"gokkos-kernel": func(s setup) func() error {
			p, f := items(s), kernel(s)
			return func() error { return exec.ParallelFor(p, f) }
		},
	}
}
