package kmath_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
)

// loop sets z to a function of x, or of x and y, which may be longer.
type loop func(z, x, y []float64)

// timed is a function beside that of package math, and the arguments that it is timed with.
type timed struct {
	name      string
	ours, std loop
	ranges    []ranged
}

// ranged names arguments and draws them. The second one is for functions of two.
type ranged struct {
	name string
	x, y func(r *rand.Rand) float64
}

// evenly draws numbers between low and high.
func evenly(low, high float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return low + (high-low)*r.Float64() }
}

// exponents draws positive numbers from 2ˡᵒʷ to 2ʰⁱᵍʰ, each exponent as often as the others.
func exponents(low, high int) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return math.Ldexp(1+r.Float64(), low+r.IntN(high-low)) }
}

// signed draws the numbers of another with either sign.
func signed(draw func(r *rand.Rand) float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return math.Copysign(draw(r), r.Float64()-.5) }
}

var angles = []ranged{
	{"±π÷4", evenly(-math.Pi/4, math.Pi/4), nil},
	{"±100", evenly(-100, 100), nil},
	{"10⁶", signed(evenly(5e5, 1e6)), nil},
	{"10⁸", signed(evenly(1e7, 1e8)), nil},
	{"2³⁰-2¹⁰⁰⁰", signed(exponents(30, 1000)), nil},
}

var powers = []ranged{
	{"±1", evenly(-1, 1), nil},
	{"±20", evenly(-20, 20), nil},
	{"±700", evenly(-700, 700), nil},
	{"2⁻⁵⁰-2⁻³⁰", signed(exponents(-50, -30)), nil},
}

var logarithms = []ranged{
	{"½-2", evenly(.5, 2), nil},
	{"1-1000", evenly(1, 1000), nil},
	{"2⁻¹⁰⁰⁰-2¹⁰⁰⁰", exponents(-1000, 1000), nil},
	{"subnormal", exponents(-1070, -1022), nil},
}

