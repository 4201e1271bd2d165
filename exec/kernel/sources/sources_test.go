package sources

import (
	"go/build"
	"go/format"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// read returns the declarations of a file.
func read(name, text string) *Folder {
	return Read("none", map[string][]byte{filepath.Join("none", name): []byte(text)}, true)
}

// hashOf returns the hash of a declaration of a file, and fails if there is none.
func hashOf(t *testing.T, text, name string) string {
	t.Helper()
	hash := read("a.go", "package p\n"+text).Hash("a.go", name)
	require.NotEmpty(t, hash, text)
	return hash
}

const text = "func f(x []float64) func(i int) {\n\treturn func(i int) { x[i] += g(1, 2) }\n}\n"

// Comments, spaces and imports of other names do not change a hash.
func TestHashIsNotOfCommentsAndSpaces(t *testing.T) {
	same := hashOf(t, text, "f")
	for _, other := range []string{
		"// f adds.\n" + text,
		strings.ReplaceAll(text, "x[i] +=", "\n// one\nx[i] += /* more */\n"),
		strings.ReplaceAll(text, "1, 2)", "\n1,\n2,\n)"),
		strings.ReplaceAll(text, "\n", "\r\n"),
		"import \"math\"\nvar _ = math.Pi\n" + text,
		"//line b.y:70\n" + text,
		text + "//go:noinline\nfunc g(a, b float64) float64 { return a }\n",
	} {
		assert.Equal(t, same, hashOf(t, other, "f"), other)
	}
}

// What gofmt makes of a file has the same hashes, whatever it takes away.
func TestHashIsThatOfTheFormattedFile(t *testing.T) {
	file := "package p\n" + `
import ( "math"; s "sort" )
const ( a =0X1F;b=1E5 ; c= iota; )
type t struct { x,y int; z [ ]float64; }
type u [T any,] struct{ }
var v = [...]float64{1,2,
	3 , }
func (r *(t)) f( a ,b int , ) (c int,) { if ((a<b)) { return ; }; for ; a<b ; { a++;; }
	for ;; { break; }; switch (a) { case 1:; default: b++; }
	L: for i:=0;i<3;i++ { continue L; }
	g := func ( ) { s.Ints(nil,); _ = math.Pi } ; g(); return ((a)) }
`
	formatted, err := format.Source([]byte(file))
	require.NoError(t, err)
	require.NotEqual(t, file, string(formatted))
	was := read("a.go", file)
	is := read("a.go", string(formatted))
	for _, name := range []string{"a", "b", "c", "t", "u", "v", "t.f"} {
		require.NotEmpty(t, was.Hash("a.go", name), name)
		assert.Equal(t, was.Hash("a.go", name), is.Hash("a.go", name), "%s of\n%s", name, formatted)
	}
}

// A hash is of all tokens, and of what names in front of dots are imported from.
func TestHashIsOfTokensAndImports(t *testing.T) {
	for _, c := range []struct{ name, one, other string }{
		{"f", text, strings.ReplaceAll(text, "+= g", "-= g")},
		{"f", text, strings.ReplaceAll(text, "1, 2", "1, 3")},
		{"f", text, strings.ReplaceAll(text, "[]float64", "...float64")},
		{"f", text, strings.ReplaceAll(text, "[]float64", "[]float32")},
		{"a", "type a = int", "type a int"},
		{"a", "type a [C *D]int", "type a [C *D,]int"},
		{"a", "var a = \"b;}\"", "var a = \"b}\""},
		{"b", "const (\n\ta = iota\n\tb\n)", "const (\n\ta = 2 * iota\n\tb\n)"},
		{"f", "import \"a/x\"\nfunc f() int { return x.F() }", "import \"b/x\"\nfunc f() int { return x.F() }"},
		{"f", "import \"a/x\"\nfunc f() int { return x.F() }", "import x \"a/y\"\nfunc f() int { return x.F() }"},
		{"f", "import \"a/x/v2\"\nfunc f() int { return x.F() }", "import \"b/x/v2\"\nfunc f() int { return x.F() }"},
		{"f", "import \"a/go-x\"\nfunc f() int { return x.F() }", "import \"b/go-x\"\nfunc f() int { return x.F() }"},
		{"f", "import . \"a/x\"\nfunc f() int { return F() }", "import . \"b/x\"\nfunc f() int { return F() }"},
		{"f", "import \"a/x\"\nfunc f() int { return x.F() }", "var x struct{ F func() int }\nfunc f() int { return x.F() }"},
	} {
		assert.NotEqual(t, hashOf(t, c.one, c.name), hashOf(t, c.other, c.name), "%s\n%s", c.one, c.other)
	}
	one := read("a.go", "package p\n"+text)
	other := read("a.go", "package q\n"+text)
	assert.NotEqual(t, one.Hash("a.go", "f"), other.Hash("a.go", "f"), "another package")
	const unused = "import (\n\t\"a/x\"\n\t_ \"a/y\"\n)\nvar _ = x.N\nfunc f() int { return 1 }"
	assert.Equal(t, hashOf(t, unused, "f"), hashOf(t, strings.ReplaceAll(unused, "a/", "b/"), "f"), "imports of other names")
}

// Declarations have names of their own, methods those of their types.
func TestDeclaredNames(t *testing.T) {
	f := read("a.go", "package p\ntype v[T any] struct{}\nfunc (v[T]) a() {}\nfunc (*v[T]) b() {}\n"+
		"var x, y = 1, 2\nconst z = 3\n")
	for _, name := range []string{"v", "v.a", "v.b", "x", "y", "z"} {
		assert.Equal(t, "a.go", f.DeclaredIn("p", name), name)
		assert.Empty(t, f.DeclaredIn("q", name), name)
	}
	assert.Len(t, f.byName, 6)
}

// A method is one of its type, whatever aliases of any build its receiver goes through, and also if these go around.
func TestMethodsOfAliases(t *testing.T) {
	f := read("a.go", "package p\ntype v[T any] struct{}\ntype a = *b\ntype b = (v[int])\ntype c = b\ntype b = c\n"+
		"func (a) m() {}\n")
	for name, want := range map[string]string{"v.m": "a.go", "b.m": "a.go", "c.m": "a.go", "a.m": "a.go", "v.n": "", "w.m": ""} {
		assert.Equal(t, want, f.DeclaredIn("p", name), name)
		assert.Equal(t, want != "", f.Hash("a.go", name) != "", name)
	}
	assert.Empty(t, f.changes([]string{"source", ".", "v.m", f.Hash("a.go", "a.m")}))
	assert.Equal(t, []string{"v.m is new"}, f.changes([]string{Undeclared, ".", "p", "v.m,w.m"}))
}

// A file of no build declares nothing, and one of any build does.
func TestFilesOfNoBuild(t *testing.T) {
	for constraint, want := range map[string]bool{
		"":                                  true,
		"//go:build arm64 && linux":         true,
		"//go:build !cgo":                   true,
		"// +build windows":                 true,
		"//go:build ignore || generate":     true,
		"//go:build ignore":                 false,
		"// +build ignore":                  false,
		"//go:build linux && ignore":        false,
		"//go:build never && !never":        false,
		"// +build arm64\n// +build !arm64": false,
	} {
		f := read("a.go", constraint+"\n\npackage p\n"+text)
		assert.Equal(t, want, f.DeclaredIn("p", "f") != "", constraint)
	}
	f := read("a.go", "//go:build !cgo\n\npackage p\nimport \"C\"\n"+text)
	assert.Empty(t, f.DeclaredIn("p", "f"), "cgo without cgo")
	for _, name := range []string{"_a.go", ".a.go", Generated + "_old.go"} {
		f := read(name, header+"from kernels. DO NOT EDIT.\n\npackage p\n"+text)
		assert.Empty(t, f.DeclaredIn("p", "f"), name)
	}
	for _, name := range []string{Generated + "_own.go", Generated + ".go"} {
		assert.Equal(t, name, read(name, "package p\n"+text).DeclaredIn("p", "f"), "a name like those of generated files")
	}
	f = read("a_test.go", "package p\n"+text)
	assert.Equal(t, "a_test.go", f.DeclaredIn("p", "f"), "a build for tests")
}

// A file has the constraint of its line and of its name, and cgo if it imports "C".
func TestConstraintsOfFiles(t *testing.T) {
	const c = "\n\npackage p\n\nimport \"C\"\n"
	for _, of := range []struct{ name, text, want string }{
		{"a.go", "package p\n", ""},
		{"linux.go", "package p\n", ""},
		{"a_linux.go", "package p\n", "linux"},
		{"a_linux_test.go", "package p\n", "linux"},
		{"a_b_windows_arm64.go", "package p\n", "windows && arm64"},
		{"arm64_windows.go", "package p\n", "windows"},
		{"a_amd64_b.go", "package p\n", ""},
		{"a_linux.pb.go", "package p\n", "linux"},
		{"a_unix.go", "package p\n", ""},
		{"a.go", "// A comment.\n\n//go:build x && !y\n\npackage p\n", "x && !y"},
		{"a.go", "//go:build x\n// +build y\n\npackage p\n", "x"},
		{"a.go", "// +build x\n// +build y z\n\npackage p\n", "x && (y || z)"},
		{"a.go", "// +build x\npackage p\n", ""},
		{"a.go", "// +build x\n\n// +build y\npackage p\n", "x"},
		{"a.go", "// +build x\n\n// Package p.\n// +build y\npackage p\n", "x"},
		{"a.go", "// +build x\n/* a */\n\npackage p\n", ""},
		{"a.go", "// +build x\n\n/* a */\n\n// +build y\n\npackage p\n", "x"},
		{"a.go", "/* a */\n\n//go:build x\npackage p\n", "x"},
		{"a.go", "package p\n\n//go:build x\n", ""},
		{"a_amd64.go", "//go:build x || y\n\npackage p\n", "(x || y) && amd64"},
		{"a.go", c, "cgo"},
		{"a_arm64.go", "//go:build x" + c, "x && arm64 && cgo"},
	} {
		got := ""
		if x := read(of.name, of.text).Constraint(of.name); x != nil {
			got = x.String()
		}
		assert.Equal(t, of.want, got, "%s\n%s", of.name, of.text)
	}
}

// The lines above a package clause say what package build reads in them, whatever comments stand beside and
// between.
func TestLinesAreReadAsGoBuildReadsThem(t *testing.T) {
	for _, header := range []string{
		"//go:build x\n", "/* a */ //go:build x\n", "/* a\n*/ //go:build x\n", "/* a */\n//go:build x\n",
		"/*\n//go:build x\n*/\n", " \t//go:build x\n", "/**/ /**/ //go:build x\n", "//go:build x\n/* a */ //go:build y\n",
		"/* a */ //go:build y\n//go:build x\n", "// //go:build x\n", "//go:buildx\n", "//go:build\tx\n", "// go:build x\n",
		"//go:build x\n\n//go:build y\n", "//go:build x &&\n", "//go:build\n", "//go:build x //go:build y\n",
		"//go:build x // y\n", "//go:build x\n// +build y\n\n", "\ufeff//go:build x\n", "//go:build x\r\n\r\n",
		"//line b.go:7\n/* a */ //go:build x\n", "/* a\r\n\r\n\r\n*/ //go:build x\r\n", "/*line b.go:7*/ //go:build x\n", "/* a */ /*line :7*/\n//go:build x\n",
		"// +build x\n\n", "// +build x\n", "//+build x\n\n", "/* a */ // +build x\n\n", "// +build x\n\n/* a */ // +build y\n\n",
		"// +build x\n \n// +build y\n", "// +build x &&\n\n", "// +build\n\n", "// +build x,!y\n// +build z\n\n",
		"// +build x\n\n/* a */ //go:build y\n\n", "/**/\n// +build x\n\n", "// a\n// +build x\n// b\n\n// c\n",
	} {
		for _, clause := range []string{"package p\n", "\npackage p\n", "/* b */ package p //go:build z\n", "package /*\n*/ p\n//go:build z\n"} {
			f := read("a.go", header+clause)
			x := f.Constraint("a.go")
			for of := range 1 << 3 {
				ctx := build.Context{OpenFile: func(string) (io.ReadCloser, error) {
					return io.NopCloser(strings.NewReader(header + clause)), nil
				}}
				for k, tag := range []string{"x", "y", "z"} {
					if of>>k&1 != 0 {
						ctx.BuildTags = append(ctx.BuildTags, tag)
					}
				}
				want, err := ctx.MatchFile(".", "a.go")
				_, declared := f.constraints["a.go"]
				has := func(tag string) bool { return slices.Contains(ctx.BuildTags, tag) }
				assert.Equal(t, want && err == nil, declared && (x == nil || x.Eval(has)), "%q with %v", header+clause, ctx.BuildTags)
			}
		}
	}
}

// The overlay is that of the last flag, which may be in quotes, and its paths are relative to the folder of
// its file.
func TestOverlayOfGOFLAGS(t *testing.T) {
	dir := t.TempDir()
	within := filepath.Join(dir, "a", "b")
	require.NoError(t, os.MkdirAll(within, 0o755))
	for name, text := range map[string]string{
		"new text": "package p\n", "an overlay": `{"Replace": {"a/x.go": "new text", "y.go": ""}}`, "none": "{}",
		"absolute": `{"Replace": {"` + dir + `/a/x.go": "` + dir + `/new text", "` + dir + `/y.go": ""}}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for flags, want := range map[string]bool{
		"": false, "-v -overlay=": false, "-overlayed=absolute": false, "-overlay=none": false,
		"-v --overlay=absolute": true, "-overlay=none '-overlay=an overlay' -v": true, "'-overlay=an overlay' -overlay=none": false,
		`-tags=a,b "-overlay=an overlay"`: true, "-overlay=" + dir + "/absolute": true, "-ldflags=-overlay=absolute": false,
	} {
		t.Setenv("GOFLAGS", flags)
		texts, err := Overlay(within)
		require.NoError(t, err, flags)
		if !want {
			assert.Empty(t, texts, flags)
			continue
		}
		assert.Equal(t, map[string][]byte{filepath.Join(dir, "a/x.go"): []byte("package p\n"), filepath.Join(dir, "y.go"): []byte(removed)},
			texts, flags)
		assert.Empty(t, Read(dir, texts, true).Constraint("y.go"), "a file of no build")
	}
}

// Each declaration has one line, and the names that a package must not declare share one.
func TestLines(t *testing.T) {
	f := Declaration{".", "p", "f", "12"}
	assert.Equal(t, []string{
		"//gokkos:source . f 12",
		"//gokkos:source ../q T.g 34",
		"//gokkos:undeclared . p len,max",
		"//gokkos:undeclared ../q q max",
		"//gokkos:unwritten . p table",
	}, Lines([]Declaration{
		f, {".", "p", "max", Undeclared},
		{"../q", "q", "T.g", "34"}, f, {".", "p", "len", Undeclared}, {".", "p", "table", Unwritten},
		{"../q", "q", "max", Undeclared}, {".", "p", "max", Undeclared},
	}))
}

// Changes names the declarations that are others now, new or gone.
func TestChangesNameWhatIsNotAsItWas(t *testing.T) {
	folder := t.TempDir()
	put := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, path)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, path), []byte(text), 0o644))
	}
	const f, g = "package p\nfunc f() int { return 1 }\n", "package p\nfunc g() int { return 2 }\n"
	assert.Empty(t, Changes(folder), "no generated file")
	put("a.go", f)
	put("q/b.go", g)
	put(Generated+".go", "package p\n\n"+strings.Join(Lines([]Declaration{
		{".", "p", "f", Read(folder, nil, true).Hash("a.go", "f")},
		{"q", "p", "g", Read(filepath.Join(folder, "q"), nil, true).Hash("b.go", "g")},
		{".", "p", "max", Undeclared}, {"q", "p", "T.g", Undeclared}, {"q", "p", "at", Unwritten},
	}), "\n")+"\n")
	assert.Empty(t, Changes(folder))
	assert.Empty(t, Stale(folder, "a/p"))
	put("a.go", "package p\n// f is one.\n"+strings.TrimPrefix(f, "package p\n"))
	assert.Empty(t, Changes(folder))
	put("a.go", "package p\nfunc f() int { return 3 }\n")
	assert.Equal(t, []string{"f has changed"}, Changes(folder))
	put("b.go", "//go:build arm64\n\n"+f)
	assert.Equal(t, []string{"f has changed"}, Changes(folder), "as it was in a file of fewer builds")
	put("b.go", "//go:build ignore\n\n"+f)
	assert.Equal(t, []string{"f has changed"}, Changes(folder), "as it was in a file of no build")
	put("b.go", "//go:build tools\n\npackage main\n"+strings.TrimPrefix(f, "package p\n"))
	assert.Equal(t, []string{"f has changed"}, Changes(folder), "as it was in another package")
	put("b.go", "//go:build tools\n\npackage main\nfunc max() {}\n")
	put("a.go", f+"func max(a int) int { return a }\n")
	assert.Equal(t, []string{"max is new"}, Changes(folder))
	put("a.go", f)
	assert.Empty(t, Changes(folder), "another package may declare it")
	put("q/c.go", "package p\ntype T struct{}\nfunc (*T) g() {}\n")
	assert.Equal(t, []string{"T.g of q is new"}, Changes(folder))
	put("q/c.go", "package p\n")
	for _, file := range [][2]string{
		{"c_test.go", "package p\nfunc init() { at[1] = 2 }\n"},
		{"c_arm64.go", "package p\nvar _ = at[:]\n"},
		{"c.s", "MOVQ AX, ·at(SB)\n"},
	} {
		put("q/"+file[0], file[1])
		assert.Equal(t, []string{"at of q is written"}, Changes(folder), file[0])
		put("q/"+file[0], strings.NewReplacer("package p", "package p_test", "·at", "·to").Replace(file[1]))
		assert.Empty(t, Changes(folder), file[0])
	}
	require.NoError(t, os.RemoveAll(filepath.Join(folder, "q")))
	assert.Equal(t, []string{"g of q is gone"}, Changes(folder), "a folder without declarations")
	put("a.go", "package p\n")
	assert.Equal(t, "the compiled kernels of package a/p are of an older source: f is gone, g of q is gone; "+
		"go generate a/p makes them anew", Stale(folder, "a/p"))
}
