package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/reducertest"
)

func TestGolden(t *testing.T) {
	var out strings.Builder
	require.NoError(t, spaces.Choice{Name: "all", Workers: 3}.Run(&out, func(w io.Writer, on exec.Space) ([]any, error) {
		return run(w, on, 0)
	}))
	assert.Equal(t, ` 1 launches: [21065.83311087905]
 2 errors: [7 10]
 3 views: [1.6048043626068433]
 4 ranges that own their loop: [1.6048043626068433]
 5 boxes: [206.9609865091635]
 6 layouts: [1 1 96 1]
 7 memory spaces: [2 0.005063291139240506]
 8 subviews: [96 50 32.372806370205076]
 9 teams: [1.6048043626068431]
10 nested loops: [1.6048043626068431]
11 scratch memory: [0.29761904761904756 0.007753802103337195 8.275846980453572]
12 several reducers: [54.55362868265326 4.215470424381899 8497 10082.429757884722 -3.8345506602082198]
13 a reducer of one's own: [{-3.8345506602082198 4.215470424381899}]
14 scans: [55 3.8655456498102443 3.0269815948117276]
15 atomics and scatters: [[13 220 1347 3365 3440 1387 219 9] -1525.0903474538738 30.022318636297925]
bits: identical, 7b5098825e0acd09 on serial, goroutines, simgpu
`, out.String())
}

// The lessons depend on no schedule of a device.
func TestSchedules(t *testing.T) {
	for _, l := range lessons {
		t.Run(l.name, func(t *testing.T) {
			exectest.TestKernel(t, func(on exec.Space) any {
				results, err := l.run(on)
				require.NoError(t, err)
				return results
			})
		})
	}
}

// yᵀAx is that of two plain loops.
func TestProduct(t *testing.T) {
	a, x, y, err := problem()
	require.NoError(t, err)
	want := 0.0
	for i := range n {
		for j := range m {
			want += y.At(i) * a.At(i, j) * x.At(j)
		}
	}
	for _, f := range []func(exec.Space) ([]any, error){overViews, overSpans, teams, nested} {
		results, err := f(exec.Serial{})
		require.NoError(t, err)
		assert.InEpsilon(t, want, results[0], 1e-13)
	}
}

func TestKept(t *testing.T) {
	x, want := numbers(10_000), []float64(nil)
	for _, v := range x {
		if v >= 2.5 {
			want = append(want, v)
		}
	}
	results, err := scans(exec.Serial{})
	require.NoError(t, err)
	assert.Equal(t, []any{len(want), want[0], want[len(want)-1]}, results)
}

func TestOwnReducer(t *testing.T) {
	var b box
	reducertest.Check(t, around{reducers.Into(&b)}, []box{{0, 0}, {-1, 2}, {3, 4}, {-5, -5}})
}

func TestOneLesson(t *testing.T) {
	var out strings.Builder
	_, err := run(&out, exec.Serial{}, 2)
	require.NoError(t, err)
	assert.Equal(t, " 2 errors: [7 10]\n", out.String())
	for _, only := range []int{-1, 16} {
		_, err := run(&out, exec.Serial{}, only)
		assert.ErrorContains(t, err, "expected 0 to 15")
	}
}
