package generate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	loader "golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/target"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// plain is the kernel of most packages below. Each package declares value differently for some builds.
const plain = "package PKG\n\n//gokkos:kernel\nfunc set(y []float64) func(i int) {\n" +
	"\treturn func(i int) { y[i] = float64(value * y[i]) }\n}\n"

// differing are packages that mean something else in other builds: the files of each, and the constraint of its loops.
var differing = map[string]struct {
	files map[string]string
	only  string
}{
	"constants": {map[string]string{
		"a.go": plain,
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nconst value = 2\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nconst value = 3\n",
	}, "!gokkos_x"},
	"either": {map[string]string{
		"a.go": plain,
		"b.go": "//go:build gokkos_x && gokkos_y\n\npackage PKG\n\nconst value = 2\n",
		"c.go": "//go:build !gokkos_x || !gokkos_y\n\npackage PKG\n\nconst value = 3\n",
	}, "(!gokkos_x || !gokkos_y)"},
	"behind": {map[string]string{
		"a.go": plain + "\nconst value = twice / 2\n\nconst twice = base + base\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nconst base = 2\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nconst base = 3\n",
	}, "!gokkos_x"},
	"functions": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value", "value()"),
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc value() float64 { return 2 }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nfunc value() float64 { return 3 }\n",
	}, "!gokkos_x"},
	"methods": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value", "t{3}.value()") + "\ntype t struct{ x float64 }\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc (t t) value() float64 { return t.x }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nfunc (t t) value() float64 { return -t.x }\n",
	}, "!gokkos_x"},
	"types": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value * y[i]", "real(y[i]) / 3"),
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\ntype real float64\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\ntype real float32\n",
	}, "!gokkos_x"},
	"fields": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value * y[i]", "t{1, 2}.a"),
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\ntype t struct{ a, b float64 }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\ntype t struct{ b, a float64 }\n",
	}, "!gokkos_x"},
	"branches": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "{ y[i] =", "{\n\t\tif value > 2 {\n\t\t\treturn\n\t\t}\n\t\ty[i] ="),
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nconst value = 2\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nconst value = 3\n",
	}, "!gokkos_x"},
	"tables": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value", "value[i%2]"),
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nvar value = [...]float64{2, 3}\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nvar value = [...]float64{4, 5}\n",
	}, "!gokkos_x"},
	"elsewhere": {map[string]string{
		"a.go":   "package PKG\n\nimport \"ROOT/elsewhere/q\"\n" + strings.Replace(plain, "package PKG\n", "", 1) + "\nconst value = q.Value\n",
		"q/b.go": "//go:build gokkos_x\n\npackage q\n\nconst Value = 2\n",
		"q/c.go": "//go:build !gokkos_x\n\npackage q\n\nconst Value = 3\n",
	}, "!gokkos_x"},
	"lengths": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value *", "float64(value) *") + "\nconst value = len(row{})\n\ntype row [n]int\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nconst n = 2\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nconst n = 3\n",
	}, "!gokkos_x"},
	"sizes": {map[string]string{
		"a.go": "package PKG\n\nimport \"unsafe\"\n" +
			strings.NewReplacer("package PKG\n", "", "value *", "float64(value) *").Replace(plain) +
			"\nconst value = unsafe.Sizeof(f())\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc f() int8 { return 1 }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nfunc f() int16 { return 1 }\n",
	}, "!gokkos_x"},
	"machines": {map[string]string{
		"a.go":       plain,
		"b_amd64.go": "package PKG\n\nconst value = 2\n",
		"b_other.go": "//go:build !amd64\n\npackage PKG\n\nconst value = 3\n",
	}, "amd64"},
	"systems": {map[string]string{
		"a.go":             plain,
		"b_linux_amd64.go": "package PKG\n\nconst value = 2\n",
		"b_other.go":       "//go:build !linux || !amd64\n\npackage PKG\n\nconst value = 3\n",
	}, "amd64 && linux"},
	"levels": {map[string]string{
		"a.go": plain,
		"b.go": "//go:build amd64.v3\n\npackage PKG\n\nconst value = 2\n",
		"c.go": "//go:build !amd64.v3\n\npackage PKG\n\nconst value = 3\n",
	}, "!amd64.v3"},
	"experiments": {map[string]string{
		"a.go": plain,
		"b.go": "//go:build goexperiment.arenas\n\npackage PKG\n\nconst value = 2\n",
		"c.go": "//go:build !goexperiment.arenas\n\npackage PKG\n\nconst value = 3\n",
	}, "!goexperiment.arenas"},
	"releases": {map[string]string{
		"a.go": plain,
		"b.go": "//go:build go1.18 && !go1.99\n\npackage PKG\n\nconst value = 2\n",
		"c.go": "//go:build !go1.18\n\npackage PKG\n\nconst value = 3\n",
		"d.go": "//go:build go1.99\n\npackage PKG\n\nconst value = 4\n",
	}, "!go1.99"},
	"running": {map[string]string{
		"a.go": "package PKG\n\nimport \"runtime\"\n" +
			strings.NewReplacer("package PKG\n", "", "value *", "float64(value) *").Replace(plain) +
			"\nconst value = 1.0 * len(runtime.GOARCH)\n",
	}, "amd64"},
	"cgo": {map[string]string{
		"a.go": plain,
		"b.go": "package PKG\n\nimport \"C\"\n\nconst value = 2\n",
		"c.go": "//go:build !cgo\n\npackage PKG\n\nconst value = 3\n",
	}, "cgo"},
	"results": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value *", "float64(len(value)) *") +
			"\nvar value = g()\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc g() (x [2]int) { return }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nfunc g() (x [3]int) { return }\n",
	}, "!gokkos_x"},
	"results_of_methods": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value *", "float64(len(value)) *") +
			"\nvar value = t{}.g()\n\ntype t struct{}\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc (t) g() (x [2]int) { return }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nfunc (t) g() (x [3]int) { return }\n",
	}, "!gokkos_x"},
	"results_of_embedded_methods": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value *", "float64(len(value)) *") +
			"\nvar value = t{}.g()\n\ntype t struct{ u[int] }\n\ntype u[T any] struct{}\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc (u[T]) g() (x [2]int) { return }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nfunc (u[T]) g() (x [3]int) { return }\n",
	}, "!gokkos_x"},
	"several_results": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value *", "float64(len(value)) *") +
			"\nvar _, value = g()\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc g() (x, y [2]int) { return }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nfunc g() (x, y [3]int) { return }\n",
	}, "!gokkos_x"},
	"results_of_parameters": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value *", "float64(len(value)) *") +
			"\nvar value = w(g)\n\nfunc w[T any](f func() T) (x T) { return f() }\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc g() (x [2]int) { return }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nfunc g() (x [3]int) { return }\n",
	}, "!gokkos_x"},
	"results_behind_one": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value *", "float64(len(value)) *") +
			"\nvar value = h()\n\nfunc h() (x t) { return }\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\ntype t [2]int\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\ntype t [3]int\n",
	}, "!gokkos_x"},
	"sizes_of_methods": {map[string]string{
		"a.go": "package PKG\n\nimport \"unsafe\"\n" +
			strings.NewReplacer("package PKG\n", "", "value *", "float64(unsafe.Sizeof(t{}.m())) *").Replace(plain) +
			"\ntype t struct{}\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc (t) m() int8 { return 1 }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\ntype u = t\n\nfunc (u) m() int16 { return 1 }\n",
	}, "!gokkos_x"},
	"pointers_of_other_modules": {map[string]string{
		"a.go": "package PKG\n\nimport (\n\t\"os\"\n\t\"unsafe\"\n)\n" +
			strings.NewReplacer("package PKG\n", "", "value *", "float64(value) *").Replace(plain) +
			"\nconst value = unsafe.Sizeof(*os.ProcAttr{}.Sys)\n",
	}, "linux && unix"},
	"methods_of_aliases": {map[string]string{
		"a.go": strings.ReplaceAll(plain, "value", "t{}.value()") +
			"\nfunc value() float64 { return 5 }\n\ntype t struct{}\n\ntype u = t\n",
		"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc (u) value() float64 { return 2 }\n",
		"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nfunc (u) value() float64 { return 3 }\n",
	}, "!gokkos_x"},
	"names_of_generated_files": {map[string]string{
		"a.go":           plain,
		"z_kernels_b.go": "//go:build gokkos_x\n\npackage PKG\n\nconst value = 2\n",
		"z_kernels_c.go": "//go:build !gokkos_x\n\npackage PKG\n\nconst value = 3\n",
	}, "!gokkos_x"},
	"lines_above_the_package": {map[string]string{
		"a.go": plain,
		"b.go": "// +build gokkos_x\npackage PKG\n\nconst value = 2\n",
	}, ""},
	"race_detector": {map[string]string{
		"a.go": plain,
		"b.go": "//go:build race\n\npackage PKG\n\nconst value = 2\n",
		"c.go": "//go:build !race\n\npackage PKG\n\nconst value = 3\n",
	}, ""},
	"views_that_check": {map[string]string{
		"a.go": plain,
		"b.go": "//go:build gokkos_bounds\n\npackage PKG\n\nconst value = 2\n",
		"c.go": "//go:build !gokkos_bounds || race\n\npackage PKG\n\nconst value = 3\n",
	}, ""},
	"same": {map[string]string{
		"a.go": plain,
		"b.go": "//go:build go1.18 || gokkos_x\n\npackage PKG\n\nconst value = 2\n",
		"c.go": "//go:build gokkos_x\n\npackage PKG\n\nconst other = 3\n",
	}, ""},
}

