package main

import (
	"fmt"
	"math"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// These kernels take n items as the points of a square or a cube, or of the largest that they
// fill.

const (
	square     = 4096 * 4096
	tinySquare = 300 * 300 // in the second cache
	cube       = 256 * 256 * 256
	tinyCube   = 40 * 40 * 40
)

func edge(n int) int { return int(math.Sqrt(float64(n))) }

func edge3(n int) int {
	m := int(math.Cbrt(float64(n)))
	for (m+1)*(m+1)*(m+1) <= n {
		m++
	}
	return m
}

func squareShape(n int) string { return fmt.Sprintf("%d x %[1]d", edge(n)) }
func cubeShape(n int) string   { return fmt.Sprintf("%d x %[1]d x %[1]d", edge3(n)) }

// matrix returns x as a view of a square matrix.
func matrix(label string, x []float64, n int) (a views.View2[float64], m int) {
	m = edge(n)
	return views.Must(views.Of2(label, x[:m*m], m, m)), m
}

// inside is the policy of the points of a square that are not on its border.
func inside(s setup) policy.MDRangePolicy[policy.Index2, [2]int] {
	m := max(edge(s.n), 2)
	return policy.MDRange2([2]int{1, 1}, [2]int{m - 1, m - 1}).On(s.space)
}

// inner are the indices of a row or a column that are not on the border.
func inner(m int) (begin, end int) { return 1, max(m-1, 1) }

// stencil2Kernel is a 5-point stencil.
var stencil2Kernel = kernel{
	name: "stencil2", bytes: 16, sizes: []int{tinySquare, square}, shape: squareShape, writes: "z", exact: true,
	make: transform{
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				a, _ := matrix("a", s.x, s.n)
				b, _ := matrix("b", s.z, s.n)
				p := inside(s)
				return func() error {
					return exec.ParallelFor(p, func(at policy.Index2) {
						i, j := at.I, at.J
						b.Set(i, j, .25*(a.At(i-1, j)+a.At(i+1, j)+a.At(i, j-1)+a.At(i, j+1))-a.At(i, j))
					})
				}
			},
			"gokkos-rows": func(s setup) func() error {
				p, x, z, m := inside(s).Rows(), s.x, s.z, edge(s.n)
				return func() error {
					return exec.ParallelFor(p, func(r policy.Row[policy.Index2]) {
						stencil2(z, x, m, r.At.I*m+r.Begin, r.Len())
					})
				}
			},
			"gokkos-tiles": func(s setup) func() error {
				p, x, z, m := inside(s).Tiles([2]int{64, 1024}), s.x, s.z, edge(s.n)
				return func() error {
					return exec.ParallelFor(p, func(t policy.Tile[policy.Index2]) {
						for i := t.Lower.I; i < t.Upper.I; i++ {
							stencil2(z, x, m, i*m+t.Lower.J, t.Upper.J-t.Lower.J)
						}
					})
				}
			},
		},
		over: func(n int) (begin, end int) { return inner(edge(n)) },
		loop: func(s setup, begin, end int) {
			m := edge(s.n)
			first, last := inner(m)
			for i := begin; i < end; i++ {
				stencil2(s.z, s.x, m, i*m+first, last-first)
			}
		},
	}.implementations(),
}

// stencil2 computes the n points from k on, of rows of m.
func stencil2(z, x []float64, m, k, n int) {
	to := z[k:][:n]
	line := func(by int) []float64 { return x[k+by:][:len(to)] }
	up, down, left, right, at := line(-m), line(m), line(-1), line(1), line(0)
	for j := range to {
		to[j] = float64(.25*(up[j]+down[j]+left[j]+right[j])) - at[j]
	}
}

// stencil3Kernel is a 7-point stencil.
var stencil3Kernel = kernel{
	name: "stencil3", bytes: 16, sizes: []int{tinyCube, cube}, shape: cubeShape, writes: "z", exact: true,
	make: transform{
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				m := edge3(s.n)
				a := views.Must(views.Of3("a", s.x[:m*m*m], m, m, m))
				b := views.Must(views.Of3("b", s.z[:m*m*m], m, m, m))
				p := inside3(s)
				return func() error {
					return exec.ParallelFor(p, func(at policy.Index3) {
						i, j, k := at.I, at.J, at.K
						sum := a.At(i-1, j, k) + a.At(i+1, j, k) + a.At(i, j-1, k) + a.At(i, j+1, k) + a.At(i, j, k-1) + a.At(i, j, k+1)
						b.Set(i, j, k, .125*sum-a.At(i, j, k))
					})
				}
			},
			"gokkos-rows": func(s setup) func() error {
				p, x, z, m := inside3(s).Rows(), s.x, s.z, edge3(s.n)
				return func() error {
					return exec.ParallelFor(p, func(r policy.Row[policy.Index3]) {
						stencil3(z, x, m, (r.At.I*m+r.At.J)*m+r.Begin, r.Len())
					})
				}
			},
		},
		over: func(n int) (begin, end int) { return inner(edge3(n)) },
		loop: func(s setup, begin, end int) {
			m := edge3(s.n)
			first, last := inner(m)
			for i := begin; i < end; i++ {
				for j := first; j < last; j++ {
					stencil3(s.z, s.x, m, (i*m+j)*m+first, last-first)
				}
			}
		},
	}.implementations(),
}

// inside3 is the policy of the points of a cube that are not on its border.
func inside3(s setup) policy.MDRangePolicy[policy.Index3, [3]int] {
	m := max(edge3(s.n), 2)
	return policy.MDRange3([3]int{1, 1, 1}, [3]int{m - 1, m - 1, m - 1}).On(s.space)
}

