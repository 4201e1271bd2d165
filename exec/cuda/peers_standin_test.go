//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/views"
)

// openOther opens a device beside the one of open.
func openOther(t testing.TB, number int) *cuda.Space {
	s, err := cuda.Open(number)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// Copies between two cards, and between two spaces on one card, do not go through the host.
func TestPeers(t *testing.T) {
	for _, c := range []struct{ number, enabled int }{{1, 1}, {0, 0}} {
		t.Run(fmt.Sprint("0 and ", c.number), func(t *testing.T) {
			s, lib := open(t)
			other := openOther(t, c.number)
			transfers(t, s, other)
			assert.Equal(t, c.enabled, min(int(lib.Calls("cuCtxEnablePeerAccess")), 1))
			x, y := on(t, s, numbers(1000, 1)...), on(t, other, numbers(1000, 2)...)
			lib.Fail("cuMemcpyDtoHAsync_v2", 0, 801) // and ToDevice, which on has called
			require.NoError(t, views.DeepCopy(y, x))
			lib.Fail("", 0, 0)
			assert.Equal(t, numbers(1000, 1), back(t, y))
		})
	}
}

// Cards without a link between them copy runs by the driver, and all else through the host.
func TestPeersWithoutALink(t *testing.T) {
	for _, code := range []int32{101, 217, 711} {
		t.Run(fmt.Sprint("code ", code), func(t *testing.T) { withoutALink(t, code) })
	}
}

func withoutALink(t *testing.T, code int32) {
	s, lib := open(t)
	other := openOther(t, 1)
	lib.Fail("cuCtxEnablePeerAccess", 0, code)
	transfers(t, s, other)
	lib.Fail("cuCtxEnablePeerAccess", 0, code)
	x := views.Must(views.NewIn[float64](s.Memory(), "x", []int{30, 40}))
	left := views.Must(views.NewIn[float64](other.Memory(), "left", []int{30, 40}, views.Left))
	right := views.Must(views.NewIn[float64](other.Memory(), "right", []int{30, 40}))
	require.NoError(t, views.DeepCopy(right, x))
	assert.Equal(t, []int32{1, 0}, []int32{lib.Calls("cuMemcpyPeerAsync"), lib.Calls("cuMemcpyDtoHAsync_v2")}, "by the driver")
	require.NoError(t, views.DeepCopy(left, x))
	assert.Equal(t, []int32{1, 1}, []int32{lib.Calls("cuMemcpyPeerAsync"), lib.Calls("cuMemcpyDtoHAsync_v2")}, "through the host")
	lib.Fail("", 0, 0)
}

// A copy between cards that fails is an error of DeepCopy, which does not begin anew through the host.
func TestPeersFail(t *testing.T) {
	s, lib := open(t)
	x := on(t, s, 1, 2, 3)
	other, err := cuda.Open(1)
	require.NoError(t, err)
	y := on(t, other, 4, 5, 6)
	for _, call := range []string{"cuCtxEnablePeerAccess", "cuMemcpyPeerAsync"} {
		lib.Fail(call, 0, 801)
		err := views.DeepCopy(y, x)
		assert.ErrorContains(t, err, `views: DeepCopy of "x" [3] in CUDA device 0, Stand-in 0 to "x" [3] in CUDA device 1, Stand-in 1: cuda: device 1: `+call)
		assert.Zero(t, lib.Calls("cuMemcpyDtoHAsync_v2"))
		lib.Fail("", 0, 0)
		assert.Equal(t, []float64{4, 5, 6}, back(t, y))
	}
	require.NoError(t, views.DeepCopy(y, x))
	require.NoError(t, other.Close())
	assert.ErrorIs(t, views.DeepCopy(y, x), space.ErrClosed)
	assert.ErrorIs(t, views.DeepCopy(x, y), space.ErrClosed)

	// Access ends with the other device's context, so it is enabled anew.
	again := openOther(t, 1)
	z := views.Must(views.NewIn[float64](again.Memory(), "z", []int{2, 3}, views.Left))
	w := views.Must(views.NewIn[float64](s.Memory(), "w", []int{2, 3}))
	require.NoError(t, views.DeepCopy(w, z))
	require.NoError(t, views.DeepCopy(z, w))
}
