//go:build gokkos_slow

package reduction_test

import (
	"math"
	"testing"

	"github.com/gokkos/gokkos/builtin/reduction"
)

type meters float64

// The types that the compiler takes long for.
func TestEveryKnownIdentity(t *testing.T) {
	inf := math.Inf(1)
	known(t, reduction.Plus[int8], 0)
	known(t, reduction.Plus[uint64], 0)
	known(t, reduction.Plus[float32], 0)
	known(t, reduction.Plus[meters], 0)
	known(t, reduction.Multiplies[int16], 1)
	known(t, reduction.Multiplies[float32], 1)
	known(t, reduction.Multiplies[complex64], 1)
	known(t, reduction.Multiplies[uint8], 1)
	known(t, reduction.BitAnd[int], -1)
	known(t, reduction.BitAnd[uint64], math.MaxUint64)
	known(t, reduction.BitOr[int], 0)
	known(t, reduction.BitOr[uint16], 0)
	known(t, reduction.BitXor[int32], 0)
	known(t, reduction.BitXor[uint], 0)
	known(t, reduction.Minimum[int64], math.MaxInt64)
	known(t, reduction.Minimum[uint8], math.MaxUint8)
	known(t, reduction.Minimum[int8], math.MaxInt8)
	known(t, reduction.Minimum[int16], math.MaxInt16)
	known(t, reduction.Minimum[int32], math.MaxInt32)
	known(t, reduction.Minimum[uint64], math.MaxUint64)
	known(t, reduction.Minimum[float32], float32(inf))
	known(t, reduction.Minimum[meters], meters(inf))
	known(t, reduction.Maximum[int64], math.MinInt64)
	known(t, reduction.Maximum[int8], math.MinInt8)
	known(t, reduction.Maximum[int16], math.MinInt16)
	known(t, reduction.Maximum[int32], math.MinInt32)
	known(t, reduction.Maximum[uint16], 0)
	known(t, reduction.Maximum[float32], float32(-inf))
}
