//go:build linux && (amd64 || arm64)

package conformance

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/space/device"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random"
)

// degrees is a type of floats that a program defines.
type degrees float32

// Random checks n random numbers of all types that the space makes in its memory.
func Random(t *testing.T, s Space, n int) {
	uniform(t, s, n, -2.5, 7.75)
	uniform(t, s, n, 1e300, math.Nextafter(1e300, math.Inf(1))) // nearly all are rounded up
	uniform[float32](t, s, n, 1, math.Nextafter32(1, 2))
	uniform[degrees](t, s, n, -40, 40)
	uniform(t, s, n, math.MinInt64, math.MaxInt64)
	uniform(t, s, n, -5, 9<<59) // of which two words in five make none
	uniform[uint64](t, s, n, 3, 3<<62)
	uniform[int32](t, s, n, -7, 1<<30)
	uniform[uint32](t, s, n, 0, 6)
	uniform[int16](t, s, n, math.MinInt16, math.MaxInt16)
	uniform[uintptr](t, s, n, 7, 1<<40)
	uniform[uint8](t, s, n, 3, 4)
	uniform[int8](t, s, n, -128, 100)
	normal(t, s, n, 0.0, 1)
	normal(t, s, n, -1e3, 1e-3)
	normal[float32](t, s, n, 3, .5)
	normal[degrees](t, s, n, 20, 0)
	withoutNumbers(t, s)
}

func uniform[T builtin.Integer | builtin.Float](t *testing.T, s Space, n int, lo, hi T) {
	t.Helper()
	drawn(t, s, n, func(v views.View[T], on ...policy.Launch) error {
		return random.FillUniform(v, random.New(7), lo, hi, on...)
	})
}

func normal[T builtin.Float](t *testing.T, s Space, n int, mean, deviation T) {
	t.Helper()
	drawn(t, s, n, func(v views.View[T], on ...policy.Launch) error {
		return random.FillNormal(v, random.New(9).Split(3), mean, deviation, on...)
	})
}

// drawn compares the numbers of a vector, of a column and of another layout, and what is between those of the column.
func drawn[T comparable](t *testing.T, s Space, n int, fill func(v views.View[T], on ...policy.Launch) error) {
	t.Helper()
	compare := func(extents []int, layout views.Layout, part func(v views.View[T]) views.View[T]) {
		what := fmt.Sprintf("%T, %v, %v", *new(T), extents, layout)
		d, h := views.Must(views.NewIn[T](s.Memory(), "d", extents, layout)), views.Must(views.New[T]("h", extents, layout))
		require.NoError(t, fill(part(d)), what)
		require.NoError(t, fill(part(h), policy.On(exec.Serial{})), what)
		want, got, bad := elements(t, h), elements(t, d), 0
		for k := range want {
			if text(want[k]) != text(got[k]) {
				if bad++; bad < 4 {
					t.Errorf("%s: element %d is %v, expected %v", what, k, got[k], want[k])
				}
			}
		}
		assert.Zero(t, bad, "%s: wrong of %d", what, len(want))
		require.NoError(t, views.Free(d))
	}
	all := func(v views.View[T]) views.View[T] { return v }
	compare([]int{n}, views.Right, all)
	compare([]int{n/3 + 1, 3}, views.Left, all)
	compare([]int{n, 2}, views.Right, func(v views.View[T]) views.View[T] { return views.Must(v.Sub(views.All(), views.Index(1))) })
}

// withoutNumbers checks what is no fill of a card.
func withoutNumbers(t *testing.T, s Space) {
	err := s.FillRandom(t.Context(), device.Random{X: []string{}, Memory: s.Memory(), Law: device.NormalFloats{}})
	assert.EqualError(t, err, "cuda: the device makes no numbers device.NormalFloats of type []string, expected integers for device.UniformInts, and floats for device.UniformFloats and device.NormalFloats")
	err = s.FillRandom(t.Context(), device.Random{X: []float64{}, Memory: views.Host, Law: device.NormalFloats{}})
	assert.ErrorContains(t, err, "cuda: random numbers in the memory of Host, expected that of ")
}
