package main

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func add(a, b float64) float64         { return a + b }
func itself(a float64) float64         { return a }
func scalar(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// elements is the source of the elements of x.
func elements(s setup) exec.Source[float64] { return exec.Slice(s.items(), s.x) }

var sumKernel = kernel{
	name: "sum", bytes: 8, sizes: []int{small, medium, large},
	make: reduction[float64]{
		gokkos: functors[float64, float64]{
			reducer: builtin.Sum[float64],
			source:  elements,
			span: func(s setup) func(policy.Span, *float64) {
				x := s.x
				return func(s policy.Span, acc *float64) {
					var t float64
					for i := range s.All() {
						t += x[i]
					}
					*acc += t
				}
			},
			lanes: func(s setup) func(exec.Lanes[float64]) {
				x := s.x
				return func(s exec.Lanes[float64]) {
					for i, acc := range s.Items() {
						*acc += x[i]
					}
				}
			},
			index: func(s setup) func(int, *float64) {
				x := s.x
				return func(i int, acc *float64) { *acc += x[i] }
			},
		}.launches(),
		loop: func(s setup, begin, end int) (sum float64) {
			for _, v := range s.x[begin:end] {
				sum += v
			}
			return sum
		},
		join:  add,
		gonum: func(s setup) float64 { return floats.Sum(s.x[:s.n]) },
		value: itself,
	}.implementations(),
}

var dotKernel = kernel{
	name: "dot", bytes: 16, sizes: []int{small, medium, large},
	make: reduction[float64]{
		gokkos: functors[float64, float64]{
			reducer: builtin.Sum[float64],
			source:  func(s setup) exec.Source[float64] { return exec.Products(s.items(), s.x, s.y) },
			span: func(s setup) func(policy.Span, *float64) {
				x, y := s.x, s.y
				return func(s policy.Span, acc *float64) {
					var t float64
					for i := range s.All() {
						t += float64(x[i] * y[i])
					}
					*acc += t
				}
			},
			lanes: func(s setup) func(exec.Lanes[float64]) {
				x, y := s.x, s.y
				return func(s exec.Lanes[float64]) {
					for i, acc := range s.Items() {
						*acc += float64(x[i] * y[i])
					}
				}
			},
			index: func(s setup) func(int, *float64) {
				x, y := s.x, s.y
				return func(i int, acc *float64) { *acc += x[i] * y[i] }
			},
		}.launches(),
		loop: func(s setup, begin, end int) (dot float64) {
			x, y := s.x[begin:end], s.y[begin:end]
			for i, v := range x {
				dot += v * y[i]
			}
			return dot
		},
		join:  add,
		gonum: func(s setup) float64 { return blas64.Dot(scalar(s.x[:s.n]), scalar(s.y[:s.n])) },
		value: itself,
	}.implementations(),
}

var minKernel = kernel{
	name: "min", bytes: 8, sizes: []int{small, medium, large},
	make: reduction[float64]{
		gokkos: functors[float64, float64]{
			reducer: builtin.Min[float64],
			source:  elements,
			span: func(s setup) func(policy.Span, *float64) {
				x := s.x
				return func(s policy.Span, acc *float64) {
					t := math.Inf(1)
					for i := range s.All() {
						if v := x[i]; v < t {
							t = v
						}
					}
					*acc = min(*acc, t)
				}
			},
			lanes: func(s setup) func(exec.Lanes[float64]) {
				x := s.x
				return func(s exec.Lanes[float64]) {
					for i, acc := range s.Items() {
						*acc = min(*acc, x[i])
					}
				}
			},
			index: func(s setup) func(int, *float64) {
				x := s.x
				return func(i int, acc *float64) { *acc = min(*acc, x[i]) }
			},
		}.launches(),
		loop: func(s setup, begin, end int) float64 {
			least := math.Inf(1)
			for _, v := range s.x[begin:end] {
				if v < least {
					least = v
				}
			}
			return least
		},
		join:  func(a, b float64) float64 { return min(a, b) },
		gonum: func(s setup) float64 { return floats.Min(s.x[:s.n]) },
		value: itself,
	}.implementations(),
}

type valLoc = builtin.ValLoc[float64, int]

var minLocKernel = kernel{
	name: "minloc", bytes: 8, sizes: []int{small, medium, large},
	make: reduction[valLoc]{
		gokkos: functors[valLoc, float64]{
			reducer: builtin.MinLoc[float64, int],
			source:  elements,
			span: func(s setup) func(policy.Span, *valLoc) {
				x := s.x
				return func(s policy.Span, acc *valLoc) {
					val, loc := acc.Val, acc.Loc
					for i := range s.All() {
						if v := x[i]; v < val {
							val, loc = v, i
						}
					}
					acc.Min(val, loc)
				}
			},
			lanes: func(s setup) func(exec.Lanes[valLoc]) {
				x := s.x
				return func(s exec.Lanes[valLoc]) {
					for i, acc := range s.Items() {
						if v := x[i]; v < acc.Val {
							acc.Val, acc.Loc = v, i
						}
					}
				}
			},
			index: func(s setup) func(int, *valLoc) {
				x := s.x
				return func(i int, acc *valLoc) {
					if v := x[i]; v < acc.Val {
						acc.Val, acc.Loc = v, i
					}
				}
			},
		}.launches(),
		loop: func(s setup, begin, end int) valLoc {
			least := valLoc{Val: math.Inf(1)}
			for k, v := range s.x[begin:end] {
				if v < least.Val {
					least.Val, least.Loc = v, begin+k
				}
			}
			return least
		},
		join: func(a, b valLoc) valLoc {
			if b.Val < a.Val {
				return b
			}
			return a
		},
		gonum: func(s setup) valLoc { return valLoc{Loc: floats.MinIdx(s.x[:s.n])} },
		value: func(a valLoc) float64 { return float64(a.Loc) },
	}.implementations(),
}

type minMax = builtin.MinMaxVal[float64]

var minMaxKernel = kernel{
	name: "minmax", bytes: 8, sizes: []int{small, medium, large},
	make: reduction[minMax]{
		gokkos: functors[minMax, float64]{
			reducer: builtin.MinMax[float64],
			source:  elements,
			span: func(s setup) func(policy.Span, *minMax) {
				x := s.x
				return func(s policy.Span, acc *minMax) {
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
				}
			},
			index: func(s setup) func(int, *minMax) {
				x := s.x
				return func(i int, acc *minMax) { acc.Add(x[i]) }
			},
		}.launches(),
		loop: func(s setup, begin, end int) minMax {
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
		},
		join:  func(a, b minMax) minMax { return minMax{Min: min(a.Min, b.Min), Max: max(a.Max, b.Max)} },
		gonum: func(s setup) minMax { return minMax{Min: floats.Min(s.x[:s.n]), Max: floats.Max(s.x[:s.n])} },
		value: func(a minMax) float64 { return a.Max - a.Min },
	}.implementations(),
}

// moments is what fused4 computes.
type moments struct{ sum, squares, least, most float64 }

func (m moments) value() float64 { return m.sum + m.squares + m.least + m.most }

// fused4Kernel has four reducers, so that its launches are its own.
var fused4Kernel = kernel{
	name: "fused4", bytes: 8, sizes: []int{small, medium, large},
	make: reduction[moments]{
		gokkos: launches[moments]{
			"gokkos-fold": func(s setup, m *moments) func() error {
				source := elements(s)
				a, b, c, d := builtin.Sum(&m.sum), builtin.SumSq(&m.squares), builtin.Min(&m.least), builtin.Max(&m.most)
				return func() error { return exec.ParallelFold(source, a, b, c, d) }
			},
			"gokkos-span": func(s setup, m *moments) func() error {
				p, x := s.spans(), s.x
				return func() error {
					return exec.ParallelReduce4(p, func(s policy.Span, a, b, c, d *float64) {
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
						*a += sum
						*b += squares
						*c, *d = least, most
					}, builtin.Sum(&m.sum), builtin.Sum(&m.squares), builtin.Min(&m.least), builtin.Max(&m.most))
				}
			},
			"gokkos-index": func(s setup, m *moments) func() error {
				p, x := s.items(), s.x
				return func() error {
					return exec.ParallelReduce4(p, func(i int, a, b, c, d *float64) {
						v := x[i]
						*a += v
						*b += v * v
						*c, *d = min(*c, v), max(*d, v)
					}, builtin.Sum(&m.sum), builtin.Sum(&m.squares), builtin.Min(&m.least), builtin.Max(&m.most))
				}
			},
		},
		loop: func(s setup, begin, end int) moments {
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
		},
		join: func(a, b moments) moments {
			return moments{a.sum + b.sum, a.squares + b.squares, min(a.least, b.least), max(a.most, b.most)}
		},
		gonum: func(s setup) moments {
			x := s.x[:s.n]
			return moments{floats.Sum(x), floats.Dot(x, x), floats.Min(x), floats.Max(x)}
		},
		value: moments.value,
	}.implementations(),
}

var landKernel = kernel{
	name: "land", bytes: 1, sizes: []int{small, medium, large},
	make: reduction[bool]{
		gokkos: functors[bool, bool]{
			reducer: builtin.LAnd[bool],
			source:  func(s setup) exec.Source[bool] { return exec.Slice(s.items(), s.b) },
			span: func(s setup) func(policy.Span, *bool) {
				b := s.b
				return func(s policy.Span, acc *bool) {
					t := true
					for i := range s.All() {
						t = t && b[i]
					}
					*acc = *acc && t
				}
			},
			index: func(s setup) func(int, *bool) {
				b := s.b
				return func(i int, acc *bool) { *acc = *acc && b[i] }
			},
		}.launches(),
		loop: func(s setup, begin, end int) bool {
			all := true
			for _, v := range s.b[begin:end] {
				all = all && v
			}
			return all
		},
		join: func(a, b bool) bool { return a && b },
		value: func(all bool) float64 {
			if all {
				return 1
			}
			return 0
		},
	}.implementations(),
}
