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

// counted are kernels with loops that count, over indices at some distance.
const counted = `package made

//gokkos:kernel
func near(from, to, at int, x, y, z []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for j := from; j < to; j++ {
			s += float64(x[j]*x[at]) - y[j+at] + y[i]
		}
		z[i] = s
	}
}

//gokkos:kernel
func below(from, to, at int, x, y, z []float64) func(i int) {
	return func(i int) {
		s, n := 0.0, 0
		for j := from; j < to; j++ {
			if s > 20 {
				s -= y[n]
			}
			s += x[j-at] + x[at+j]
			n++
		}
		z[i] = s + float64(n)
	}
}

//gokkos:kernel
func shorter(from, to, at int, x, y, z []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for j := from; j < to; j++ {
			s += y[j]
			part := x[:7-j]
			s += part[at]
		}
		z[i] = s
	}
}

//gokkos:kernel
func twice(from, to, at int, x, y, z []float64) func(i int) {
	return func(i int) {
		s := 0.0
		for k := 0; k < 2; k++ {
			for j := from; j < to; j++ {
				s += float64(x[j] * y[at])
			}
			for j := range at {
				s -= y[j+k]
			}
		}
		z[i] = s
	}
}
`

// Loops whose rounds are all in range run without checks. If some rounds are not, items stop at the same
// checks as before.
func TestSure(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	file := filepath.Join(root, "ptx", "made", "made.go")
	packages, err := front.Load(front.Config{Dir: root, Overlay: map[string][]byte{file: []byte(counted)}}, "./ptx/made")
	require.NoError(t, err)
	stopped := map[bool]int{}
	for _, k := range packages[0].Kernels {
		require.NotNil(t, k.IR, "%v", k)
		tried, err := trial.New(k.IR, nil)
		require.NoError(t, err)
		assert.Equal(t, map[string]int{"near": 2, "below": 2, "shorter": 2, "twice": 5}[k.Func], strings.Count(tried.Code.Text, "$endloop")/2, "%s", k.Func)
		for _, from := range []int{0, 1, -1, 3, math.MinInt} {
			for _, to := range []int{0, 1, 5, 8, 9, -3} {
				for _, at := range []int{0, 1, -1, 2, 4, 8, math.MaxInt, math.MinInt, math.MinInt + 3} {
					if at == math.MaxInt && k.Func == "twice" || from == math.MinInt && to >= 0 && k.Func != "near" {
						continue // does not end
					}
					params := func() []any {
						x, y := make([]float64, 8), make([]float64, 10)
						for i := range y {
							x[i%8], y[i] = float64(i*7%5)-1, float64(i*5%7)-1
						}
						return []any{from, to, at, x, y, make([]float64, 4)}
					}
					is, err := tried.Check(params, trial.Case{Items: 4, Blocks: 1, Threads: 32})
					require.NoError(t, err, "%s, %d to %d, %d away", k.Func, from, to, at)
					stopped[is]++
				}
			}
		}
	}
	assert.Greater(t, stopped[true], 50)
	assert.Greater(t, stopped[false], 50)
}
