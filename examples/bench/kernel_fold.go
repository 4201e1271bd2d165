package main

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// must ends the program on an error of a launch, which none of these can have.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// part makes of a loop over part of the items the implementations that run it as a whole,
// and shared out by the peers.
func part[A any](m map[string]func(s setup) implementation, loop func(s setup) func(begin, end int) A, join func(a, b A) A, value func(a A) float64) map[string]func(s setup) implementation {
	m["loop"] = func(s setup) implementation {
		f := loop(s)
		return func() float64 { return value(f(0, s.n)) }
	}
	for name, by := range sharers {
		m[name] = func(s setup) implementation {
			f := loop(s)
			return func() float64 { return value(reduceBy(by, s.n, s.workers, f, join)) }
		}
	}
	return m
}

func add(a, b float64) float64         { return a + b }
func itself(a float64) float64         { return a }
func lesser(a, b float64) float64      { return min(a, b) }
func scalar(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

type implementations = map[string]func(s setup) implementation

var sumKernel = kernel{
	name: "sum", bytes: 8, sizes: []int{small, medium, large}, plain: "loop",
	make: part(implementations{
		"gokkos-fold": func(s setup) implementation {
			source := exec.Slice(policy.Range(0, s.n).On(s.space), s.x)
			var sum float64
			r := builtin.Sum(&sum)
			return func() float64 {
				must(exec.ParallelFold(source, r))
				return sum
			}
		},
		"gokkos-span": func(s setup) implementation {
			p, x := policy.Spans(0, s.n).On(s.space), s.x
			var sum float64
			return func() float64 {
				must(exec.ParallelReduce(p, func(s policy.Span, acc *float64) {
					var t float64
					for i := range s.All() {
						t += x[i]
					}
					*acc += t
				}, builtin.Sum(&sum)))
				return sum
			}
		},
		"gokkos-lanes": func(s setup) implementation {
			p, x := policy.Spans(0, s.n).On(s.space), s.x
			var sum float64
			return func() float64 {
				must(exec.ParallelReduceLanes(p, func(s exec.Lanes[float64]) {
					for i, acc := range s.Items() {
						*acc += x[i]
					}
				}, builtin.Sum(&sum)))
				return sum
			}
		},
		"gokkos-index": func(s setup) implementation {
			p, x := policy.Range(0, s.n).On(s.space), s.x
			var sum float64
			return func() float64 {
				must(exec.ParallelReduce(p, func(i int, acc *float64) { *acc += x[i] }, builtin.Sum(&sum)))
				return sum
			}
		},
		"gonum": func(s setup) implementation {
			return func() float64 { return floats.Sum(s.x[:s.n]) }
		},
	}, func(s setup) func(begin, end int) float64 {
		return func(begin, end int) (sum float64) {
			for _, v := range s.x[begin:end] {
				sum += v
			}
			return sum
		}
	}, add, itself),
}

var dotKernel = kernel{
	name: "dot", bytes: 16, sizes: []int{small, medium, large}, plain: "loop",
	make: part(implementations{
		"gokkos-fold": func(s setup) implementation {
			source := exec.Products(policy.Range(0, s.n).On(s.space), s.x, s.y)
			var dot float64
			r := builtin.Sum(&dot)
			return func() float64 {
				must(exec.ParallelFold(source, r))
				return dot
			}
		},
		"gokkos-span": func(s setup) implementation {
			p, x, y := policy.Spans(0, s.n).On(s.space), s.x, s.y
			var dot float64
			return func() float64 {
				must(exec.ParallelReduce(p, func(s policy.Span, acc *float64) {
					var t float64
					for i := range s.All() {
						t += float64(x[i] * y[i])
					}
					*acc += t
				}, builtin.Sum(&dot)))
				return dot
			}
		},
		"gokkos-lanes": func(s setup) implementation {
			p, x, y := policy.Spans(0, s.n).On(s.space), s.x, s.y
			var dot float64
			return func() float64 {
				must(exec.ParallelReduceLanes(p, func(s exec.Lanes[float64]) {
					for i, acc := range s.Items() {
						*acc += float64(x[i] * y[i])
					}
				}, builtin.Sum(&dot)))
				return dot
			}
		},
		"gokkos-index": func(s setup) implementation {
			p, x, y := policy.Range(0, s.n).On(s.space), s.x, s.y
			var dot float64
			return func() float64 {
				must(exec.ParallelReduce(p, func(i int, acc *float64) { *acc += float64(x[i] * y[i]) }, builtin.Sum(&dot)))
				return dot
			}
		},
		"gonum": func(s setup) implementation {
			return func() float64 { return blas64.Dot(scalar(s.x[:s.n]), scalar(s.y[:s.n])) }
		},
	}, func(s setup) func(begin, end int) float64 {
		return func(begin, end int) (dot float64) {
			x, y := s.x[begin:end], s.y[begin:end]
			for i, v := range x {
				dot += v * y[i]
			}
			return dot
		}
	}, add, itself),
}

var minKernel = kernel{
	name: "min", bytes: 8, sizes: []int{small, medium, large}, plain: "loop",
	make: part(implementations{
		"gokkos-fold": func(s setup) implementation {
			source := exec.Slice(policy.Range(0, s.n).On(s.space), s.x)
			var least float64
			r := builtin.Min(&least)
			return func() float64 {
				must(exec.ParallelFold(source, r))
				return least
			}
		},
		"gokkos-span": func(s setup) implementation {
			p, x := policy.Spans(0, s.n).On(s.space), s.x
			var least float64
			return func() float64 {
				must(exec.ParallelReduce(p, func(s policy.Span, acc *float64) {
					t := math.Inf(1)
					for i := range s.All() {
						if v := x[i]; v < t {
							t = v
						}
					}
					*acc = min(*acc, t)
				}, builtin.Min(&least)))
				return least
			}
		},
		"gokkos-lanes": func(s setup) implementation {
			p, x := policy.Spans(0, s.n).On(s.space), s.x
			var least float64
			return func() float64 {
				must(exec.ParallelReduceLanes(p, func(s exec.Lanes[float64]) {
					for i, acc := range s.Items() {
						*acc = min(*acc, x[i])
					}
				}, builtin.Min(&least)))
				return least
			}
		},
		"gokkos-index": func(s setup) implementation {
			p, x := policy.Range(0, s.n).On(s.space), s.x
			var least float64
			return func() float64 {
				must(exec.ParallelReduce(p, func(i int, acc *float64) { *acc = min(*acc, x[i]) }, builtin.Min(&least)))
				return least
			}
		},
		"gonum": func(s setup) implementation {
			return func() float64 { return floats.Min(s.x[:s.n]) }
		},
	}, func(s setup) func(begin, end int) float64 {
		return func(begin, end int) float64 {
			least := math.Inf(1)
			for _, v := range s.x[begin:end] {
				if v < least {
					least = v
				}
			}
			return least
		}
	}, lesser, itself),
}

type valLoc = builtin.ValLoc[float64, int]

var minLocKernel = kernel{
	name: "minloc", bytes: 8, sizes: []int{small, medium, large}, plain: "loop",
	make: part(implementations{
		"gokkos-fold": func(s setup) implementation {
			source := exec.Slice(policy.Range(0, s.n).On(s.space), s.x)
			var least valLoc
			r := builtin.MinLoc(&least)
			return func() float64 {
				must(exec.ParallelFold(source, r))
				return float64(least.Loc)
			}
		},
		"gokkos-span": func(s setup) implementation {
			p, x := policy.Spans(0, s.n).On(s.space), s.x
			var least valLoc
			return func() float64 {
				must(exec.ParallelReduce(p, func(s policy.Span, acc *valLoc) {
					val, loc := acc.Val, acc.Loc
					for i := range s.All() {
						if v := x[i]; v < val {
							val, loc = v, i
						}
					}
					acc.Min(val, loc)
				}, builtin.MinLoc(&least)))
				return float64(least.Loc)
			}
		},
		"gokkos-lanes": func(s setup) implementation {
			p, x := policy.Spans(0, s.n).On(s.space), s.x
			var least valLoc
			return func() float64 {
				must(exec.ParallelReduceLanes(p, func(s exec.Lanes[valLoc]) {
					for i, acc := range s.Items() {
						if v := x[i]; v < acc.Val {
							acc.Val, acc.Loc = v, i
						}
					}
				}, builtin.MinLoc(&least)))
				return float64(least.Loc)
			}
		},
		"gokkos-index": func(s setup) implementation {
			p, x := policy.Range(0, s.n).On(s.space), s.x
			var least valLoc
			return func() float64 {
				must(exec.ParallelReduce(p, func(i int, acc *valLoc) {
					if v := x[i]; v < acc.Val {
						acc.Val, acc.Loc = v, i
					}
				}, builtin.MinLoc(&least)))
				return float64(least.Loc)
			}
		},
		"gonum": func(s setup) implementation {
			return func() float64 { return float64(floats.MinIdx(s.x[:s.n])) }
		},
	}, func(s setup) func(begin, end int) valLoc {
		return func(begin, end int) valLoc {
			least := valLoc{Val: math.Inf(1)}
			for k, v := range s.x[begin:end] {
				if v < least.Val {
					least.Val, least.Loc = v, begin+k
				}
			}
			return least
		}
	}, func(a, b valLoc) valLoc {
		if b.Val < a.Val {
			return b
		}
		return a
	}, func(a valLoc) float64 { return float64(a.Loc) }),
}

type minMax = builtin.MinMaxVal[float64]

var minMaxKernel = kernel{
	name: "minmax", bytes: 8, sizes: []int{small, medium, large}, plain: "loop",
	make: part(implementations{
		"gokkos-fold": func(s setup) implementation {
			source := exec.Slice(policy.Range(0, s.n).On(s.space), s.x)
			var both minMax
			r := builtin.MinMax(&both)
			return func() float64 {
				must(exec.ParallelFold(source, r))
				return both.Max - both.Min
			}
		},
		"gokkos-span": func(s setup) implementation {
			p, x := policy.Spans(0, s.n).On(s.space), s.x
			var both minMax
			return func() float64 {
				must(exec.ParallelReduce(p, func(s policy.Span, acc *minMax) {
					lo, hi := acc.Min, acc.Max
					for i := range s.All() {
						if v := x[i]; v < lo {
							lo = v
						}
						if v := x[i]; v > hi {
							hi = v
						}
					}
					acc.Min, acc.Max = lo, hi
				}, builtin.MinMax(&both)))
				return both.Max - both.Min
			}
		},
		"gokkos-index": func(s setup) implementation {
			p, x := policy.Range(0, s.n).On(s.space), s.x
			var both minMax
			return func() float64 {
				must(exec.ParallelReduce(p, func(i int, acc *minMax) { acc.Add(x[i]) }, builtin.MinMax(&both)))
				return both.Max - both.Min
			}
		},
		"gonum": func(s setup) implementation {
			return func() float64 { return floats.Max(s.x[:s.n]) - floats.Min(s.x[:s.n]) }
		},
	}, func(s setup) func(begin, end int) minMax {
		return func(begin, end int) minMax {
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, v := range s.x[begin:end] {
				if v < lo {
					lo = v
				}
				if v > hi {
					hi = v
				}
			}
			return minMax{Min: lo, Max: hi}
		}
	}, func(a, b minMax) minMax { return minMax{Min: min(a.Min, b.Min), Max: max(a.Max, b.Max)} },
		func(a minMax) float64 { return a.Max - a.Min }),
}

// moments is what fused4 computes.
type moments struct{ sum, squares, least, most float64 }

func (m moments) value() float64 { return m.sum + m.squares + m.least + m.most }

var fused4Kernel = kernel{
	name: "fused4", bytes: 8, sizes: []int{small, medium, large}, plain: "loop",
	make: part(implementations{
		"gokkos-fold": func(s setup) implementation {
			source := exec.Slice(policy.Range(0, s.n).On(s.space), s.x)
			var m moments
			a, b, c, d := builtin.Sum(&m.sum), builtin.SumSq(&m.squares), builtin.Min(&m.least), builtin.Max(&m.most)
			return func() float64 {
				must(exec.ParallelFold(source, a, b, c, d))
				return m.value()
			}
		},
		"gokkos-span": func(s setup) implementation {
			p, x := policy.Spans(0, s.n).On(s.space), s.x
			var m moments
			return func() float64 {
				must(exec.ParallelReduce4(p, func(s policy.Span, a, b, c, d *float64) {
					sum, squares, least, most := 0., 0., *c, *d
					for i := range s.All() {
						v := x[i]
						sum += v
						squares += float64(v * v)
						if v < least {
							least = v
						}
						if v > most {
							most = v
						}
					}
					*a, *b, *c, *d = sum, squares, least, most
				}, builtin.Sum(&m.sum), builtin.Sum(&m.squares), builtin.Min(&m.least), builtin.Max(&m.most)))
				return m.value()
			}
		},
		"gokkos-index": func(s setup) implementation {
			p, x := policy.Range(0, s.n).On(s.space), s.x
			var m moments
			return func() float64 {
				must(exec.ParallelReduce4(p, func(i int, a, b, c, d *float64) {
					v := x[i]
					*a += v
					*b += float64(v * v)
					*c, *d = min(*c, v), max(*d, v)
				}, builtin.Sum(&m.sum), builtin.Sum(&m.squares), builtin.Min(&m.least), builtin.Max(&m.most)))
				return m.value()
			}
		},
		"gonum": func(s setup) implementation {
			return func() float64 {
				x := s.x[:s.n]
				return moments{floats.Sum(x), floats.Dot(x, x), floats.Min(x), floats.Max(x)}.value()
			}
		},
	}, func(s setup) func(begin, end int) moments {
		return func(begin, end int) moments {
			m := moments{least: math.Inf(1), most: math.Inf(-1)}
			for _, v := range s.x[begin:end] {
				m.sum += v
				m.squares += v * v
				if v < m.least {
					m.least = v
				}
				if v > m.most {
					m.most = v
				}
			}
			return m
		}
	}, func(a, b moments) moments {
		return moments{a.sum + b.sum, a.squares + b.squares, min(a.least, b.least), max(a.most, b.most)}
	}, moments.value),
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

var landKernel = kernel{
	name: "land", bytes: 1, sizes: []int{small, medium, large}, plain: "loop",
	make: part(implementations{
		"gokkos-fold": func(s setup) implementation {
			source := exec.Slice(policy.Range(0, s.n).On(s.space), s.b)
			var all bool
			r := builtin.LAnd(&all)
			return func() float64 {
				must(exec.ParallelFold(source, r))
				return truth(all)
			}
		},
		"gokkos-span": func(s setup) implementation {
			p, b := policy.Spans(0, s.n).On(s.space), s.b
			var all bool
			return func() float64 {
				must(exec.ParallelReduce(p, func(s policy.Span, acc *bool) {
					t := true
					for i := range s.All() {
						t = t && b[i]
					}
					*acc = *acc && t
				}, builtin.LAnd(&all)))
				return truth(all)
			}
		},
		"gokkos-index": func(s setup) implementation {
			p, b := policy.Range(0, s.n).On(s.space), s.b
			var all bool
			return func() float64 {
				must(exec.ParallelReduce(p, func(i int, acc *bool) { *acc = *acc && b[i] }, builtin.LAnd(&all)))
				return truth(all)
			}
		},
	}, func(s setup) func(begin, end int) bool {
		return func(begin, end int) bool {
			all := true
			for _, v := range s.b[begin:end] {
				all = all && v
			}
			return all
		}
	}, func(a, b bool) bool { return a && b }, truth),
}
