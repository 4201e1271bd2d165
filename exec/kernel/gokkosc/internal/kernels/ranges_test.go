//go:build !386 && !arm && !mips && !mipsle

package kernels

import "math/rand/v2"

func init() {
	for name, make := range map[string]func(r *rand.Rand, n int) run{
		"third": func(r *rand.Rand, n int) run {
			m, x, y := make([]int, n), floats(r, n), floats(r, n)
			for i := range m {
				m[i] = min(3+r.IntN(2), n-i)
			}
			return run{third(m, x, y), Third(m, x, y), []any{y}}
		},
		"first": func(r *rand.Rand, n int) run {
			m, x, y := r.IntN(4), floats(r, r.IntN(3)), floats(r, n)
			return run{first(m, x, y), First(m, x, y), []any{y}}
		},
		"crossed": func(r *rand.Rand, n int) run {
			m, x, y := r.IntN(4), floats(r, r.IntN(9)), floats(r, n)
			return run{crossed(m, x, y), Crossed(m, x, y), []any{y}}
		},
		"strides": func(r *rand.Rand, n int) run {
			m, step, x, y := r.IntN(9), r.IntN(3)-1, floats(r, 9*n+9), floats(r, 9*n)
			return run{strides(m, step, x, y), Strides(m, step, x, y), []any{y}}
		},
		"beyond": func(r *rand.Rand, n int) run {
			m, x, y := 1+r.IntN(4), floats(r, n+r.IntN(3))[:n-n/3], floats(r, n)
			return run{beyond(m, x, y), Beyond(m, x, y), []any{y}}
		},
		"damped": func(r *rand.Rand, n int) run {
			m, next := r.IntN(20), func() float64 { return float(r) }
			u, v := view(n, m, next), view(n, m, next)
			return run{damped(u, v), Damped(u, v), []any{all(v)}}
		},
		"far": func(r *rand.Rand, n int) run {
			x, y := floats(r, n), floats(r, n)
			return run{far(x, y), Far(x, y), []any{y}}
		},
		"apart": func(r *rand.Rand, n int) run {
			x, y := floats(r, n), floats(r, n)
			return run{apart(x, y), Apart(x, y), []any{y}}
		},
		"parts": func(r *rand.Rand, n int) run {
			c, x, y := r.IntN(n+9)-8, ints(r, n), ints(r, n)
			return run{parts(c, x, y), Parts(c, x, y), []any{y}}
		},
		"nonzero": func(r *rand.Rand, n int) run {
			c, x, y := r.IntN(n+9)-8, floats(r, n), floats(r, n)
			return run{nonzero(c, x, y), Nonzero(c, x, y), []any{y}}
		},
		"quotients": func(r *rand.Rand, n int) run {
			from, x, y := r.IntN(9)-6, ints(r, n), ints(r, n)
			to := from + r.IntN(9)
			return run{quotients(from, to, x, y), Quotients(from, to, x, y), []any{y}}
		},
		"symmetric": func(r *rand.Rand, n int) run {
			m, x, y := r.IntN(12)-6, floats(r, n), floats(r, n)
			return run{symmetric(m, x, y), Symmetric(m, x, y), []any{y}}
		},
		"behind": func(r *rand.Rand, n int) run {
			m, x, y := make([]int, n), ints(r, 9), ints(r, n)
			for i := range m {
				m[i] = r.IntN(7)
			}
			return run{behind(m, x, y), Behind(m, x, y), []any{y}}
		},
		"ahead": func(r *rand.Rand, n int) run {
			from, to, x, y := r.IntN(9)-1, r.IntN(12), floats(r, 12), floats(r, n)
			return run{ahead(from, to, x, y), Ahead(from, to, x, y), []any{y}}
		},
		"drained": func(r *rand.Rand, n int) run {
			x, y := ints(r, n), ints(r, n)
			return run{drained(x, y), Drained(x, y), []any{y}}
		},
	} {
		runs[name] = make
	}
}

// ints returns small numbers.
func ints(r *rand.Rand, n int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = r.IntN(200) - 100
	}
	return x
}
