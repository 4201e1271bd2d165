//go:build !386 && !arm && !mips && !mipsle

package kernels

import "math/rand/v2"

// Arrays of constants have the values of the package's, and an index that is too large panics.
func init() {
	runs["tabled"] = func(r *rand.Rand, n int) run {
		at, x, h := make([]int32, n), singles(r, n), make([]uint64, n)
		for i := range at {
			at[i] = int32(r.Uint32())
		}
		return run{tabled(at, x, h), Tabled(at, x, h), []any{x, h}}
	}
	for name, one := range map[string]int{"together": 0, "together, an index too large": 1} {
		runs[name] = func(r *rand.Rand, n int) run {
			place, x := make([]int, n), floats(r, n)
			for i := range place {
				place[i] = r.IntN(len(primes))
			}
			if n > 0 && one > 0 {
				place[r.IntN(n)] = len(primes)
			}
			return run{together(place, x), Together(place, x), nil}
		}
	}
	runs["checksum"] = func(r *rand.Rand, n int) run {
		x, y := make([]uint32, n), make([]uint8, n)
		for i := range x {
			x[i] = r.Uint32() >> r.IntN(33)
		}
		return run{checksum(x, y), Checksum(x, y), []any{y}}
	}
	for name, one := range map[string]int{"lifted": 0, "lifted, a negative count": 1} {
		runs[name] = func(r *rand.Rand, n int) run {
			x := make([]int, n)
			for i := range x {
				x[i] = r.IntN(1 << 40)
			}
			if n > 0 && one > 0 {
				x[r.IntN(n)] = -5
			}
			return run{lifted(x), Lifted(x), []any{x}}
		}
	}
}
