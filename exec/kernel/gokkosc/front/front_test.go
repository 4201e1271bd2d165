package front_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/front"
)

// load lowers the kernels of a file, which is as good as one of this module.
func load(t *testing.T, body string, more ...string) []*front.Kernel {
	t.Helper()
	dir, err := filepath.Abs("../random/refused")
	require.NoError(t, err)
	imports := ""
	for _, path := range more {
		imports += "import \"" + path + "\"\n"
	}
	overlay := map[string][]byte{filepath.Join(dir, "kernels.go"): []byte("package refused\n" + imports + body)}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	packages, err := front.Load(front.Config{Dir: root, Overlay: overlay}, "./random/refused")
	require.NoError(t, err)
	require.Len(t, packages, 1)
	return packages[0].Kernels
}

// What cannot be compiled is refused where it stands, with what would help.
func TestRefused(t *testing.T) {
	text, err := os.ReadFile("testdata/refused.txt")
	require.NoError(t, err)
	var names, says []string
	var body strings.Builder
	for _, part := range strings.Split(string(text), "\n== ")[1:] {
		want, code, ok := strings.Cut(part, "\n")
		require.True(t, ok)
		says = append(says, want)
		body.WriteString("\n" + code + "\n")
	}
	kernels := load(t, body.String(), "math", "os", "strings", "unsafe", "github.com/gokkos/gokkos/policy", "github.com/gokkos/gokkos/views")
	require.Len(t, kernels, len(says))
	lines := strings.Split(body.String(), "\n")
	for n, k := range kernels {
		names = append(names, k.Func)
		if !assert.NotNil(t, k.Refused, "%s is compiled, expected: %s", k.Func, says[n]) {
			continue
		}
		got := k.Refused.Error()
		at := lines[k.Refused.Pos.Line-8]
		assert.Contains(t, got, says[n], k.Func)
		assert.Contains(t, at, "//!", "%s: %s: %s", k.Func, got, at)
	}
	assert.Greater(t, len(names), 30)
}
