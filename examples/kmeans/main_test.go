package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
)

func TestGolden(t *testing.T) {
	var out strings.Builder
	file := filepath.Join(t.TempDir(), "clusters.svg")
	require.NoError(t, spaces.Choice{Name: "all", Workers: 3}.Run(&out, func(w io.Writer, on exec.Space) ([]any, error) {
		return run(w, on, options{n: 2000, k: 5, most: 50, out: file})
	}))
	assert.Equal(t, `2000 points, 7 rounds, mean square distance 1.75865
     401 points around [1.0338 5.0393]
     402 points around [-2.0258 -4.0895]
     375 points around [-4.0353 3.042]
     400 points around [4.0022 1.0259]
     422 points around [-0.097086 -0.054284]
bits: identical, 8dd520fca26c378d on serial, goroutines, simgpu
`, out.String())
	chart, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, 2000, strings.Count(string(chart), "<circle"))
	assert.Equal(t, 5, strings.Count(string(chart), "<polyline"))
}

// written returns the path of a file with points.
func written(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "points.csv")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// Points of one, two and three columns, with a header and without.
func TestFile(t *testing.T) {
	for text, want := range map[string]string{
		"x\n1\n2\n10\n12\n":  "4 points, 2 rounds, mean square distance 0.625\n       2 points around [1.5]\n       2 points around [11]\n",
		"0,0\n0,1\n9,9\n":    "3 points, 2 rounds, mean square distance 0.166667\n       2 points around [0 0.5]\n       1 points around [9 9]\n",
		"1, 2, 3\n1, 2, 3\n": "2 points, 2 rounds, mean square distance 0\n       2 points around [1 2 3]\n       0 points around [1 2 3]\n",
	} {
		var out strings.Builder
		_, err := run(&out, exec.Serial{}, options{in: written(t, text), k: 2, most: 10})
		require.NoError(t, err)
		assert.Equal(t, want, out.String())
	}
}

// Centres are the means of their points, and no point is nearer to another one.
func TestMeans(t *testing.T) {
	p, err := clouds(exec.Serial{}, 999)
	require.NoError(t, err)
	c, err := newClusters(exec.Serial{}, p, 7)
	require.NoError(t, err)
	before := math.Inf(1)
	for changed := 1; changed > 0; {
		changed, err = c.round()
		require.NoError(t, err)
		assert.LessOrEqual(t, c.distance, before)
		before = c.distance
	}
	total := 0
	for k := range 7 {
		var sum [2]float64
		n := 0
		for i := range p.len() {
			if int(c.nearest[i]) == k {
				n, sum[0], sum[1] = n+1, sum[0]+p.at(i)[0], sum[1]+p.at(i)[1]
			}
			assert.LessOrEqual(t, between(p.at(i), c.centre(int(c.nearest[i]))), between(p.at(i), c.centre(k)))
		}
		assert.Equal(t, n, c.count(k))
		assert.InDelta(t, sum[0]/float64(n), c.centre(k)[0], 1e-12)
		assert.InDelta(t, sum[1]/float64(n), c.centre(k)[1], 1e-12)
		total += n
	}
	assert.Equal(t, 999, total)
}

func TestBadInput(t *testing.T) {
	for text, want := range map[string]string{
		"":                "no points",
		"a,b\n":           "no points",
		"1,2\n3\n":        "record on line 2: wrong number of fields",
		"1,2o\n3,4\n":     `line 1, column 3: "2o", expected a finite number`,
		"nan,inf\n3,4\n":  `line 1, column 1: "nan", expected a finite number`,
		"1,2\n3,x\n":      `line 2, column 3: "x", expected a finite number`,
		"a,b\n3,4\nNaN,1": `line 3, column 1: "NaN", expected a finite number`,
	} {
		_, err := run(io.Discard, exec.Serial{}, options{in: written(t, text), k: 1, most: 1})
		assert.ErrorContains(t, err, want, text)
	}
	for _, o := range []options{{n: 3, k: 4, most: 1}, {n: 3, k: 0, most: 1}, {n: 3, k: 1}, {n: 0, k: 1, most: 1}} {
		_, err := run(io.Discard, exec.Serial{}, o)
		assert.ErrorContains(t, err, "expected", fmt.Sprint(o))
	}
	_, err := run(io.Discard, exec.Serial{}, options{in: "none.csv"})
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// Input without end, sizes that no memory holds and numbers that overflow are errors.
func TestExtremeInputIsAnError(t *testing.T) {
	for _, n := range []int{math.MaxInt, math.MaxInt / 2, 1 << 50, 0, -1, math.MinInt} {
		_, err := run(io.Discard, exec.Serial{}, options{n: n, k: 1, most: 1})
		require.ErrorContains(t, err, "expected at ", "%d points", n)
	}
	for _, text := range []string{"\x00", "1", ",", "x"} {
		_, err := read(repeated(text))
		require.ErrorContains(t, err, "expected at most these", "%q", text)
	}
	_, err := io.Copy(io.Discard, &bounded{from: repeated("1\n"), file: longestFile - 100})
	require.ErrorContains(t, err, "expected at most these")
	for _, text := range []string{"1e308\n1e308\n", "1e308\n-1e308\n", "1e200,1\n1,1e200\n"} {
		file := filepath.Join(t.TempDir(), "points.csv")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		for k := 1; k <= 2; k++ {
			results, err := run(io.Discard, exec.Serial{}, options{in: file, k: k, most: 10})
			if err == nil {
				for _, x := range results[0].([]float64) {
					require.False(t, math.IsInf(x, 0) || math.IsNaN(x), "%q", text)
				}
				continue
			}
			require.ErrorContains(t, err, "a float64 can hold")
		}
	}
}

// repeated is a text again and again, without end.
type repeated string

func (r repeated) Read(p []byte) (int, error) {
	n := len(p) / len(r) * len(r)
	for k := 0; k < n; k += len(r) {
		copy(p[k:], r)
	}
	return n, nil
}
