//go:build linux && (amd64 || arm64)

package conformance

import (
	"context"
	"errors"
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
	"github.com/gokkos/gokkos/views/algorithms"
)

// Rearrangements checks what else changes the order of n items, or finds one, in the memory of a device.
func Rearrangements(t *testing.T, s Space, n int) {
	special := func(i int) float64 {
		return []float64{1, 1, 0, math.Copysign(0, -1), math.NaN(), math.NaN(), -2, 1}[i*i/7%8]
	}
	rearranged(t, s, n, 1, special)
	rearranged(t, s, n, 0, func(i int) float32 { return float32(special(i)) })
	rearranged(t, s, n, 5, func(i int) int64 { return int64(i / 3 % 11) })
	rearranged(t, s, n, 7, func(i int) uint8 { return uint8(i*i/100 + 7) })
	rearranged(t, s, n, -3, func(i int) int16 { return -3 })
	rearranged(t, s, n, 1<<31, func(i int) uint32 { return uint32(i % 2 << 31) })
	notRearranged(t, s)
}

// rearranged compares neighbours, and, of an odd number, every second element of views.
func rearranged[T builtin.Real](t *testing.T, s Space, n int, no T, of func(i int) T) {
	t.Helper()
	step := 1 + n%2
	on := policy.On(exec.Serial{})
	for name, f := range map[string]func(x, y, z views.View[T], on ...policy.Launch) (int, error){
		"Unique": func(x, _, _ views.View[T], on ...policy.Launch) (int, error) { return algorithms.Unique(x, on...) },
		"UniqueCopy": func(x, y, _ views.View[T], on ...policy.Launch) (int, error) {
			return algorithms.UniqueCopy(y, x, on...)
		},
		"UniqueByKey": func(x, y, _ views.View[T], on ...policy.Launch) (int, error) {
			return algorithms.UniqueByKey(x, y, on...)
		},
		"Remove": func(x, _, _ views.View[T], on ...policy.Launch) (int, error) { return algorithms.Remove(x, no, on...) },
		"RemoveCopy": func(x, y, _ views.View[T], on ...policy.Launch) (int, error) {
			return algorithms.RemoveCopy(y, x, no, on...)
		},
		"Reverse": func(x, _, _ views.View[T], on ...policy.Launch) (int, error) { return 0, algorithms.Reverse(x, on...) },
		"ReverseCopy": func(x, y, _ views.View[T], on ...policy.Launch) (int, error) {
			return 0, algorithms.ReverseCopy(y, x, on...)
		},
		"Rotate": func(x, _, _ views.View[T], on ...policy.Launch) (int, error) {
			return 0, algorithms.Rotate(x, n/3, on...)
		},
		"ShiftLeft": func(x, _, _ views.View[T], on ...policy.Launch) (int, error) {
			return algorithms.ShiftLeft(x, n/3, on...)
		},
		"SwapRanges": func(x, y, _ views.View[T], on ...policy.Launch) (int, error) {
			return 0, algorithms.SwapRanges(x, y, on...)
		},
		"MinElement": func(_, _, z views.View[T], on ...policy.Launch) (int, error) { return algorithms.MinElement(z, on...) },
		"MaxElement": func(_, _, z views.View[T], on ...policy.Launch) (int, error) { return algorithms.MaxElement(z, on...) },
		"MinMaxElement": func(_, _, z views.View[T], on ...policy.Launch) (int, error) {
			low, high, err := algorithms.MinMaxElement(z, on...)
			return low*(n+1) + high, err
		},
	} {
		what := fmt.Sprintf("%s of %d %T, %d apart", name, n, no, step)
		x, y := newPair(t, s, step*n+2, of), newPair(t, s, step*n+2, func(i int) T { return of(i + 5) })
		part := func(v views.View1[T]) views.View[T] { return views.Must(v.Sub(views.Range(1, 1+step*n).By(step))) }
		want, err := f(part(x.host), part(y.host), x.host.View, on)
		require.NoError(t, err, what)
		got, err := f(part(x.card), part(y.card), x.card.View)
		require.NoError(t, err, what)
		assert.Equal(t, want, got, what)
		sameBits(t, what, x.host.View, x.card.View)
		sameBits(t, what, y.host.View, y.card.View)
		require.NoError(t, errors.Join(views.Free(x.card), views.Free(y.card)))
	}
}

// notRearranged checks what is an error of a card, and leaves all as it was.
func notRearranged(t *testing.T, s Space) {
	x, y := newPair(t, s, 3, func(i int) float64 { return float64(-i) }), newPair(t, s, 4, func(i int) int { return i })
	ctx, cancel := context.WithCancelCause(t.Context())
	rearrange := func(r device.Rearrangement) error {
		r.KeyStride++
		if r.Memory == nil {
			r.Memory = s.Memory()
		}
		_, err := s.Rearrange(ctx, r)
		return err
	}
	one := []int{1}
	for want, err := range map[string]error{
		"expected equal lengths":     algorithms.SortByKey(x.card, y.card),
		"have elements in common":    algorithms.SortByKey(x.card, x.card),
		"cannot touch from the host": algorithms.SortByKey(x.card, x.host),
		"cuda: the rule sort with keys of type string, expected integers or floats": rearrange(device.Rearrangement{Rule: "sort", Keys: []string{}}),
		"cuda: the rule unique with keys of type bool, expected integers or floats": rearrange(device.Rearrangement{Rule: "unique", Keys: []bool{true}}),
		"cuda: keys of type int are compared with a string, expected the same type": rearrange(device.Rearrangement{Rule: "remove", Keys: one, Key: "1"}),
		`cuda: the rule "shuffle", expected sort, reverse, unique or remove`:        rearrange(device.Rearrangement{Rule: "shuffle", Keys: one}),
		"cuda: int with a stride of 1 elements, expected a slice and at least 1":    rearrange(device.Rearrangement{Rule: "sort", Keys: 3}),
		"cuda: []int with a stride of 0 elements, expected a slice and at least 1":  rearrange(device.Rearrangement{Rule: "sort", Keys: one, KeyStride: -1}),
		"cuda: 1 keys and 0 values, expected equal numbers":                         rearrange(device.Rearrangement{Rule: "sort", Keys: one, Values: []int{}, ValueStride: 1}),
		"cuda: items in the memory of Host, expected that of CUDA":                  rearrange(device.Rearrangement{Rule: "sort", Keys: one, Memory: views.Host}),
	} {
		assert.ErrorContains(t, err, want)
	}
	cancel(errors.New("enough"))
	on := policy.Launch{}.WithContext(ctx)
	unique := func() error { _, err := algorithms.Unique(x.card, on); return err }
	for _, err := range []error{algorithms.Sort(x.card, on), algorithms.Reverse(x.card, on), unique()} {
		assert.ErrorContains(t, err, "cancelled: enough")
	}
	assert.ErrorIs(t, rearrange(device.Rearrangement{Rule: "reverse", Keys: one}), context.Canceled)
	sameBits(t, "as before", x.host.View, x.card.View)
	require.NoError(t, algorithms.Sort(x.card, policy.Launch{}.WithContext(t.Context())))
	require.NoError(t, errors.Join(views.Free(x.card), views.Free(y.card)))
}
