package goloops_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/goloops"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// header returns how the file of a constructor begins.
func header(constructor string) string {
	if strings.Contains(constructor, "atomics.") {
		return "package made; import \"github.com/gokkos/gokkos/views/atomics\"\n\n"
	}
	return "package made\n\n"
}

// kernel returns the kernel of a constructor, after all passes.
func kernel(t *testing.T, constructor string) *ir.Kernel {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	file := filepath.Join(root, "goloops", "made", "made.go")
	packages, err := front.Load(front.Config{Dir: root, Overlay: map[string][]byte{file: []byte(header(constructor) + "//gokkos:kernel\n" + constructor)}}, "./goloops/made")
	require.NoError(t, err)
	k := packages[0].Kernels[0]
	require.Nil(t, k.Refused)
	pass.Run(k.IR, pass.All)
	return k.IR
}

// An item that may stop in a loop that stores, or behind it, has no Go loop.
func TestStoresInLoops(t *testing.T) {
	for constructor, want := range map[string]string{
		"func f(c, y []int, x []float64) func(i int) {\n\treturn func(i int) {\n\t\tfor j := range len(c) {\n\t\t\ty[3*i+j] = int(x[c[j]])\n\t\t}\n\t}\n}":                             "made.go:7:4: this stores in a loop, and an index may be out of range in a later round or behind the loop, at line 7: what was overwritten is not known then; compute the sum",
		"func f(x, y []float64) func(i int) {\n\treturn func(i int) {\n\t\tfor j := range len(x) {\n\t\t\ty[3*i+j] = 1\n\t\t\tif x[j] < 0 {\n\t\t\t\tpanic(1)\n\t\t\t}\n\t\t}\n\t}\n}": "and the kernel may panic in a later round or behind the loop, at line 9: what was overwritten is not known then; store what is wrong and return",
		"func f(d, y []int) func(i int) {\n\treturn func(i int) {\n\t\tfor j := range len(d) {\n\t\t\ty[3*i+j] = i / d[j]\n\t\t}\n\t}\n}":                                              "and a divisor may be 0 in a later round or behind the loop, at line 7: what was overwritten is not known then; divide in a loop in front",
		"func f(d, y []int) func(i int) {\n\treturn func(i int) {\n\t\tfor j := range len(d) {\n\t\t\ty[3*i+j] = i << d[j]\n\t\t}\n\t}\n}":                                             "and a number may be negative in a later round",
		"func f(c []int, x, y []float64) func(i int) {\n\treturn func(i int) {\n\t\tfor j := range len(c) {\n\t\t\ty[3*i+j] = 2\n\t\t}\n\t\ty[i] = x[int(y[3])]\n\t}\n}":               "made.go:7:4: this stores in a loop",
		"func f(c []int, x, y []float64) func(i int) {\n\treturn func(i int) {\n\t\ts := x[c[i]]\n\t\tfor j := range len(c) {\n\t\t\ty[3*i+j] = s\n\t\t}\n\t}\n}":                      "",
		"func f(c []int, x, y []float64) func(i int) {\n\treturn func(i int) {\n\t\tfor j := range len(c) {\n\t\t\ty[3*i+j] = x[c[j]]\n\t\t}\n\t}\n}":                                  "",
		"func f(c []int, n, y []int32, x []float64) func(i int) {\n\treturn func(i int) {\n\t\ty[atomics.Add(&n[0], 1)] = int32(c[i])\n\t}\n}":                                         "made.go:6:5: this is atomic, and an index may be out of range behind it, at line 6: it cannot be undone then; compute with all elements in front of it, and use no index that it gives",
		"func f(c, n []int, y []float64) func(i int) {\n\treturn func(i int) {\n\t\tfor j := range 5 {\n\t\t\tatomics.Add(&y[c[j]], 1)\n\t\t}\n\t}\n}":                                 "",
		"func f(c, n []int, y []float64) func(i int) {\n\treturn func(i int) {\n\t\tif atomics.Add(&n[0], 1) == 7 {\n\t\t\tpanic(7)\n\t\t}\n\t}\n}":                                    "the kernel may panic behind it, at line 7: it cannot be undone then; do that in front of it",
	} {
		k := kernel(t, constructor)
		before := k.String()
		_, err := goloops.Span(k, "fGo")
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, want, constructor)
		}
		assert.Equal(t, before, k.String(), "the kernel is another one")
	}
}

