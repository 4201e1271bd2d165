//go:build gokkos_slow

package tensor_test

import (
	"testing"

	"github.com/gokkos/gokkos/exec"
)

// The types that the compiler takes long for.
func TestAlphaBetaOfEveryType(t *testing.T) {
	checkScaled(t, []complex64{1 + 2i}, []complex64{1i}, 2, 3, 2+7i)
	checkScaled(t, []uint8{3}, []uint8{5}, -1, 1, 2)
	checkScaled(t, []uint16{3}, []uint16{500}, 1, 2, 1003)
}

// Nothing has vector instructions for these, as for all types where there are none.
func TestLocatedColumnsOfBytes(t *testing.T) {
	checkLocatedColumns(t, exec.Serial{}, []uint8{0, 9, 200, 255})
}
