package front_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
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

// A refusal has the position of the code that cannot be compiled, and a help.
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
	kernels := load(t, body.String(), "hash/maphash", "math", "math/bits", "os", "strings", "unsafe", "github.com/gokkos/gokkos/builtin", "github.com/gokkos/gokkos/policy", "github.com/gokkos/gokkos/team", "github.com/gokkos/gokkos/views", "github.com/gokkos/gokkos/views/atomics", "github.com/gokkos/gokkos/views/scatter")
	require.Len(t, kernels, len(says))
	lines := strings.Split(body.String(), "\n")
	for n, k := range kernels {
		names = append(names, k.Func)
		if !assert.NotNil(t, k.Refused, "%s is compiled, expected: %s", k.Func, says[n]) {
			continue
		}
		got := k.Refused.Error()
		at := lines[k.Refused.Pos.Line-14]
		assert.Contains(t, got, says[n], k.Func)
		assert.Contains(t, at, "//!", "%s: %s: %s", k.Func, got, at)
	}
	assert.Greater(t, len(names), 30)
}

// A package is compiled although its generated files are missing or broken, and a kernel is refused if it
// does not compile.
func TestBrokenPackage(t *testing.T) {
	kernels := load(t, `
func use(y []float64) func(i int) { return Fine(y) }

var _ = Missing

//gokkos:kernel
func fine(y []float64) func(i int) {
	return func(i int) { y[i] = 1 }
}

func half(x float64) float64 { return x / "2" }

//gokkos:kernel
func wrong(y []float64) func(i int) {
	return func(i int) { y[i] = half(1) }
}

//gokkos:kernel
func worse(y []float64) func(i int) {
	return func(i int) { y[i] = "1" }
}
`)
	require.Len(t, kernels, 3)
	assert.Nil(t, kernels[0].Refused)
	assert.ErrorContains(t, kernels[1].Refused, "kernels.go:12:39: it does not compile: invalid operation")
	assert.ErrorContains(t, kernels[2].Refused, "kernels.go:21:30: it does not compile: cannot use")
}

// Locations that have an order of their own are compared by the closure.
func TestOwnOrder(t *testing.T) {
	kernels := load(t, `
type ordinal int

func (o ordinal) Compare(p ordinal) int { return int(p) - int(o) }

//gokkos:kernel
func own(x []float64) func(i int, acc *builtin.ValLoc[float64, ordinal]) {
	return func(i int, acc *builtin.ValLoc[float64, ordinal]) { acc.Min(x[i], ordinal(i)) }
}

//gokkos:kernel
func points(x []float64) func(at policy.Index2, acc *builtin.ValLoc[float64, policy.Index2]) {
	return func(at policy.Index2, acc *builtin.ValLoc[float64, policy.Index2]) { acc.Min(x[at.I], at) }
}
`, "github.com/gokkos/gokkos/builtin", "github.com/gokkos/gokkos/policy")
	require.Len(t, kernels, 2)
	assert.ErrorContains(t, kernels[0].Refused, "locations of type ordinal have an order of their own; assign to the fields of the accumulator")
	assert.Nil(t, kernels[1].Refused)
}

// Functions of other modules become part of a kernel if their package is named.
func TestInline(t *testing.T) {
	dir, err := filepath.Abs("../random/refused")
	require.NoError(t, err)
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	overlay := map[string][]byte{filepath.Join(dir, "kernels.go"): []byte(`package refused

import (
	"cmp"
	"sort"
)

//gokkos:kernel
func less(x, y []float64, z []bool) func(i int) {
	return func(i int) { z[i] = cmp.Less(x[i], y[i]) }
}

//gokkos:kernel
func find(x, z []int) func(i int) {
	return func(i int) { sort.Ints(x[i:]) }
}
`)}
	for _, c := range []struct {
		inline []string
		says   string
	}{
		{nil, "the kernel calls cmp.Less: package cmp is not of this module; write it in this module, or give its package to -inline"},
		{[]string{"cmp", "sort"}, ""},
	} {
		packages, err := front.Load(front.Config{Dir: root, Overlay: overlay, Inline: c.inline}, "./random/refused")
		require.NoError(t, err)
		k := packages[0].Kernels[0]
		if c.says != "" {
			assert.ErrorContains(t, k.Refused, c.says)
			continue
		}
		require.Nil(t, k.Refused)
		assert.Equal(t, []string{"cmp.Less", "cmp.isNaN"}, k.IR.Inlined)
		k.IR.Body.Walk(func(v *ir.Value) {
			assert.Contains(t, []string{"", "kernels.go"}, v.Pos.Filename, "what a reader of the kernel has")
		})
		assert.Regexp(t, `^kernels\.go:15:23: in sort\.Ints, sort\.go:\d+:\d+: `, packages[0].Kernels[1].Refused)
	}
}

