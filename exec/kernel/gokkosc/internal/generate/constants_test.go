package generate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
)

// A constant may be the length or the size of a part of another module's type. If a second constant declares
// that length, the constraint of its file becomes part of the constraint of the loops. That holds behind any
// types and pointers.
func TestConstantsOfTypesOfOtherModules(t *testing.T) {
	for name, c := range map[string]struct{ value, here, other string }{
		"a pointer":                     {"len(o.Outer{}.A)", "", "type Outer struct{ A *[N]int }"},
		"embedded":                      {"len(o.Outer{}.A)", "", "type Outer struct{ Inner }\n\ntype Inner struct{ A *[N]int }"},
		"an embedded pointer":           {"len(o.Outer{}.A)", "", "type Outer struct{ *Inner }\n\ntype Inner struct{ A *[N]int }"},
		"embedded twice":                {"cap(o.Outer{}.A)", "", "type Outer struct{ *Middle }\n\ntype Middle struct{ *Inner }\n\ntype Inner struct{ A *[N]int }"},
		"embedded here":                 {"len(outer{}.A)", "type outer struct{ *o.Inner }", "type Inner struct{ A *[N]int }"},
		"embedded without a name":       {"len(struct{ *o.Inner }{}.A)", "", "type Inner struct{ A *[N]int }"},
		"embedded by another name":      {"len(outer{}.A)", "type outer struct{ *alias }\n\ntype alias = o.Inner", "type Inner struct{ A *[N]int }"},
		"an alias of a struct":          {"len(o.V.P.A)", "", "var V struct{ P *Alias }\n\ntype Alias = struct{ A *[N]int }"},
		"an alias that is embedded":     {"len(o.Outer{}.A)", "", "type Outer struct{ *Alias }\n\ntype Alias = Inner\n\ntype Inner struct{ A *[N]int }"},
		"a type made of another one":    {"len(o.Outer{}.A)", "", "type Outer Inner\n\ntype Inner struct{ A *[N]int }"},
		"a type made of one, here":      {"len(outer{}.A)", "type outer o.Inner", "type Inner struct{ A *[N]int }"},
		"one of a function":             {"f()", "func f() int {\n\ttype outer o.Inner\n\treturn len(outer{}.A)\n}", "type Inner struct{ A *[N]int }"},
		"a pointer as a type":           {"len(o.Outer(nil).A)", "", "type Outer *Inner\n\ntype Inner struct{ A *[N]int }"},
		"a generic type":                {"len(o.Outer[int]{}.A)", "", "type Outer[T any] struct{ *Inner[T] }\n\ntype Inner[T any] struct{ A *[N]T }"},
		"a map":                         {"len(o.V[1])", "", "var V M\n\ntype M L\n\ntype L map[int]*[N]int"},
		"a generic pointer":             {"len(o.V.P.A)", "", "var V Outer[Inner]\n\ntype Outer[T any] struct{ P *T }\n\ntype Inner struct{ A *[N]int }"},
		"a result":                      {"unsafe.Sizeof(o.V.F())", "", "var V Outer\n\ntype Outer struct{ *Inner }\n\ntype Inner struct{ F func() [N]int }"},
		"a method of an interface":      {"unsafe.Sizeof(o.V.M())", "", "var V Outer\n\ntype Outer interface{ M() [N]int }"},
		"one of an embedded interface":  {"unsafe.Sizeof(o.V.M())", "", "var V Outer\n\ntype Outer interface{ Inner }\n\ntype Inner interface{ M() [N]int }"},
		"one of an interface in fields": {"unsafe.Sizeof(o.V.M())", "", "var V struct{ *Outer }\n\ntype Outer struct{ Inner }\n\ntype Inner interface{ M() [N]int }"},
		"what a pointer points to":      {"unsafe.Sizeof(*o.V.P)", "", "var V Outer\n\ntype Outer struct{ *Inner }\n\ntype Inner struct{ P *Array }\n\ntype Array [N]int"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{
				"go.mod":       "module one\n\ngo 1.26\n\nrequire other v0.0.0\n\nreplace other => ./other\n",
				"other/go.mod": "module other\n\ngo 1.26\n",
				"other/a.go":   "package other\n\n" + c.other + "\n",
				"other/b.go":   "//go:build gokkos_x\n\npackage other\n\nconst N = 2\n",
				"other/c.go":   "//go:build !gokkos_x\n\npackage other\n\nconst N = 3\n",
				"a.go": "package one\n\nimport (\n\t\"unsafe\"\n\n\to \"other\"\n)\n\nvar _ unsafe.Pointer\n\n" + c.here + "\n\n" +
					strings.NewReplacer("package PKG\n", "", "value *", "float64("+c.value+") *").Replace(plain),
			} {
				put(t, filepath.Join(dir, file), text)
			}
			made, err := generate.Packages(front.Config{Dir: dir}, ".")
			require.NoError(t, err)
			require.Nil(t, made[0].Kernels[0].Refused)
			assert.Equal(t, goloops.Constraint+" && !gokkos_x", constraintOf(string(made[0].Files["z_kernels_span.go"])))
		})
	}
}
