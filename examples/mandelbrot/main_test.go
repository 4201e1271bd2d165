package main

import (
	"bytes"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
)

// The picture has the same bits on all machines.
func TestGolden(t *testing.T) {
	var out bytes.Buffer
	file := filepath.Join(t.TempDir(), "set.png")
	_, err := run(&out, exec.Serial{}, 90, 200, file)
	require.NoError(t, err)
	assert.Contains(t, out.String(), "closure")
	assert.Contains(t, out.String(), "bits: identical, df45d93b54e3287f")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	p, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	assert.Equal(t, 90, p.Bounds().Dx())
	r, g, b, _ := p.At(45, 45).RGBA()
	assert.Zero(t, r+g+b, "a point of the set")
	r, g, b, _ = p.At(0, 0).RGBA()
	assert.NotZero(t, r+g+b)
}

// Rounds of points that are known.
func TestRounds(t *testing.T) {
	two := exec.NewGoroutines(2)
	defer two.Close()
	counts, err := draw(&bytes.Buffer{}, two, 3, 50)
	require.NoError(t, err)
	assert.Equal(t, []int32{1, 2, 2}, counts.Row(0), "points -2.25+1.5i, -1.25+1.5i and -.25+1.5i")
	assert.Equal(t, int32(50), counts.At(2, 2), "-.25-.5i")
}

func TestBadInput(t *testing.T) {
	for _, c := range [][2]int{{0, 10}, {10, 0}, {-1, 10}} {
		_, err := run(&bytes.Buffer{}, exec.Serial{}, c[0], c[1], "")
		assert.ErrorContains(t, err, "expected at least one of each")
	}
	_, err := run(&bytes.Buffer{}, exec.Serial{}, 2, 2, t.TempDir())
	assert.Error(t, err)
}

// Sizes that no memory holds, or whose products wrap, are errors.
func TestHugeSizesAreErrors(t *testing.T) {
	for _, n := range []int{1 << 40, 1 << 62, math.MaxInt, math.MinInt, 0, -1} {
		_, err := run(io.Discard, exec.Serial{}, n, 10, "")
		require.ErrorContains(t, err, "expected at ", "%d", n)
	}
}
