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

// Functions of other modules become part of a kernel if their package is named.
func TestInline(t *testing.T) {
	dir, err := filepath.Abs("../random/refused")
	require.NoError(t, err)
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	overlay := map[string][]byte{filepath.Join(dir, "kernels.go"): []byte(`package refused

import "cmp"

//gokkos:kernel
func less(x, y []float64, z []bool) func(i int) {
	return func(i int) { z[i] = cmp.Less(x[i], y[i]) }
}
`)}
	for _, c := range []struct {
		inline []string
		says   string
	}{
		{nil, "the kernel calls cmp.Less: package cmp is not of this module; write it in this module, or give its package to -inline"},
		{[]string{"cmp"}, ""},
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
		assert.Len(t, k.Source, 3, "the hash depends on the text of all functions")
	}
}

// A directive that would be overlooked is an error.
func TestDirectives(t *testing.T) {
	dir, err := filepath.Abs("../random/refused")
	require.NoError(t, err)
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for body, want := range map[string]string{
		"// gokkos:kernel\nfunc f(y []int) {}\n":                       `kernels.go:3: "// gokkos:kernel" is no directive, expected //gokkos:kernel`,
		"//gokkos:kernal\nfunc f(y []int) {}\n":                        `kernels.go:3: "//gokkos:kernal" is no directive`,
		"//gokkos:kernel\n\nfunc f(y []int) {}\n":                      "kernels.go:3: //gokkos:kernel stands at no function, expected it in the comment of a constructor",
		"//gokkos:kernel\ntype t int\n":                                "kernels.go:3: //gokkos:kernel stands at no function",
		"func f(y []int) {\n\t//gokkos:kernel\n\tg := 1\n\t_ = g\n}\n": "kernels.go:4: //gokkos:kernel stands at no function",
	} {
		overlay := map[string][]byte{filepath.Join(dir, "kernels.go"): []byte("package refused\n\n" + body)}
		_, err := front.Load(front.Config{Dir: root, Overlay: overlay}, "./random/refused")
		assert.ErrorContains(t, err, want, body)
	}
}
