package exec_test

import (
	"fmt"
	"testing"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

// BenchmarkBox is the time of a point of the ways to write a functor over a box, on one worker,
// beside nested loops: those that one would write ("loop"), and those that call the functor of
// points ("calls"). All but transpose is in the second cache.
func BenchmarkBox(b *testing.B) {
	for _, t := range []struct {
		name  string
		cases func(b *testing.B)
	}{
		{"heat2", heat2}, {"heat3", heat3}, {"star", star}, {"transpose", transpose}, {"sum", sumOfBox},
	} {
		b.Run(t.name, t.cases)
	}
}

// boxCase is one way to run over a box of that many points.
func boxCase(b *testing.B, name string, points int, run func() error) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			if err := run(); err != nil {
				b.Fatal(err)
			}
		}
		perItem(b, points, "ns/item")
	})
}

// calls2 calls a functor for the points of a box as nested loops do.
//
//go:noinline
func calls2(lower, upper [2]int, f func(policy.Index2)) error {
	for i := lower[0]; i < upper[0]; i++ {
		for j := lower[1]; j < upper[1]; j++ {
			f(policy.Index2{I: i, J: j})
		}
	}
	return nil
}

// heat2 is a 5-point stencil.
func heat2(b *testing.B) {
	const n, m = 200, 300
	x, y := numbers(n*m), make([]float64, n*m)
	lower, upper := [2]int{1, 1}, [2]int{n - 1, m - 1}
	p := policy.MDRange2(lower, upper).On(exec.Serial{})
	const points = (n - 2) * (m - 2)
	boxCase(b, "loop", points, func() error {
		for i := 1; i < n-1; i++ {
			for j := 1; j < m-1; j++ {
				k := i*m + j
				y[k] = x[k] + .1*(x[k-m]+x[k+m]+x[k-1]+x[k+1]-4*x[k])
			}
		}
		return nil
	})
	point := func(at policy.Index2) {
		k := at.I*m + at.J
		y[k] = x[k] + .1*(x[k-m]+x[k+m]+x[k-1]+x[k+1]-4*x[k])
	}
	boxCase(b, "calls", points, func() error { return calls2(lower, upper, point) })
	boxCase(b, "index", points, func() error { return exec.ParallelFor(p, point) })
	row := func(r policy.Row[policy.Index2]) {
		k := r.At.I*m + r.Begin
		to := y[k:][:r.Len()]
		line := func(by int) []float64 { return x[k+by:][:len(to)] }
		up, down, left, right, at := line(-m), line(m), line(-1), line(1), line(0)
		for j := range to {
			to[j] = at[j] + .1*(up[j]+down[j]+left[j]+right[j]-4*at[j])
		}
	}
	boxCase(b, "rows", points, func() error { return exec.ParallelFor(p.Rows(), row) })
	boxCase(b, "tiles", points, func() error {
		return exec.ParallelFor(p.Tiles([2]int{64, 256}), func(t policy.Tile[policy.Index2]) {
			for i := t.Lower.I; i < t.Upper.I; i++ {
				row(policy.Row[policy.Index2]{At: policy.Index2{I: i, J: t.Lower.J}, Span: policy.Span{Begin: t.Lower.J, End: t.Upper.J}})
			}
		})
	})
}

// heat3 is a 7-point stencil.
func heat3(b *testing.B) {
	const n, m, o = 12, 40, 130
	x, y := numbers(n*m*o), make([]float64, n*m*o)
	p := policy.MDRange3([3]int{1, 1, 1}, [3]int{n - 1, m - 1, o - 1}).On(exec.Serial{})
	const points = (n - 2) * (m - 2) * (o - 2)
	boxCase(b, "loop", points, func() error {
		for i := 1; i < n-1; i++ {
			for j := 1; j < m-1; j++ {
				for l := 1; l < o-1; l++ {
					k := (i*m+j)*o + l
					y[k] = x[k] + .1*(x[k-m*o]+x[k+m*o]+x[k-o]+x[k+o]+x[k-1]+x[k+1]-6*x[k])
				}
			}
		}
		return nil
	})
	boxCase(b, "index", points, func() error {
		return exec.ParallelFor(p, func(at policy.Index3) {
			k := (at.I*m+at.J)*o + at.K
			y[k] = x[k] + .1*(x[k-m*o]+x[k+m*o]+x[k-o]+x[k+o]+x[k-1]+x[k+1]-6*x[k])
		})
	})
	boxCase(b, "rows", points, func() error {
		return exec.ParallelFor(p.Rows(), func(r policy.Row[policy.Index3]) {
			k := (r.At.I*m+r.At.J)*o + r.Begin
			to := y[k:][:r.Len()]
			line := func(by int) []float64 { return x[k+by:][:len(to)] }
			up, down, north, south, left, right, at := line(-m*o), line(m*o), line(-o), line(o), line(-1), line(1), line(0)
			for l := range to {
				to[l] = at[l] + .1*(up[l]+down[l]+north[l]+south[l]+left[l]+right[l]-6*at[l])
			}
		})
	})
}