// runDiffering runs the kernel of a package as a closure and as a loop.
const runDiffering = `package PKG

import (
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/policy"
)

func Run() (closure, loop [100]float64) {
	for i := range closure {
		closure[i], loop[i] = float64(i), float64(i)
	}
	for i := range closure {
		set(closure[:])(i)
	}
	if err := exec.ParallelFor(policy.Range(0, len(loop)), Set(loop[:])); err != nil {
		panic(err)
	}
	return closure, loop
}
`

// Exactly those builds have loops that have the files that the loops are made of. With each set of tags,
// kernels have the results of their closures.
func TestLoopsAreInBuildsOfTheirFiles(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the constraints are those of linux on amd64")
	}
	t.Setenv("CGO_ENABLED", "1")
	t.Setenv("GOAMD64", "v1")
	root := folder(t, "differing")
	module := "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate/" + filepath.ToSlash(root)
	main, calls := "package main\n\nimport (\n", ""
	for name, c := range differing {
		c.files["run.go"] = runDiffering
		for file, text := range c.files {
			put(t, filepath.Join(root, name, file), strings.NewReplacer("PKG", name, "ROOT", module).Replace(text))
		}
		main += "\t\"" + module + "/" + name + "\"\n"
		calls += "\tif closure, loop := " + name + ".Run(); closure != loop {\n\t\tprintln(\"" + name + "\")\n\t}\n"
	}
	put(t, filepath.Join(root, "main.go"), main+")\n\nfunc main() {\n"+calls+"}\n")
	made, err := generate.Packages(front.Config{}, "./"+root+"/...")
	require.NoError(t, err)
	for _, p := range made {
		require.NoError(t, p.Write())
		if len(p.Kernels) == 0 {
			continue
		}
		require.Nil(t, p.Kernels[0].Refused, p.Name)
		require.NotEmpty(t, p.Files["z_kernels_span.go"], p.Name)
		for name, base := range map[string]string{
			"z_kernels.go":       "",
			"z_kernels_span.go":  "!386 && !arm && !mips && !mipsle",
			"z_kernels_amd64.go": "!noasm",
			"z_kernels_amd64.s":  "!noasm",
		} {
			want := base
			if only := differing[p.Name].only; base != "" && only != "" {
				want += " && " + only
			}
			if text, ok := p.Files[name]; ok {
				assert.Equal(t, want, constraintOf(string(text)), "%s of %s", name, p.Name)
			}
		}
	}
	for _, tags := range []string{"", "gokkos_x", "gokkos_x,gokkos_y"} {
		out, err := exec.Command("go", "run", "-tags="+tags, "./"+root).CombinedOutput()
		assert.NoError(t, err, "%s", out)
		assert.Empty(t, string(out), "packages whose loops have other results than their closures, with the tags %q", tags)
	}
	others, err := loader.Load(&loader.Config{ // from sources: compiling all that they import takes half a minute
		Mode: loader.NeedName | loader.NeedImports | loader.NeedDeps | loader.NeedTypes | loader.NeedSyntax | loader.NeedTypesInfo | loader.NeedFiles,
		Env:  append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0"),
	}, "./"+root+"/...")
	require.NoError(t, err)
	require.Greater(t, len(others), 5)
	for _, p := range others {
		assert.Empty(t, p.Errors, p.PkgPath)
	}
}

