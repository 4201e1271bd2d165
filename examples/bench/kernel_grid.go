package main

import (
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// These kernels take n items as a square matrix, or the largest that they fill.

const square = 4096 * 4096

func edge(n int) int { return int(math.Sqrt(float64(n))) }

// matrix returns x as a view of a square matrix.
func matrix(label string, x []float64, n int) (a views.View2[float64], m int) {
	m = edge(n)
	return views.Must(views.Of2(label, x[:m*m], m, m)), m
}

// rows makes of a loop over some rows, which writes z, the implementations that run it for
// all rows but skip ones at either end, and shared out by the peers. Their result is an element of z.
func rows(m implementations, skip int, loop func(s setup) func(begin, end int), result func(s setup) float64) implementations {
	m["loop"] = func(s setup) implementation {
		f := loop(s)
		return func() float64 {
			f(skip, edge(s.n)-skip)
			return result(s)
		}
	}
	for name, by := range sharers {
		m[name] = func(s setup) implementation {
			f := loop(s)
			return func() float64 {
				by(edge(s.n)-2*skip, s.workers, func(_, begin, end int) { f(begin+skip, end+skip) })
				return result(s)
			}
		}
	}
	return m
}

var stencilKernel = kernel{
	name: "stencil", bytes: 16, sizes: []int{square}, plain: "loop",
	make: rows(implementations{
		"gokkos-index": func(s setup) implementation {
			a, m := matrix("a", s.x, s.n)
			b, _ := matrix("b", s.z, s.n)
			p := policy.MDRange2([2]int{1, 1}, [2]int{m - 1, m - 1}).On(s.space)
			return func() float64 {
				must(exec.ParallelFor(p, func(at policy.Index2) {
					i, j := at.I, at.J
					b.Set(i, j, .25*(a.At(i-1, j)+a.At(i+1, j)+a.At(i, j-1)+a.At(i, j+1))-a.At(i, j))
				}))
				return b.At(1, 1)
			}
		},
		"gokkos-span": func(s setup) implementation {
			a, m := matrix("a", s.x, s.n)
			b, _ := matrix("b", s.z, s.n)
			p := policy.Spans(1, m-1).On(s.space)
			return func() float64 {
				must(exec.ParallelFor(p, func(s policy.Span) {
					for i := range s.All() {
						stencil(b.Row(i), a.Row(i-1), a.Row(i), a.Row(i+1))
					}
				}))
				return b.At(1, 1)
			}
		},
	}, 1, func(s setup) func(begin, end int) {
		m := edge(s.n)
		row := func(x []float64, i int) []float64 { return x[i*m : (i+1)*m] }
		return func(begin, end int) {
			for i := begin; i < end; i++ {
				stencil(row(s.z, i), row(s.x, i-1), row(s.x, i), row(s.x, i+1))
			}
		}
	}, func(s setup) float64 { return s.z[edge(s.n)+1] }),
}

// stencil computes a row from the one above, itself and the one below.
func stencil(dst, above, row, below []float64) {
	above, row, below = above[:len(dst)], row[:len(dst)], below[:len(dst)]
	for j := 1; j < len(dst)-1; j++ {
		dst[j] = .25*(above[j]+below[j]+row[j-1]+row[j+1]) - row[j]
	}
}

var gemvKernel = kernel{
	name: "gemv", bytes: 8, sizes: []int{square}, plain: "loop",
	make: rows(implementations{
		"gokkos-index": func(s setup) implementation { // a team for each row
			a, m := matrix("a", s.x, s.n)
			y, z := s.y[:m], s.z[:m]
			p := policy.Team(m, 1).Vector(32).On(s.space)
			return func() float64 {
				must(exec.ParallelFor(p, func(t *team.Member) {
					i := t.LeagueRank()
					row := a.Row(i)
					team.Reduce(team.VectorRange(t, m), func(j int, acc *float64) {
						*acc += float64(row[j] * y[j])
					}, builtin.Sum(&z[i]))
				}))
				return z[m/2]
			}
		},
		"gokkos-span": func(s setup) implementation {
			a, m := matrix("a", s.x, s.n)
			y, z := s.y[:m], s.z[:m]
			p := policy.Spans(0, m).On(s.space)
			return func() float64 {
				must(exec.ParallelFor(p, func(s policy.Span) {
					for i := range s.All() {
						z[i] = dot(a.Row(i), y)
					}
				}))
				return z[m/2]
			}
		},
		"gonum": func(s setup) implementation {
			m := edge(s.n)
			a := blas64.General{Rows: m, Cols: m, Stride: m, Data: s.x[:m*m]}
			return func() float64 {
				blas64.Gemv(blas.NoTrans, 1, a, scalar(s.y[:m]), 0, scalar(s.z[:m]))
				return s.z[m/2]
			}
		},
	}, 0, func(s setup) func(begin, end int) {
		m := edge(s.n)
		return func(begin, end int) {
			for i := begin; i < end; i++ {
				s.z[i] = dot(s.x[i*m:(i+1)*m], s.y[:m])
			}
		}
	}, func(s setup) float64 { return s.z[edge(s.n)/2] }),
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
	name: "tensor", bytes: 8, sizes: []int{square}, plain: "loop",
	make: rows(implementations{
		"gokkos-fold": func(s setup) implementation {
			a, m := matrix("a", s.x, s.n)
			z := views.Must(views.Of2("z", s.z[:2*m], m, 2))
			mean, squares := views.Must(z.Sub(views.All(), views.Index(0))), views.Must(z.Sub(views.All(), views.Index(1)))
			divide := func(sum float64, n int) float64 { return sum / float64(n) }
			source := tensor.Over(a, 1).On(s.space)
			first := tensor.Fold(builtin.Sum[float64], tensor.IntoMap(mean, divide))
			second := tensor.Fold(builtin.SumSq[float64], tensor.IntoMap(squares, divide))
			return func() float64 {
				must(tensor.Reduce(source, first, second))
				return s.z[0] + s.z[1]
			}
		},
		"gokkos-span": func(s setup) implementation {
			a, m := matrix("a", s.x, s.n)
			p := policy.Spans(0, m).On(s.space)
			return func() float64 {
				must(exec.ParallelFor(p, func(span policy.Span) {
					for i := range span.All() {
						s.z[2*i], s.z[2*i+1] = means(a.Row(i))
					}
				}))
				return s.z[0] + s.z[1]
			}
		},
	}, 0, func(s setup) func(begin, end int) {
		m := edge(s.n)
		return func(begin, end int) {
			for i := begin; i < end; i++ {
				s.z[2*i], s.z[2*i+1] = means(s.x[i*m : (i+1)*m])
			}
		}
	}, func(s setup) float64 { return s.z[0] + s.z[1] }),
}

func means(x []float64) (mean, squares float64) {
	for _, v := range x {
		mean += v
		squares += v * v
	}
	return mean / float64(len(x)), squares / float64(len(x))
}