// star is the star stencil of radius 2 of the Parallel Research Kernels, which adds to its
// result.
func star(b *testing.B) {
	const n = 250
	const w1, w2 = 1. / 4, 1. / 8
	x, y := numbers(n*n), make([]float64, n*n)
	p := policy.MDRange2([2]int{2, 2}, [2]int{n - 2, n - 2}).On(exec.Serial{})
	const points = (n - 4) * (n - 4)
	boxCase(b, "loop", points, func() error {
		for i := 2; i < n-2; i++ {
			for j := 2; j < n-2; j++ {
				k := i*n + j
				y[k] += w1*(x[k+1]-x[k-1]+x[k+n]-x[k-n]) + w2*(x[k+2]-x[k-2]+x[k+2*n]-x[k-2*n])
			}
		}
		return nil
	})
	boxCase(b, "index", points, func() error {
		return exec.ParallelFor(p, func(at policy.Index2) {
			k := at.I*n + at.J
			y[k] += w1*(x[k+1]-x[k-1]+x[k+n]-x[k-n]) + w2*(x[k+2]-x[k-2]+x[k+2*n]-x[k-2*n])
		})
	})
	boxCase(b, "rows", points, func() error {
		return exec.ParallelFor(p.Rows(), func(r policy.Row[policy.Index2]) {
			k := r.At.I*n + r.Begin
			to := y[k:][:r.Len()]
			line := func(by int) []float64 { return x[k+by:][:len(to)] }
			up2, up, down, down2 := line(-2*n), line(-n), line(n), line(2*n)
			left2, left, right, right2 := line(-2), line(-1), line(1), line(2)
			for j := range to {
				to[j] += w1*(right[j]-left[j]+down[j]-up[j]) + w2*(right2[j]-left2[j]+down2[j]-up2[j])
			}
		})
	})
}

// transpose writes the columns of a matrix as rows.
func transpose(b *testing.B) {
	const n = 1024
	x, y := numbers(n*n), make([]float64, n*n)
	p := policy.MDRange2([2]int{}, [2]int{n, n}).On(exec.Serial{})
	tile := [2]int{32, 32}
	boxCase(b, "loop", n*n, func() error { // in tiles, as one would write it
		for i0 := 0; i0 < n; i0 += tile[0] {
			for j0 := 0; j0 < n; j0 += tile[1] {
				for i := i0; i < min(i0+tile[0], n); i++ {
					for j := j0; j < min(j0+tile[1], n); j++ {
						y[j*n+i] = x[i*n+j]
					}
				}
			}
		}
		return nil
	})
	boxCase(b, "index", n*n, func() error {
		return exec.ParallelFor(p.Tile(tile), func(at policy.Index2) { y[at.J*n+at.I] = x[at.I*n+at.J] })
	})
	boxCase(b, "rows", n*n, func() error {
		return exec.ParallelFor(p.Tile(tile).Rows(), func(r policy.Row[policy.Index2]) {
			from := x[r.At.I*n:][:n]
			for j := range r.All() {
				y[j*n+r.At.I] = from[j]
			}
		})
	})
	boxCase(b, "tiles", n*n, func() error {
		return exec.ParallelFor(p.Tiles(tile), func(t policy.Tile[policy.Index2]) {
			for i := t.Lower.I; i < t.Upper.I; i++ {
				from := x[i*n:][:n]
				for j := t.Lower.J; j < t.Upper.J; j++ {
					y[j*n+i] = from[j]
				}
			}
		})
	})
}

// sumOfBox is a sum over a small matrix and over a larger one.
func sumOfBox(b *testing.B) {
	for _, n := range []int{31, 300} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { sumOfSquare(b, n) })
	}
}

func sumOfSquare(b *testing.B, n int) {
	m := n
	x := numbers(n * m)
	var sum float64
	p := policy.MDRange2([2]int{}, [2]int{n, m}).On(exec.Serial{})
	boxCase(b, "loop", n*m, func() error {
		s := 0.
		for i := range n {
			for j := range m {
				s += x[i*m+j]
			}
		}
		sum = s
		return nil
	})
	boxCase(b, "index", n*m, func() error {
		return exec.ParallelReduce(p, func(at policy.Index2, acc *float64) { *acc += x[at.I*m+at.J] }, builtin.Sum(&sum))
	})
	boxCase(b, "rows", n*m, func() error {
		return exec.ParallelReduce(p.Rows(), func(r policy.Row[policy.Index2], acc *float64) {
			s := 0.
			for _, v := range x[r.At.I*m+r.Begin : r.At.I*m+r.End] {
				s += v
			}
			*acc += s
		}, builtin.Sum(&sum))
	})
	boxCase(b, "lanes", n*m, func() error {
		return exec.ParallelReduceLanes(p.Rows(), func(r exec.RowLanes[policy.Index2, float64]) {
			row := x[r.At.I*m:][:m]
			for j, acc := range r.Items() {
				*acc += row[j]
			}
		}, builtin.Sum(&sum))
	})
}

// numbers returns values that differ.
func numbers(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = value(i)
	}
	return x
}
