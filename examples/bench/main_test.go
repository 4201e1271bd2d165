package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every kernel runs with every implementation, which all compute the same, and gives a line.
func TestAllKernels(t *testing.T) {
	var out, errs bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-sizes", "1000,1025", "-rounds", "2", "-seconds", ".001", "-workers", "3", "-json"}, &out, &errs))
	withPeers := errs.Len() == 0
	found := map[string][]string{}
	for line := range strings.Lines(out.String()) {
		var m measurement
		require.NoError(t, json.Unmarshal([]byte(line), &m))
		assert.Positive(t, m.Median, line)
		assert.LessOrEqual(t, m.Least, m.Median, line)
		assert.Equal(t, 3, m.Workers)
		if !slices.Contains(found[m.Kernel], m.Impl) {
			found[m.Kernel] = append(found[m.Kernel], m.Impl)
		}
	}
	for _, k := range kernels {
		for name := range k.make {
			assert.Contains(t, found[k.name], name, k.name)
		}
		if withPeers {
			assert.Contains(t, found[k.name], "cpp-omp", k.name)
		}
	}
}

func TestTableAndPlot(t *testing.T) {
	var out, errs bytes.Buffer
	file := filepath.Join(t.TempDir(), "out.png")
	require.NoError(t, run(t.Context(), []string{"-kernels", "sum,axpy", "-impls", "loop,gokkos-fold,conc", "-sizes", "1e2,1e3", "-rounds", "1", "-seconds", ".001", "-plot", file}, &out, &errs))
	assert.Contains(t, out.String(), "sum, 1000 items")
	assert.Contains(t, out.String(), "axpy, 100 items")
	assert.NotContains(t, out.String(), "gonum")
	assert.Contains(t, out.String(), "noise: ")
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Greater(t, info.Size(), int64(1000))
}

func TestOptions(t *testing.T) {
	for _, args := range [][]string{
		{"-kernels", "sum,nothing"}, {"-impls", "fast"}, {"-sizes", "1.5"}, {"-sizes", "0"}, {"-sizes", "1e30"},
		{"-workers", "0"}, {"-rounds", "0"}, {"-seconds", "0"}, {"-plot", "x.doc"}, {"more"},
	} {
		var out, errs bytes.Buffer
		assert.Error(t, run(t.Context(), args, &out, &errs), "%v", args)
		assert.Zero(t, out.Len(), "%v", args)
	}
}
