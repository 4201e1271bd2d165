package random_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random"
)

// Random numbers for a card are made on the host: the same ones.
func TestCard(t *testing.T) {
	require.Equal(t, []string{"FillNormal", "FillUniform"}, cardtest.EntryPoints(t, "."), "each is called here")
	card := cardtest.New(t, 1<<20)
	v, h := views.Must(views.NewIn[float64](card.Memory(), "v", []int{4})), views.Must(views.New[float64]("v", []int{4}))
	w, g := views.Must(views.NewIn[int](card.Memory(), "w", []int{2, 2}, views.Left)), views.Must(views.New[int]("w", []int{2, 2}))
	for _, fill := range []func(v views.View[float64]) error{
		func(v views.View[float64]) error { return random.FillUniform(v, random.New(1), 0, 1) },
		func(v views.View[float64]) error { return random.FillNormal(v, random.New(1), 0, 1) },
	} {
		require.NoError(t, fill(v))
		require.NoError(t, fill(h))
		same(t, h, v)
	}
	require.NoError(t, random.FillUniform(w, random.New(1), 0, 9))
	require.NoError(t, random.FillUniform(g, random.New(1), 0, 9))
	same(t, g, w)
}

func same[T any](t *testing.T, want, got views.View[T]) {
	back, err := views.MirrorCopy(views.Host, got)
	require.NoError(t, err)
	assert.Equal(t, slices.Collect(want.Values()), slices.Collect(back.Values()))
}
