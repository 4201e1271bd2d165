package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/reducertest"
)

func TestGolden(t *testing.T) {
	var out strings.Builder
	require.NoError(t, spaces.Choice{Name: "all"}.Run(&out, toss))
	assert.Equal(t, "1000000 throws, 18 heads in a row\nbits: identical, 1542c62881b8dc5f on serial, goroutines, simgpu\n", out.String())
	out.Reset()
	require.NoError(t, spaces.Choice{Name: "mpi"}.Local(3, &out, toss))
	assert.Equal(t, "1000000 throws, 18 heads in a row\nbits: 1542c62881b8dc5f on mpi\n", out.String())
}

// throws are the runs of throws that are written down.
func throws(text string) (all runs) {
	for _, c := range text {
		var head int64
		if c == 'H' {
			head = 1
		}
		join(&all, &runs{1, head, head, head})
	}
	return all
}

// It is a reducer: associative, with no throws as the identity. It is not commutative.
func TestLaws(t *testing.T) {
	var r runs
	var samples []runs
	for _, text := range []string{"", "H", "T", "HH", "HT", "TH", "THHT", "HTH", "HHTHHHT"} {
		samples = append(samples, throws(text))
	}
	reducertest.Check(t, reducers.Ordered(reducers.New(&r, join)), samples)
}

func TestRuns(t *testing.T) {
	for text, want := range map[string]runs{
		"": {}, "T": {1, 0, 0, 0}, "HHH": {3, 3, 3, 3}, "HTTHHT": {6, 1, 0, 2}, "THHHTH": {6, 0, 1, 3}, "HHTHH": {5, 2, 2, 2},
	} {
		assert.Equal(t, want, throws(text), text)
		for k := range text { // in two parts
			left, right := throws(text[:k]), throws(text[k:])
			join(&left, &right)
			assert.Equal(t, want, left, "%s|%s", text[:k], text[k:])
		}
	}
}

// The program shows how short a reducer is, from declaration to launch.
func TestShort(t *testing.T) {
	source, err := os.ReadFile("main.go")
	require.NoError(t, err)
	_, rest, _ := bytes.Cut(source, []byte("// runs are"))
	reducer, _, found := bytes.Cut(rest, []byte("reducers.New(&r, join)"))
	require.True(t, found)
	assert.Less(t, bytes.Count(reducer, []byte("\n")), 25)
}
