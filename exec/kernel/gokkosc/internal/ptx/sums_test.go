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

// around are kernels whose indices differ by values that are the same for all items.
const around = `package made

//gokkos:kernel
func star(s int, x, y []float64) func(i int) {
	return func(i int) { y[i] = x[i-1] + x[i+1] - x[i-s]/3 + x[i+s]/5 - x[i] }
}

//gokkos:kernel
func steps(s, n int, x, y []float64) func(i int) {
	return func(i int) { y[i] = x[2*i+1] - x[(i-1)*2] + x[(i+1)*s-1]/3 + x[i*s]/5 - x[n-i] }
}

//gokkos:kernel
func loop(s, n int, x, y []float64) func(i int) {
	return func(i int) {
		for j := 0; j < n; j++ {
			if x[i+j] > 0 {
				y[i+s] += x[i+j+1] - x[i+j*s]
			} else {
				y[i] += x[i+j-1]
			}
		}
	}
}
`

// Items whose indices are out of range stop, and no others, wherever the least and the greatest of their indices lie.
func TestSums(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	file := filepath.Join(root, "ptx", "made", "made.go")
	packages, err := front.Load(front.Config{Dir: root, Overlay: map[string][]byte{file: []byte(around)}}, "./ptx/made")
	require.NoError(t, err)
	stopped := map[bool]int{}
	for _, k := range packages[0].Kernels {
		require.NotNil(t, k.IR, "%v", k)
		tried, err := trial.New(k.IR, nil)
		require.NoError(t, err)
		if k.Func == "star" {
			assert.Equal(t, 4, strings.Count(tried.Code.Text, "min.s64"), "one condition on x for five indices")
		}
		for _, s := range []int{0, 1, -1, 2, -3, 7, 1 << 61, 1 << 62, math.MaxInt, math.MinInt, math.MinInt + 1} {
			for _, size := range []int{0, 1, 2, 5, 12, 40} {
				for _, begin := range []int{-2, 0, 1, 3, 7} {
					params := func() []any {
						x := make([]float64, size)
						for i := range x {
							x[i] = float64(i*7%5) - 1
						}
						p := []any{s}
						if k.Func != "star" {
							p = append(p, 4)
						}
						return append(p, x, make([]float64, 20))
					}
					is, err := tried.Check(params, trial.Case{Begin: begin, Items: 5, Blocks: 1, Threads: 32})
					require.NoError(t, err, "%s, s is %d, %d elements, from %d on", k.Func, s, size, begin)
					stopped[is]++
				}
			}
		}
	}
	assert.Greater(t, stopped[false], 20)
	assert.Greater(t, stopped[true], 100)
}
