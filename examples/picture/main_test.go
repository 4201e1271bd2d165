package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The picture of README is what the program draws: a circle for each node of a tree of 20 leaves.
func TestGolden(t *testing.T) {
	var out strings.Builder
	require.NoError(t, draw(&out))
	assert.Equal(t, 20+10+5+3+2+1, strings.Count(out.String(), "<circle"))
	assert.Equal(t, 4*20, strings.Count(out.String(), `height="20"`))
	file, err := os.ReadFile("../../docs/tree.svg")
	require.NoError(t, err)
	assert.Equal(t, string(file), out.String(), "go -C examples run ./picture > docs/tree.svg")
}
