//go:build gokkos_programs && linux && (amd64 || arm64)

package programs

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/heat/plate"
	"github.com/gokkos/gokkos/examples/normalize/norm"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda/endtoend/internal/executor"
)

// A plate and a block have the heat, the changes and the hash that heat prints for the other spaces.
func TestHeat(t *testing.T) {
	type body interface {
		Step() error
		Report() (heat, change float64, err error)
		Temperatures() ([]float64, error)
	}
	on := new(executor.Executor).Open(t)
	sheet, err := plate.NewSheet(on, 61, 47)
	require.NoError(t, err)
	block, err := plate.NewBlock(on, 9, 8, 11)
	require.NoError(t, err)
	for _, c := range []struct {
		what  body
		steps int
		want  string
	}{
		{sheet, 60, "heat 0x1.89df8cd007f5ep+14, change 0x1.9d17ab6f91p-02 89813414a1c93f1321247c6a52a92acef8000883fa65d20261605c1e5da5048a"},
		{block, 20, "heat 0x1.52f7ad5e3f971p+13, change 0x1.75f74d8c77fp-01 5f793a709c98995f1852316972dd9a312d69e7775a46a7bab48d7c14aa5e0350"},
	} {
		for range c.steps {
			require.NoError(t, c.what.Step())
		}
		heat, change, err := c.what.Report()
		require.NoError(t, err)
		all, err := c.what.Temperatures()
		require.NoError(t, err)
		h := sha256.New()
		require.NoError(t, binary.Write(h, binary.LittleEndian, all))
		assert.Equal(t, c.want, fmt.Sprintf("heat %x, change %x %x", heat, change, h.Sum(nil)))
	}
}

// Tensors that are normalized have the bits of Serial.
func TestNormalize(t *testing.T) {
	on := new(executor.Executor).Open(t)
	for _, lengths := range [][4]int{{8, 7, 7, 16}, {3, 20, 20, 5}, {1, 1, 1, 1}} {
		want, err := norm.Run(io.Discard, exec.Serial{}, lengths)
		require.NoError(t, err)
		got, err := norm.Run(io.Discard, on, lengths)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}
