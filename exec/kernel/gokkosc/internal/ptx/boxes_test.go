//go:build !386 && !arm && !mips && !mipsle

package ptx_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx/trial"
	"github.com/gokkos/gokkos/exec/space/device"
)

// boxed are kernels over points whose places depend on the point in other ways than a sum of coordinates.
const boxed = `package made

import "github.com/gokkos/gokkos/policy"

var table = [8]float64{1, 2, 4, 8, 16, 32, 64, 128}

//gokkos:kernel
func looked(n int, x, y []float64, at []int) func(p policy.Index2) {
	return func(p policy.Index2) { y[p.I*n+p.J] = table[at[p.I*n+p.J]&7] }
}

//gokkos:kernel
func squares(n int, x, y []float64, at []int) func(p policy.Index2) {
	return func(p policy.Index2) { y[p.I*n+p.J] = table[(p.J*p.J+p.I)&7] + x[p.I*n+p.J] }
}

//gokkos:kernel
func gathered(n int, x, y []float64, at []int) func(p policy.Index2) {
	return func(p policy.Index2) { y[p.I*n+p.J] = x[at[p.I*n+p.J]] - x[n+p.J] }
}

//gokkos:kernel
func apart(n int, x, y []float64, at []int) func(p policy.Index2) {
	return func(p policy.Index2) { y[p.I*n+p.J] = x[p.J] + x[(p.J+3)*2-6] - x[p.J*2+p.I] }
}

//gokkos:kernel
func before(n int, x, y []float64, at []int) func(p policy.Index2) {
	return func(p policy.Index2) { y[p.I*n+p.J] = x[p.I*n+p.J-1] - x[p.I*n+p.J-2] }
}

//gokkos:kernel
func behind(n int, x, y []float64, at []int) func(p policy.Index2) {
	return func(p policy.Index2) { y[p.I*n+p.J] = x[p.I*n+p.J+1] - x[p.I*n+p.J+3] }
}

//gokkos:kernel
func moved(n int, x, y []float64, at []int) func(p policy.Index2) {
	return func(p policy.Index2) { y[p.I*n+p.J] = x[p.J] - x[p.J+2*n] + x[n+p.J] }
}

//gokkos:kernel
func turned(n int, x, y []float64, at []int) func(p policy.Index2) {
	return func(p policy.Index2) { y[p.I*n+p.J] = x[n-p.J] - x[n-p.J-1] + x[(p.I-1)*n+p.J] }
}

//gokkos:kernel
func branch(n int, x, y []float64, at []int) func(p policy.Index2) {
	return func(p policy.Index2) {
		k := at[p.I*n+p.J] & 15
		if k < 8 {
			y[p.I*n+p.J] = table[k&7] + x[p.J]
		} else {
			y[p.I*n+p.J] = x[p.J] - table[k&3]
		}
	}
}
`

// Points of a box of one tile have the bits of the interpreter. A thread runs several of them, and all are in
// range, or some are not.
func TestBoxes(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	file := filepath.Join(root, "ptx", "made", "made.go")
	packages, err := front.Load(front.Config{Dir: root, Overlay: map[string][]byte{file: []byte(boxed)}}, "./ptx/made")
	require.NoError(t, err)
	stopped := map[bool]int{}
	for _, k := range packages[0].Kernels {
		require.NotNil(t, k.IR, "%v", k)
		tried, err := trial.New(pass.Right(k.IR), nil)
		require.NoError(t, err)
		require.NotEmpty(t, tried.Code.Plain, "%s", k.Func)
		for _, n := range []int{3, 65, 128, 161, 385} {
			for _, length := range []int{11 * n, 10 * n, n, 600} {
				r := rand.New(rand.NewPCG(uint64(n), uint64(length)))
				params := func() []any {
					x, at := make([]float64, length), make([]int, 11*n)
					for i := range x {
						x[i] = 1 / float64(i+1)
					}
					for i := range at {
						at[i] = r.IntN(n)
					}
					return []any{n, x, make([]float64, 11*n), at}
				}
				p := params()
				params = func() []any { p[2] = make([]float64, 11*n); return append([]any(nil), p...) }
				for _, part := range [][2]int{{0, 11 * n}, {n / 2, 9*n + 1}} {
					b := device.Box{Lower: []int{0, 0}, Extent: []int{11, n}, Tile: []int{11, n}}
					is, err := tried.CheckBox(params, b, trial.Case{First: part[0], Items: part[1], Threads: 64, Seed: uint64(n)})
					require.NoError(t, err, "%s, %d elements, rows of %d", k.Func, length, n)
					stopped[is]++
				}
			}
		}
	}
	assert.Greater(t, stopped[false], 20)
	assert.Greater(t, stopped[true], 20)
}
