package generate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// Generated files detect a change of each declaration that a kernel is made of, and of no other declaration.
func TestChangedSources(t *testing.T) {
	root := folder(t, "sources")
	const module = "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate/"
	files := map[string]string{
		"here/a.go": `package here

import (
	same "` + module + filepath.ToSlash(root) + `/same"
	"` + module + filepath.ToSlash(root) + `/there"
)

const (
	first = iota
	second
)

type pair struct{ a, b number }

type number float64

type outer struct{ inner }

type inner struct{ n float64 }

func (o inner) first() float64 { return o.n }

var table = [...]float64{1, 2, 3}

func scaled(x float64) float64 { return float64(x * second) }

func (p pair) sum() float64 { return float64(p.a) + float64(p.b) }

// other is no part of a kernel.
func other() int { return 1 }

//gokkos:kernel
func set(p pair, o outer, x, y []float64) func(i int) {
	return func(i int) {
		y[i] = scaled(x[i]) + table[i%3] + p.sum() + there.Twice(x[i]) + there.Offset
		y[i] += max(o.first(), same.Half(x[i]), o.n)
	}
}
`,
		"there/b.go": `package there

const Offset = 3

func Twice(x float64) float64 { return float64(2 * min(x, 9)) }

func Never() {}
`,
		"same/c.go":  "package same\n\nfunc Half(x float64) float64 { return float64(x / 2) }\n",
		"other/c.go": "package same\n\nfunc Half(x float64) float64 { return float64(x / 4) }\n",
		"here/c.go": `package here

// #define TENTH 10
import "C"

//gokkos:kernel
func besideC(y []float64) func(i int) {
	return func(i int) { y[i] = tenth(y[i]) }
}

func tenth(x float64) float64 { return float64(x / 10) }

var _ = C.TENTH
`,
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
	for _, k := range made[0].Compiled {
		require.Nil(t, k.Refused)
	}
	assert.Empty(t, sources.Changes(here))
	for _, c := range []struct{ file, old, new, want string }{
		{"here/a.go", "y[i] = scaled", "y[i] = 2 + scaled", "set has changed"},
		{"here/a.go", "x * second", "x * 2 * second", "scaled has changed"},
		{"here/a.go", "first = iota", "first = iota + 1", "second has changed"},
		{"here/a.go", "number float64", "number float32", "number has changed"},
		{"here/a.go", "a, b number", "b, a number", "pair has changed"},
		{"here/a.go", "{1, 2, 3}", "{1, 2, 4}", "table has changed"},
		{"here/a.go", "float64(p.a) +", "float64(p.a) -", "pair.sum has changed"},
		{"here/a.go", "func scaled", "func Scaled", "scaled is gone"},
		{"there/b.go", "2 * min", "3 * min", "Twice of ../there has changed"},
		{"there/b.go", "Offset = 3", "Offset = 4", "Offset of ../there has changed"},
		{"there/b.go", "Never() {}", "Never() {}\n\nfunc min(x, y float64) float64 { return x }\n", "min of ../there is new"},
		{"there/b.go", "Never() {}", "Never() { Never() }", ""},
		{"here/a.go", "// other is", "func max(x ...float64) float64 { return x[0] }\n\n// other is", "max is new"},
		{"here/a.go", "// other is", "type len int\n\n// other is", "len is new"}, // generated code needs Go's len
		{"here/a.go", "// other is", "func clear() {}\n\n// other is", ""},
		{"here/a.go", "// other is", "func (o *outer) first() float64 { return 1 }\n\n// other is", "outer.first is new"},
		{"here/a.go", "/same\"", "/other\"", "set has changed"},
		{"here/a.go", "int { return 1 }", "int { table[0]++; return 1 }", "table is written"},
		{"here/a.go", "int { return 1 }", "int { return int(table[0]) }", ""},
		{"here/c.go", "y[i] = tenth", "y[i] = 2 * tenth", "besideC has changed"},
		{"here/c.go", "x / 10", "2 * x / 10", "tenth has changed"},
		{"here/c.go", "TENTH 10", "TENTH 20", ""},
		{"here/a.go", "return 1 ", "return 2 ", ""},
		{"here/a.go", "func scaled(", "// scaled is scaled.\n//line c.y:4\nfunc scaled( ", ""},
		{"here/a.go", "return func(i int) {", "return func(i int) {\n\t\t// sets\n", ""},
		{"here/a.go", "\n", "\r\n", ""},
	} {
		text := strings.ReplaceAll(files[c.file], c.old, c.new)
		require.NotEqual(t, files[c.file], text)
		write(c.file, text)
		if changed := sources.Changes(here); c.want == "" {
			assert.Empty(t, changed, c.new)
		} else {
			assert.Equal(t, []string{c.want}, changed, c.new)
		}
		write(c.file, files[c.file])
	}
	require.NoError(t, os.RemoveAll(filepath.Join(root, "there")))
	assert.Equal(t, []string{"Offset of ../there is gone", "Twice of ../there is gone"}, sources.Changes(here))
}
