//go:build linux && (amd64 || arm64)

package conformance

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/views"
)

// Copies checks the kernels that copy, of elements of 1 to 16 bytes.
func Copies(t *testing.T, s Space) {
	unit[int8](t, s)
	unit[int16](t, s)
	unit[int32](t, s)
	unit[int64](t, s)
	unit[complex128](t, s)
	unit[[3]int8](t, s)
	unit[[3]int32](t, s)
}

func unit[T comparable](t *testing.T, s Space) {
	h := views.Must(views.New[T]("h", []int{7, 5, 3}))
	x, _ := h.Slice()
	var pattern T
	for k := range x {
		b := fmt.Appendf(nil, "%016d", k*7919)
		copy(bytesOf(&x[k]), b[16-len(bytesOf(&x[k])):])
		copy(bytesOf(&pattern), "fedcba9876543210")
	}
	d := views.Must(views.NewIn[T](s.Memory(), "d", []int{3, 7, 5}))
	turned := views.Must(d.Permute(1, 2, 0))
	require.NoError(t, views.DeepCopy(turned, h))
	e := views.Must(views.NewIn[T](s.Memory(), "e", []int{7, 5, 3}, views.Left))
	require.NoError(t, views.DeepCopy(e, turned))
	column := func(v views.View[T]) views.View[T] {
		return views.Must(v.Sub(views.Range(1, 7).By(2), views.All(), views.Index(1)))
	}
	require.NoError(t, views.Fill(column(e), pattern))
	require.NoError(t, views.Fill(column(h), pattern))
	b := views.Must(views.New[T]("b", []int{7, 5, 3}))
	require.NoError(t, views.DeepCopy(b, e))
	y, _ := b.Slice()
	assert.Equal(t, x, y, "%T", pattern)
}

// bytesOf returns the bytes of a value.
func bytesOf[T any](x *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x)) }
