//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/standin"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
)

// smallParts lets cards have parts of views, and share work on them, that are too small for cards of their own.
func smallParts(t testing.TB) {
	part, shared := driver.LeastPart, driver.LeastShared
	driver.LeastPart, driver.LeastShared = 4<<20, 1<<20
	t.Cleanup(func() { driver.LeastPart, driver.LeastShared = part, shared })
}

// openTogether opens n devices as one space.
func openTogether(t testing.TB, n int) (*cuda.Space, *standin.Library) {
	lib := standin.Get(t)
	lib.Devices(int32(n))
	t.Setenv(driver.Variable, lib.Path)
	smallParts(t)
	s, err := cuda.Together()
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, s.Close())
		nothing(t, lib)
	})
	return s, lib
}

// large is so many elements that two to four cards have parts of 8 bytes each, with an end within a leaf.
const large = 2_500_003

// largeOn returns a view of large elements in the memory of a space.
func largeOn(t testing.TB, s *cuda.Space, f func(i int) float64) views.View1[float64] {
	x := make([]float64, large)
	for i := range x {
		x[i] = f(i)
	}
	return on(t, s, x...)
}

// Launches that are long are shared by all cards, with the bits of Serial.
func TestTogether(t *testing.T) {
	for n := 1; n <= 4; n++ {
		t.Run(fmt.Sprint(n, " cards"), func(t *testing.T) {
			s, lib := openTogether(t, n)
			x := largeOn(t, s, func(i int) float64 { return 1 / float64(i+1) })
			y := largeOn(t, s, func(i int) float64 { return float64(i % 1000) })
			p := policy.Range(0, large).On(s)
			h, g := make([]float64, large), make([]float64, large)
			for i := range h {
				h[i], g[i] = 1/float64(i+1), float64(i%1000)
			}
			for round := range 3 {
				before := lib.Launches()
				require.NoError(t, exec.ParallelFor(p, Axpy(3, x, y)))
				launches := lib.Launches() - before
				if round > 0 { // how long an item takes is known
					assert.GreaterOrEqual(t, int(launches), n)
				}
				for i := range g {
					g[i] += float64(3 * h[i])
				}
				var sum, want float64
				require.NoError(t, exec.ParallelReduce(p, Dot(x, y), builtin.Sum(&sum)))
				require.NoError(t, exec.ParallelReduce(policy.Range(0, large).On(exec.Serial{}), func(i int, acc *float64) { *acc += float64(h[i] * g[i]) }, builtin.Sum(&want)))
				assert.Equal(t, want, sum)
			}
			assert.Equal(t, g, back(t, y))
			short := on(t, s, numbers(10, 1)...)
			before := lib.Launches()
			require.NoError(t, exec.ParallelFor(policy.Range(0, 10).On(s), Axpy(3, short, short)))
			assert.Equal(t, before+1, lib.Launches(), "a short launch stays on a card")
		})
	}
}

// Copies and fills cross the borders between the parts of cards.
func TestTogetherCopies(t *testing.T) {
	s, _ := openTogether(t, 3)
	transfers(t, s, s)
	x := largeOn(t, s, func(i int) float64 { return float64(i) })
	y := views.Must(views.NewIn[[3]float64](s.Memory(), "y", []int{large / 2}))
	require.NoError(t, views.Fill(y, [3]float64{1, 2, 3}))
	bytes := views.Must(views.As1(views.NewIn[int8](s.Memory(), "bytes", []int{8 * large})))
	require.NoError(t, views.Fill(bytes, 7))
	h := views.Must(views.MirrorCopy(views.Host, bytes))
	for i := range 8 * large {
		require.Equal(t, int8(7), h.At(i))
	}
	part := func(v views.View1[float64]) views.View1[float64] {
		return views.Must(views.As1(v.Sub(views.Range(3, large-2))))
	}
	z := largeOn(t, s, func(int) float64 { return -1 })
	require.NoError(t, views.DeepCopy(part(z), part(x)))
	got := back(t, z)
	for i := range got {
		want := float64(i)
		if i < 3 || i >= large-2 {
			want = -1
		}
		require.Equal(t, want, got[i])
	}
	other := openOther(t, 1)
	w := views.Must(views.As1(views.NewIn[float64](other.Memory(), "w", []int{large})))
	require.NoError(t, views.DeepCopy(w, x))
	require.NoError(t, views.DeepCopy(z, w))
	assert.Equal(t, back(t, x), back(t, z))
}

// The item that is told of is the lowest of all cards.
func TestTogetherPanics(t *testing.T) {
	s, lib := openTogether(t, 2)
	x := largeOn(t, s, func(i int) float64 { return 1 })
	p := policy.Range(0, large).On(s)
	require.NoError(t, exec.ParallelFor(p, Axpy(1, x, x)))
	for _, length := range []int{5, large/2 + 100, large - 1} {
		y := views.Must(views.As1(x.Sub(views.Range(0, length))))
		func() {
			defer func() {
				e, ok := recover().(*exec.Panic)
				require.True(t, ok)
				assert.Equal(t, length, e.Begin)
			}()
			_ = exec.ParallelFor(p, Axpy(1, x, y))
		}()
	}
	sum := 7.0
	for _, call := range []string{"cuLaunchKernel", "cuStreamSynchronize"} {
		for number := int32(1); number <= 2; number++ {
			lib.Fail(call, number, 801)
			assert.ErrorContains(t, exec.ParallelReduce(p, Dot(x, x), builtin.Sum(&sum)), call)
			lib.Fail("", 0, 0)
			assert.Equal(t, 7.0, sum)
		}
	}
	require.NoError(t, exec.ParallelReduce(p, Dot(x, x), builtin.Sum(&sum)))
}

func TestTogetherErrors(t *testing.T) {
	lib := standin.Get(t)
	t.Setenv(driver.Variable, lib.Path)
	_, err := cuda.Together(0, 1, 0)
	assert.EqualError(t, err, "cuda: device 0 is given twice, expected devices that differ")
	_, err = cuda.Together(0, 2)
	assert.ErrorContains(t, err, "cuda: device 2, expected 0 to 1")
	lib.Fail("cuCtxEnablePeerAccess", 0, 217)
	_, err = cuda.Together()
	assert.EqualError(t, err, "cuda: device 0 cannot access the memory of device 1, as the devices of one space must: run a process on each as ranks, see package mpi")
	lib.Fail("", 0, 0)
	nothing(t, lib)

	for value, says := range map[string]string{"1,0": "devices 1, 0: Stand-in 1", "all": "devices 0, 1: Stand-in 0", "1": "device 1, Stand-in 1"} {
		s, err := space.Open("cuda", func(string) string { return value })
		require.NoError(t, err)
		assert.Equal(t, says, s.(fmt.Stringer).String())
		require.NoError(t, s.(*cuda.Space).Close())
	}

	smallParts(t)
	s, err := cuda.Together(1, 0)
	require.NoError(t, err)
	parts, err := s.Partition(2)
	require.NoError(t, err)
	x := largeOn(t, s, func(i int) float64 { return 1 })
	for range 2 {
		require.NoError(t, exec.ParallelFor(policy.Range(0, large).On(parts[1]), Axpy(1, x, x)))
	}
	assert.Equal(t, 4.0, back(t, x)[large-1])
	require.NoError(t, errors.Join(s.Close(), s.Close()))
	assert.ErrorIs(t, exec.ParallelFor(policy.Range(0, large).On(s), Axpy(1, x, x)), space.ErrClosed)
	nothing(t, lib)
}
