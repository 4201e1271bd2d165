package generate_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/front"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/generate"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ptx"
)

// ofKmath returns the functions of package kmath, with how many numbers they take and return.
func ofKmath(t *testing.T) map[string][2]int {
	files, err := filepath.Glob("../../../kmath/*.go")
	require.NoError(t, err)
	all := map[string][2]int{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.IsExported() {
				all[d.Name.Name] = [2]int{d.Type.Params.NumFields(), d.Type.Results.NumFields()}
			}
		}
	}
	return all
}

// Each function of package kmath becomes part of a kernel, for each target, in float32 and in float64.
func TestKmath(t *testing.T) {
	var body strings.Builder
	body.WriteString("package made\n\nimport \"github.com/gokkos/gokkos/exec/kernel/kmath\"\n")
	functions := ofKmath(t)
	require.Greater(t, len(functions), 16)
	for name, n := range functions {
		for _, typ := range []string{"float32", "float64"} {
			args := strings.TrimSuffix(strings.Repeat("x[i], ", n[0]), ", ")
			set := "y[i] = kmath." + name + "(" + args + ")"
			if n[1] == 2 {
				set = "a, b := kmath." + name + "(" + args + "); y[i] = a + b"
			}
			fmt.Fprintf(&body, "\n//gokkos:kernel\nfunc of%s%s(x, y []%s) func(i int) {\n\treturn func(i int) { %s }\n}\n", name, typ, typ, set)
		}
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	overlay := map[string][]byte{filepath.Join(root, "generate", "made", "made.go"): []byte(body.String())}
	out, err := generate.For(append(generate.Targets(false), ptx.Target{}), front.Config{Dir: root, Overlay: overlay}, "./generate/made")
	require.NoError(t, err)
	require.Len(t, out[0].Compiled, 2*len(functions))
	for _, k := range out[0].Compiled {
		require.Nil(t, k.Refused, k.Func)
		for _, name := range []string{"go", "avx2", "avx512", "ptx"} {
			require.Contains(t, out[0].Refused, name)
			assert.NoError(t, out[0].Refused[name][k.Kernel], "%s for %s", k.Func, name)
		}
	}
}
