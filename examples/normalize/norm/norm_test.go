package norm

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views"
)

func TestRun(t *testing.T) {
	for _, lengths := range [][4]int{{8, 7, 7, 16}, {3, 20, 20, 5}, {1, 1, 1, 1}, {40, 2, 1, 33}} {
		var out bytes.Buffer
		require.NoError(t, spaces.Choice{Name: "all", Workers: 3}.Run(&out, func(w io.Writer, on exec.Space) ([]any, error) {
			return Run(w, on, lengths)
		}))
		assert.Equal(t, 3, strings.Count(out.String(), "off by at most"), out.String())
	}
}

// fixture returns the statistics over the dimensions and what is normalized with them.
func fixture(t *testing.T, over []int) (*statistics, views.View4[float32]) {
	x, y := views.Must(views.New4[float32]("x", 4, 5, 6, 8)), views.Must(views.New4[float32]("y", 4, 5, 6, 8))
	require.NoError(t, fill(exec.Serial{}, x))
	s, err := newStatistics(x, over)
	require.NoError(t, err)
	require.NoError(t, s.compute(exec.Serial{}))
	require.NoError(t, s.apply(exec.Serial{}, y))
	return s, y
}

// What is normalized has mean 0 and variance 1.
func TestNormalized(t *testing.T) {
	for _, n := range norms {
		s, y := fixture(t, n.over)
		again := &statistics{x: y, over: n.over, mean: s.mean, variance: s.variance, first: s.first, second: s.second}
		require.NoError(t, again.compute(exec.Serial{}))
		for index, mean := range again.mean.View.All() {
			assert.InDelta(t, 0, mean, 1e-3, n.name)
			assert.InDelta(t, 1, again.variance.View.At(index...), 1e-2, n.name)
		}
	}
}

// E[x²] - E[x]² cancels where Variance does not.
func TestDifferenceCancels(t *testing.T) {
	s, _ := fixture(t, []int{1, 2, 3})
	_, variances := twoPasses(s, s.x)
	worst := 0.0
	for index, want := range variances {
		a, b, c, d := index[0], index[1], index[2], index[3]
		first := s.first.At(a, b, c, d)
		worst = max(worst, math.Abs(float64(s.second.At(a, b, c, d)-first*first)-want))
		assert.InDelta(t, want, s.variance.At(a, b, c, d), 1e-4)
	}
	assert.Greater(t, worst, 1e-2)
}

// The check finds a wrong result.
func TestReportFindsErrors(t *testing.T) {
	for name, spoil := range map[string]func(s *statistics, y views.View4[float32]){
		"mean":     func(s *statistics, _ views.View4[float32]) { s.mean.Set(0, 0, 0, 3, s.mean.At(0, 0, 0, 3)+0.01) },
		"variance": func(s *statistics, _ views.View4[float32]) { s.variance.Set(0, 0, 0, 3, 0) },
		"NaN":      func(s *statistics, _ views.View4[float32]) { s.variance.Set(0, 0, 0, 3, float32(math.NaN())) },
		"result":   func(_ *statistics, y views.View4[float32]) { y.Set(3, 4, 5, 7, y.At(3, 4, 5, 7)+0.01) },
	} {
		s, y := fixture(t, []int{0, 1, 2})
		require.NoError(t, report(&bytes.Buffer{}, norms[0], s, y))
		spoil(s, y)
		assert.Error(t, report(&bytes.Buffer{}, norms[0], s, y), name)
	}
}
