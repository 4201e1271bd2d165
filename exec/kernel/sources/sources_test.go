package sources

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// declared returns the lines of a file of a package, by name of the declaration.
func declared(t *testing.T, text string, mode parser.Mode) map[string]string {
	file, err := parser.ParseFile(token.NewFileSet(), "a.go", "package p\n"+text, mode)
	require.NoError(t, err)
	lines := map[string]string{}
	Declared(file, func(name string, d ast.Node) { lines[name] = Line(".", name, d) })
	return lines
}

// Comments and spaces do not change a hash, all else does.
func TestHashIsOfTheSyntax(t *testing.T) {
	const text = "func f(x []float64) func(i int) {\n\treturn func(i int) { x[i] += 1 }\n}\n"
	same := declared(t, text, parser.SkipObjectResolution)["f"]
	for _, other := range []string{
		"// f adds.\n" + text,
		strings.ReplaceAll(text, "x[i] += 1", "\n// one\nx[i] += 1 /* more */\n"),
		"import \"math\"\nvar _ = math.Pi\n" + text,
	} {
		assert.Equal(t, same, declared(t, other, parser.ParseComments)["f"], other)
	}
	for _, other := range []string{
		strings.ReplaceAll(text, "+= 1", "-= 1"),
		strings.ReplaceAll(text, "+= 1", "+= 2"),
		strings.ReplaceAll(text, "[]float64", "...float64"),
		strings.ReplaceAll(text, "[]float64", "[]float32"),
	} {
		assert.NotEqual(t, same, declared(t, other, parser.ParseComments)["f"], other)
	}
	assert.NotEqual(t, declared(t, "type a = int", 0)["a"], declared(t, "type a int", 0)["a"])
	assert.NotEqual(t, declared(t, "const (\n\ta = iota\n\tb\n)", 0)["b"], declared(t, "const (\n\ta = 2 * iota\n\tb\n)", 0)["b"])
}

// Declarations have names of their own, methods those of their types.
func TestDeclaredNames(t *testing.T) {
	names := declared(t, "type v[T any] struct{}\nfunc (v[T]) a() {}\nfunc (*v[T]) b() {}\nvar x, y = 1, 2\nconst z = 3\n", 0)
	for _, name := range []string{"v", "v.a", "v.b", "x", "y", "z"} {
		assert.Contains(t, names, name)
	}
	assert.Len(t, names, 6)
}

// Changed names the declarations that are others now, or gone.
func TestChangedNamesWhatIsNotAsItWas(t *testing.T) {
	folder := t.TempDir()
	put := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, path)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, path), []byte(text), 0o644))
	}
	const f, g = "func f() int { return 1 }\n", "func g() int { return 2 }\n"
	lines := declared(t, f+g, 0)
	put(File, "package p\n\n"+lines["f"]+"\n"+strings.Replace(lines["g"], " . ", " ../q ", 1)+"\n")
	assert.Empty(t, Changed(filepath.Join(folder, "none")), "no generated file")
	put("a.go", "package p\n"+f)
	assert.Empty(t, Changed(folder), "a folder that is not there is left out")
	put("b_test.go", "package p\n"+g)
	put("a.go", "package p\n// f is one.\n"+f)
	assert.Empty(t, Changed(folder))
	put("a.go", "package p\nfunc f() int { return 3 }\n")
	assert.Equal(t, []string{"f"}, Changed(folder))
	put("b.go", "//go:build arm64\n\npackage p\n"+f)
	assert.Empty(t, Changed(folder), "one of several builds is as it was")
	put("a.go", "package p\n"+g)
	put("b.go", "package p\n")
	assert.Equal(t, []string{"f"}, Changed(folder), "gone")
}
