package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/heat/stencil"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
	"github.com/gokkos/gokkos/views/npy"
)

// small has so many steps that the heat is all over the plate.
var small = options{n: 61, m: 47, steps: 60, every: 20, workers: 2}

// oneProcess is what examples/heat prints for small.
const oneProcess = `step 0: heat 0x1.7d5a27078c89p+12, change 0x0p+00
step 20: heat 0x1.00d5759d53ee2p+14, change 0x1.35685c52e83ep+00
step 40: heat 0x1.4f2e0ca4b10aep+14, change 0x1.3608e62e8304p-01
step 60: heat 0x1.89df8cd007f5ep+14, change 0x1.9d17ab6f91p-02
89813414a1c93f1321247c6a52a92acef8000883fa65d20261605c1e5da5048a
`

// inTiles is small in tiles that do not fill the plate.
func inTiles() options {
	o := small
	o.tile = 5
	return o
}

func TestMain(m *testing.M) {
	scenario := func(o options) func() {
		return func() {
			if err := mpi.Run(func(world *mpi.Comm) error { return run(world, o, os.Stdout) }); err != nil {
				launchtest.Fail(err)
			}
		}
	}
	launchtest.Rank(map[string]func(){"rows": scenario(small), "tiles": scenario(inTiles())})
	os.Exit(m.Run())
}

// output is what a run on goroutines prints.
func output(t *testing.T, ranks int, o options) string {
	var text strings.Builder
	require.NoError(t, mpi.Local(ranks, func(c *mpi.Comm) error { return run(c, o, &text) }))
	return text.String()
}

// The temperatures are those of two plain loops.
func TestPlainLoops(t *testing.T) {
	o := small
	now, before := make([]float64, o.n*o.m), make([]float64, o.n*o.m)
	for i := range o.n {
		now[i*o.m] = stencil.Hot(i)
	}
	copy(before, now)
	for range o.steps {
		now, before = before, now
		for i := 1; i < o.n-1; i++ {
			for j := 1; j < o.m-1; j++ {
				k := i*o.m + j
				around := before[k-o.m] + before[k+o.m] + (before[k-1] + before[k+1])
				now[k] = before[k] + float64(.2*(around-float64(4*before[k])))
			}
		}
	}
	h := sha256.New()
	require.NoError(t, binary.Write(h, binary.LittleEndian, now))
	for _, tile := range []int{0, 1, 2, 5, 47, 64} {
		o.tile = tile
		lines := strings.Split(strings.TrimSpace(output(t, 1, o)), "\n")
		assert.Equal(t, fmt.Sprintf("%x", h.Sum(nil)), lines[len(lines)-1], "tiles of %d", tile)
		assert.Len(t, lines, 5)
	}
}

// It prints the same with any number of ranks and workers, more ranks than rows or tiles included.
func TestSameBits(t *testing.T) {
	for scenario, o := range map[string]options{"rows": small, "tiles": inTiles()} {
		want := output(t, 1, o)
		if scenario == "rows" {
			require.Equal(t, oneProcess, want)
		}
		for _, ranks := range []int{2, 3, 4, 7, 64, 150} {
			o.workers = 1 + ranks%3
			assert.Equal(t, want, output(t, ranks, o), "%s, %d ranks", scenario, ranks)
		}
		for _, mpi := range launchtest.MPIs(t) {
			for _, ranks := range []int{1, 2, 3, 4, 7} {
				if testing.Short() && ranks > 2 {
					break
				}
				if scenario == "tiles" && ranks%2 == 0 { // to save time
					continue
				}
				got, err := mpi.Run(scenario, ranks)
				require.NoError(t, err, got)
				assert.Equal(t, want, got, "%s, %s, %d ranks", scenario, mpi.Name, ranks)
			}
		}
	}
}

// The file has the temperatures, whoever has written which of them.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	var want []byte
	for _, o := range []options{small, inTiles()} {
		for _, ranks := range []int{1, 3, 7} {
			o.file = filepath.Join(dir, "x.npy")
			lines := strings.Split(strings.TrimSpace(output(t, ranks, o)), "\n")
			x, err := npy.ReadViewFile[float64](o.file)
			require.NoError(t, err)
			data, _ := x.Slice()
			h := sha256.New()
			require.NoError(t, binary.Write(h, binary.LittleEndian, data))
			assert.Equal(t, lines[len(lines)-1], fmt.Sprintf("%x", h.Sum(nil)))
			got, err := os.ReadFile(o.file)
			require.NoError(t, err)
			if want == nil {
				want = got
			}
			assert.Equal(t, want, got)
		}
	}
	o := small
	o.file = filepath.Join(dir, "none", "x.npy")
	require.ErrorContains(t, mpi.Local(2, func(c *mpi.Comm) error { return run(c, o, io.Discard) }), "no such file or directory")
}

func TestOptions(t *testing.T) {
	err := mpi.Local(2, func(c *mpi.Comm) error { return run(c, options{n: 2, m: 3, tile: -1, every: 1}, nil) })
	require.ErrorContains(t, err, "2 rows, 3 columns, tiles of -1, 0 steps, a line for each 1 and 0 workers, expected at least 3, 3, 0, 0, 1 and 0")
	for _, o := range []options{
		{n: math.MaxInt, m: 3, every: 1}, {n: 3, m: math.MaxInt, every: 1}, {n: 1 << 32, m: 1 << 32, every: 1},
		{n: 3037000500, m: 3037000500, every: 1, tile: 5}, {n: math.MinInt, m: 3, every: 1}, {n: 3, m: 3, every: 0},
		{n: 3, m: 3, every: math.MinInt}, {n: 3, m: 3, every: 1, workers: -1},
	} {
		err := mpi.Local(2, func(c *mpi.Comm) error { return run(c, o, io.Discard) })
		require.ErrorContains(t, err, "expected at ", "%+v", o)
	}
	large := small
	large.tile, large.every = math.MaxInt, math.MaxInt // one tile, and a line at both ends
	require.NoError(t, mpi.Local(2, func(c *mpi.Comm) error { return run(c, large, io.Discard) }))
}
