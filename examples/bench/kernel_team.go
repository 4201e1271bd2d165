package main

import (
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/tensor"
)

func rows(n int) (begin, end int) { return 0, edge(n) }

var gemvKernel = kernel{
	name: "gemv", bytes: 8, sizes: []int{square}, shape: squareShape, writes: "z",
	make: transform{
		gokkos: loops{
			"gokkos-team": func(s setup) func() error { // a team for each row
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
			"gokkos-index": func(s setup) func() error {
				m, a, y, z := edge(s.n), s.x, s.y, s.z
				p := policy.Range(0, m).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(i int) {
						sum := 0.
						for j := range m {
							sum += a[i*m+j] * y[j]
						}
						z[i] = sum
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
	name: "tensor", bytes: 8, sizes: []int{square}, shape: squareShape, writes: "z",
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
			"gokkos-index": func(s setup) func() error {
				a, m := matrix("a", s.x, s.n)
				z := views.Must(views.Of2("z", s.z[:2*m], m, 2))
				p := policy.Range(0, m).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(i int) {
						mean, squares := 0., 0.
						for j := range a.Extent(1) {
							v := a.At(i, j)
							mean += v
							squares += v * v
						}
						z.Set(i, 0, mean/float64(m))
						z.Set(i, 1, squares/float64(m))
					})
				}
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

// teamVectorLoopKernel is the triad of the rows of a matrix, one to a team, which spreads it
// over its members and their lanes.
var teamVectorLoopKernel = kernel{
	name: "team_vector_loop", bytes: 24, sizes: []int{tinySquare, square}, shape: squareShape, writes: "z", exact: true,
	make: transform{
		gokkos: loops{
			"gokkos-team": func(s setup) func() error {
				m, x, y, z := edge(s.n), s.x, s.y, s.z
				p := policy.Team(m, 1).Vector(8).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(t *team.Member) {
						row := t.LeagueRank() * m
						team.For(team.TeamVectorRange(t, m), func(j int) {
							k := row + j
							z[k] = x[k] + float64(.5*y[k])
						})
					})
				}
			},
			"gokkos-team-loop": func(s setup) func() error { // of one member, which owns the loop
				m := edge(s.n)
				p := policy.Team(m, 1).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(t *team.Member) {
						row := t.LeagueRank() * m
						triad(s, row, row+m)
					})
				}
			},
			"gokkos-index": func(s setup) func() error { // of the points, whichever row they are in
				x, m := matrix("x", s.x, s.n)
				y, _ := matrix("y", s.y, s.n)
				z, _ := matrix("z", s.z, s.n)
				p := policy.MDRange2([2]int{}, [2]int{m, m}).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(at policy.Index2) {
						z.Set(at.I, at.J, x.At(at.I, at.J)+.5*y.At(at.I, at.J))
					})
				}
			},
			"gokkos-rows": func(s setup) func() error {
				m := edge(s.n)
				p := policy.MDRange2([2]int{}, [2]int{m, m}).On(s.space).Rows()
				return func() error {
					return exec.ParallelFor(p, func(r policy.Row[policy.Index2]) {
						triad(s, r.At.I*m+r.Begin, r.At.I*m+r.End)
					})
				}
			},
		},
		over: rows,
		loop: func(s setup, begin, end int) {
			m := edge(s.n)
			for i := begin; i < end; i++ {
				triad(s, i*m, (i+1)*m)
			}
		},
	}.implementations(),
}

