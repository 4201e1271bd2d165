package generate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/generate"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// Generated files know of each declaration that a kernel is made of whether it has changed, and of no other one.
func TestChangedSources(t *testing.T) {
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	root, err := os.MkdirTemp("testdata", "sources")
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, os.RemoveAll(root))
		os.Remove("testdata") // unless it has something
	})
	const module = "github.com/gokkos/gokkos/exec/kernel/gokkosc/generate/"
	files := map[string]string{
		"here/a.go": `package here

import "` + module + filepath.ToSlash(root) + `/there"

const (
	first = iota
	second
)

type pair struct{ a, b number }

type number float64

var table = [...]float64{1, 2, 3}

func scaled(x float64) float64 { return float64(x * second) }

func (p pair) sum() float64 { return float64(p.a) + float64(p.b) }

// other is no part of a kernel.
func other() int { return 1 }

//gokkos:kernel
func set(p pair, x, y []float64) func(i int) {
	return func(i int) { y[i] = scaled(x[i]) + table[i%3] + p.sum() + there.Twice(x[i]) + there.Offset }
}
`,
		"there/b.go": "package there\n\nconst Offset = 3\n\nfunc Twice(x float64) float64 { return float64(2 * x) }\n\nfunc Never() {}\n",
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755))
		write(name, text)
	}
	here := filepath.Join(root, "here")
	made, err := generate.Packages(front.Config{}, "./"+here)
	require.NoError(t, err)
	require.NoError(t, made[0].Write())
	require.Nil(t, made[0].Compiled[0].Refused)
	assert.Empty(t, sources.Changed(here))
	for _, c := range []struct{ file, old, new, want string }{
		{"here/a.go", "y[i] = scaled", "y[i] = 2 + scaled", "set"},
		{"here/a.go", "x * second", "x * 2 * second", "scaled"},
		{"here/a.go", "first = iota", "first = iota + 1", "second"},
		{"here/a.go", "number float64", "number float32", "number"},
		{"here/a.go", "a, b number", "b, a number", "pair"},
		{"here/a.go", "{1, 2, 3}", "{1, 2, 4}", "table"},
		{"here/a.go", "float64(p.a) +", "float64(p.a) -", "pair.sum"},
		{"here/a.go", "func scaled", "func Scaled", "scaled"},
		{"there/b.go", "2 * x", "3 * x", "Twice of ../there"},
		{"there/b.go", "Offset = 3", "Offset = 4", "Offset of ../there"},
		{"there/b.go", "Never() {}", "Never() { Never() }", ""},
		{"here/a.go", "return 1 ", "return 2 ", ""},
		{"here/a.go", "func scaled(", "// scaled is scaled.\n//line c.y:4\nfunc scaled( ", ""},
		{"here/a.go", "return func(i int) {", "return func(i int) {\n\t\t// sets\n", ""},
		{"here/a.go", "\n", "\r\n", ""},
	} {
		text := strings.ReplaceAll(files[c.file], c.old, c.new)
		require.NotEqual(t, files[c.file], text)
		write(c.file, text)
		if changed := sources.Changed(here); c.want == "" {
			assert.Empty(t, changed, c.new)
		} else {
			assert.Equal(t, []string{c.want}, changed, c.new)
		}
		write(c.file, files[c.file])
	}
	require.NoError(t, os.RemoveAll(filepath.Join(root, "there")))
	assert.Empty(t, sources.Changed(here), "a folder that is not there")
}
