package bfloat16_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/views/tensor/bfloat16"
)

// All BFloat16 survive the way through float32, but for NaNs, which become quiet.
func TestAllValues(t *testing.T) {
	for bits := range 1 << 16 {
		x := bfloat16.FromBits(uint16(bits))
		y := bfloat16.FromFloat32(x.Float32())
		nan := bits&0x7f80 == 0x7f80 && bits&0x7f != 0
		require.Equal(t, nan, x.IsNaN(), "%#x", bits)
		if nan {
			require.Equal(t, uint16(bits)|0x40, y.Bits(), "%#x", bits)
			continue
		}
		require.Equal(t, uint16(bits), y.Bits())
	}
}

// The result is the nearest value, the even one of two, next to and between all values.
func TestRoundsToNearestEven(t *testing.T) {
	check := func(x float32) {
		want, _ := new(big.Float).SetMode(big.ToNearestEven).SetPrec(8).SetFloat64(float64(x)).Float32()
		require.Equal(t, want, bfloat16.FromFloat32(x).Float32(), "%v", x)
	}
	for upper := uint32(0x80); upper < 0x7f7f; upper++ { // normal numbers
		for _, lower := range []uint32{0, 1, 0x7fff, 0x8000, 0x8001, 0xffff} {
			check(math.Float32frombits(upper<<16 | lower))
			check(math.Float32frombits(1<<31 | upper<<16 | lower))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100000 {
		check(float32(rng.NormFloat64()))
	}
}

func TestEdges(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		x    float32
		want uint16
	}{
		{0, 0}, {float32(math.Copysign(0, -1)), 0x8000},
		{inf, 0x7f80}, {-inf, 0xff80},
		{math.MaxFloat32, 0x7f80}, {-math.MaxFloat32, 0xff80}, // nearer to what 2^128 would be
		{0x1.fe7fffp127, 0x7f7f}, {0x1.ffp127, 0x7f80}, {0x1.fefffep127, 0x7f7f},
		{math.SmallestNonzeroFloat32, 0}, {0x1p-134, 0}, {0x1.8p-134, 1}, {0x1p-133, 1}, {0x3p-134, 2}, // subnormal
		{math.Float32frombits(0x7f800001), 0x7fc0}, {math.Float32frombits(0xffffffff), 0xffff},
	} {
		assert.Equal(t, c.want, bfloat16.FromFloat32(c.x).Bits(), "%v", c.x)
	}
	assert.Equal(t, "-1.5", bfloat16.FromFloat32(-1.5).String())
	assert.Equal(t, "NaN", bfloat16.FromBits(0x7fc0).String())
}