// Loops whose windows would be constants that do not compile have none.
func TestConstantWindows(t *testing.T) {
	k := kernel(t, "func f(x, y []float64) func(i int) {\n\treturn func(i int) {\n\t\ts := 0.0\n\t\tfor j := range 4 {\n\t\t\ts += x[j-1] + x[j+2]\n\t\t}\n\t\ty[i] = s\n\t}\n}")
	loop, err := goloops.Span(k, "fGo")
	require.NoError(t, err)
	assert.NotContains(t, loop.Text, "x[-1")
	assert.Contains(t, loop.Text, "x[2:2+4]")
}

// What both sides of a branch store is stored behind it, where one side has asked for all items, and the other for its own.
func TestWindowsBehindBranches(t *testing.T) {
	k := kernel(t, "func f(p float64, y []int) func(i int) {\n\treturn func(i int) {\n\t\tj := 0\n\t\tfor j = 1; j < 4; j++ {\n\t\t\tif p == 1 {\n\t\t\t\ty[i] = 0\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t\ty[i] = j\n\t}\n}")
	require.Len(t, k.Checks, 1)
	require.NotNil(t, k.Checks[0].When)
	loop, err := goloops.Span(k, "fGo")
	require.NoError(t, err)
	assert.NotContains(t, loop.Text, "[begin:end]")
	assert.Contains(t, loop.Text, "y[i] = ")
}

// A sum of many terms is written as several expressions: the time of go/format grows with the square of their nesting.
func TestNesting(t *testing.T) {
	k := kernel(t, "func f(x, y []float64) func(i int) {\n\treturn func(i int) {\n\t\ts := x[i]\n"+strings.Repeat("\t\ts += 0.25\n\t\ts = x[i] - s\n", 150)+"\t\ty[i] = s\n\t}\n}")
	loop, err := goloops.Span(k, "fGo")
	require.NoError(t, err)
	for _, line := range strings.Split(loop.Text, "\n") {
		assert.LessOrEqual(t, strings.Count(line, "("), 110)
	}
}

// A prologue names the values that the body uses, and clips the span.
func TestPrologue(t *testing.T) {
	k := kernel(t, "func f(n int, end []float64, w [4]float64) func(i int) {\n\treturn func(i int) { end[i+n*2] += w[i&3] }\n}")
	before := k.String()
	p, err := goloops.NewPrologue(k, "t", "w")
	require.NoError(t, err)
	assert.Equal(t, before, k.String(), "the kernel is another one")
	assert.Equal(t, []string{"end2", "w2"}, p.Mem)
	assert.Contains(t, p.Text, "end2 := k.end\n")
	assert.Contains(t, p.Text, "w2 := &k.w\n")
	assert.Contains(t, p.Text, "t2 := n * 2\n")
	assert.Contains(t, p.Text, "end = kernel.Reach(begin, end, t2, 1, len(end2))\nif begin >= end {\n return begin\n}\n")
	assert.True(t, p.Uses["kernel"])
	for _, v := range k.Setup.Values {
		if v.Op == ir.Mul {
			assert.Equal(t, "t2", p.Value[v])
		}
	}
	params, names := goloops.Lanes(&ir.Kernel{Lanes: []ir.Lanes{{GoType: "float64"}, {GoType: "bool"}}})
	assert.Equal(t, ", lanes []float64, lanes2 []bool", params)
	assert.Equal(t, []string{"lanes", "lanes2"}, names)
}

// What leaves runs to the functor is Go, with accumulators or none.
func TestLeaveLeft(t *testing.T) {
	for n := range 4 {
		k := &ir.Kernel{Lanes: []ir.Lanes{{GoType: "float64"}, {GoType: "bool"}, {GoType: "policy.Index2"}}[:n]}
		_, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+goloops.LeaveLeft(k, "sumGo"), 0)
		assert.NoError(t, err, goloops.LeaveLeft(k, "sumGo"))
	}
}
