package spaces

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec"
)

// A program of any results runs on all spaces, and is heard once.
func TestRun(t *testing.T) {
	var on []string
	program := func(w io.Writer, space exec.Space) ([]any, error) {
		on = append(on, space.Name())
		fmt.Fprintln(w, "hello")
		return []any{1.5, []float32{1, 2}, 7, []int{3}, struct{ A, B uint8 }{1, 2}}, nil
	}
	var out strings.Builder
	require.NoError(t, Choice{Name: "all", Workers: 3}.Run(&out, program))
	assert.Equal(t, "hello\nbits: identical, 80d922324cc18d9e on serial, goroutines, simgpu\n", out.String())
	assert.Equal(t, names, on)
	out.Reset()
	require.NoError(t, Choice{Name: "simgpu"}.Run(&out, program))
	assert.Equal(t, "hello\nbits: 80d922324cc18d9e on simgpu\n", out.String())
	out.Reset()
	require.NoError(t, Choice{Name: "all", Timed: true}.Run(&out, program))
	assert.Equal(t, "hello\nhello\nhello\nbits: identical, 80d922324cc18d9e on serial, goroutines, simgpu\n", out.String())
}

// Other bits are found, those of zeros, too, and in results of any place.
func TestOtherBits(t *testing.T) {
	for _, other := range [][]any{{0.0, 1, []int{2}}, {math.Copysign(0, -1), 2, []int{2}}, {math.Copysign(0, -1), 1, []int{3}}, {math.Copysign(0, -1), 1}} {
		var out strings.Builder
		err := Choice{Name: "all"}.Run(&out, func(_ io.Writer, space exec.Space) ([]any, error) {
			if space.Name() == "simgpu" {
				return other, nil
			}
			return []any{math.Copysign(0, -1), 1, []int{2}}, nil
		})
		assert.ErrorContains(t, err, " on simgpu, ")
		assert.NotContains(t, out.String(), "bits")
	}
}

func TestErrors(t *testing.T) {
	none := func(io.Writer, exec.Space) ([]any, error) { return nil, nil }
	assert.EqualError(t, Choice{Name: "gpu"}.Run(io.Discard, none), `space "gpu", expected all or one of ["serial" "goroutines" "simgpu"]`)
	assert.EqualError(t, Choice{Name: "all", Workers: -1}.Run(io.Discard, none), "-1 workers, expected 0 or more")
	assert.ErrorContains(t, Choice{Name: "all"}.Run(io.Discard, func(io.Writer, exec.Space) ([]any, error) { return []any{"text"}, nil }), "result 0: binary.Write")
	assert.ErrorIs(t, Choice{Name: "serial"}.Run(io.Discard, func(io.Writer, exec.Space) ([]any, error) { return nil, io.EOF }), io.EOF)
}