// stencil3 computes the n points from k on, of planes of m rows of m.
func stencil3(z, x []float64, m, k, n int) {
	to := z[k:][:n]
	line := func(by int) []float64 { return x[k+by:][:len(to)] }
	up, down, north, south, left, right, at := line(-m*m), line(m*m), line(-m), line(m), line(-1), line(1), line(0)
	for j := range to {
		to[j] = float64(.125*(up[j]+down[j]+north[j]+south[j]+left[j]+right[j])) - at[j]
	}
}

// residualKernel sums the squares of what a 5-point stencil leaves, as a solver does to know
// when it is done.
var residualKernel = kernel{
	name: "residual", bytes: 8, sizes: []int{tinySquare, square}, shape: squareShape,
	make: reduction[float64]{
		gokkos: launches[float64]{
			"gokkos-index": func(s setup, result *float64) func() error {
				a, _ := matrix("a", s.x, s.n)
				p := inside(s)
				return func() error {
					return exec.ParallelReduce(p, func(at policy.Index2, acc *float64) {
						i, j := at.I, at.J
						r := .25*(a.At(i-1, j)+a.At(i+1, j)+a.At(i, j-1)+a.At(i, j+1)) - a.At(i, j)
						*acc += r * r
					}, builtin.Sum(result))
				}
			},
			"gokkos-rows": func(s setup, result *float64) func() error {
				p, x, m := inside(s).Rows(), s.x, edge(s.n)
				return func() error {
					return exec.ParallelReduce(p, func(r policy.Row[policy.Index2], acc *float64) {
						*acc += residual(x, m, r.At.I*m+r.Begin, r.Len())
					}, builtin.Sum(result))
				}
			},
			"gokkos-lanes": func(s setup, result *float64) func() error {
				p, x, m := inside(s).Rows(), s.x, edge(s.n)
				return func() error {
					return exec.ParallelReduceLanes(p, func(r exec.RowLanes[policy.Index2, float64]) {
						line := func(by int) []float64 { return x[(r.At.I+by)*m:][:m] }
						up, row, down := line(-1), line(0), line(1)
						for j, acc := range r.Items() {
							t := float64(.25*(up[j]+down[j]+row[j-1]+row[j+1])) - row[j]
							*acc += float64(t * t)
						}
					}, builtin.Sum(result))
				}
			},
		},
		over: func(n int) (begin, end int) { return inner(edge(n)) },
		loop: func(s setup, begin, end int) (sum float64) {
			m := edge(s.n)
			first, last := inner(m)
			for i := begin; i < end; i++ {
				sum += residual(s.x, m, i*m+first, last-first)
			}
			return sum
		},
		join:  add,
		value: itself,
	}.implementations(),
}

// residual sums the squares of the n points from k on, of rows of m.
func residual(x []float64, m, k, n int) (sum float64) {
	at := x[k:][:n]
	line := func(by int) []float64 { return x[k+by:][:len(at)] }
	up, down, left, right := line(-m), line(m), line(-1), line(1)
	for j := range at {
		r := float64(.25*(up[j]+down[j]+left[j]+right[j])) - at[j]
		sum += float64(r * r)
	}
	return sum
}

// transposeKernel writes the columns of a matrix as rows. Its plain loops go tile by tile, too.
var transposeKernel = kernel{
	name: "transpose", bytes: 16, sizes: []int{tinySquare, square}, shape: squareShape, writes: "z", exact: true,
	make: transform{
		gokkos: loops{
			"gokkos-index": func(s setup) func() error {
				a, m := matrix("a", s.x, s.n)
				b, _ := matrix("b", s.z, s.n)
				p := policy.MDRange2([2]int{}, [2]int{m, m}).On(s.space)
				return func() error {
					return exec.ParallelFor(p, func(at policy.Index2) { b.Set(at.J, at.I, a.At(at.I, at.J)) })
				}
			},
			"gokkos-rows": func(s setup) func() error {
				m, x, z := edge(s.n), s.x, s.z
				p := policy.MDRange2([2]int{}, [2]int{m, m}).Tile([2]int{tile, tile}).On(s.space).Rows()
				return func() error {
					return exec.ParallelFor(p, func(r policy.Row[policy.Index2]) {
						from := x[r.At.I*m:][:m]
						for j := range r.All() {
							z[j*m+r.At.I] = from[j]
						}
					})
				}
			},
			"gokkos-tiles": func(s setup) func() error {
				m, x, z := edge(s.n), s.x, s.z
				p := policy.MDRange2([2]int{}, [2]int{m, m}).On(s.space).Tiles([2]int{tile, tile})
				return func() error {
					return exec.ParallelFor(p, func(t policy.Tile[policy.Index2]) { transpose(z, x, m, t) })
				}
			},
		},
		over: func(n int) (begin, end int) { return 0, (edge(n) + tile - 1) / tile },
		loop: func(s setup, begin, end int) {
			m := edge(s.n)
			for i := begin * tile; i < min(end*tile, m); i += tile {
				for j := 0; j < m; j += tile {
					transpose(s.z, s.x, m, policy.Tile[policy.Index2]{
						Lower: policy.Index2{I: i, J: j},
						Upper: policy.Index2{I: min(i+tile, m), J: min(j+tile, m)},
					})
				}
			}
		},
	}.implementations(),
}

const tile = 32

// transpose writes the columns of a tile as rows.
func transpose(z, x []float64, m int, t policy.Tile[policy.Index2]) {
	for i := t.Lower.I; i < t.Upper.I; i++ {
		from := x[i*m:][:m]
		for j := t.Lower.J; j < t.Upper.J; j++ {
			z[j*m+i] = from[j]
		}
	}
}
