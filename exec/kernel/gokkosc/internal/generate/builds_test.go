package generate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
)

// buildings are packages that make it hard for generated files to compile: the files of each, by name.
var buildings = map[string]map[string]string{
	"blank fields": {"a.go": `package made

type padded struct {
	_    int32
	a, b float64
	_    [2]int64
}

//gokkos:kernel
func same(p, q padded, y []float64) func(i int) {
	return func(i int) {
		y[i] = 0
		if r := p; r == q && p != (padded{a: y[i]}) {
			y[i] = p.a
		}
	}
}

//gokkos:kernel
func summed(p padded, x []float64) func(i int, acc *padded) {
	return func(i int, acc *padded) {
		if *acc != p {
			acc.a += x[i]
		}
	}
}

type single struct{ _ float64 }

//gokkos:kernel
func nothing(p, q single, y []float64) func(i int) {
	return func(i int) {
		if p == q {
			y[i] = 1
		}
	}
}
`},
	"cgo": {"a.go": `package made

// #include <math.h>
import "C"

func c(x float64) float64 { return float64(C.double(x)) }

//gokkos:kernel
func here(y []float64) func(i int) {
	return func(i int) { y[i] = 2 }
}
`, "b.go": `package made

//gokkos:kernel
func set(y []float64) func(i int) {
	return func(i int) { y[i] = 1 }
}
`},
	"names of results": {"a.go": `package made

//gokkos:kernel
func get(src, dst []float64, first int) func(i int) float64 {
	return func(i int) float64 { return src[i] + dst[i] + float64(first) }
}

//gokkos:kernel
func mapped(src, dst float64, first int) func(x float64) float64 {
	return func(x float64) float64 { return src + dst + x + float64(first) }
}
`},
	"names of builtins as parameters": {"a.go": `package made

//gokkos:kernel
func set(len, min, max, float64, kernel, math, views, unsafe, begin, end, next, item, k, f, at, copy, true, uint8 []float32) func(i int) {
	return func(i int) {
		len[i], min[i], max[i], float64[i], kernel[i], math[i], views[i], unsafe[i] = 1, 2, 3, 4, 5, 6, 7, 8
		begin[i], end[i], next[i], item[i], k[i], f[i], at[i], copy[i], true[i], uint8[i] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
	}
}
`},
	"constants out of range": {"a.go": `package made

func of(w [4]float64, k int) float64 { return w[k] }

func at(x []float64, k int) float64 { return x[k] }

func div(a, b int) int { return a / b }

func shl(a, b int) int { return a << b }

func part(x []float64, a, b int) []float64 { return x[a:b] }

//gokkos:kernel
func outside(w [4]float64, x, y []float64) func(i int) {
	return func(i int) {
		if y[i] < 0 {
			y[i] = of(w, 5) + at(x, -1) + of(w, -1) + float64(div(i, 0)) + float64(shl(i, -1))
		}
	}
}

//gokkos:kernel
func parts(x, y []float64) func(i int) {
	return func(i int) { y[i] = at(part(x, 3, 1), 0) + at(part(x, -1, 2), 1) }
}
`},
	"aliases and generic types": {"a.go": `package made

import (
	geometry "image"
	"github.com/gokkos/gokkos/views"
)

type pair[T any] struct{ a, b T }

type numbers = []float64

type celsius float64

type grid[T any] = views.View2[T]

type image struct{ n int }

//gokkos:kernel
func set(p pair[celsius], q pair[pair[int]], at geometry.Point, me image, x numbers, g grid[float64]) func(i int) {
	return func(i int) { x[i] = float64(p.a) + float64(q.b.a) + float64(at.X) + float64(me.n) + g.At(0, i) }
}
`},
	"line comments and CRLF": {"a.go": "//line b.y:1\npackage made\r\n\r\n// set sets.\r\n//\r\n//gokkos:kernel\r\nfunc set(y []float64) func(i int) {\r\n//line c.y:70\n\treturn func(i int) { y[i] = 1 }\r\n}\r\n"},
	"main with assembly": {"a.go": `package main

func one() int

//gokkos:kernel
func set(y []float64) func(i int) {
	return func(i int) { y[i] = 1 }
}

func main() { _, _ = Set, one }
`, "a_amd64.s": "#include \"textflag.h\"\n\nTEXT ·one(SB), NOSPLIT, $0-8\n\tMOVQ $1, ret+0(FP)\n\tRET\n"},
	"a constructor that its functor reaches": {"a.go": `package made

//gokkos:closure
func again(y []float64) float64 { Set(y)(0); return 1 }

//gokkos:kernel
func set(y []float64) func(i int) {
	return func(i int) {
		y[i] = 1
		if y[i] > 2 {
			y[i] = again(y)
		}
	}
}

var early = Set(make([]float64, 3))
`},
}

// Generated files build for each kernel that the report calls compiled. The folders of the packages have to
// be in a module, for the assembler.
func TestGeneratedFilesBuild(t *testing.T) {
	root := folder(t, "built")
	for name, files := range buildings {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(root, strings.ReplaceAll(name, " ", "_"))
			require.NoError(t, os.Mkdir(folder, 0o755))
			for file, text := range files {
				require.NoError(t, os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644))
			}
			made, err := generate.Packages(front.Config{}, "./"+folder)
			require.NoError(t, err)
			require.NoError(t, made[0].Write())
			var said strings.Builder
			made[0].Report(&said, false)
			for _, k := range made[0].Compiled {
				if name != "a constructor that its functor reaches" { // the compiler needs the generated constructor before it can make a loop
					assert.Contains(t, said.String(), k.Func+" is compiled for go")
				}
			}
			out, err := exec.Command("go", "build", "-o", os.DevNull, "./"+folder).CombinedOutput()
			assert.NoError(t, err, "%s", out)
		})
	}
}

// A comparison of structs compares all fields. A kernel that cannot have one of the fields cannot compare the
// structs.
func TestComparisonOfFieldsThatKernelsCannotHave(t *testing.T) {
	p, err := packages(t, "package made\n\ntype named struct {\n\ta float64\n\tname string\n}\n\n//gokkos:kernel\nfunc f(p, q named, y []float64) func(i int) {\n\treturn func(i int) {\n\t\tif p == q {\n\t\t\ty[i] = 1\n\t\t}\n\t}\n}\n")
	require.NoError(t, err)
	require.NotNil(t, p.Compiled[0].Refused)
	assert.ErrorContains(t, p.Compiled[0].Refused, "a kernel cannot compare type string; compare the fields that are numbers")
}

// folder returns a new folder in this module for packages of a test, and removes it after the test.
func folder(t *testing.T, name string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	root, err := os.MkdirTemp("testdata", name)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, os.RemoveAll(root))
		os.Remove("testdata") // unless it has something
	})
	return root
}
