package pass_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// Operations with constants mean the same as before the passes, for integers at the ends of their ranges.
func TestMeaning(t *testing.T) {
	var body []string
	exprs := []string{
		"% 1", "/ 1", "* 1", "* 0", "+ 0", "- 0", "| 0", "& 0", "^ 0", "% 3", "/ -1", "% -1", "- 7", "+ 7 - 7",
		">> 0", ">> 31", ">> 32", ">> 63", ">> 64", ">> 70", "<< 0", "<< 31", "<< 32", "<< 64", "<< 70",
	}
	for n, e := range exprs {
		body = append(body, fmt.Sprintf("y[%d*i+%d] = x[i] %s", len(exprs), n, e), fmt.Sprintf("v[%d*i+%d] = u[i] %s", len(exprs), n, strings.NewReplacer("/ -1", "/ 9", "% -1", "% 9").Replace(e)))
	}
	x := []int32{0, 1, -1, 5, -5, math.MinInt32, math.MaxInt32}
	u := []uint64{0, 1, 1 << 63, math.MaxUint64, 1<<63 - 1, 12345, 1 << 31}
	k := lower(t, "x []int32, u []uint64, y []int32, v []uint64", "func(i int) { "+strings.Join(body, "; ")+" }")
	out := func() (y []int32, v []uint64) {
		y, v = make([]int32, len(x)*len(exprs)), make([]uint64, len(x)*len(exprs))
		args, err := interp.Bind(k, x, u, y, v)
		require.NoError(t, err)
		require.Equal(t, len(x), interp.Span(k, args, 0, len(x), 0, nil))
		return y, v
	}
	y, v := out()
	pass.Run(k, pass.All)
	after, afterV := out()
	assert.Equal(t, y, after)
	assert.Equal(t, v, afterV)
	assert.Equal(t, int32(-1), y[2*len(exprs)+19], "a shift by all bits keeps the sign")
}

// Indices that count down stop the item if one of them is out of range, and only then.
func TestDownwardIndices(t *testing.T) {
	for functor, stops := range map[string]func(n int) bool{
		"func(i int) { for j := range 3 { y[j] = x[n-j] } }":           func(n int) bool { return n < 2 || n > 5 },
		"func(i int) { for j := range 3 { y[j] = x[n-2*j+1] } }":       func(n int) bool { return n < 3 || n > 4 },
		"func(i int) { for j := range 3 { y[j] = x[2*n-(j+n)] } }":     func(n int) bool { return n < 2 || n > 5 },
		"func(i int) { for j := 1; j < 3; j++ { y[j] = x[2*j-n+i] } }": func(n int) bool { return n > 2 || n < -1 },
	} {
		for n := -3; n < 9; n++ {
			k := lower(t, "n int, x, y []float64", functor)
			pass.Run(k, pass.All)
			args, err := interp.Bind(k, n, make([]float64, 6), make([]float64, 6))
			require.NoError(t, err)
			assert.Equal(t, !stops(n), interp.Span(k, args, 0, 1, 0, nil) == 1, "%s with n = %d", functor, n)
		}
	}
}
