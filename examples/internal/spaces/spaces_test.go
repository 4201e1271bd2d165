package spaces

import (
	"flag"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/mpi"
	"github.com/gokkos/gokkos/policy"
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
	assert.Equal(t, []string{"serial", "goroutines", "simgpu"}, on)
	out.Reset()
	require.NoError(t, Choice{Name: "simgpu"}.Run(&out, program))
	assert.Equal(t, "hello\nbits: 80d922324cc18d9e on simgpu\n", out.String())
	out.Reset()
	require.NoError(t, Choice{Name: "simgpu,serial"}.Run(&out, program))
	assert.Equal(t, "hello\nbits: identical, 80d922324cc18d9e on simgpu, serial\n", out.String())
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

// Over ranks the first one has the results, and they are compared with those of other spaces.
func TestRanks(t *testing.T) {
	program := func(off float64) Program {
		return func(w io.Writer, on exec.Space) ([]any, error) {
			var sum float64
			err := exec.ParallelReduce(policy.Range(0, 10_000).On(on), func(i int, acc *float64) { *acc += math.Sqrt(float64(i)) }, builtin.Sum(&sum))
			if s, ranks := on.(mpi.Space); ranks {
				sum += off
				if s.Comm().Rank() > 0 {
					return nil, err
				}
			}
			return []any{sum}, err
		}
	}
	c := Choice{Name: "serial,mpi", Ranks: true, Workers: 2}
	for _, ranks := range []int{1, 3} {
		var out strings.Builder
		require.NoError(t, c.Local(ranks, &out, program(0)))
		assert.Regexp(t, `^bits: identical, \w+ on serial, mpi\n$`, out.String())
		require.ErrorContains(t, c.Local(ranks, io.Discard, program(1)), " on mpi, ")
	}
}

// The flags say what may stand behind them, and what it is without them.
func TestFlags(t *testing.T) {
	parse := func(c Choice, args ...string) (Choice, error) {
		f := flag.NewFlagSet("", flag.ContinueOnError)
		f.SetOutput(io.Discard)
		c.Flags(f)
		return c, f.Parse(args)
	}
	t.Setenv("GOKKOS_SPACE", "")
	c, err := parse(Choice{Name: "goroutines", Workers: 1})
	require.NoError(t, err)
	assert.Equal(t, Choice{Name: "goroutines", Workers: 1}, c)
	c, err = parse(Choice{Name: "all", Ranks: true}, "-space", "all,cuda,mpi", "-workers", "4096")
	require.NoError(t, err)
	assert.Equal(t, []string{"serial", "goroutines", "simgpu", "cuda", "mpi"}, c.names())
	assert.Equal(t, 4096, c.Workers)
	c, err = parse(Choice{}, "-space", "all,serial,all")
	require.NoError(t, err)
	assert.Equal(t, []string{"serial", "goroutines", "simgpu"}, c.names())
	t.Setenv("GOKKOS_WORKERS", "3")
	for workers, want := range map[string]int{"0": runtime.GOMAXPROCS(0), "2": 2, "": 3} {
		args := []string{"-space", "goroutines"}
		if workers != "" {
			args = append(args, "-workers", workers)
		}
		c, err := parse(Choice{}, args...)
		require.NoError(t, err)
		all, closed, err := c.Open()
		require.NoError(t, err)
		assert.Equal(t, want, all[0].On.Concurrency(), "-workers %q", workers)
		closed()
	}
	t.Setenv("GOKKOS_SPACE", "simgpu")
	c, err = parse(Choice{Name: "all"})
	require.NoError(t, err)
	assert.Equal(t, "simgpu", c.Name)
	c, err = parse(Choice{Name: "all"}, "-space", "serial")
	require.NoError(t, err)
	assert.Equal(t, "serial", c.Name)
	for want, args := range map[string][]string{
		`"-1" for flag -workers: expected 1 to 4096, or 0 for one per core`: {"-workers", "-1"},
		`"4097" for flag -workers: expected 1 to 4096`:                      {"-workers", "4097"},
	} {
		_, err := parse(Choice{Name: "all"}, args...)
		assert.ErrorContains(t, err, want)
	}
}

// Names are checked before anything runs, wherever they come from.
func TestNames(t *testing.T) {
	none := func(Choice) error { panic("runs") }
	for name, want := range map[string]string{
		"serial,gpu": `-space serial,gpu: no space is called "gpu", expected some of all, cuda, goroutines, serial, simgpu`,
		"":           `-space : no space is called "", expected some of all, cuda, goroutines, serial, simgpu`,
		"serial,mpi": "-space serial,mpi: the arrays of this program are not spread over ranks, expected some of all, cuda, goroutines, serial, simgpu",
	} {
		assert.EqualError(t, Choice{Name: name}.Start(none), want)
	}
	assert.EqualError(t, Choice{Name: "serial,cuda", NoCard: "its arrays are slices; put them into views"}.Start(none),
		"-space serial,cuda: this program does not run on a card: its arrays are slices; put them into views")
	assert.ErrorContains(t, Choice{Name: "gpu", NoCard: "slices"}.Start(none), "expected some of all, goroutines, serial, simgpu")
	var seen Choice
	require.NoError(t, Choice{Name: "all"}.Start(func(c Choice) error { seen = c; return nil }))
	assert.True(t, seen.First())
}

// Without a card the program says in one line why it does not run there, before it runs elsewhere.
func TestNoCard(t *testing.T) {
	t.Setenv("GOKKOS_CUDA", "/nowhere/libcuda.so.1")
	err := Choice{Name: "all,cuda"}.Run(io.Discard, nil)
	require.ErrorContains(t, err, "-space cuda: cuda: cannot load what GOKKOS_CUDA names: ")
	assert.NotContains(t, err.Error(), "\n")
}

func TestErrors(t *testing.T) {
	assert.ErrorContains(t, Choice{Name: "all"}.Run(io.Discard, func(io.Writer, exec.Space) ([]any, error) { return []any{"text"}, nil }), "result 0: binary.Write")
	err := Choice{Name: "serial"}.Run(io.Discard, func(io.Writer, exec.Space) ([]any, error) { return nil, io.EOF })
	assert.ErrorIs(t, err, io.EOF)
	assert.EqualError(t, err, "on serial: EOF")
}
