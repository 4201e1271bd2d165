package front_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Loops over neighbours are unrolled if their rounds are known. A loop is not unrolled if it sets its counter
// or never ends, or if unrolling would copy an inner loop.
func TestWrittenOut(t *testing.T) {
	for loop, want := range map[string]int{
		"for j := -1; j <= 1; j++ { s += x[i+j] }":                                                                  0,
		"for j := -1; j <= 1; j++ { if j == 0 { continue }; s += x[i+j] }":                                          0,
		"for j := -1; j <= 1; j++ { if s > 9 { break }; s += x[i+j] }":                                              1,
		"for j := range 3 { switch { case x[i+j] > 0: break; case x[i] > 0: continue; default: s++ } }":             0,
		"for j := -1; j <= 1; j++ { if s > 9 { return }; s += x[i+j] }":                                             1,
		"outer: for j := range 3 { if x[i+j] > 0 { continue outer } }":                                              1,
		"for j := range 3 { s += x[j] }":                                                                            1,
		"var a [3]float64; for j := range 3 { a[j] = x[j] }; s = a[2]":                                              0,
		"for j := 0; j < 17; j++ { s += x[i+j] }":                                                                   1,
		"for j := 0; j <= 16; j++ { s += x[i+j] }":                                                                  1,
		"for j := 3; j <= 2; j++ { s += x[i+j] }":                                                                   0,
		"for j := range 3 { s += x[i+j] }":                                                                          0,
		"for j := 0; j < 6; j++ { s += x[i+j]; (j)++ }":                                                             1,
		"for j := 0; j < 6; j++ { s += x[i+j]; (j) += 1 }":                                                          1,
		"for j := 0; j < 6; j++ { s += x[i+j]; for j = range 4 { s++ } }":                                           2,
		"for j := counter(0); j < 6; j++ { s += x[i+int(j)]; j.more() }":                                            1,
		"for j := math.MinInt; j < math.MaxInt; j++ { s += x[i+j] }":                                                1,
		"for j := math.MaxInt - 1; j <= math.MaxInt; j++ { s += x[i+j] }":                                           1,
		"for j := uint8(252); j <= 255; j++ { s += x[i+int(j)] }":                                                   1,
		"for j := uint8(252); j < 255; j++ { s += x[i+int(j)] }":                                                    0,
		"for j := int8(120); j <= 126; j++ { s += x[i+int(j)] }":                                                    0,
		"for j := 2.0; j <= 4; j++ { s += x[i+int(j)] }":                                                            1,
		"for j := -1; j <= 1; j++ { for k := -1; k <= 1; k++ { s += x[i+j+k] } }":                                   0,
		"for j := -1; j <= 1; j++ { for k := range 12 { s += x[i+j+k] } }":                                          1,
		"for j := -1; j <= 1; j++ { for k := 0; k < 3; k++ { for l := 0; l < 4; l++ { s += x[i+j+k+l] } } }":        1,
		"for j := -1; j <= 1; j++ { for k := 0; k < n; k++ { s += x[i+j+k] } }":                                     2,
		"for j := -1; j <= 1; j++ { for k := range x { s += x[i+j+k] } }":                                           2,
		"for j := -1; j <= 1; j++ { for k := 0; k < 3; k++ { if s > 1 { break }; s += x[i+j+k] } }":                 2,
		"for j := -1; j <= 1; j++ { s += few(x, i+j) }":                                                             0,
		"for j := -1; j <= 1; j++ { s += many(x, i+j, n) }":                                                         2,
		"for j := -1; j <= 1; j++ { s += through(x, i+j, n) }":                                                      2,
		"for j := -1; j <= 1; j++ { s += x[i+j] }; for j := -1; j <= 1; j++ { for k := range 9 { s -= x[i+j+k] } }": 0,
		"for j := range (policy.Span{Begin: 2, End: 5}).All() { s += x[i+j] }":                                      1, // not from 0 on
	} {
		kernels := load(t, `
type counter int

func (c *counter) more() { *c++ }

func few(x []float64, i int) (s float64) {
	for k := 0; k < 2; k++ { s += x[i+k] }
	return s
}

func many(x []float64, i, n int) (s float64) {
	for range n { s += x[i] }
	return s
}

func through(x []float64, i, n int) float64 { return many(x, i+1, n) }

var _, _ = math.Pi, policy.Span{}

//gokkos:kernel
func sum(n int, x, y []float64) func(i int) {
	return func(i int) {
		s := 0.0
		`+loop+`
		y[i] = s
	}
}
`, "math", "github.com/gokkos/gokkos/policy")
		require.Nil(t, kernels[0].Refused, loop)
		loops := 0
		kernels[0].IR.Body.Walk(func(v *ir.Value) {
			if v.Op == ir.Loop {
				loops++
			}
		})
		assert.Equal(t, want, loops, loop)
	}
}
