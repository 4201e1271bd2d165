//go:build gokkos_slow

package tensor_test

import (
	"testing"

	"github.com/gokkos/gokkos/builtin"
)

// The types that the compiler takes long for.
func TestAlphaBetaOfEveryType(t *testing.T) {
	checkScaled(t, []complex64{1 + 2i}, []complex64{1i}, builtin.Sum, 2, 3, 2+7i)
	checkScaled(t, []uint8{3}, []uint8{5}, builtin.Sum, -1, 1, 2)
	checkScaled(t, []uint16{3}, []uint16{500}, builtin.Sum, 1, 2, 1003)
}
