package main

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
)

// Kernels whose items compute a while by themselves.

var rootsKernel = kernel{
	name: "roots", bytes: 8, sizes: []int{medium},
	make: reduction[float64]{
		gokkos: functors[float64, float64]{
			reducer: builtin.Sum[float64],
			index: func(s setup) func(int, *float64) {
				x := s.x
				return func(i int, acc *float64) {
					v := x[i]
					*acc += math.Sqrt(v*v+1) / (v + 2)
				}
			},
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
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				p, m, x, z := s.over(innerRows), edge(s.n), s.x, s.z
				return func() error {
					return exec.ParallelFor(p, func(i int) {
						for j := 1; j < m-1; j++ {
							z[i*m+j] = .25 * (x[(i-1)*m+j] + x[(i+1)*m+j] + x[i*m+j-1] + x[i*m+j+1])
						}
					})
				}
			},
		},
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
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				p, z := s.items(), s.z
				return func() error {
					return exec.ParallelFor(p, func(i int) {
						k := uint64(i) + 0x9e3779b97f4a7c15
						k = (k ^ k>>30) * 0xbf58476d1ce4e5b9
						k = (k ^ k>>27) * 0x94d049bb133111eb
						z[i] = float64((k^k>>31)>>11)*0x1p-53 - .5
					})
				}
			},
		},
		over: items,
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
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				p, m, z := s.over(pixels), edge(s.n), s.z
				step := 3 / float64(m)
				return func() error {
					return exec.ParallelFor(p, func(i int) {
						cr, ci := step*float64(i%m)-2.25, step*float64(i/m)-1.5
						re, im, k := 0., 0., 0
						for ; k < 256 && re*re+im*im <= 4; k++ {
							re, im = re*re-im*im+cr, 2*re*im+ci
						}
						z[i] = float64(k)
					})
				}
			},
		},
		over: pixels,
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
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				p, points, centres, z := s.items(), s.x, s.y, s.z
				return func() error {
					return exec.ParallelFor(p, func(i int) {
						best := math.MaxFloat64
						for c := range 8 {
							d := 0.
							for k := range 4 {
								t := points[4*i+k] - centres[4*c+k]
								d += t * t
							}
							best = min(best, d)
						}
						z[i] = best
					})
				}
			},
		},
		over: items,
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
