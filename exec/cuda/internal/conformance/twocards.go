//go:build linux && (amd64 || arm64)

package conformance

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// TwoCards prints how long copies of n elements from one card to another take, the best of 10 each, and compares what
// comes back.
func TwoCards(t *testing.T, from, to Space, n int) {
	rows := 1 << 10
	n = max(n/rows, 2) &^ 1 * rows
	in := func(s Space, l views.Layout) views.View[float64] {
		return views.Must(views.NewIn[float64](s.Memory(), "v", []int{rows, n / rows}, l))
	}
	h := views.Must(views.New[float64]("h", []int{rows, n / rows}))
	require.NoError(t, views.FillFunc(h, func(s policy.Span, x []float64) {
		for k := range x {
			x[k] = float64(s.Begin + k)
		}
	}, policy.On(exec.Serial{})))
	x, right, left := in(from, views.Right), in(to, views.Right), in(to, views.Left)
	require.NoError(t, views.DeepCopy(x, h))
	half := func(v views.View[float64]) views.View[float64] {
		return views.Must(v.Sub(views.All(), views.Range(0, n/rows).By(2)))
	}
	fmt.Fprintf(os.Stdout, "\n%v to %v, %d bytes\n\n| what | ms | GB/s |\n|---|---|---|\n", from, to, 8*n)
	back := views.Must(views.New[float64]("back", []int{rows, n / rows}))
	for _, c := range []struct {
		what     string
		dst, src views.View[float64]
	}{{"elements that lie together", right, x}, {"every other element", half(right), half(x)}, {"transposed", left, x}} {
		require.NoError(t, views.Fill(c.dst, -1))
		best := time.Hour
		for range 10 {
			begin := time.Now()
			require.NoError(t, views.DeepCopy(c.dst, c.src), c.what)
			best = min(best, time.Since(begin))
		}
		bytes := 8 * c.dst.Len()
		fmt.Fprintf(os.Stdout, "| %s | %.4f | %.0f |\n", c.what, best.Seconds()*1e3, float64(bytes)/best.Seconds()/1e9)
		whole := right
		if c.what == "transposed" {
			whole = left
		}
		require.NoError(t, views.DeepCopy(back, whole))
		want, _ := h.Slice()
		got, _ := back.Slice()
		assert.Equal(t, want, got, c.what)
	}
}
