package inplace_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/inplace"
)

// Functors of tests, in the package and from outside, have loops, also beside a package that is built anew for the tests.
func TestFunctorsOfTests(t *testing.T) {
	ownCache(t)
	const of = "./testdata/tested"
	lines := reported(t, "-test", of)
	asComments(t, lines, "testdata/tested/tested.go", "testdata/tested/inside_test.go", "testdata/tested/outside_test.go")
	assert.Len(t, lines, 9)
	t.Setenv("TESTED", "loops") // the tests require functors with loops
	var said bytes.Buffer
	require.NoError(t, inplace.Run("test", []string{"-count=1", of}, &said, &said), said.String())
	assert.NotContains(t, reported(t, of), "testdata/tested/inside_test.go:20")
}