// constraintOf returns the build constraint of a file.
func constraintOf(text string) string {
	for line := range strings.Lines(text) {
		if constraint, ok := strings.CutPrefix(line, "//go:build "); ok {
			return strings.TrimSpace(constraint)
		}
	}
	return ""
}

// put writes a file, and the folders that it lies in.
func put(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// A kernel is refused if no constraint says which builds have its sources, and the report names the file.
func TestSourcesThatNoConstraintTells(t *testing.T) {
	root := folder(t, "untold")
	for name, c := range map[string]struct {
		files map[string]string
		says  string
	}{
		"max of another build": {map[string]string{
			"a.go": strings.ReplaceAll(plain, "value * y[i]", "max(y[i], 2)"),
			"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc max(a, b float64) float64 { return a }\n",
		}, "the kernel means max of Go, which b.go declares in builds with gokkos_x"},
		"a type of another build": {map[string]string{
			"a.go": strings.ReplaceAll(plain, "value * y[i]", "int16(y[i])"),
			"b.go": "//go:build gokkos_x\n\npackage PKG\n\ntype int16 = int8\n",
		}, "a.go:5:38: the kernel means int16 of Go, which b.go declares in builds with gokkos_x; call that something else"},
		"a type of the tests": {map[string]string{
			"a.go":      strings.ReplaceAll(plain, "value * y[i]", "int16(y[i])"),
			"b_test.go": "package PKG\n\ntype int16 = int8\n",
		}, "a.go:5:38: the kernel means int16 of Go, which b_test.go declares; call that something else"},
		"a method in front of one": {map[string]string{
			"a.go": strings.ReplaceAll(plain, "value * y[i]", "outer{}.get()") +
				"\ntype outer struct{ inner }\n\ntype inner struct{}\n\nfunc (inner) get() float64 { return 1 }\n",
			"b_windows.go": "package PKG\n\nfunc (outer) get() float64 { return 2 }\n",
		}, "the kernel means another get than outer.get, which b_windows.go declares in builds with windows; call that something else"},
		"a method beside one": {map[string]string{
			"a.go": strings.ReplaceAll(plain, "value * y[i]", "outer{}.get()") +
				"\ntype outer struct {\n\tmiddle\n\tother\n}\n\ntype middle struct{ inner }\n\ntype other struct{}\n\n" +
				"type inner struct{}\n\nfunc (inner) get() float64 { return 1 }\n",
			"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc (*other) get() float64 { return 2 }\n",
		}, "the kernel means another get than other.get, which b.go declares in builds with gokkos_x"},
		"an order of locations": {map[string]string{
			"a.go": "package PKG\n\nimport \"github.com/gokkos/gokkos/builtin\"\n\ntype place int\n\n" +
				"//gokkos:kernel\nfunc set(x []float64) func(i int, acc *builtin.ValLoc[float64, place]) {\n" +
				"\treturn func(i int, acc *builtin.ValLoc[float64, place]) { acc.Min(x[i], place(i)) }\n}\n",
			"b.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc (p place) Compare(q place) int { return int(q - p) }\n",
		}, "the kernel means another Compare than place.Compare, which b.go declares in builds with gokkos_x"},
		"a constant of C": {map[string]string{
			"a.go": "package PKG\n\n// #define VALUE 2\nimport \"C\"\n" +
				strings.ReplaceAll(strings.Replace(plain, "package PKG\n", "", 1), "value", "C.VALUE"),
		}, "the kernel is made of C.VALUE, which is what the C compiler of a build says; make it a parameter of the constructor"},
		"a method of an alias in front of one": {map[string]string{
			"a.go": strings.ReplaceAll(plain, "value * y[i]", "outer{}.get()") +
				"\ntype outer struct{ inner }\n\ntype inner struct{}\n\nfunc (inner) get() float64 { return 1 }\n",
			"b.go": "package PKG\n\ntype one = *two\n\ntype two = (outer)\n",
			"c.go": "//go:build gokkos_x\n\npackage PKG\n\nfunc (one) get() float64 { return 2 }\n",
		}, "the kernel means another get than outer.get, which c.go declares in builds with gokkos_x"},
		"an order of an alias": {map[string]string{
			"a.go": "package PKG\n\nimport \"github.com/gokkos/gokkos/builtin\"\n\ntype place int\n\n" +
				"//gokkos:kernel\nfunc set(x []float64) func(i int, acc *builtin.ValLoc[float64, place]) {\n" +
				"\treturn func(i int, acc *builtin.ValLoc[float64, place]) { acc.Min(x[i], place(i)) }\n}\n",
			"b.go": "//go:build gokkos_x\n\npackage PKG\n\ntype at = place\n\n" +
				"func (p at) Compare(q place) int { return int(q - p) }\n",
		}, "the kernel means another Compare than place.Compare, which b.go declares in builds with gokkos_x"},
		"a length that differs with the race detector": {map[string]string{
			"a.go": strings.ReplaceAll(strings.ReplaceAll(plain, "set(", "set(w [n + 1]float64, "), "value", "w[1]"),
			"b.go": "//go:build race\n\npackage PKG\n\nconst n = 2\n",
			"c.go": "//go:build !race\n\npackage PKG\n\nconst n = 3\n",
		}, "set has a parameter of a length that only builds with !race have, because of n in c.go"},
		"a length in a signature": {map[string]string{
			"a.go": strings.ReplaceAll(strings.ReplaceAll(plain, "set(", "set(w [n + 1]float64, "), "value", "w[1]"),
			"b.go": "//go:build gokkos_x\n\npackage PKG\n\nconst n = 2\n",
			"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nconst n = 3\n",
		}, "a.go:4:1: set has a parameter of a length that only builds with !gokkos_x have, because of n in c.go; " +
			"give its type a name"},
		"a length in an accumulator": {map[string]string{
			"a.go": "package PKG\n\n//gokkos:kernel\nfunc set(x []float64) func(i int, acc *[n]float64) {\n" +
				"\treturn func(i int, acc *[n]float64) { acc[0] += x[i] }\n}\n",
			"b.go": "//go:build gokkos_x\n\npackage PKG\n\nconst n = 2\n",
			"c.go": "//go:build !gokkos_x\n\npackage PKG\n\nconst n = 3\n",
		}, "set has a parameter of a length that only builds with !gokkos_x have, because of n in c.go"},
	} {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join(root, strings.ReplaceAll(name, " ", "_"))
			for file, text := range c.files {
				put(t, filepath.Join(at, file), strings.ReplaceAll(text, "PKG", "untold"))
			}
			made, err := generate.Packages(front.Config{}, "./"+at)
			if err == nil {
				require.NotNil(t, made[0].Kernels[0].Refused)
				err = made[0].Kernels[0].Refused
			}
			assert.ErrorContains(t, err, c.says)
		})
	}
}

