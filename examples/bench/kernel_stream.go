package main

import (
	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"gonum.org/v1/gonum/floats"
)

// each makes of a loop over part of the items, which writes z, the implementations that run
// it as a whole, as a span functor, and shared out by the peers. Their
// result is the element of z in the middle.
func each(m implementations, loop func(s setup) func(begin, end int)) implementations {
	m["loop"] = func(s setup) implementation {
		f := loop(s)
		return func() float64 {
			f(0, s.n)
			return s.z[s.n/2]
		}
	}
	m["gokkos-span"] = func(s setup) implementation {
		p, f := policy.Spans(0, s.n).On(s.space), loop(s)
		return func() float64 {
			must(exec.ParallelFor(p, func(span policy.Span) { f(span.Begin, span.End) }))
			return s.z[s.n/2]
		}
	}
	for name, by := range sharers {
		m[name] = func(s setup) implementation {
			f := loop(s)
			return func() float64 {
				by(s.n, s.workers, func(_, begin, end int) { f(begin, end) })
				return s.z[s.n/2]
			}
		}
	}
	return m
}

// sign alternates between runs of axpy, so that z stays in bounds.
func sign() func() float64 {
	a := .5
	return func() float64 {
		a = -a
		return a
	}
}

var axpyKernel = kernel{
	name: "axpy", bytes: 24, sizes: []int{medium, large}, plain: "loop",
	make: implementations{
		"gokkos-span": func(s setup) implementation {
			p, x, z, a := policy.Spans(0, s.n).On(s.space), s.x, s.z, sign()
			return func() float64 {
				a := a()
				must(exec.ParallelFor(p, func(s policy.Span) { axpy(a, x[s.Begin:s.End], z[s.Begin:s.End]) }))
				return 0
			}
		},
		"gokkos-index": func(s setup) implementation {
			p, x, z, a := policy.Range(0, s.n).On(s.space), s.x, s.z, sign()
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
		z[i] += a * v
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
	name: "triad", bytes: 24, sizes: []int{medium, large}, plain: "loop",
	make: each(implementations{
		"gokkos-index": func(s setup) implementation {
			p, x, y, z := policy.Range(0, s.n).On(s.space), s.x, s.y, s.z
			return func() float64 {
				must(exec.ParallelFor(p, func(i int) { z[i] = x[i] + .5*y[i] }))
				return z[s.n/2]
			}
		},
		"gonum": func(s setup) implementation {
			return func() float64 {
				floats.AddScaledTo(s.z[:s.n], s.x[:s.n], .5, s.y[:s.n])
				return s.z[s.n/2]
			}
		},
	}, func(s setup) func(begin, end int) {
		return func(begin, end int) {
			x, y, z := s.x[begin:end], s.y[begin:end], s.z[begin:end]
			for i := range z {
				z[i] = x[i] + .5*y[i]
			}
		}
	}),
}

var scanKernel = kernel{
	name: "scan", bytes: 16, sizes: []int{medium, large}, plain: "loop",
	make: implementations{
		"gokkos-fold": func(s setup) implementation {
			x, z := views.Must(views.Of1("x", s.x[:s.n], s.n)), views.Must(views.Of1("z", s.z[:s.n], s.n))
			var total float64
			return func() float64 {
				must(algorithms.ExclusiveScan(z, x, builtin.Sum(&total), views.On(s.space)))
				return s.z[s.n-1]
			}
		},
		"gokkos-index": func(s setup) implementation {
			p, x, z := policy.Range(0, s.n).On(s.space), s.x, s.z
			var total float64
			return func() float64 {
				must(exec.ParallelScan(p, func(i int, acc *float64, final bool) {
					if final {
						z[i] = *acc
					}
					*acc += x[i]
				}, builtin.Sum(&total)))
				return z[s.n-1]
			}
		},
		"gokkos-span": func(s setup) implementation {
			p, x, z := policy.Spans(0, s.n).On(s.space), s.x, s.z
			var total float64
			return func() float64 {
				must(exec.ParallelScan(p, func(s policy.Span, acc *float64, final bool) {
					t := *acc
					if final {
						for i := range s.All() {
							z[i] = t
							t += x[i]
						}
					} else {
						for i := range s.All() {
							t += x[i]
						}
					}
					*acc = t
				}, builtin.Sum(&total)))
				return z[s.n-1]
			}
		},
		"loop": func(s setup) implementation {
			return func() float64 {
				var t float64
				z := s.z[:s.n]
				for i, v := range s.x[:s.n] {
					z[i] = t
					t += v
				}
				return z[s.n-1]
			}
		},
		"gonum": func(s setup) implementation { // the inclusive one: it has no other
			return func() float64 {
				floats.CumSum(s.z[:s.n], s.x[:s.n])
				return s.z[s.n-1] - s.x[s.n-1]
			}
		},
	},
}

// computeKernel sums what takes a while to compute and hardly any memory: it shows how a
// functor scales with the workers.
var computeKernel = kernel{
	name: "compute", sizes: []int{1e6}, fixed: true, plain: "loop",
	make: part(implementations{
		"gokkos-index": func(s setup) implementation {
			p, x := policy.Range(0, s.n).On(s.space), s.x
			var sum float64
			return func() float64 {
				must(exec.ParallelReduce(p, func(i int, acc *float64) { *acc += iterate(x[i]) }, builtin.Sum(&sum)))
				return sum
			}
		},
	}, func(s setup) func(begin, end int) float64 {
		return func(begin, end int) (sum float64) {
			for _, v := range s.x[begin:end] {
				sum += iterate(v)
			}
			return sum
		}
	}, add, itself),
}

// iterate iterates a map that comes to rest, some hundred operations.
func iterate(x float64) float64 {
	for range 100 {
		x = .5 * (x*x - x + .25)
	}
	return x
}
