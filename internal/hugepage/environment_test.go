package hugepage

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A value that means nothing is told, with the name of the variable and what is expected.
func TestVariableHasNoSilentValues(t *testing.T) {
	told := ""
	complain := func(text string) { told += text }
	assert.False(t, fromEnvironment("", complain))
	assert.False(t, fromEnvironment("1", complain))
	assert.True(t, fromEnvironment("0", complain))
	assert.Empty(t, told)
	assert.False(t, fromEnvironment("x", complain))
	assert.Equal(t, "gokkos: GOKKOS_HUGEPAGES=\"x\", expected 0, 1 or nothing; huge pages are used\n", told)
}
