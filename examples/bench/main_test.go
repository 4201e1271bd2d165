package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	levels "github.com/gokkos/gokkos/exec/kernel"
)

// testDir is removed when all tests are done.
var testDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "gokkos-bench-test")
	if err != nil {
		panic(err)
	}
	testDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// peersOnce makes the peers in C++, once for all tests.
var peersOnce = sync.OnceValues(func() (string, error) { return compileCpp(context.Background(), testDir) })

// peersProgram returns the program, if there is a compiler.
func peersProgram(t *testing.T) (program string, ok bool) {
	program, err := peersOnce()
	if errors.Is(err, exec.ErrNotFound) {
		return "", false
	}
	require.NoError(t, err)
	return program, true
}

// inPlaceOnce makes this program with compiled functors, once for all tests.
var inPlaceOnce = sync.OnceValues(func() (string, error) { return compileInPlace(context.Background(), testDir) })

// peersOf starts the peers, or skips the test if there is no compiler.
func peersOf(t *testing.T) *peers {
	program, ok := peersProgram(t)
	if !ok {
		t.Skip("no g++")
	}
	p, err := startPeers(t.Context(), program)
	require.NoError(t, err)
	t.Cleanup(p.close)
	return p
}

// Every kernel runs with every implementation, which all compute the same, and gives a line.
func TestAllKernels(t *testing.T) {
	var out, errs bytes.Buffer
	args := []string{"-sizes", "1000,1025", "-rounds", "2", "-seconds", ".001", "-rest", "0", "-workers", "3", "-json"}
	programs, err := inPlaceOnce()
	require.NoError(t, err)
	program, inCpp := peersProgram(t)
	if inCpp {
		programs += "," + program
	}
	args = append(args, "-peers", programs)
	require.NoError(t, run(t.Context(), args, &out, &errs))
	found := map[string][]string{}
	for line := range strings.Lines(out.String()) {
		var m measurement
		require.NoError(t, json.Unmarshal([]byte(line), &m))
		if found[m.Kernel] = append(found[m.Kernel], m.Impl); m.Missing != "" {
			continue
		}
		assert.Positive(t, m.Median, line)
		assert.LessOrEqual(t, m.Least, m.Median, line)
		assert.Equal(t, 3, m.Workers)
	}
	for _, k := range kernels {
		for name := range k.make {
			assert.Contains(t, found[k.name], name, k.name)
		}
		if inCpp {
			assert.Contains(t, found[k.name], cppFirst, k.name)
		}
	}
	assert.Contains(t, found["sum"], goFirst)
	assert.Contains(t, found["scan"], goFirst)
	assert.Contains(t, found["scatter1e3"], goFirst)
	assert.NotContains(t, found["scan"], "gokkos-index-avx2", "it has a loop in Go alone")
	if level, undo := levels.Limit(levels.AVX512); level > levels.Go {
		undo()
		assert.Contains(t, found["axpy"], "gokkos-index-avx2")
	}
}

func TestTableAndPlot(t *testing.T) {
	var out, errs bytes.Buffer
	file := filepath.Join(t.TempDir(), "out.png")
	require.NoError(t, run(t.Context(), []string{"-kernels", "sum,axpy", "-impls", "loop,gokkos-fold,conc", "-sizes", "1e2,1e3", "-rounds", "1", "-seconds", ".001", "-plot", file}, &out, &errs))
	assert.Contains(t, out.String(), "sum, 1000 items")
	assert.Contains(t, out.String(), "axpy, 100 items")
	assert.NotContains(t, out.String(), "gonum")
	assert.Contains(t, out.String(), "\ntime, medians of 1 round, ")
	assert.Contains(t, out.String(), "noise: ")
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Greater(t, info.Size(), int64(1000))
}

