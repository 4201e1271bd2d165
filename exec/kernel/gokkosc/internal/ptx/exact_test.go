package ptx_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx/trial"
)

// exact are kernels whose items can be in range where more than they ask for is not.
const exact = `package made

//gokkos:kernel
func never(n, at int, x, y []float64) func(i int) {
	return func(i int) {
		for range n {
			y[i] += x[at]
		}
	}
}

//gokkos:kernel
func until(n int, x, y []float64) func(i int) {
	return func(i int) {
		for j := 0; j < n; j++ {
			if x[j] < 0 {
				break
			}
			y[i] += x[j]
		}
	}
}

//gokkos:kernel
func above(n int, x, y []float64) func(i int) {
	return func(i int) {
		for j := 0; j < n; j++ {
			if j > 1 && i > 2 {
				y[i] += x[j]
			}
		}
	}
}
`

// No item stops that the closure would run: nothing could run it on a device.
func TestExact(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	file := filepath.Join(root, "ptx", "made", "made.go")
	packages, err := front.Load(front.Config{Dir: root, Overlay: map[string][]byte{file: []byte(exact)}}, "./ptx/made")
	require.NoError(t, err)
	x := []float64{1, 2, 4, -1}
	params := [][]any{
		{0, 99, x}, // no round
		{99, x},    // the fourth is the last
		{99, x},    // items from 3 on would stop
	}
	for n, k := range packages[0].Kernels {
		tried, err := trial.New(k.IR, nil)
		require.NoError(t, err)
		stopped, err := tried.Check(func() []any { return append(params[n][:len(params[n]):len(params[n])], make([]float64, 3)) }, trial.Case{Items: 3, Blocks: 1, Threads: 32})
		require.NoError(t, err, k.Func)
		assert.False(t, stopped, k.Func)
	}
}
