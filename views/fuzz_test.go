package views_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/gokkos/gokkos/views"
)

// draws adds seeds that are long enough for a property to draw all it wants.
func draws(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		var b []byte
		for range 1 << 10 {
			// Draws are skewed to small values by leading zeros.
			b = binary.LittleEndian.AppendUint64(b, r.Uint64()>>r.IntN(64))
		}
		f.Add(b)
	}
}

// FuzzSubviews makes views of views by Sub, Transpose, Permute and Reshape.
func FuzzSubviews(f *testing.F) {
	draws(f)
	f.Fuzz(rapid.MakeFuzz(propertyChanges))
}

// FuzzDeepCopy copies and fills, between layouts and memories.
func FuzzDeepCopy(f *testing.F) {
	draws(f)
	f.Fuzz(rapid.MakeFuzz(propertyDeepCopy))
}

// FuzzLayouts places elements by strides that may not fit.
func FuzzLayouts(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte{3, 4}, []byte{4, 1})
	f.Add([]byte{3, 4}, []byte{3, 1})
	f.Add([]byte{3, 4}, []byte{1, 3})
	f.Add([]byte{2, 1, 3}, []byte{9, 0, 4})
	f.Add([]byte{2, 0, 3}, []byte{0, 0, 0})
	f.Add([]byte{2, 2, 2, 2, 2}, []byte{16, 1, 8, 2, 4})
	f.Add([]byte{4, 2}, []byte{2, 7})
	f.Add([]byte{2, 2}, []byte{1})
	f.Fuzz(func(t *testing.T, e, s []byte) {
		extents, elements := make([]int, min(len(e), 5)), 1
		for d := range extents {
			extents[d] = int(e[d] % 6)
			elements *= extents[d]
		}
		strides := make(views.Stride, min(len(s), 5))
		for d := range strides {
			strides[d] = int(s[d])
		}
		v, err := views.New[int]("v", extents, strides)
		if len(strides) != len(extents) {
			require.ErrorContains(t, err, "expected")
			return
		}
		if elements == 0 {
			require.NoError(t, err)
			require.Zero(t, v.Len())
			return
		}
		require.Equal(t, nested(extents, strides), err == nil, "%v %v: %v", extents, strides, err)
		if err != nil {
			return
		}
		seen := map[*int]bool{}
		first := v.Ptr(make([]int, len(extents))...)
		for n, i := range indices(extents) {
			require.False(t, seen[v.Ptr(i...)], "%v %v %v", extents, strides, i)
			seen[v.Ptr(i...)] = true
			v.Set(i, n)
		}
		require.True(t, seen[first])
		require.Len(t, seen, elements)
		n := 0
		for i, x := range v.All() {
			require.Equal(t, n, x, "%v", i)
			n++
		}
		// The layout that a view tells makes the same view.
		w := views.Must(views.New[int]("w", extents, v.Layout()))
		for d, n := range extents {
			if n > 1 {
				require.Equal(t, v.Stride(d), w.Stride(d))
			}
		}
		require.NoError(t, views.DeepCopy(w, v))
		require.Equal(t, slices.Collect(v.Values()), slices.Collect(w.Values()))
	})
}

// nested says whether each stride exceeds what all the smaller ones reach, by looking at the
// places themselves: those of the fastest dimensions, once more for each step of a slower one.
func nested(extents []int, strides views.Stride) bool {
	var order []int
	for d := range extents {
		if extents[d] > 1 {
			order = append(order, d)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return strides[a] - strides[b] })
	places := []int{0}
	for _, d := range order {
		if strides[d] <= slices.Max(places) {
			return false
		}
		var more []int
		for k := range extents[d] {
			for _, p := range places {
				more = append(more, p+k*strides[d])
			}
		}
		places = more
	}
	return true
}