// A kernel is refused if it is made of what no build is taken to have, and if this one has it by a tag.
func TestSourcesOfNoBuild(t *testing.T) {
	root := folder(t, "none")
	put(t, filepath.Join(root, "a.go"), strings.ReplaceAll(plain, "PKG", "none"))
	put(t, filepath.Join(root, "b.go"), "//go:build ignore\n\npackage none\n\nconst value = 2\n")
	made, err := generate.Packages(front.Config{Tags: []string{"ignore"}}, "./"+root)
	require.NoError(t, err)
	require.NotNil(t, made[0].Kernels[0].Refused)
	assert.EqualError(t, made[0].Kernels[0].Refused, "a.go:4:6: the kernel is made of value, which no build has by its file b.go; "+
		"move it to a file that builds have")
	assert.Empty(t, made[0].Files["z_kernels_span.go"])
}

// Builds with the race detector, or with views that check indices, run code for cards but no loops. If files
// differ in these builds, only code for cards gets a constraint, and the report says so.
func TestCodeForCardsIsInBuildsThatRunNoLoops(t *testing.T) {
	root := folder(t, "cards")
	for name, tag := range map[string]string{"race_detector": "race", "views_that_check": "gokkos_bounds"} {
		only := map[string]string{"race": "!race", "gokkos_bounds": "(!gokkos_bounds || race)"}[tag]
		for file, text := range differing[name].files {
			put(t, filepath.Join(root, tag, file), strings.ReplaceAll(text, "PKG", "cards"))
		}
		made, err := generate.For([]target.Target{goloops.Target{}, ptx.Target{}}, front.Config{}, "./"+root+"/"+tag)
		require.NoError(t, err)
		assert.Equal(t, goloops.Constraint, constraintOf(string(made[0].Files["z_kernels_span.go"])), tag)
		assert.Equal(t, goloops.Constraint+" && "+only, constraintOf(string(made[0].Files["z_kernels_ptx.go"])), tag)
		var said strings.Builder
		made[0].Report(&said, true)
		assert.Equal(t, "a.go:4:6: set has ptx only in builds with "+only+
			", as all kernels of its package have: it is made of value in c.go\n", said.String())
		made, err = generate.For([]target.Target{goloops.Target{}}, front.Config{}, "./"+root+"/"+tag)
		require.NoError(t, err)
		said.Reset()
		made[0].Report(&said, true)
		assert.Empty(t, said.String())
	}
}

