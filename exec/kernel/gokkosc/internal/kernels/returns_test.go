//go:build !386 && !arm && !mips && !mipsle

package kernels

import (
	"math/rand/v2"

	"github.com/gokkos/gokkos/exec"
)

func init() {
	for name, make := range map[string]func(r *rand.Rand, n int) run{
		"exceeds": func(r *rand.Rand, n int) run {
			m, mask, x, z := r.IntN(9)-1, make([]int8, n), floats(r, n+6), floats(r, n)
			for i := range mask {
				mask[i] = int8(r.IntN(3))
			}
			return run{exceeds(2, m, mask, x, z), Exceeds(2, m, mask, x, z), []any{z}}
		},
		"crossing": func(r *rand.Rand, n int) run {
			m := r.IntN(12) - 1
			x, sum, at := floats(r, n*max(m, 0)), floats(r, n), make([]int, n)
			return run{crossing(-1.5, 2, m, x, sum, at), Crossing(-1.5, 2, m, x, sum, at), []any{sum, at}}
		},
		"diagonal": func(r *rand.Rand, n int) run {
			ptr, last := rowEnds(r, n)
			col, val, d := make([]int, last), floats(r, last), floats(r, n)
			for i := range n {
				for k := ptr[i]; k < ptr[i+1]; k++ {
					col[k] = i + r.IntN(4) - 1
				}
			}
			return run{diagonal(ptr, col, val, d), Diagonal(ptr, col, val, d), []any{d}}
		},
		"factor": func(r *rand.Rand, n int) run {
			m, k := r.IntN(5), r.IntN(5)
			x, y, z := floats(r, n), floats(r, m*k+1), floats(r, n)
			return run{factor(m, k, 1.5, x, y, z), Factor(m, k, 1.5, x, y, z), []any{z}}
		},
		"walked": func(r *rand.Rand, n int) run {
			m := r.IntN(12) - 1
			x, path, last := floats(r, n+12), floats(r, n*max(m, 0)+1), make([]int, n)
			return run{walked(m, 3, x, path, last), Walked(m, 3, x, path, last), []any{path, last}}
		},
		"rooted": func(r *rand.Rand, n int) run {
			ptr, last := rowEnds(r, n)
			x, y, flag := floats(r, last), floats(r, last), make([]int, n)
			return run{rooted(ptr, x, y, flag), Rooted(ptr, x, y, flag), []any{y, flag}}
		},
		"eliminated": func(r *rand.Rand, n int) run {
			m := r.IntN(5)
			a, singular := floats(r, n*m*m), make([]bool, n)
			return run{eliminated(m, a, singular), Eliminated(m, a, singular), []any{a, singular}}
		},
		"cholesky": func(r *rand.Rand, n int) run {
			m := r.IntN(5)
			a, info := floats(r, n*m*m), make([]int, n)
			for k := range a {
				if k%(m*m)%(m+1) == 0 {
					a[k] += 4
				}
			}
			return run{cholesky(m, a, info), Cholesky(m, a, info), []any{a, info}}
		},
		"substituted": func(r *rand.Rand, n int) run {
			m := r.IntN(6)
			upper, x := floats(r, n*m), floats(r, n*m)
			return run{substituted(m, upper, x), Substituted(m, upper, x), []any{x}}
		},
		"mirrored": func(r *rand.Rand, n int) run {
			m := r.IntN(6)
			x, y := floats(r, n*m), floats(r, n*m)
			if r.IntN(4) == 0 {
				x = y
			}
			return run{mirrored(m, x, y), Mirrored(m, x, y), []any{y}}
		},
		"eased": func(r *rand.Rand, n int) run {
			m := r.IntN(6)
			x, y := floats(r, n*m), floats(r, n*m)
			return run{eased(m, x, y), Eased(m, x, y), []any{y}}
		},
		"flanked": func(r *rand.Rand, n int) run {
			x, z := floats(r, n), floats(r, 5*n)
			return run{flanked(x, z), Flanked(x, z), []any{z}}
		},
		"turned": func(r *rand.Rand, n int) run {
			first, last := -1-r.IntN(3), r.IntN(3)
			x, z := floats(r, n+last-first), floats(r, n*(last-first+1))
			return run{turned(first, last, x, z), Turned(first, last, x, z), []any{z}}
		},
	} {
		runs[name] = make
	}
	boxRuns["rim"] = func(r *rand.Rand, extent []int, order int, s exec.Space, compiled bool) string {
		next := func() float64 { return float(r) }
		u, v := view(extent[0], extent[1], next), view(extent[0], extent[1], next)
		f := pick(compiled, rim, Rim)(u, v)
		return ran(func() error { return exec.ParallelFor(inside2(extent, 0, order, s).Rows(), f) }, all(v))
	}
}
