package kmath_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gokkos/gokkos/exec/kernel/kmath"
)

// The bits are the same on every processor, and in every release.
func TestBits(t *testing.T) {
	for name, f := range map[string]struct {
		f    func(x, y float64) float64
		bits string
	}{
		"Exp":             {func(x, _ float64) float64 { return kmath.Exp(x) }, "7565c3f895514836"},
		"Exp2":            {func(x, _ float64) float64 { return kmath.Exp2(x) }, "e7f52b51c0d06f34"},
		"Expm1":           {func(x, _ float64) float64 { return kmath.Expm1(x) }, "ce40a5fd0224ef42"},
		"Log":             {func(x, _ float64) float64 { return kmath.Log(x) }, "cb3b0fa179273168"},
		"Log2":            {func(x, _ float64) float64 { return kmath.Log2(x) }, "b920ad9a25742c7e"},
		"Log1p":           {func(x, _ float64) float64 { return kmath.Log1p(x) }, "cde3e29182412557"},
		"Sin":             {func(x, _ float64) float64 { return kmath.Sin(x) }, "789be7c2b6498716"},
		"Cos":             {func(x, _ float64) float64 { return kmath.Cos(x) }, "6f7b42a02a2fb726"},
		"Sincos":          {func(x, _ float64) float64 { s, c := kmath.Sincos(x); return s + c }, "4f4a00ab0c004011"},
		"Tan":             {func(x, _ float64) float64 { return kmath.Tan(x) }, "7a9c9a107e3c57ac"},
		"Atan":            {func(x, _ float64) float64 { return kmath.Atan(x) }, "4369dea7dc741c8d"},
		"Atan2":           {func(x, y float64) float64 { return kmath.Atan2(x, y) }, "09f787576ea9b35e"},
		"Tanh":            {func(x, _ float64) float64 { return kmath.Tanh(x) }, "f98937d0d13ac26a"},
		"Pow":             {func(x, y float64) float64 { return kmath.Pow(x, y) }, "bbc0f6028987daab"},
		"Cbrt":            {func(x, _ float64) float64 { return kmath.Cbrt(x) }, "d2da01cc5ccae6f6"},
		"Erf":             {func(x, _ float64) float64 { return kmath.Erf(x) }, "0cae9b99441b3422"},
		"Hypot":           {func(x, y float64) float64 { return kmath.Hypot(x, y) }, "42e036a72fc58c81"},
		"Exp of float32":  {func(x, _ float64) float64 { return float64(kmath.Exp(float32(x))) }, "e3e1b599da1771e8"},
		"Log of float32":  {func(x, _ float64) float64 { return float64(kmath.Log(float32(x))) }, "6eb4dcefff87e44a"},
		"Sin of float32":  {func(x, _ float64) float64 { return float64(kmath.Sin(float32(x))) }, "2344893ead801771"},
		"Tan of float32":  {func(x, _ float64) float64 { return float64(kmath.Tan(float32(x))) }, "cc47ca9221129184"},
		"Atan of float32": {func(x, _ float64) float64 { return float64(kmath.Atan(float32(x))) }, "b38ac34dd3b7d63e"},
		"Pow of float32":  {func(x, y float64) float64 { return float64(kmath.Pow(float32(x), float32(y))) }, "48a0695cfa366125"},
		"Erf of float32":  {func(x, _ float64) float64 { return float64(kmath.Erf(float32(x))) }, "f978bc010a44ef42"},
	} {
		assert.Equal(t, f.bits, hashOf(f.f), name)
	}
}

// hashOf returns the hash of a function's results for arguments of all exponents.
func hashOf(f func(x, y float64) float64) string {
	r, h := rand.New(rand.NewPCG(3, 4)), fnv.New64a()
	draw := func() float64 {
		x := math.Ldexp(1+r.Float64(), r.IntN(24)-12)
		if r.IntN(8) == 0 {
			x = math.Ldexp(x, r.IntN(2000)-1000)
		}
		if r.IntN(2) == 0 {
			return -x
		}
		return x
	}
	for range 5000 {
		y := f(draw(), draw())
		if y != y {
			y = math.NaN()
		}
		_ = binary.Write(h, binary.LittleEndian, y)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