// Code for cards that has views is also in builds whose views check indices, because views on cards never
// check.
func TestCodeForCardsHasViewsThatDoNotCheck(t *testing.T) {
	root := folder(t, "unchecked")
	put(t, filepath.Join(root, "a.go"), "package unchecked\n\nimport \"github.com/gokkos/gokkos/views\"\n\n//gokkos:kernel\n"+
		"func set(y views.View2[float64]) func(i int) {\n\treturn func(i int) { y.Set(i, 1, y.At(1, i)) }\n}\n")
	made, err := generate.For([]target.Target{ptx.Target{}}, front.Config{}, "./"+root)
	require.NoError(t, err)
	assert.Equal(t, goloops.Constraint, constraintOf(string(made[0].Files["z_kernels_ptx.go"])))
}

// The report says which builds have loops, and because of which file.
func TestReportSaysWhichBuildsHaveLoops(t *testing.T) {
	root := folder(t, "reported")
	for file, text := range differing["constants"].files {
		put(t, filepath.Join(root, file), strings.NewReplacer(
			"PKG", "reported", "value *", "value * more *", "const value", "const more = 4\n\nconst value").Replace(text))
	}
	for tags, want := range map[string]string{
		"":         "a.go:4:6: set has loops only in builds with !gokkos_x, as all kernels of its package have: it is made of value in c.go\n",
		"gokkos_x": "a.go:4:6: set has loops only in builds with gokkos_x, as all kernels of its package have: it is made of value in b.go\n",
	} {
		made, err := generate.Packages(front.Config{Tags: []string{tags}}, "./"+root)
		require.NoError(t, err)
		var said strings.Builder
		made[0].Report(&said, true)
		assert.Equal(t, want, said.String())
	}
}

// A declaration that moves to a file of fewer builds is another source.
func TestOtherBuildsAreAChange(t *testing.T) {
	root := folder(t, "moved")
	write := func(constraint string) {
		put(t, filepath.Join(root, "b.go"), constraint+"package moved\n\nconst value = 2\n")
	}
	put(t, filepath.Join(root, "a.go"), strings.ReplaceAll(plain, "PKG", "moved"))
	write("")
	made, err := generate.Packages(front.Config{}, "./"+root)
	require.NoError(t, err)
	require.NoError(t, made[0].Write())
	assert.Empty(t, sources.Changes(root))
	write("// One line.\n\n")
	assert.Empty(t, sources.Changes(root))
	write("//go:build !gokkos_x\n\n")
	assert.Equal(t, []string{"value has changed"}, sources.Changes(root))
	require.NoError(t, os.Remove(filepath.Join(root, "b.go")))
	put(t, filepath.Join(root, "b_linux.go"), "package moved\n\nconst value = 2\n")
	assert.Equal(t, []string{"value has changed"}, sources.Changes(root))
}