// matmulKernel multiplies matrices. An item is a product, of which there are as many as
// points in a cube with edges that are a multiple of a block.
var matmulKernel = kernel{
	name: "matmul", sizes: []int{cube}, writes: "z", exact: true,
	room:  func(n int) int { return max(n, extent(n)*extent(n)) },
	shape: func(n int) string { return fmt.Sprintf("%d x %[1]d x %[1]d", extent(n)) },
	make: transform{
		gokkos: loops{
			"gokkos-team": func(s setup) func() error { // of a member for each element of a block
				m, x, y, z := extent(s.n), s.x, s.y, s.z
				p := policy.Team(m/block*m/block, block*block).Dims(block, block, 1).Scratch(0, 2*team.ScratchBytes[float64](block*block), 0).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(t *team.Member) {
						a, b := team.Scratch[float64](t, 0, block*block), team.Scratch[float64](t, 0, block*block)
						j, i, _ := t.LocalID()
						row, column := t.LeagueRank()/(m/block)*block+i, t.LeagueRank()%(m/block)*block+j
						sum := 0.
						for k := 0; k < m; k += block {
							a[i*block+j] = x[row*m+k+j]
							b[i*block+j] = y[(k+i)*m+column]
							t.Barrier()
							for l := range block {
								sum += float64(a[i*block+l] * b[l*block+j])
							}
							t.Barrier()
						}
						z[row*m+column] = sum
					})
				}
			},
			"gokkos-team-loop": func(s setup) func() error { // of one member, which owns the loops
				m, x, y, z := extent(s.n), s.x, s.y, s.z
				p := policy.Team(m/block*m/block, 1).Scratch(0, 2*team.ScratchBytes[float64](block*block), 0).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(t *team.Member) {
						b, c := team.Scratch[float64](t, 0, block*block), team.Scratch[float64](t, 0, block*block)
						row, column := t.LeagueRank()/(m/block)*block, t.LeagueRank()%(m/block)*block
						clear(c)
						for k := 0; k < m; k += block {
							for l := range block {
								copy(b[l*block:][:block], y[(k+l)*m+column:])
							}
							for i := range block {
								product(c[i*block:][:block], x[(row+i)*m+k:][:block], b, block)
							}
						}
						for i := range block {
							copy(z[(row+i)*m+column:][:block], c[i*block:])
						}
					})
				}
			},
			"gokkos-tiles": func(s setup) func() error {
				m, x, y, z := extent(s.n), s.x, s.y, s.z
				p := policy.MDRange2([2]int{}, [2]int{m, m}).On(s.space).Tiles([2]int{2 * block, 256})
				return func() error {
					return exec.ParallelFor(p, func(t policy.Tile[policy.Index2]) {
						for i := t.Lower.I; i < t.Upper.I; i++ {
							to := z[i*m+t.Lower.J : i*m+t.Upper.J]
							clear(to)
							product(to, x[i*m:][:m], y[t.Lower.J:], m)
						}
					})
				}
			},
			"gokkos-index": func(s setup) func() error { // a dot product for each element
				m := extent(s.n)
				x, y, z := factors(s)
				p := policy.MDRange2([2]int{}, [2]int{m, m}).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(at policy.Index2) {
						sum := 0.
						for k := range m {
							sum += x.At(at.I, k) * y.At(k, at.J)
						}
						z.Set(at.I, at.J, sum)
					})
				}
			},
		},
		over: func(n int) (begin, end int) { return 0, extent(n) },
		loop: func(s setup, begin, end int) {
			m := extent(s.n)
			for i := begin; i < end; i++ {
				to := s.z[i*m:][:m]
				clear(to)
				product(to, s.x[i*m:][:m], s.y, m)
			}
		},
		gonum: func(s setup) {
			m := extent(s.n)
			of := func(x []float64) blas64.General { return blas64.General{Rows: m, Cols: m, Stride: m, Data: x[:m*m]} }
			blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, of(s.x), of(s.y), 0, of(s.z))
		},
	}.implementations(),
}

const block = 16

// extent returns the number of rows of the matrices whose product takes n items.
func extent(n int) int { return max(edge3(n)/block, 1) * block }

// factors returns two matrices and their product.
func factors(s setup) (x, y, z views.View2[float64]) {
	of := func(label string, data []float64) views.View2[float64] {
		m := extent(s.n)
		return views.Must(views.Of2(label, data[:m*m], m, m))
	}
	return of("x", s.x), of("y", s.y), of("z", s.z)
}

// product adds the product of the row x and a matrix to the row z. The rows of the matrix are
// stride apart.
func product(z, x, y []float64, stride int) {
	for k, v := range x {
		row := y[k*stride:][:len(z)]
		for j := range z {
			z[j] += float64(v * row[j])
		}
	}
}