func TestOptions(t *testing.T) {
	for _, args := range [][]string{
		{"-kernels", "sum,nothing"}, {"-impls", "fast"}, {"-sizes", "1.5"}, {"-sizes", "0"}, {"-sizes", "1e30"},
		{"-rest", "-1s"}, {"-rest", "1h"}, {"-json", "-markdown"}, {"-peers", "/no/such/program"}, {"-impls", "loop,kokkos-int64"},
		{"-workers", "0"}, {"-level", "sse"}, {"-rounds", "0"}, {"-seconds", "0"}, {"-plot", "x.doc"}, {"more"},
		{"-roofline", "x.doc"}, {"-mark", "k=1/2/3"}, {"-roofline", "x.png", "-mark", "k=1/2"}, {"-roofline", "x.png", "-mark", "=1/2/3"}, {"-roofline", "x.png", "-mark", "k=1/0/3"},
	} {
		var out, errs bytes.Buffer
		assert.Error(t, run(t.Context(), args, &out, &errs), "%v", args)
		assert.Zero(t, out.Len(), "%v", args)
	}
}

// The roofline names what bounds a kernel: memory if it does little for a byte, arithmetic if it does much.
func TestRoofline(t *testing.T) {
	file := filepath.Join(t.TempDir(), "roofline.png")
	all := []measurement{
		{Kernel: "axpy", Impl: "gokkos-index-avx2", N: 1000, Median: 1, Rate: 24}, {Kernel: "axpy", Impl: "gokkos-index-avx2", N: 2000, Median: 3, Rate: 8},
		{Kernel: "axpy", Impl: "gokkos-index", N: 2000, Median: 4, Rate: 6}, {Kernel: "axpy", Impl: "loop", N: 2000, Median: 2, Rate: 12},
		{Kernel: "sum", Impl: "gokkos-fold", N: 9, Missing: "why"}, {Kernel: "options", Impl: "gokkos-index-avx2", N: 9, Median: 1, Rate: 1},
	}
	l := &limits{reads: []reads{{1 << 20, 100}, {1 << 30, 10}}, arithmetic: 50}
	marks := append(marksOf(all), point{"much", 1000, 10, 40})
	require.Equal(t, []point{{"axpy (index-avx2)", 2, 24, 3}, {"much", 1000, 10, 40}}, marks)
	var out bytes.Buffer
	require.NoError(t, l.write(&out, marks))
	assert.Regexp(t, `axpy \(index-avx2\) +0.0833 +0.667 +8.0 +reads +80 %`, out.String())
	assert.Regexp(t, `much +100 +25 +0.2 +arithmetic +50 %`, out.String())
	assert.Regexp(t, `reads of 1 GiB +10.0`, out.String())
	require.NoError(t, l.draw(file, marks))
	picture, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "\x89PNG", string(picture[:4]))
}

func TestLimits(t *testing.T) {
	defer func(before []int) { readSizes = before }(readSizes)
	readSizes = []int{1 << 10, 1 << 16}
	h := newHarness(t.Context(), &options{workers: 1}, nil, nil)
	defer h.close()
	l, err := h.measureLimits()
	require.NoError(t, err)
	require.Len(t, l.reads, 2)
	assert.Positive(t, l.reads[0].rate)
	assert.Positive(t, l.reads[1].rate)
	assert.Positive(t, l.arithmetic)
}

// Each implementation is asked of the program that has it, and its result is compared. A program that is given is
// not made.
func TestSeveralPrograms(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	program := func(impl, answer string) string { // has one implementation of each kernel
		file := filepath.Join(t.TempDir(), impl)
		script := "#!/bin/sh\nwhile read kernel impl rest; do case $impl in " + impl + ") echo " + answer + ";; *) echo none;; esac; done\n"
		require.NoError(t, os.WriteFile(file, []byte(script), 0o700))
		return file
	}
	measured := func(programs ...string) (string, error) {
		var out, errs bytes.Buffer
		err := run(t.Context(), []string{
			"-peers", strings.Join(programs, ","), "-impls", "loop,cpp-omp,cpp-simd,kokkos", "-kernels", "launch_for",
			"-rounds", "1", "-seconds", "1e-7", "-rest", "0", "-json",
		}, &out, &errs)
		return out.String(), err
	}
	out, err := measured(program("cpp-simd", "400 400 0"), program("kokkos", "700 700 0"))
	require.NoError(t, err)
	assert.Regexp(t, `"impl":"cpp-simd".*"ns_per_item":400,`, out)
	assert.Regexp(t, `"impl":"kokkos".*"ns_per_item":700,`, out)
	assert.NotContains(t, out, "cpp-omp")
	_, err = measured(program("cpp-simd", "400 400 0"), program("kokkos", "700 700 7"))
	assert.ErrorContains(t, err, "kokkos computes 7, but loop 0")
	_, err = measured(program("kokkos", "700 700 0; exit"))
	assert.ErrorContains(t, err, "kokkos ended")
}

