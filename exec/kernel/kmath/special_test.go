package kmath_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
)

var edges = func() (list []float64) {
	for _, x := range []float64{0, 1, 2, 3, .5, 1.5, 2.5, 1e-300, 5e-324, 0x1p-1022, 0x1p-60, 1e300, math.MaxFloat64, math.Inf(1), 0x1p52 + 1, 0x1p53 - 1, 0x1p53, 0x1p54,
		709.782712893385, 710, 745.13, 745.14, 746, 1023, 1024, 1074, 1075, 1076, 22, 40, math.Pi / 4, math.Pi / 2, math.Pi, math.Sqrt2, math.Sqrt2 / 2, 6, 5.9, .9999999999999999, 1.0000000000000002} {
		list = append(list, x, -x)
	}
	return append(list, math.NaN())
}()

// special is what has one right result: NaN, an infinity, a zero with its sign.
func special(x float64) bool { return x == 0 || math.IsInf(x, 0) || math.IsNaN(x) }

func same(got, want float64) bool {
	return got == want && math.Signbit(got) == math.Signbit(want) || got != got && want != want
}

// rounded reports whether a result of float32 is that of float64 rounded, or beside it.
func rounded(got float32, want float64) bool {
	next := math.Nextafter32(float32(want), float32(math.Inf(1))) - float32(want)
	return same(float64(got), float64(float32(want))) || math.Abs(float64(got)-float64(float32(want))) <= float64(next)
}

// Special results are as in package math, and those of float32 are those of float64.
func TestSpecialCases(t *testing.T) {
	for name, f := range map[string]struct {
		call   func(float64) float64
		call32 func(float32) float32
		std    func(float64) float64
	}{
		"Exp": {kmath.Exp[float64], kmath.Exp[float32], math.Exp}, "Exp2": {kmath.Exp2[float64], kmath.Exp2[float32], math.Exp2}, "Expm1": {kmath.Expm1[float64], kmath.Expm1[float32], math.Expm1},
		"Log": {kmath.Log[float64], kmath.Log[float32], math.Log}, "Log2": {kmath.Log2[float64], kmath.Log2[float32], math.Log2}, "Log1p": {kmath.Log1p[float64], kmath.Log1p[float32], math.Log1p},
		"Sin": {kmath.Sin[float64], kmath.Sin[float32], math.Sin}, "Cos": {kmath.Cos[float64], kmath.Cos[float32], math.Cos}, "Tan": {kmath.Tan[float64], kmath.Tan[float32], math.Tan},
		"Atan": {kmath.Atan[float64], kmath.Atan[float32], math.Atan}, "Tanh": {kmath.Tanh[float64], kmath.Tanh[float32], math.Tanh},
		"Cbrt": {kmath.Cbrt[float64], kmath.Cbrt[float32], math.Cbrt}, "Erf": {kmath.Erf[float64], kmath.Erf[float32], math.Erf},
		"sine":   {func(x float64) float64 { s, _ := kmath.Sincos(x); return s }, func(x float32) float32 { s, _ := kmath.Sincos(x); return s }, math.Sin},
		"cosine": {func(x float64) float64 { _, c := kmath.Sincos(x); return c }, func(x float32) float32 { _, c := kmath.Sincos(x); return c }, math.Cos},
	} {
		for _, x := range edges {
			if want := f.std(x); special(want) {
				assert.True(t, same(f.call(x), want), "%s(%v) = %v, expected %v", name, x, f.call(x), want)
			}
			x3 := float32(x)
			want := f.call(float64(x3))
			assert.True(t, rounded(f.call32(x3), want), "%s(%v) of float32 = %v, expected %v", name, x3, f.call32(x3), want)
		}
	}
}

func TestSpecialCasesOfTwo(t *testing.T) {
	for name, f := range map[string]struct {
		call   func(x, y float64) float64
		call32 func(x, y float32) float32
		std    func(x, y float64) float64
	}{
		"Pow":   {kmath.Pow[float64], kmath.Pow[float32], math.Pow},
		"Atan2": {kmath.Atan2[float64], kmath.Atan2[float32], math.Atan2},
		"Hypot": {kmath.Hypot[float64], kmath.Hypot[float32], math.Hypot},
	} {
		for _, x := range edges {
			for _, y := range edges {
				if want := f.std(x, y); special(want) {
					assert.True(t, same(f.call(x, y), want), "%s(%v, %v) = %v, expected %v", name, x, y, f.call(x, y), want)
				}
				x3, y3 := float32(x), float32(y)
				want := f.call(float64(x3), float64(y3))
				assert.True(t, rounded(f.call32(x3, y3), want), "%s(%v, %v) of float32 = %v, expected %v", name, x3, y3, f.call32(x3, y3), want)
			}
		}
	}
}

// Far out, what rounding the logarithm loses is many powers of two of the result.
func TestPowersOfFloat32FarOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		x, y := math.Float32frombits(1+r.Uint32N(1<<21)), math.MaxFloat32*(1-r.Float32()/2)
		assert.True(t, same(float64(kmath.Pow(x, y)), 0), "Pow(%v, %v) = %v, expected 0", x, y, kmath.Pow(x, y))
		assert.True(t, same(float64(kmath.Pow(x, -y)), math.Inf(1)), "Pow(%v, %v) = %v, expected +Inf", x, -y, kmath.Pow(x, -y))
	}
}
