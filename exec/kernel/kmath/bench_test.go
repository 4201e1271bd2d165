package kmath_test

import (
	"math"
	"testing"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
)

// BenchmarkFunctions compares the functions with those of package math, in ns per value.
func BenchmarkFunctions(b *testing.B) {
	const n = 1024
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = .1+float64(i)*.003, 3-float64(i)*.002
	}
	one := func(f func(float64) float64) func(float64, float64) float64 {
		return func(x, _ float64) float64 { return f(x) }
	}
	for _, f := range []struct {
		name      string
		ours, std func(x, y float64) float64
	}{
		{"Exp", func(x, _ float64) float64 { return kmath.Exp(x) }, one(math.Exp)},
		{"Exp2", func(x, _ float64) float64 { return kmath.Exp2(x) }, one(math.Exp2)},
		{"Expm1", func(x, _ float64) float64 { return kmath.Expm1(x) }, one(math.Expm1)},
		{"Log", func(x, _ float64) float64 { return kmath.Log(x) }, one(math.Log)},
		{"Log2", func(x, _ float64) float64 { return kmath.Log2(x) }, one(math.Log2)},
		{"Log1p", func(x, _ float64) float64 { return kmath.Log1p(x) }, one(math.Log1p)},
		{"Sin", func(x, _ float64) float64 { return kmath.Sin(x) }, one(math.Sin)},
		{"Cos", func(x, _ float64) float64 { return kmath.Cos(x) }, one(math.Cos)},
		{"Sincos", func(x, _ float64) float64 { s, c := kmath.Sincos(x); return s + c }, func(x, _ float64) float64 { s, c := math.Sincos(x); return s + c }},
		{"Tan", func(x, _ float64) float64 { return kmath.Tan(x) }, one(math.Tan)},
		{"Atan", func(x, _ float64) float64 { return kmath.Atan(x) }, one(math.Atan)},
		{"Atan2", func(x, y float64) float64 { return kmath.Atan2(x, y) }, math.Atan2},
		{"Tanh", func(x, _ float64) float64 { return kmath.Tanh(x) }, one(math.Tanh)},
		{"Pow", func(x, y float64) float64 { return kmath.Pow(x, y) }, math.Pow},
		{"Cbrt", func(x, _ float64) float64 { return kmath.Cbrt(x) }, one(math.Cbrt)},
		{"Erf", func(x, _ float64) float64 { return kmath.Erf(x) }, one(math.Erf)},
		{"Hypot", func(x, y float64) float64 { return kmath.Hypot(x, y) }, math.Hypot},
	} {
		for by, call := range map[string]func(x, y float64) float64{"kmath": f.ours, "math": f.std} {
			b.Run(f.name+"/"+by, func(b *testing.B) {
				sum := 0.0
				for b.Loop() {
					for i := range x {
						sum += call(x[i], y[i])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
				sink = sum
			})
		}
	}
}

var sink float64
