package front_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// inFolder lowers the only kernel of a package with the given files.
func inFolder(t *testing.T, files map[string]string) *front.Kernel {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module looked\n\ngo 1.26\n"), 0o644))
	packages, err := front.Load(front.Config{Dir: dir}, ".")
	require.NoError(t, err)
	require.Len(t, packages[0].Kernels, 1)
	return packages[0].Kernels[0]
}

const lookup = `package looked

//gokkos:kernel
func lookup(at []int, y []float64) func(i int) {
	return func(i int) { y[i] = float64(table[at[i]]) }
}
`

// An array of constants is part of a kernel unless some code may write the array. That code may be in a file
// of any build, in a test, or in assembly.
func TestTables(t *testing.T) {
	table := lookup + "\nvar table = [...]uint8{3, 1, 4: 1 << 7}\n"
	for name, c := range map[string]struct {
		file, text, says string
	}{
		"read":                       {"b.go", "package looked\n\nfunc f() (s int) {\n\tfor k, x := range table {\n\t\ts += int(x) + int(table[k]) + len(table)\n\t}\n\tother := table\n\tother[0]++\n\treturn s\n}\n", ""},
		"another variable":           {"b.go", "package looked\n\nfunc f(table []int) { table[0] = 1 }\n", ""},
		"a field of the name":        {"b_test.go", "package looked\n\nfunc f(x struct{ table int }) { x.table++ }\n", ""},
		"an external test":           {"b_test.go", "package looked_test\n\nvar table []int\n\nfunc f() { table[0]++ }\n", ""},
		"an element assigned":        {"b.go", "package looked\n\nfunc f() { (table)[1] = 2 }\n", "b.go:3 may write it"},
		"an operation":               {"b.go", "package looked\n\nfunc f() { table[1] += 2 }\n", "b.go:3 may write it"},
		"counted up":                 {"b.go", "package looked\n\nfunc f() { table[1]++ }\n", "b.go:3 may write it"},
		"all of it assigned":         {"b.go", "package looked\n\nfunc f() { _, table = 1, [5]uint8{} }\n", "b.go:3 may write it"},
		"the variable of a range":    {"b.go", "package looked\n\nfunc f(x []uint8) {\n\tfor _, table[0] = range x {\n\t}\n}\n", "b.go:4 may write it"},
		"its address":                {"b.go", "package looked\n\nfunc f() *uint8 { return &table[1] }\n", "b.go:3 may write it"},
		"a slice of it":              {"b.go", "package looked\n\nfunc f() []uint8 { return table[:2] }\n", "b.go:3 may write it"},
		"a test":                     {"b_test.go", "package looked\n\nfunc f() { table[1] = 2 }\n", "b_test.go:3 may write it"},
		"another build":              {"b_plan9.go", "package looked\n\nfunc init() { table[1] = 2 }\n", "b_plan9.go:3 may write it"},
		"a file that cannot be read": {"b_plan9.go", "package looked\n\nfunc init() { table[1] = }\n", "b_plan9.go cannot be read, and may write it"},
		"assembly":                   {"b_plan9.s", "MOVB $1, ·table+1(SB)\n", "b_plan9.s may write it"},
	} {
		t.Run(name, func(t *testing.T) {
			k := inFolder(t, map[string]string{"a.go": table, c.file: c.text})
			if c.says != "" {
				require.NotNil(t, k.Refused)
				assert.ErrorContains(t, k.Refused, "a.go:5:38: the kernel uses table, which is a variable of the package: "+c.says+"; make it a parameter of the constructor; arrays of constants are part of a kernel, where the package only indexes them")
				return
			}
			require.Nil(t, k.Refused)
			require.Len(t, k.IR.Mems, 3)
			assert.Equal(t, ir.Mem{Param: -1, Elem: ir.U8, GoElem: "uint8", Array: true, Name: "table", Table: []uint64{3, 1, 0, 0, 128}}, k.IR.Mems[2])
			assert.Len(t, k.IR.Captured(), 2)
			assert.True(t, slices.ContainsFunc(k.MadeOf, func(d sources.Declaration) bool { return d.Name == "table" }))
		})
	}
}

// The refusal says why a variable is no array of constants.
func TestNoTables(t *testing.T) {
	for declared, says := range map[string]string{
		"var x = 1\nvar table = [2]int{1, x}":                     "a.go:9: an element is no constant",
		"var table [2]int":                                        "it is not declared as an array of constants",
		"var table = zeros()\nfunc zeros() (x [2]int) { return }": "it is not declared as an array of constants",
		"var table = [5000]int8{1}":                               "it has 4097 elements, expected 1 to 4096",
		"var table = []int{1}":                                    "the kernel uses table, which is a variable of the package; make it",
	} {
		k := inFolder(t, map[string]string{"a.go": lookup + "\n" + declared + "\n"})
		require.NotNil(t, k.Refused, declared)
		assert.ErrorContains(t, k.Refused, says)
	}
}
