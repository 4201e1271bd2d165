package plot

import (
	"encoding/xml"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Points lie where their numbers say, and text is escaped.
func TestWrite(t *testing.T) {
	var out strings.Builder
	c := Chart{"a < b & c", "x", "y", []Series{{"line", []float64{0, 6}, []float64{0, 60}, true}, {"", []float64{3}, []float64{30}, false}}}
	require.NoError(t, c.Write(&out))
	for _, want := range []string{"a &lt; b &amp; c", `points="80.0,372.0 620.0,36.0 "`, `cx="350.0" cy="204.0"`, ">line<", ">60<"} {
		assert.Contains(t, out.String(), want)
	}
	d := xml.NewDecoder(strings.NewReader(out.String()))
	for {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
	file := filepath.Join(t.TempDir(), "a.svg")
	require.NoError(t, c.Save(file))
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, out.String(), string(data))
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []float64
	}{
		{0, 6, []float64{0, 1, 2, 3, 4, 5, 6}}, {-1, 1, []float64{-1, -.5, 0, .5, 1}}, {3, 27, []float64{0, 5, 10, 15, 20, 25, 30}},
		{0, 1e-3, []float64{0, 2e-4, 4e-4, 6e-4, 8e-4, 1e-3}},
	} {
		a := axis{low: c.low, high: c.high}
		a.round()
		assert.InDeltaSlice(t, c.want, a.ticks(), 1e-12)
	}
	a := empty(0, 1) // of no points
	a.round()
	assert.Less(t, a.low, a.high)
	a = axis{low: 5, high: 5}
	a.round()
	assert.Less(t, a.low, 5.0)
	assert.Greater(t, a.high, 5.0)
}

// Points that differ by rounding are in the picture, and ticks that are close to each other have texts of their own.
func TestCloseNumbers(t *testing.T) {
	for _, low := range []float64{1, -3, 1e9, 1 / 3e5, 0} {
		for _, high := range []float64{low, math.Nextafter(low, 1e10), low + 4*math.Abs(low)*0x1p-52, low + math.Abs(low)*1e-11, low + math.Abs(low)*1e-7} {
			a := axis{low: low, high: high, to: 100}
			a.round()
			seen := map[string]bool{}
			for _, x := range a.ticks() {
				assert.False(t, seen[a.label(x)], "%v to %v: two ticks are %s", low, high, a.label(x))
				seen[a.label(x)] = true
			}
			assert.InDelta(t, 6, len(seen), 5, "%v to %v", low, high)
			for _, x := range []float64{low, high} {
				assert.True(t, a.at(x) >= 0 && a.at(x) <= 100, "%v of %v to %v is at %v", x, low, high, a.at(x))
			}
		}
	}
}

func TestErrors(t *testing.T) {
	assert.ErrorContains(t, Chart{Series: []Series{{X: []float64{1}}}}.Write(io.Discard), "series 0 has 1 X and 0 Y")
	assert.ErrorContains(t, Chart{Series: []Series{{X: []float64{1}, Y: []float64{math.NaN()}}}}.Write(io.Discard), "point 0 of series 0 is (1, NaN)")
	assert.Error(t, Chart{}.Save(t.TempDir()))
}
