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
)

// packages compiles a package with a single file, which need not be on disk.
func packages(t *testing.T, body string) (*generate.Package, error) {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	file := filepath.Join(root, "generate", "made", "made.go")
	out, err := generate.Packages(front.Config{Dir: root, Overlay: map[string][]byte{file: []byte(body)}}, "./generate/made")
	if err != nil {
		return nil, err
	}
	require.Len(t, out, 1)
	return out[0], nil
}

const set = "(y []float64) func(i int) {\n\treturn func(i int) { y[i] = 1 }\n}\n"

// The compiled kernel has the exported name of its constructor, or that name with Kernel.
func TestNames(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"lower case":              {"//gokkos:kernel\nfunc axpy" + set, "func Axpy(y []float64) func(i int)"},
		"upper case":              {"//gokkos:kernel\nfunc Axpy" + set, "func AxpyKernel(y []float64) func(i int)"},
		"not ASCII":               {"//gokkos:kernel\nfunc größe" + set + "//gokkos:kernel\nfunc é" + set, "func É(y []float64) func(i int)"},
		"a parameter called f":    {"//gokkos:kernel\nfunc s(f []float64) func(i int) {\n\treturn func(i int) { f[i] = 1 }\n}\n", "(&sKernel{f: f, functor: kernelMaker(s)(f)}).at"},
		"a parameter called at":   {"//gokkos:kernel\nfunc s(at []float64) func(i int) {\n\treturn func(i int) { at[i] = 1 }\n}\n", "(&sKernel{at: at, f: kernelMaker(s)(at)}).item"},
		"a parameter called k":    {"//gokkos:kernel\nfunc s(k []float64, begin int) func(i int) {\n\treturn func(i int) { k[i] = float64(begin) }\n}\n", "k2 := k.k"},
		"an accumulator called k": {"//gokkos:kernel\nfunc s(x []float64) func(i int, k *float64) {\n\treturn func(i int, k *float64) { *k += x[i] }\n}\n", "func (k *sKernel) at(i int, acck *float64) { k.f(i, acck) }"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := packages(t, "package made\n\n"+c.body)
			require.NoError(t, err)
			all := ""
			for _, text := range p.Files {
				all += string(text)
			}
			assert.Contains(t, all, c.want)
		})
	}
}

// A kernel is refused, and has no constructor, if the package already declares one of the kernel's names.
func TestClashes(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"a function":             {"//gokkos:kernel\nfunc axpy" + set + "func Axpy() {}\n", "made.go:4:6: axpy would become Axpy, which the package has already; call one of the two something else"},
		"a variable":             {"//gokkos:kernel\nfunc axpy" + set + "var axpyKernel int\n", "axpy would become axpyKernel, which the package has already"},
		"a type":                 {"//gokkos:kernel\nfunc axpy" + set + "type axpyGo int\n", "axpy would become axpyGo"},
		"a function in assembly": {"//gokkos:kernel\nfunc axpy" + set + "func axpyVectors() {}\n", "axpy would become axpyVectors"},
		"a constructor":          {"//gokkos:kernel\nfunc axpy" + set + "//gokkos:kernel\nfunc Axpy" + set, "axpy would become Axpy, which the package has already"},
		"a name of an import":    {"import axpyGo \"strings\"\nvar _ = axpyGo.ToUpper\n//gokkos:kernel\nfunc axpy" + set, "axpy would become axpyGo, which an import of the package declares"},
		"a dot import":           {"import . \"os\"\nvar _ = Environ\n//gokkos:kernel\nfunc getenv" + set, "getenv would become Getenv, which an import of the package declares"},
		"a loop of values":       {"//gokkos:kernel\nfunc f(x []float64) func(i int) float64 {\n\treturn func(i int) float64 { return x[i] }\n}\ntype fGoValues int\n", "f would become fGoValues, which the package has already"},
		"a method":               {"//gokkos:kernel\nfunc f(Span []float64) func(i int) {\n\treturn func(i int) { Span[i] = 1 }\n}\n", "parameter Span of f has the name of a method that generated code needs; call it something else"},
		"a parameter":            {"//gokkos:kernel\nfunc scale(scale float64, x []float64) func(i int) {\n\treturn func(i int) { x[i] = scale }\n}\n", "made.go:4:6: parameter scale of scale hides a name that generated code needs; call it something else"},
		"a parameter as a type":  {"//gokkos:kernel\nfunc set(setKernel float64, x []float64) func(i int) {\n\treturn func(i int) { x[i] = setKernel }\n}\n", "parameter setKernel of set hides a name"},
		"no upper case":          {"//gokkos:kernel\nfunc _axpy" + set, "made.go:4:6: constructor _axpy has no upper-case form; begin its name with a letter"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := packages(t, "package made\n\n"+c.body)
			require.NoError(t, err)
			k := p.Compiled[len(p.Compiled)-1]
			if k.Refused == nil {
				k = p.Compiled[0]
			}
			require.NotNil(t, k.Refused)
			assert.ErrorContains(t, k.Refused, c.want)
			assert.Empty(t, k.Result)
		})
	}
}

