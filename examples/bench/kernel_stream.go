package main

import (
	"gonum.org/v1/gonum/floats"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// sign alternates between runs of axpy, so that z stays in bounds.
func sign() func() float64 {
	a := .5
	return func() float64 {
		a = -a
		return a
	}
}

var axpyKernel = kernel{
	name: "axpy", bytes: 24, sizes: []int{medium, large}, writes: "z", exact: true,
	make: implementations{
		"gokkos-span": func(s setup) implementation {
			p, x, z, a := s.spans(), s.x, s.z, sign()
			return func() float64 {
				a := a()
				must(exec.ParallelFor(p, func(s policy.Span) { axpy(a, x[s.Begin:s.End], z[s.Begin:s.End]) }))
				return 0
			}
		},
		"gokkos-index": func(s setup) implementation {
			p, x, z, a := s.items(), s.x, s.z, sign()
			return func() float64 {
				a := a()
				must(exec.ParallelFor(p, func(i int) { z[i] += a * x[i] }))
				return 0
			}
		},
		"loop": func(s setup) implementation {
			a := sign()
			return func() float64 {
				axpy(a(), s.x[:s.n], s.z[:s.n])
				return 0
			}
		},
		"errgroup": axpyBy(byErrgroup),
		"conc":     axpyBy(byConc),
		"gonum": func(s setup) implementation {
			a := sign()
			return func() float64 {
				floats.AddScaled(s.z[:s.n], a(), s.x[:s.n])
				return 0
			}
		},
	},
}

func axpy(a float64, x, z []float64) {
	z = z[:len(x)]
	for i, v := range x {
		z[i] += float64(a * v)
	}
}

func axpyBy(by sharer) func(s setup) implementation {
	return func(s setup) implementation {
		a := sign()
		return func() float64 {
			a := a()
			by(s.n, s.workers, func(_, begin, end int) { axpy(a, s.x[begin:end], s.z[begin:end]) })
			return 0
		}
	}
}

var triadKernel = kernel{
	name: "triad", bytes: 24, sizes: []int{medium, large}, writes: "z", exact: true,
	make: transform{
		gokkos: loops{
			"gokkos-span": func(s setup) func() error {
				p := s.spans()
				return func() error {
					return exec.ParallelFor(p, func(span policy.Span) { triad(s, span.Begin, span.End) })
				}
			},
			"gokkos-index": func(s setup) func() error {
				p, x, y, z := s.items(), s.x, s.y, s.z
				return func() error {
					return exec.ParallelFor(p, func(i int) { z[i] = x[i] + .5*y[i] })
				}
			},
		},
		over:  items,
		loop:  triad,
		gonum: func(s setup) { floats.AddScaledTo(s.z[:s.n], s.x[:s.n], .5, s.y[:s.n]) },
	}.implementations(),
}

func triad(s setup, begin, end int) {
	x, y, z := s.x[begin:end], s.y[begin:end], s.z[begin:end]
	for i := range z {
		z[i] = x[i] + float64(.5*y[i])
	}
}

// computeKernel sums what takes a while to compute and hardly any memory: it shows how a
// functor scales with the workers.
var computeKernel = kernel{
	name: "compute", sizes: []int{1e6}, fixed: true,
	make: reduction[float64]{
		gokkos: functors[float64, float64]{
			reducer: builtin.Sum[float64],
			index: func(s setup) func(int, *float64) {
				x := s.x
				return func(i int, acc *float64) { *acc += iterate(x[i]) }
			},
		}.launches(),
		loop: func(s setup, begin, end int) (sum float64) {
			for _, v := range s.x[begin:end] {
				sum += iterate(v)
			}
			return sum
		},
		join:  add,
		value: itself,
	}.implementations(),
}

// iterate iterates a map that comes to rest, some hundred operations.
func iterate(x float64) float64 {
	for range 100 {
		x = .5 * (x*x - x + .25)
	}
	return x
}
