package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each mutant has its place in the source, and is another text.
func TestMutantsHavePlaces(t *testing.T) {
	for _, m := range slices.Concat(mutants, ofTeams) {
		source, err := os.ReadFile(filepath.Join("..", "..", m.file))
		require.NoError(t, err, m.name)
		assert.Equal(t, 1, strings.Count(string(source), m.text), "%s in %s", m.name, m.file)
		assert.NotEqual(t, m.text, m.is, m.name)
	}
}