// A kernel that is refused is a function that returns the closure, and the report says why.
func TestReport(t *testing.T) {
	p, err := packages(t, `package made

import "math"

// grow is not compiled.
//
//gokkos:kernel
func grow(x []float64) func(i int) {
	return func(i int) { x[i] = math.Exp(x[i]) + shift }
}

var shift = 1.0

// decay is, for Go alone.
//
//gokkos:kernel
func decay(x []float64) func(i int) {
	return func(i int) { x[i] = math.Exp(-x[i]) }
}

// mean is.
//
//gokkos:kernel
func mean(x, y []float64) func(i int) {
	return func(i int) { y[i] = (x[i-1] + x[i+1]) / 2 }
}
`)
	require.NoError(t, err)
	var all, some strings.Builder
	p.Report(&all, false)
	p.Report(&some, true)
	const refused = "made.go:9:47: grow runs as a closure: the kernel uses shift, which is a variable of the package; make it a parameter of the constructor\n"
	const noVectors = "made.go:17:6: decay has no loop for avx2 and avx512: made.go:18:30: math.Exp has no vector form; call kmath.Exp of package exec/kernel/kmath, which has the same bits on every CPU\n"
	assert.Equal(t, refused+noVectors, some.String())
	assert.True(t, strings.HasPrefix(all.String(), refused+noVectors), all.String())
	assert.Contains(t, all.String(), "made.go:17:6: decay is compiled for go: 41 operations")
	assert.Contains(t, all.String(), "made.go:24:6: mean is compiled for go")
	assert.Contains(t, all.String(), ": 11 operations, 2 loads, 1 store per item, 3 index checks for many items\n")
	text := string(p.Files["z_kernels.go"])
	assert.Contains(t, text, "func Grow(x []float64) func(i int) {\n\treturn kernelMaker(grow)(x)\n}")
	assert.Contains(t, text, "// Mean is.\n//\n// Mean is mean, compiled.\nfunc Mean(")
	none, err := packages(t, "package made\n\n//gokkos:kernel\nfunc some[T any](x []T) func(i int) {\n\treturn func(i int) { x[i] = x[0] }\n}\n")
	require.NoError(t, err)
	assert.NotContains(t, string(none.Files["z_kernels.go"]), "func Some")
	var ir strings.Builder
	p.Print(&ir)
	assert.Contains(t, ir.String(), "kernel mean(x []float64, y []float64)")
}

// Write writes files and removes old ones; Stale names each stale file.
func TestFiles(t *testing.T) {
	body := "package made\n\n//gokkos:kernel\nfunc one" + set
	p, err := packages(t, body)
	require.NoError(t, err)
	p.Dir = t.TempDir()
	main, old := filepath.Join(p.Dir, "z_kernels.go"), filepath.Join(p.Dir, "z_kernels_old.go")
	span := filepath.Join(p.Dir, "z_kernels_span.go")
	require.NoError(t, os.WriteFile(old, p.Files["z_kernels.go"], 0o644))
	mine := filepath.Join(p.Dir, "z_kernels_mine.go")
	require.NoError(t, os.WriteFile(mine, []byte("package made\n"), 0o644))
	assert.Contains(t, p.Stale(), main+" is missing")
	assert.Contains(t, p.Stale(), old+" has no kernels any more, or is of a flag that was not given")
	require.NoError(t, p.Write())
	assert.Empty(t, p.Stale())
	assert.NoFileExists(t, old)
	assert.FileExists(t, mine)
	for name, change := range map[string]string{
		"another literal":    strings.Replace(body, "= 1", "= 2", 1),
		"another line":       strings.Replace(body, "package made\n", "package made\n\n", 1),
		"another name":       strings.Replace(body, "y []float64", "z []float64", 1),
		"another kernel too": body + "//gokkos:kernel\nfunc two" + set,
	} {
		q, err := packages(t, change)
		if name == "another name" {
			q, err = packages(t, strings.Replace(change, "y[i]", "z[i]", 1))
		}
		require.NoError(t, err)
		q.Dir = p.Dir
		assert.Contains(t, q.Stale(), main+" is not made of this source with these flags", name)
		assert.Contains(t, q.Stale(), span+" is not made of this source with these flags", name)
	}
	none, err := packages(t, "package made\n")
	require.NoError(t, err)
	none.Dir = p.Dir
	require.NoError(t, none.Write())
	assert.NoFileExists(t, main)
	assert.FileExists(t, mine)
}

