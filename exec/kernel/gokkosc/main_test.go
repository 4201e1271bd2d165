package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The generated files of the kernels here are what gokkosc writes.
func TestCheck(t *testing.T) {
	var out, said strings.Builder
	require.NoError(t, run([]string{"-check", "-ptx", "./internal/kernels"}, &out, &said))
	assert.Empty(t, out.String())
	assert.Empty(t, said.String())
}

// Kernels are PTX as well if that is asked for, and only then.
func TestPTX(t *testing.T) {
	var out, said strings.Builder
	err := run([]string{"-check", "./internal/kernels"}, &out, &said)
	assert.ErrorContains(t, err, "z_kernels_ptx.go has no kernels any more, or is of a flag that was not given; go generate makes them anew")
	assert.NotContains(t, err.Error(), "z_kernels.go")
}

func TestPrint(t *testing.T) {
	var out, said strings.Builder
	require.NoError(t, run([]string{"-ir", "./internal/kernels"}, &out, &said))
	assert.Contains(t, out.String(), "kernel spmv(ptr []int, col []int, val []float64, x []float64, y []float64)")
	assert.Empty(t, said.String())
}

func TestMistakes(t *testing.T) {
	var out, said strings.Builder
	assert.ErrorContains(t, run([]string{"-chek"}, &out, &said), "flag provided but not defined: -chek")
	assert.Error(t, run([]string{"./missing"}, &out, &said))
}
