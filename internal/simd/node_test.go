package simd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/kind"
	"github.com/gokkos/gokkos/internal/simd"
)

// joinNode is what the rule makes of the lanes of leaves.
func joinNode[T any](join func(x, y T) T, all []T, lanes int) T {
	var leaves []T
	for ; len(all) > 0; all = all[lanes:] {
		leaf := append([]T(nil), all[:lanes]...)
		for h := lanes / 2; h > 0; h /= 2 {
			for l := range h {
				leaf[l] = join(leaf[l], leaf[l+h])
			}
		}
		leaves = append(leaves, leaf[0])
	}
	for width := 1; width < len(leaves); width *= 2 {
		for k := 0; k+width < len(leaves); k += 2 * width {
			leaves[k] = join(leaves[k], leaves[k+width])
		}
	}
	return leaves[0]
}

func checkNodes[T kind.Number](t *testing.T, op simd.Op, join func(x, y T) T, value func(r *rand.Rand) T) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(op)))
	took := 0
	for lanes := 1; lanes <= simd.Lanes; lanes *= 2 {
		for leaves := 1; leaves <= 40; leaves++ {
			all := make([]T, lanes*leaves)
			for k := range all {
				all[k] = value(r)
			}
			before := append([]T(nil), all...)
			if simd.JoinNode(op, all, lanes) {
				took++
				want := joinNode(join, before, lanes)
				require.Equal(t, fmt.Sprintf("%x", want), fmt.Sprintf("%x", all[0]), "%v: %d leaves of %d lanes", op, leaves, lanes)
			} else {
				require.Equal(t, fmt.Sprintf("%x", before), fmt.Sprintf("%x", all), "%v: %d leaves of %d lanes", op, leaves, lanes)
			}
		}
	}
	if simd.InUse() >= simd.AVX2 {
		assert.Greater(t, took, 40, "%v of %T", op, *new(T))
	}
}

func TestJoinNode(t *testing.T) {
	number := func(r *rand.Rand) float64 {
		if r.IntN(50) == 0 {
			return []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN()}[r.IntN(4)]
		}
		return math.Ldexp(r.NormFloat64(), r.IntN(60))
	}
	checkNodes(t, simd.Sum, func(x, y float64) float64 { return x + y }, number)
	checkNodes(t, simd.Sum, func(x, y float32) float32 { return x + y }, func(r *rand.Rand) float32 { return float32(number(r)) })
	checkNodes(t, simd.Min, func(x, y float64) float64 { return min(x, y) }, number)
	checkNodes(t, simd.Max, func(x, y float32) float32 { return max(x, y) }, func(r *rand.Rand) float32 { return float32(number(r)) })
	checkNodes(t, simd.Min, func(x, y uint64) uint64 { return min(x, y) }, func(r *rand.Rand) uint64 { return r.Uint64() })
	checkNodes(t, simd.Sum, func(x, y int) int { return x + y }, func(r *rand.Rand) int { return int(r.Uint64()) })
	checkNodes(t, simd.Xor, func(x, y uint32) uint32 { return x ^ y }, func(r *rand.Rand) uint32 { return r.Uint32() })
	checkNodes(t, simd.And, func(x, y int32) int32 { return x & y }, func(r *rand.Rand) int32 { return int32(r.Uint32()) })
}