// Generated files call constructors in all builds: a kernel where they cannot is an error.
func TestFiles(t *testing.T) {
	const kernel = "package p\n\n//gokkos:kernel\nfunc f(y []int) func(i int) { return func(i int) { y[i] = 1 } }\n"
	for name, c := range map[string]struct{ text, want string }{
		"p_linux.go":   {kernel, "p_linux.go:4: a kernel in a file that only builds with linux have; move it to a file of all builds"},
		"p_amd64.go":   {kernel, "p_amd64.go:4: a kernel in a file that only builds with amd64 have"},
		"p_windows.go": {kernel, "p_windows.go:4: a kernel in a file that this build does not have; move it to a file of all builds"},
		"q.go":         {"//go:build !js\n\n" + kernel, "q.go:6: a kernel in a file that only builds with !js have"},
		"r.go":         {"//go:build never\n\n" + kernel, "r.go:6: a kernel in a file that this build does not have"},
		"p_test.go":    {kernel, "p_test.go:4: a kernel in a test, which generated files cannot call; move it to a file of the package"},
		"s_test.go":    {"package p\n\nconst s = `\n//gokkos:kernel\nfunc f() {}`\n", ""},
		"linux.go":     {kernel, ""},
		"v.go":         {"//go:build !race\n\n" + kernel, "v.go:6: a kernel in a file that only builds with !race have"},
		"u.go":         {"//go:build go1.18\n\n" + kernel, ""},
		"t.go":         {"package p\n\n//go:build !js\n", ""},
	} {
		if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
			t.Skip("the names of the files are of linux on amd64")
		}
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module p\n\ngo 1.26\n", "a.go": "package p\n", name: c.text} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		_, err := front.Load(front.Config{Dir: dir}, ".")
		if c.want == "" {
			assert.NoError(t, err, name)
			continue
		}
		assert.ErrorContains(t, err, c.want, name)
	}
}

// Packages that share a name have others in generated files.
func TestImports(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module p\n\ngo 1.26\n",
		"math/math.go": "package math\n\ntype Vec struct{ X, Y float64 }\n",
		"a/v/v.go":     "package v\n\ntype Vec struct{ X, Y float64 }\n",
		"b/v/v.go":     "package v\n\ntype Vec struct{ X, Y float64 }\n",
		"p.go": `package p

import (
	"p/a/v"
	w "p/b/v"
	"p/math"
)

//gokkos:kernel
func f(a v.Vec, b w.Vec, c math.Vec, y []float64) func(i int) {
	return func(i int) { y[i] = a.X + b.X + c.X }
}
`} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	packages, err := front.Load(front.Config{Dir: dir}, ".")
	require.NoError(t, err)
	k := packages[0].Kernels[0]
	require.Nil(t, k.Refused)
	assert.Equal(t, map[string]string{"p/a/v": "v", "p/b/v": "v2", "p/math": "math2"}, k.Imports)
	assert.Equal(t, []ir.Param{{Name: "a", Type: "v.Vec"}, {Name: "b", Type: "v2.Vec"}, {Name: "c", Type: "math2.Vec"}, {Name: "y", Type: "[]float64"}}, k.Params)
}

// A directive that would be overlooked is an error.
func TestDirectives(t *testing.T) {
	dir, err := filepath.Abs("../random/refused")
	require.NoError(t, err)
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for body, want := range map[string]string{
		"// gokkos:kernel\nfunc f(y []int) {}\n":                       `kernels.go:3: "// gokkos:kernel" is no directive, expected //gokkos:kernel or //gokkos:closure`,
		"//gokkos:kernal\nfunc f(y []int) {}\n":                        `kernels.go:3: "//gokkos:kernal" is no directive`,
		"//gokkos:kernel\n\nfunc f(y []int) {}\n":                      "kernels.go:3: //gokkos:kernel stands at no function, expected it in the comment of a constructor",
		"//gokkos:closure\n\nfunc f() {}\n":                            "kernels.go:3: //gokkos:closure stands at no function, expected it in the comment of one that kernels call",
		"//gokkos:kernel\ntype t int\n":                                "kernels.go:3: //gokkos:kernel stands at no function",
		"func f(y []int) {\n\t//gokkos:kernel\n\tg := 1\n\t_ = g\n}\n": "kernels.go:4: //gokkos:kernel stands at no function",
	} {
		overlay := map[string][]byte{filepath.Join(dir, "kernels.go"): []byte("package refused\n\n" + body)}
		_, err := front.Load(front.Config{Dir: root, Overlay: overlay}, "./random/refused")
		assert.ErrorContains(t, err, want, body)
	}
}

// The starting value of a minimum or a maximum, worse than all values of the type, is a constant of a kernel.
func TestLimits(t *testing.T) {
	wants := map[string]uint64{
		"int8 Min": 127, "int8 Max": 1<<32 - 128, "uint16 Min": 65535, "uint16 Max": 0, "int Min": 1<<63 - 1, "int Max": 1 << 63,
		"uint64 Min": 1<<64 - 1, "uint64 Max": 0, "float32 Min": 0x7f800000, "float32 Max": 0xff800000,
		"float64 Min": 0x7ff0000000000000, "float64 Max": 0xfff0000000000000,
	}
	text := "" // of all, as loading packages takes longer than compiling kernels
	for of := range wants {
		typ, method, _ := strings.Cut(of, " ")
		text += fmt.Sprintf("\n//gokkos:kernel\nfunc %[1]s%[2]s(x []%[1]s) func(i int, acc *builtin.ValLoc[%[1]s, int]) {\n"+
			"\treturn func(i int, acc *builtin.ValLoc[%[1]s, int]) { acc.%[2]s(x[i], i) }\n}\n", typ, method)
	}
	kernels := load(t, text, "github.com/gokkos/gokkos/builtin")
	require.Len(t, kernels, len(wants))
	for _, k := range kernels {
		require.Nil(t, k.Refused)
		value, found := k.IR.Accs[0].Type, map[uint64]bool{}
		k.IR.Setup.Walk(func(v *ir.Value) {
			if v.Op == ir.Const && v.Type == value {
				found[v.Bits] = true
			}
		})
		name := k.Func[:len(k.Func)-3] + " " + k.Func[len(k.Func)-3:]
		assert.True(t, found[wants[name]], name)
	}
}
