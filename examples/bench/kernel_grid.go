package main

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

// These kernels take n items as a square matrix, or the largest that they fill.

const square = 4096 * 4096

func edge(n int) int { return int(math.Sqrt(float64(n))) }

// matrix returns x as a view of a square matrix.
func matrix(label string, x []float64, n int) (a views.View2[float64], m int) {
	m = edge(n)
	return views.Must(views.Of2(label, x[:m*m], m, m)), m
}

func rows(n int) (begin, end int)      { return 0, edge(n) }
func innerRows(n int) (begin, end int) { return 1, edge(n) - 1 }

var stencilKernel = kernel{
	name: "stencil", bytes: 16, sizes: []int{square}, writes: true,
	make: transform{
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				a, m := matrix("a", s.x, s.n)
				b, _ := matrix("b", s.z, s.n)
				p := policy.MDRange2([2]int{1, 1}, [2]int{m - 1, m - 1}).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(at policy.Index2) {
						i, j := at.I, at.J
						b.Set(i, j, .25*(a.At(i-1, j)+a.At(i+1, j)+a.At(i, j-1)+a.At(i, j+1))-a.At(i, j))
					})
				}
			},
			"gokkos-span": func(s setup) func() error {
				a, m := matrix("a", s.x, s.n)
				b, _ := matrix("b", s.z, s.n)
				p := policy.Spans(1, m-1).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(s policy.Span) {
						for i := range s.All() {
							stencil(b.Row(i), a.Row(i-1), a.Row(i), a.Row(i+1))
						}
					})
				}
			},
		},
		over: innerRows,
		loop: func(s setup, begin, end int) {
			m := edge(s.n)
			row := func(x []float64, i int) []float64 { return x[i*m : (i+1)*m] }
			for i := begin; i < end; i++ {
				stencil(row(s.z, i), row(s.x, i-1), row(s.x, i), row(s.x, i+1))
			}
		},
	}.implementations(),
}

// stencil computes a row from the one above, itself and the one below.
func stencil(dst, above, row, below []float64) {
	above, row, below = above[:len(dst)], row[:len(dst)], below[:len(dst)]
	for j := 1; j < len(dst)-1; j++ {
		dst[j] = .25*(above[j]+below[j]+row[j-1]+row[j+1]) - row[j]
	}
}

var gemvKernel = kernel{
	name: "gemv", bytes: 8, sizes: []int{square}, writes: true,
	make: transform{
		gokkos: loops{
			"gokkos-index": func(s setup) func() error { // a team for each row
				a, m := matrix("a", s.x, s.n)
				y, z := s.y[:m], s.z[:m]
				p := policy.Team(m, 1).Vector(32).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(t *team.Member) {
						i := t.LeagueRank()
						row := a.Row(i)
						team.Reduce(team.VectorRange(t, m), func(j int, acc *float64) {
							*acc += float64(row[j] * y[j])
						}, builtin.Sum(&z[i]))
					})
				}
			},
			"gokkos-span": func(s setup) func() error {
				a, m := matrix("a", s.x, s.n)
				y, z := s.y[:m], s.z[:m]
				p := policy.Spans(0, m).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(s policy.Span) {
						for i := range s.All() {
							z[i] = dot(a.Row(i), y)
						}
					})
				}
			},
		},
		over: rows,
		loop: func(s setup, begin, end int) {
			m := edge(s.n)
			for i := begin; i < end; i++ {
				s.z[i] = dot(s.x[i*m:(i+1)*m], s.y[:m])
			}
		},
		gonum: func(s setup) {
			m := edge(s.n)
			a := blas64.General{Rows: m, Cols: m, Stride: m, Data: s.x[:m*m]}
			blas64.Gemv(blas.NoTrans, 1, a, scalar(s.y[:m]), 0, scalar(s.z[:m]))
		},
	}.implementations(),
}

func dot(x, y []float64) (sum float64) {
	y = y[:len(x)]
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// tensorKernel computes mean and mean of squares of each row.
var tensorKernel = kernel{
	name: "tensor", bytes: 8, sizes: []int{square}, writes: true,
	make: transform{
		gokkos: loops{
			"gokkos-fold": func(s setup) func() error {
				a, m := matrix("a", s.x, s.n)
				z := views.Must(views.Of2("z", s.z[:2*m], m, 2))
				mean, squares := views.Must(z.Sub(views.All(), views.Index(0))), views.Must(z.Sub(views.All(), views.Index(1)))
				divide := func(sum float64, n int) float64 { return sum / float64(n) }
				source := tensor.Over(a, 1).On(s.space)
				first := tensor.Fold(builtin.Sum[float64], tensor.IntoMap(mean, divide))
				second := tensor.Fold(builtin.SumSq[float64], tensor.IntoMap(squares, divide))
				return func() error { return tensor.Reduce(source, first, second) }
			},
			"gokkos-span": func(s setup) func() error {
				a, m := matrix("a", s.x, s.n)
				p := policy.Spans(0, m).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(span policy.Span) {
						for i := range span.All() {
							s.z[2*i], s.z[2*i+1] = means(a.Row(i))
						}
					})
				}
			},
		},
		over: rows,
		loop: func(s setup, begin, end int) {
			m := edge(s.n)
			for i := begin; i < end; i++ {
				s.z[2*i], s.z[2*i+1] = means(s.x[i*m : (i+1)*m])
			}
		},
	}.implementations(),
}

func means(x []float64) (mean, squares float64) {
	for _, v := range x {
		mean += v
		squares += v * v
	}
	return mean / float64(len(x)), squares / float64(len(x))
}
