package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Without a card the program says why there is none, and does not fail.
func TestNoCard(t *testing.T) {
	t.Setenv("GOKKOS_CUDA", "/nowhere/libcuda.so.1")
	var b strings.Builder
	require.NoError(t, run(&b))
	assert.Contains(t, b.String(), "simgpu     8c4416932827abb3\nno card: cuda: cannot load what GOKKOS_CUDA names: ")
}
