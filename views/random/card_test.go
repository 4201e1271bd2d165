package random_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/internal/cardtest"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/random"
)

// Random numbers are made by functors, which cannot touch the memory of a card.
func TestCard(t *testing.T) {
	require.Equal(t, []string{"FillNormal", "FillUniform"}, cardtest.EntryPoints(t, "."), "each is called here")
	card := cardtest.New(t, 1<<20)
	v := views.Must(views.NewIn[float64](card.Memory(), "v", []int{4}))
	w := views.Must(views.NewIn[int](card.Memory(), "w", []int{2, 2}, views.Left))
	for want, err := range map[string]error{
		`"v" [4]`:   random.FillUniform(v, random.New(1), 0, 1),
		`of "v"`:    random.FillNormal(v, random.New(1), 0, 1),
		`"w" [2 2]`: random.FillUniform(w, random.New(1), 0, 9),
	} {
		assert.ErrorContains(t, err, "views: FillFunc of ")
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, "in the memory of Card, which functors cannot touch from the host")
	}
}
