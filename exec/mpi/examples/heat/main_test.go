package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/exec/mpi/internal/launchtest"
)

var small = options{n: 61, m: 47, steps: 30, every: 10, workers: 2}

func TestMain(m *testing.M) {
	launchtest.Rank(map[string]func(){"heat": func() {
		if err := mpi.Run(func(world *mpi.Comm) error { return run(world, small, os.Stdout) }); err != nil {
			launchtest.Fail(err)
		}
	}})
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
		now[i*o.m] = 100 + math.Sin(float64(i))
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
	lines := strings.Split(strings.TrimSpace(output(t, 1, o)), "\n")
	assert.Equal(t, fmt.Sprintf("%x", h.Sum(nil)), lines[len(lines)-1])
	assert.Len(t, lines, 5)
}

// It prints the same with any number of ranks and workers, more ranks than rows included.
func TestSameBits(t *testing.T) {
	want := output(t, 1, small)
	for _, ranks := range []int{2, 3, 4, 7, 64} {
		o := small
		o.workers = 1 + ranks%3
		assert.Equal(t, want, output(t, ranks, o), ranks)
	}
	for _, mpi := range launchtest.MPIs(t) {
		for _, ranks := range []int{1, 2, 3, 4, 7} {
			if testing.Short() && ranks > 2 {
				break
			}
			got, err := mpi.Run("heat", ranks)
			require.NoError(t, err, got)
			assert.Equal(t, want, got, "%s, %d ranks", mpi.Name, ranks)
		}
	}
}

func TestOptions(t *testing.T) {
	err := mpi.Local(2, func(c *mpi.Comm) error { return run(c, options{n: 2, m: 3, every: 1}, nil) })
	require.ErrorContains(t, err, "2 rows, 3 columns, 0 steps and a line for each 1, expected at least 3, 3, 0 and 1")
}
