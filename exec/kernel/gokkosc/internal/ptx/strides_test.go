//go:build !386 && !arm && !mips && !mipsle

package ptx_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx/trial"
)

// Threads that go on to other items of long ones stop behind the last item, wherever the items are, and report the lowest
// that stops.
func TestStrides(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	file := filepath.Join(root, "ptx", "made", "made.go")
	source := `package made

//gokkos:kernel
func long(base, last int, x, y []float64) func(i int) {
	return func(i int) {
		s := x[i-base]
		` + strings.Repeat("s = s/2 + 1/s\n", 40) + `
		if i == last { s += x[i-base+1000] }
		y[i-base] = s
	}
}
`
	packages, err := front.Load(front.Config{Dir: root, Overlay: map[string][]byte{file: []byte(source)}}, "./ptx/made")
	require.NoError(t, err)
	k := packages[0].Kernels[0]
	tried, err := trial.New(k.IR, nil)
	require.NoError(t, err)
	require.True(t, tried.Code.Strides)
	const threads = 64
	for _, items := range []int{1, 63, 64, 65, 200, 641} {
		for _, begin := range []int{0, -300, math.MaxInt - items, math.MaxInt - items - 40, math.MinInt} {
			for _, last := range []int{-1, items / 2, items - 1} {
				params := func() []any {
					x := make([]float64, items)
					for i := range x {
						x[i] = float64(i + 1)
					}
					return []any{begin, begin + last, x, make([]float64, items)}
				}
				stopped, err := tried.Check(params, trial.Case{Begin: begin, Items: items, Blocks: 1, Threads: threads, Seed: uint64(items)})
				require.NoError(t, err, "%d items from %d on", items, begin)
				assert.Equal(t, last >= 0, stopped)
			}
		}
	}
}
