package main

import (
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/heat/stencil"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
)

func program(o options) spaces.Program {
	return func(w io.Writer, on exec.Space) ([]any, error) { return run(w, on, o) }
}

// golden is what the program prints of small on any space.
const golden = `step 0: heat 0x1.7d5a27078c89p+12, change 0x0p+00
step 20: heat 0x1.00d5759d53ee2p+14, change 0x1.35685c52e83ep+00
step 40: heat 0x1.4f2e0ca4b10aep+14, change 0x1.3608e62e8304p-01
step 60: heat 0x1.89df8cd007f5ep+14, change 0x1.9d17ab6f91p-02
89813414a1c93f1321247c6a52a92acef8000883fa65d20261605c1e5da5048a
`

func TestGolden(t *testing.T) {
	var out strings.Builder
	require.NoError(t, spaces.Choice{Name: "all", Workers: 3}.Run(&out, program(small)))
	require.NoError(t, spaces.Choice{Name: "all", Workers: 3}.Run(&out, program(options{n: 9, m: 8, k: 11, steps: 20, every: 20})))
	assert.Equal(t, golden+`bits: identical, ed853c6abf41dea3 on serial, goroutines, simgpu
step 0: heat 0x1.c2304e1c78d67p+12, change 0x0p+00
step 20: heat 0x1.52f7ad5e3f971p+13, change 0x1.75f74d8c77fp-01
5f793a709c98995f1852316972dd9a312d69e7775a46a7bab48d7c14aa5e0350
bits: identical, 42509bb5b4ac33d3 on serial, goroutines, simgpu
`, out.String())
}

// The temperatures of a block are those of plain loops.
func TestPlainLoops(t *testing.T) {
	const n, m, k, steps = 5, 7, 6, 9
	var now, before [n][m][k]float64
	for i := range n {
		for j := range m {
			now[i][j][0] = stencil.Hot(i + j)
		}
	}
	for range steps {
		before = now
		for i := 1; i < n-1; i++ {
			for j := 1; j < m-1; j++ {
				for l := 1; l < k-1; l++ {
					around := before[i-1][j][l] + before[i+1][j][l] + (before[i][j-1][l] + before[i][j+1][l]) + (before[i][j][l-1] + before[i][j][l+1])
					now[i][j][l] = before[i][j][l] + float64(.125*(around-float64(6*before[i][j][l])))
				}
			}
		}
	}
	results, err := run(io.Discard, exec.Serial{}, options{n: n, m: m, k: k, steps: steps, every: 1})
	require.NoError(t, err)
	got := results[0].([]float64)
	for i := range n {
		for j := range m {
			assert.Equal(t, now[i][j][:], got[(i*m+j)*k:(i*m+j+1)*k])
		}
	}
}

// A frame has a pixel per point. The hot edge is light and the others are black. The folder need not be there.
func TestFrames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "frames")
	for _, o := range []options{{n: 12, m: 20, steps: 4, every: 3, frames: dir}, {n: 5, m: 12, k: 20, steps: 4, every: 3, frames: dir}} {
		_, err := run(io.Discard, exec.Serial{}, o)
		require.NoError(t, err)
		names, err := filepath.Glob(filepath.Join(dir, "*.png"))
		require.NoError(t, err)
		require.Len(t, names, 3, "steps 0, 3 and 4")
		file, err := os.Open(names[2])
		require.NoError(t, err)
		p, err := png.Decode(file)
		require.NoError(t, file.Close())
		require.NoError(t, err)
		assert.Equal(t, 20, p.Bounds().Dx())
		assert.Equal(t, 12, p.Bounds().Dy())
		hot := p.At(0, 7).(color.RGBA)
		assert.Equal(t, []uint8{255, 255}, []uint8{hot.R, hot.G})
		assert.Greater(t, hot.B, uint8(240))
		assert.Equal(t, color.RGBA{A: 255}, p.At(19, 7), "cold")
	}
	_, err := run(io.Discard, exec.Serial{}, options{n: 3, m: 3, every: 1, frames: filepath.Join(dir, "heat000000.png")})
	assert.ErrorIs(t, err, syscall.ENOTDIR)
}

func TestGlow(t *testing.T) {
	for at, want := range map[float64]color.RGBA{-1: {0, 0, 0, 255}, 1.0 / 9: {255, 0, 0, 255}, 4.0 / 9: {255, 255, 0, 255}, 1: {255, 255, 255, 255}, math.Inf(1): {255, 255, 255, 255}} {
		assert.Equal(t, want, glow(at), "%v", at)
	}
}

func TestBadInput(t *testing.T) {
	for _, o := range []options{{n: 2, m: 3, every: 1}, {n: 3, m: 3, k: 2, every: 1}, {n: 3, m: 3}, {n: 3, m: 3, every: 1, steps: -1}} {
		_, err := run(io.Discard, exec.Serial{}, o)
		assert.ErrorContains(t, err, "expected at least 3, 3, 3 (or 0), 0, 0 and 1")
	}
}

// Sizes that no memory holds, or whose products wrap, are errors.
func TestHugeSizesAreErrors(t *testing.T) {
	for _, n := range []int{2097152, 1 << 31, 1 << 32, 3037000500, math.MaxInt, math.MinInt, 0, -1} {
		_, err := run(io.Discard, exec.Serial{}, options{n: n, m: n, steps: 1, every: 1})
		require.ErrorContains(t, err, "expected", "%d", n)
	}
}
