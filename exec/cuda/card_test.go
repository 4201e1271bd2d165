//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/internal/conformance"
	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/exectest"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// card returns a space on the first device of the machine, or skips the test.
func card(t testing.TB) *cuda.Space {
	if os.Getenv(driver.Variable) == "" {
		t.Setenv(driver.Variable, "") // the system's, whatever tests before have loaded
	}
	s, err := cuda.Open(0)
	if err != nil {
		t.Skip("no card: ", err)
	}
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

func TestCard(t *testing.T) {
	s := card(t)
	t.Log(s)
	t.Run("launches", func(t *testing.T) { suite(t, s) })
	t.Run("faults", func(t *testing.T) { faults(t, s) })
	t.Run("transfers", func(t *testing.T) { transfers(t, s) })
	t.Run("pieces", func(t *testing.T) { pieces(t, s) })
	t.Run("space", func(t *testing.T) { exectest.TestSpace(t, hosted{s}) })
	t.Run("units", func(t *testing.T) { conformance.Copies(t, s) })
	t.Run("kernels", func(t *testing.T) { conformance.Kernels(t, s, append(conformance.Sizes, 3_000_017)...) })
	t.Run("figures", func(t *testing.T) { conformance.Figures(t, s, 100_000_000) })
	t.Run("speed", func(t *testing.T) { speed(t, s) })
	t.Run("large", func(t *testing.T) {
		_, err := views.NewIn[float64](s.Memory(), "large", []int{1 << 38})
		assert.ErrorContains(t, err, "are left on device 0")
	})
}

// A device that a kernel leaves unusable is an error of all calls, and opens again in no process but another.
func TestCardIsLost(t *testing.T) {
	if os.Getenv("GOKKOS_LOSE") == "" {
		t.Skip("GOKKOS_LOSE=1 loses the device for this process")
	}
	s := card(t)
	u := on(t, s, 1, 2, 3)
	err := exec.ParallelFor(policy.Range(0, 3).On(s), Wild(u))
	t.Log(err)
	require.ErrorIs(t, err, cuda.ErrLost)
	assert.ErrorIs(t, views.Fill(u, 1), cuda.ErrLost)
	assert.NoError(t, views.Free(u))
	_, err = cuda.Open(0)
	t.Log("opened again: ", err)
}

// speed prints how long launches and copies take, and asks for bits only.
func speed(t *testing.T, s *cuda.Space) {
	n := 10_000_000
	if testing.Short() {
		n = 100_000
	}
	best := func(f func() error) time.Duration {
		least := time.Hour
		for range 20 {
			begin := time.Now()
			require.NoError(t, f())
			least = min(least, time.Since(begin))
		}
		return least
	}
	x := numbers(n, 1)
	h := views.Must(views.Of1("h", x, n))
	u, v := views.Must(views.MirrorCopy(s.Memory(), h)), views.Must(views.MirrorCopy(s.Memory(), h))
	w := views.Must(views.As1(views.NewIn[float64](s.Memory(), "w", []int{n})))
	rate := func(what string, bytes int, f func() error) {
		took := best(f)
		t.Logf("%-32s %10v %8.1f GB/s", what, took, float64(bytes)/took.Seconds()/1e9)
	}
	var sum, want float64
	empty := on(t, s, 1)
	rate("launch and wait, one item", 8, func() error { return exec.ParallelFor(policy.Range(0, 1).On(s), Axpy(0, empty, empty)) })
	rate("axpy", 24*n, func() error { return exec.ParallelFor(policy.Range(0, n).On(s), Axpy(0, u, v)) })
	rate("dot", 16*n, func() error { return exec.ParallelReduce(policy.Range(0, n).On(s), Dot(u, v), builtin.Sum(&sum)) })
	rate("DeepCopy on the device", 16*n, func() error { return views.DeepCopy(w, u) })
	rate("DeepCopy host to device", 8*n, func() error { return views.DeepCopy(u, h) })
	rate("DeepCopy device to host", 8*n, func() error { return views.DeepCopy(h, u) })
	rate("Fill", 8*n, func() error { return views.Fill(w, 1) })
	m := n / 1000
	a := views.Must(views.NewIn[float64](s.Memory(), "a", []int{1000, m}))
	b := views.Must(views.NewIn[float64](s.Memory(), "b", []int{1000, m}, views.Left))
	rate("DeepCopy on the device, transposed", 16*1000*m, func() error { return views.DeepCopy(b, a) })
	require.NoError(t, exec.ParallelReduce(policy.Range(0, n).On(exec.Serial{}), func(i int, acc *float64) { *acc += float64(x[i] * x[i]) }, builtin.Sum(&want)))
	assert.Equal(t, want, sum)
}
