package generate_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page of the representation shows the text that its kernel has.
func TestRepresentationPage(t *testing.T) {
	page, err := os.ReadFile("../ir/README.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(page), "```go\n")
	require.True(t, ok)
	code, rest, ok := strings.Cut(rest, "```\n")
	require.True(t, ok)
	_, rest, ok = strings.Cut(rest, "```text\n")
	require.True(t, ok)
	text, _, ok := strings.Cut(rest, "```\n")
	require.True(t, ok)
	p, err := packages(t, "package made\n\n"+code)
	require.NoError(t, err)
	var b strings.Builder
	p.Print(&b)
	assert.Equal(t, text, strings.TrimSpace(b.String())+"\n")
}