var timings = []timed{
	{"Exp", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Exp(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Exp(x[i])
		}
	}, append(powers, ranged{"subnormal", evenly(-740, -710), nil})},
	{"Exp2", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Exp2(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Exp2(x[i])
		}
	}, append(powers, ranged{"subnormal", evenly(-1070, -1023), nil})},
	{"Expm1", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Expm1(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Expm1(x[i])
		}
	}, powers},
	{"Log", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Log(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Log(x[i])
		}
	}, logarithms},
	{"Log2", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Log2(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Log2(x[i])
		}
	}, logarithms},
	{"Log1p", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Log1p(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Log1p(x[i])
		}
	}, []ranged{
		{"±½", evenly(-.5, .5), nil},
		{"0-1000", evenly(0, 1000), nil},
		{"2³⁰-2¹⁰⁰⁰", exponents(30, 1000), nil},
		{"2⁻⁵⁰-2⁻³⁰", signed(exponents(-50, -30)), nil},
	}},
	{"Sin", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Sin(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Sin(x[i])
		}
	}, angles},
	{"Cos", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Cos(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Cos(x[i])
		}
	}, angles},
	{"Sincos", func(z, x, _ []float64) {
		for i := range z {
			s, c := kmath.Sincos(x[i])
			z[i] = s + c
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			s, c := math.Sincos(x[i])
			z[i] = s + c
		}
	}, angles},
	{"Tan", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Tan(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Tan(x[i])
		}
	}, angles},
	{"Atan", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Atan(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Atan(x[i])
		}
	}, []ranged{
		{"±0.4", evenly(-.4, .4), nil},
		{"±3", evenly(-3, 3), nil},
		{"2⁻²⁰-2²⁰", signed(exponents(-20, 20)), nil},
		{"2²⁰-2¹⁰⁰⁰", signed(exponents(20, 1000)), nil},
	}},
	{"Atan2", func(z, x, y []float64) {
		for i := range z {
			z[i] = kmath.Atan2(y[i], x[i])
		}
	}, func(z, x, y []float64) {
		for i := range z {
			z[i] = math.Atan2(y[i], x[i])
		}
	}, []ranged{
		{"0-1", evenly(0, 1), evenly(0, 1)},
		{"±1", evenly(-1, 1), evenly(-1, 1)},
		{"2⁻¹⁰⁰⁰-2¹⁰⁰⁰", signed(exponents(-1000, 1000)), signed(exponents(-1000, 1000))},
	}},
	{"Tanh", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Tanh(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Tanh(x[i])
		}
	}, []ranged{
		{"±½", evenly(-.5, .5), nil},
		{"±3", evenly(-3, 3), nil},
		{"±22", evenly(-22, 22), nil},
		{"30-100", signed(evenly(30, 100)), nil},
	}},
	{"Pow", func(z, x, y []float64) {
		for i := range z {
			z[i] = kmath.Pow(x[i], y[i])
		}
	}, func(z, x, y []float64) {
		for i := range z {
			z[i] = math.Pow(x[i], y[i])
		}
	}, []ranged{
		{"0-10, ±5", evenly(0, 10), evenly(-5, 5)},
		{"0-10, integers", evenly(0, 10), func(r *rand.Rand) float64 { return float64(r.IntN(20) - 10) }},
		{"2⁻¹⁰⁰⁰-2¹⁰⁰⁰, ±1", exponents(-1000, 1000), evenly(-1, 1)},
		{"0.99-1.01, ±10⁴", evenly(.99, 1.01), evenly(-1e4, 1e4)},
	}},
	{"Cbrt", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Cbrt(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Cbrt(x[i])
		}
	}, []ranged{
		{"±10", evenly(-10, 10), nil},
		{"2⁻¹⁰⁰⁰-2¹⁰⁰⁰", signed(exponents(-1000, 1000)), nil},
		{"subnormal", signed(exponents(-1070, -1022)), nil},
	}},
	{"Erf", func(z, x, _ []float64) {
		for i := range z {
			z[i] = kmath.Erf(x[i])
		}
	}, func(z, x, _ []float64) {
		for i := range z {
			z[i] = math.Erf(x[i])
		}
	}, []ranged{
		{"±0.8", evenly(-.8, .8), nil},
		{"±3", evenly(-3, 3), nil},
		{"1-6", signed(evenly(1, 6)), nil},
		{"6-100", signed(evenly(6, 100)), nil},
	}},
	{"Hypot", func(z, x, y []float64) {
		for i := range z {
			z[i] = kmath.Hypot(x[i], y[i])
		}
	}, func(z, x, y []float64) {
		for i := range z {
			z[i] = math.Hypot(x[i], y[i])
		}
	}, []ranged{
		{"±1", evenly(-1, 1), evenly(-1, 1)},
		{"2⁻¹⁰⁰⁰-2¹⁰⁰⁰", exponents(-1000, 1000), exponents(-1000, 1000)},
		{"2⁶⁰⁰", exponents(590, 600), exponents(590, 600)},
	}},
}

// BenchmarkFunctions compares the functions with those of package math: ns per value, and times the time
// of math, medians over blocks of arguments that the two take in turn. There are so many arguments that a
// processor does not learn where they go.
func BenchmarkFunctions(b *testing.B) {
	const n, block = 1 << 17, 1 << 10
	z, x, y := make([]float64, block), make([]float64, n), make([]float64, n)
	for _, f := range timings {
		for _, g := range f.ranges {
			b.Run(fmt.Sprintf("%s/%s", f.name, g.name), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				for i := range x {
					x[i] = g.x(r)
					if g.y != nil {
						y[i] = g.y(r)
					}
				}
				var ours, std, ratios []float64
				for at := 0; b.Loop(); at = (at + block) % n {
					o, s := nanoseconds(f.ours, z, x[at:], y[at:]), nanoseconds(f.std, z, x[at:], y[at:])
					ours, std, ratios = append(ours, o), append(std, s), append(ratios, o/s)
				}
				b.ReportMetric(median(ours), "ns/kmath")
				b.ReportMetric(median(std), "ns/math")
				b.ReportMetric(median(ratios), "of-math")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// nanoseconds returns the time per value.
func nanoseconds(f loop, z, x, y []float64) float64 {
	start := time.Now()
	f(z, x, y)
	return float64(time.Since(start).Nanoseconds()) / float64(len(z))
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}