// Lanes may leave a loop with stores one by one. Such a loop has vectors if no lane can store to another
// lane's element, and if the loop can stop. The report says why other loops have no vectors.
func TestStoresOfLanes(t *testing.T) {
	for name, c := range map[string]struct{ body, why string }{
		"elements of its own":         {"for v := x[i]; v > 2; v = math.Sqrt(v) {\ny[2*i+1] = v\n}", ""},
		"those of its rows":           {"for k := n[i]; k < n[i+1]; k++ {\ny[k] = math.Sqrt(math.Sqrt(math.Sqrt(x[i])+1)+2)\n}", ""},
		"elements of the next one":    {"for v := x[i]; v > 2; v = math.Sqrt(v) {\ny[2*i], y[2*i+2] = v, 1\n}", ""},
		"in a loop that counts":       {"for k := range n[0] {\nfor v := x[i]; v > 2; v = math.Sqrt(v) {\ny[2*i+k], y[2*i+2] = v, 1\n}\n}", "lanes might store to the same element"},
		"places that rounds count":    {"for v, k := x[i], 0; v > 2 && k < len(y); v, k = math.Sqrt(v), k+2 {\ny[k&15] = v\n}", "an index may be out of range here, behind a store of an earlier round"},
		"a sum":                       {"for v := x[i]; v > 2; v = math.Sqrt(v) {\ny[i] += v\n}", ""},
		"what is loaded":              {"for v := x[i]; v > 2; v = math.Sqrt(v) {\ny[i] = v + y[n[i]]\n}", "items load what they store: it could not be left"},
		"what is loaded, in a number": {"for k := n[i]; k < n[i+1]; k++ {\ny[i] += math.Sqrt(math.Sqrt(math.Sqrt(x[i])+float64(k))+2)\n}", ""},
		"the same, in another loop":   {"for v := x[i]; v > 2; v = math.Sqrt(v) {\nfor k := n[i]; k < n[i+1]; k++ {\ny[i] += math.Sqrt(math.Sqrt(math.Sqrt(v)+y[3])+2)\n}\n}", "items load what they store"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := packages(t, "package made\n\nimport \"math\"\n\n//gokkos:kernel\nfunc f(n []int, x, y []float64) func(i int) {\n\treturn func(i int) {\n"+c.body+"\n}\n}\n")
			require.NoError(t, err)
			require.Len(t, p.Compiled, 1)
			err = p.Refused["avx512"][p.Compiled[0].Kernel]
			if c.why == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.why)
		})
	}
}

// Lanes are joined if an accumulator is a number. An accumulator that is a struct of one number is not: no
// reducer is known to join that part.
func TestJoinsOfLanes(t *testing.T) {
	for acc, want := range map[string]string{"uint64": "min", "struct{ V uint64 }": ""} {
		at, of := "*acc", "least"
		if want == "" {
			at, of = "acc.V", "uint64"
		}
		p, err := packages(t, "package made\n\ntype least "+acc+"\n\n//gokkos:kernel\nfunc f(x []uint64) func(i int, acc *least) {\n\treturn func(i int, acc *least) { "+at+" = "+of+"(min(uint64("+at+"), x[i])) }\n}\n")
		require.NoError(t, err)
		for _, file := range []string{"z_kernels_amd64.go", "z_kernels_avx512_amd64.go"} {
			assert.Contains(t, string(p.Files[file]), "Joins() kernel.Op { return \""+want+"\" }", "%s of %s", file, acc)
		}
	}
}