// Every kernel is written in Kokkos, too, though nothing here compiles it.
func TestKokkosHasAllKernels(t *testing.T) {
	source, err := os.ReadFile("kokkos/kernels.cpp")
	require.NoError(t, err)
	for _, k := range kernels {
		assert.Regexp(t, `(KOKKOS|KERNEL|SCATTER|CSR)\("?`+k.name+`"?[,)]`, string(source))
	}
}

// Without g++ and the go command the figures of all others are there, and rows say why they have none.
func TestNoCompiler(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, c := range []struct{ format, want string }{
		{"-json", `"missing":"exec: \"g++\": executable file not found`},
		{"-markdown", "| not measured |"},
		{"-orders", `cpp-omp: not measured: exec: "g++": executable file not found`},
		{"-orders", `gokkos-index-go: not measured: go tool gokkosc build: exec: "go": executable file not found`},
	} {
		var out, errs bytes.Buffer
		args := []string{c.format, "-kernels", "sum", "-sizes", "100", "-rounds", "1", "-seconds", ".001", "-rest", "0"}
		require.NoError(t, run(t.Context(), args, &out, &errs))
		assert.Contains(t, out.String(), c.want)
		assert.Contains(t, out.String(), "loop")
		assert.Contains(t, errs.String(), "no cpp-omp: ")
		assert.Contains(t, errs.String(), "no gokkos-index-go: ")
	}
}

// The table of all kernels: first forms beside best ones, processor time where several cores
// took part, and a mark where we are slower.
func TestMarkdown(t *testing.T) {
	var out bytes.Buffer
	report := newReporter(&options{markdown: true}, &out)
	m := func(impl string, ns, cpu float64) measurement {
		return measurement{Impl: impl, Median: ns, Least: ns, CPU: cpu}
	}
	require.NoError(t, report.add(sumKernel, 5e7, []measurement{
		m("gokkos-fold", .2, .4), m("gokkos-span", .3, .6), m("gokkos-lanes", .35, .7), m("gokkos-index", .65, 1.3), m("gokkos-index-go", .25, .5), m("gokkos-index-avx2", .3, .6), m("loop", .5, .5), m("errgroup", .27, .53), m("cpp-omp", .3, .3), m("cpp-simd", .18, .36), m("kokkos", .4, .4), m("kokkos-int64", .33, .33), m(readLimit, .1, .2),
	}))
	require.NoError(t, report.add(stencil2Kernel, 4096*4096, []measurement{
		m("gokkos-index", 20, 20), m("loop", 30, 30), {Impl: "cpp-omp", Missing: "no g++"},
	}))
	require.NoError(t, report.end(noise{}))
	assert.Equal(t, strings.Join([]string{
		"| kernel, items | written first | in place | best form | other forms | loop | errgroup | gonum | kokkos | cpp-omp | best C++ | of best peer |",
		"|---|---|---|---|---|---|---|---|---|---|---|---|",
		"| sum, 5e7 | index .65 (1.3) | .30 (.60) | fold .20 (.40) | span .30 (.60), lanes .35 (.70) | .50 | .27 (.53) |  | .33 | .30 | simd .18 (.36) | **1.1** |",
		"| stencil2, 4096 x 4096 | index 20 |  | the same |  | 30 |  |  |  | not measured |  | .67 |",
	}, "\n"), strings.Join(strings.Split(out.String(), "\n")[:4], "\n"))
	for _, want := range []string{
		`written first +1.97 +1 +3.61 +1 +0.93 +2`, `the same, compiled in place +0.91 +1 +1.67 +1 +0.63 +2`,
		"\n0.91  sum, 5e7: gokkos-index-avx2 beside kokkos-int64\n0.67  stencil2", "1.20  sum, 5e7: gokkos-index-avx2 beside gokkos-index-go",
	} {
		assert.Regexp(t, want, out.String())
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{1: "1", 999: "999", 1000: "1e3", 1025: "1025", 16000: "1.6e4", 123000: "123000", 1e5: "1e5", 5e7: "5e7", 25e10: "2.5e11"} {
		assert.Equal(t, want, count(n))
	}
}
