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
	"github.com/gokkos/gokkos/examples/internal/launched"
	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/views/npy"
)

// small has so many steps that the heat is all over the plate.
var small = options{n: 61, m: 47, steps: 60, every: 20}

// inTiles is small in tiles that do not fill the plate.
func inTiles() options {
	o := small
	o.tile = 5
	return o
}

// onRanks runs the program over ranks that are goroutines.
func onRanks(ranks, workers int, w io.Writer, o options) error {
	return spaces.Choice{Name: "mpi", Ranks: true, Workers: workers}.Local(ranks, w, program(o))
}

// output is what such a run prints.
func output(t *testing.T, ranks, workers int, o options) string {
	var text strings.Builder
	require.NoError(t, onRanks(ranks, workers, &text, o))
	return text.String()
}

// hashed returns a hash as the program prints it.
func hashed(t *testing.T, x []float64) string {
	h := sha256.New()
	require.NoError(t, binary.Write(h, binary.LittleEndian, x))
	return fmt.Sprintf("%x", h.Sum(nil))
}

// The temperatures are those of two plain loops.
func TestPlainLoopsOfAPlate(t *testing.T) {
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
	for _, tile := range []int{0, 1, 2, 5, 47, 64} {
		o.tile = tile
		lines := strings.Split(output(t, 1, 2, o), "\n")
		assert.Equal(t, hashed(t, now), lines[4], "tiles of %d", tile)
	}
}

// It prints the same with any number of ranks and workers, more ranks than rows or tiles included.
func TestSameBits(t *testing.T) {
	for _, o := range []options{small, inTiles()} {
		want := output(t, 1, 2, o)
		if o.tile == 0 {
			require.Equal(t, golden+"bits: ed853c6abf41dea3 on mpi\n", want)
		}
		for _, ranks := range []int{2, 3, 4, 7, 64, 150} {
			assert.Equal(t, want, output(t, ranks, 1+ranks%3, o), "tiles of %d, %d ranks", o.tile, ranks)
		}
		args := strings.Fields(fmt.Sprintf("-n %d -m %d -steps %d -every %d -tile %d -workers 2", o.n, o.m, o.steps, o.every, o.tile))
		launched.Run(t, ".", []int{1, 2, 3, 7}, args, func(ranks int, got string) {
			assert.Equal(t, want, got, "tiles of %d, %d processes", o.tile, ranks)
		})
	}
}

// The file has the temperatures, whoever has written which of them.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	var want []byte
	for _, o := range []options{small, inTiles()} {
		for _, ranks := range []int{1, 3, 7} {
			o.file = filepath.Join(dir, "x.npy")
			lines := strings.Split(output(t, ranks, 2, o), "\n")
			x, err := npy.ReadViewFile[float64](o.file)
			require.NoError(t, err)
			data, _ := x.Slice()
			assert.Equal(t, lines[4], hashed(t, data))
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
	require.ErrorContains(t, onRanks(2, 1, io.Discard, o), "no such file or directory")
}

// One process writes the same file, of a block, too.
func TestFileOfOneProcess(t *testing.T) {
	for _, o := range []options{small, {n: 5, m: 6, k: 7, steps: 3, every: 1}} {
		o.file = filepath.Join(t.TempDir(), "x.npy")
		results, err := run(io.Discard, exec.Serial{}, o)
		require.NoError(t, err)
		x, err := npy.ReadViewFile[float64](o.file)
		require.NoError(t, err)
		data, _ := x.Slice()
		assert.Equal(t, results[0], data)
		assert.Equal(t, []int{o.n, o.m, o.k}[:len(x.Extents())], x.Extents())
	}
}

// Frames over ranks are those of one process.
func TestFramesOfRanks(t *testing.T) {
	frame := func(ranks int) []byte {
		o := small
		o.frames = t.TempDir()
		if ranks > 0 {
			require.NoError(t, onRanks(ranks, 1, io.Discard, o))
		} else {
			_, err := run(io.Discard, exec.Serial{}, o)
			require.NoError(t, err)
		}
		data, err := os.ReadFile(filepath.Join(o.frames, "heat000060.png"))
		require.NoError(t, err)
		return data
	}
	assert.Equal(t, frame(0), frame(3))
}

func TestOptions(t *testing.T) {
	for _, o := range []options{
		{n: 2, m: 3, every: 1}, {n: 3, m: 3, every: 1, tile: -1},
		{n: math.MaxInt, m: 3, every: 1}, {n: 3, m: math.MaxInt, every: 1}, {n: 1 << 32, m: 1 << 32, every: 1},
		{n: 3037000500, m: 3037000500, every: 1, tile: 5}, {n: math.MinInt, m: 3, every: 1}, {n: 3, m: 3, every: 0},
		{n: 3, m: 3, every: math.MinInt},
	} {
		require.ErrorContains(t, onRanks(2, 1, io.Discard, o), "expected at ", "%+v", o)
	}
	require.ErrorContains(t, onRanks(2, 1, io.Discard, options{n: 3, m: 3, k: 3, every: 1}), "a block is not spread over ranks")
	_, err := run(io.Discard, exec.Serial{}, inTiles())
	require.ErrorContains(t, err, "-tile 5 without ranks")
	large := small
	large.tile, large.every = math.MaxInt, math.MaxInt // one tile, and a line at both ends
	require.NoError(t, onRanks(2, 1, io.Discard, large))
}
