package main

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/examples/internal/spaces"
	"github.com/gokkos/gokkos/exec"
)

// output is what a run on all spaces prints.
func output(t *testing.T, o options) string {
	var out strings.Builder
	require.NoError(t, spaces.Choice{Name: "all", Workers: 3}.Run(&out, func(w io.Writer, on exec.Space) ([]any, error) {
		return run(w, on, o)
	}))
	return out.String()
}

// The table is that of BabelStream.
func TestGolden(t *testing.T) {
	var out strings.Builder
	text := output(t, options{size: 5000, times: 3})
	table, bits := strings.Index(text, "Copy"), strings.Index(text, "bits")
	out.WriteString(text[:table])
	for _, line := range strings.SplitAfter(text[table:bits], "\n") {
		if line != "" {
			assert.Regexp(t, `^(Copy|Mul|Add|Triad|Dot) {7,9}\d+\.\d{3} +(0\.\d{5} +){3}\n$`, line)
			out.WriteString(strings.Fields(line)[0] + "\n")
		}
	}
	out.WriteString(text[bits:])
	assert.Equal(t, `BabelStream
Implementation: gokkos, serial
Running kernels 3 times
Precision: double
Array size: 0.0 MB (=0.0 GB)
Total size: 0.1 MB (=0.0 GB)
Function    MBytes/sec  Min (sec)   Max         Average     
Copy
Mul
Add
Triad
Dot
bits: identical, 2db29e8643567623 on serial, goroutines, simgpu
`, out.String())
}

func TestCSV(t *testing.T) {
	lines := strings.Split(output(t, options{size: 100, times: 2, csv: true, float: true, triad: true}), "\n")
	assert.Equal(t, "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime", lines[0])
	assert.Regexp(t, `^Triad,2,100,4(,[0-9.e+-]+){4}$`, lines[1])
	assert.Regexp(t, `^bits: identical, `, lines[2])
}

// A rate is that of all bytes that the fastest counted round moves.
func TestTable(t *testing.T) {
	var out strings.Builder
	rows := []row{{"Add", 3, []float64{.001, 2, 4, 3}}}
	table(&out, rows, options{size: 1e6, times: 4}, 8)
	table(&out, rows, options{size: 1 << 20, times: 4, csv: true, mebibytes: true}, 4)
	assert.Equal(t, `Function    MBytes/sec  Min (sec)   Max         Average     
Add         12.000      2.00000     4.00000     3.00000     
function,num_times,n_elements,sizeof,max_mibytes_per_sec,min_runtime,max_runtime,avg_runtime
Add,4,1048576,4,6,2,4,3
`, out.String())
}

// Whatever is wrong in an array or in the sum is found.
func TestCheck(t *testing.T) {
	for _, spoil := range []func(s *stream[float64]){
		func(s *stream[float64]) { s.a[7]++ }, func(s *stream[float64]) { s.b[0]++ },
		func(s *stream[float64]) { s.c[99]++ }, func(s *stream[float64]) { s.sums[2] *= 1.0001 },
	} {
		s, err := newStream[float64](exec.Serial{}, 100)
		require.NoError(t, err)
		rows, err := s.rounds(3, false)
		require.NoError(t, err)
		for k, arrays := range []int{2, 2, 3, 3, 2} { // copy, mul, add, triad, dot
			assert.Equal(t, arrays, rows[k].arrays)
		}
		require.NoError(t, s.check(3, false))
		spoil(s)
		assert.ErrorContains(t, s.check(3, false), "expected")
	}
}

func TestBadInput(t *testing.T) {
	for _, o := range []options{{size: 0, times: 2}, {size: 1, times: 1}} {
		_, err := run(io.Discard, exec.Serial{}, o)
		assert.ErrorContains(t, err, "expected at least 1 and 2")
	}
}

// Arrays that no memory holds, or whose bytes wrap, are errors.
func TestHugeSizesAreErrors(t *testing.T) {
	for _, n := range []int{1 << 61, 1 << 62, math.MaxInt} {
		for _, float := range []bool{false, true} {
			_, err := run(io.Discard, exec.Serial{}, options{size: n, times: 2, float: float})
			require.ErrorContains(t, err, "of memory that are free")
		}
	}
}
