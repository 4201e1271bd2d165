package conformance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/internal/kernels"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// Figures prints how long kernels that gokkosc has compiled take over n items, the best of 20.
func Figures(t *testing.T, s *cuda.Space, n int) {
	in := func() views.View1[float64] {
		v := views.Must(views.As1(views.NewIn[float64](s.Memory(), "v", []int{n})))
		require.NoError(t, views.Fill(v, 1.5))
		return v
	}
	x, y, z := in(), in(), in()
	f := views.Must(views.As1(views.NewIn[float32](s.Memory(), "f", []int{n})))
	counts := views.Must(views.As1(views.NewIn[int32](s.Memory(), "counts", []int{n})))
	var sum, least, most float64
	var small float32
	var hits int64
	p := policy.Range(0, n).On(s)
	for _, c := range []struct {
		what  string
		bytes int
		f     func() error
	}{
		{"triad", 24, func() error { return exec.ParallelFor(p, kernels.Triad(3, x, y, z)) }},
		{"DeepCopy", 16, func() error { return views.DeepCopy(z, x) }},
		{"dot", 16, func() error { return exec.ParallelReduce(p, kernels.Dot(x, y), builtin.Sum(&sum)) }},
		{"sum32", 4, func() error { return exec.ParallelReduce(p, kernels.Sum32(f), builtin.Sum(&small)) }},
		{"extremes", 8, func() error {
			return exec.ParallelReduce3(p, kernels.Extremes(x), builtin.Min(&least), builtin.Max(&most), builtin.Sum(&sum))
		}},
		{"option", 32, func() error { return exec.ParallelFor(p, kernels.Option(x, y, x, .02, .3, z)) }},
		{"inside", 0, func() error { return exec.ParallelReduce(p, kernels.Inside(5), builtin.Sum(&hits)) }},
		{"mandel", 4, func() error { return exec.ParallelFor(p, kernels.Mandel(-2, 3/float64(n), .1, 200, counts)) }},
	} {
		best := time.Hour
		for range 20 {
			begin := time.Now()
			require.NoError(t, c.f(), c.what)
			best = min(best, time.Since(begin))
		}
		t.Logf("%-10s %10.3f ms %8.1f GB/s %8.2f Gitems/s", c.what, best.Seconds()*1e3, float64(c.bytes*n)/best.Seconds()/1e9, float64(n)/best.Seconds()/1e9)
	}
}
