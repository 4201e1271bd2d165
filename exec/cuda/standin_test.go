//go:build linux && (amd64 || arm64)

package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/cuda"
	"github.com/gokkos/gokkos/exec/cuda/internal/driver"
	"github.com/gokkos/gokkos/exec/cuda/internal/standin"
	"github.com/gokkos/gokkos/exec/space"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/exec/space/spacetest"
	"github.com/gokkos/gokkos/views"
)

// open returns a space on the first device of the stand-in. When the test ends, nothing may be left of it.
func open(t testing.TB) (*cuda.Space, *standin.Library) {
	lib := standin.Get(t)
	t.Setenv(driver.Variable, lib.Path)
	on, err := cuda.Open(0)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, on.Close())
		nothing(t, lib)
	})
	return on, lib
}

// nothing checks that all was given back.
func nothing(t testing.TB, lib *standin.Library) {
	memory, host, streams, modules, contexts := lib.Live()
	assert.Equal(t, []int{0, 0, 0, 0, 0}, []int{memory, host, streams, modules, contexts}, "memory, memory of the host, streams, modules, contexts")
}

// on returns a view in the memory of a space.
func on(t testing.TB, s *cuda.Space, x ...float64) views.View1[float64] {
	h, err := views.Of1("x", x)
	require.NoError(t, err)
	d, err := views.MirrorCopy(s.Memory(), h)
	require.NoError(t, err)
	return d
}

// back returns the elements of a view.
func back(t testing.TB, v views.View1[float64]) []float64 {
	h, err := views.MirrorCopy(views.Host, v)
	require.NoError(t, err)
	x := make([]float64, h.Extent(0))
	for i := range x {
		x[i] = h.At(i)
	}
	return x
}

// hosted is a space that runs on the host what has no text, so that the suite for spaces can run.
type hosted struct {
	exec.Space
	device.MemoryOwner
}

func (h hosted) Launch(g space.Grid, j space.Job) error {
	if job, ok := j.(device.Job); ok {
		if _, scans := job.Scan(); scans {
			return h.Space.Launch(g, j)
		}
	}
	if job, ok := j.(device.Job); ok && job.Functor().Code("ptx") == nil {
		return exec.Serial{}.Launch(g, j)
	}
	return h.Space.Launch(g, j)
}

func TestSpace(t *testing.T) {
	s, _ := open(t)
	spacetest.TestSpace(t, hosted{s, s})
}
