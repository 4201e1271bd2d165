package exec_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The compiler's message for a call that does not fit says what was expected. The
// package documentation explains these.
func TestCompileErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("the messages are the same in all builds")
	}
	check := checker(t)
	for name, c := range map[string]struct{ call, says string }{
		"a number for a policy": {
			`exec.ParallelFor(100, func(i int) {})`,
			"int does not satisfy exec.Policy[int] (missing method Next)",
		},
		"another index": {
			`exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{3, 4}), func(at [2]int) {})`,
			"have Next(int, int, []policy.Index2) (int, int)\n\t\twant Next(int, int, []Index)",
		},
		"several indices": {
			`exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{3, 4}), func(i, j int) {})`,
			"does not match func(i Index)",
		},
		"an accumulator of another type": {
			`exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *float32) {}, builtin.Sum(new(float64)))`,
			"does not match inferred type reducers.Reducer[float32]",
		},
		"something with a name for a space": {
			`policy.Range(0, 9).On(interface{ Name() string }(nil))`,
			"does not implement space.Space (missing method Concurrency)",
		},
		"no reducer": {
			`exec.ParallelReduce(policy.Range(0, 9), func(i int, acc *int) {})`,
			"not enough arguments in call to exec.ParallelReduce",
		},
		"no reducer of lanes": {
			`exec.ParallelReduceLanes(policy.Spans(0, 9), func(s exec.Lanes[int]) {})`,
			"not enough arguments in call to exec.ParallelReduceLanes",
		},
		"no reducer of a fold": {
			`exec.ParallelFold(exec.Slice(policy.Range(0, 9), make([]int, 9)))`,
			"not enough arguments in call to exec.ParallelFold",
		},
		"right": {`exec.ParallelFor(policy.Range(0, 9), func(i int) {})`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := check(c.call)
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, c.says)
		})
	}
}

// checker returns a function that type-checks a statement which uses our packages.
func checker(t *testing.T) func(statement string) error {
	const module = "github.com/gokkos/gokkos/"
	packages := []string{module + "builtin", module + "exec", module + "policy"}
	list := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, packages...)...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	require.NoError(t, err)
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	files := token.NewFileSet()
	config := types.Config{Importer: importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	head := "package p\nimport (\n\"" + strings.Join(packages, "\"\n\"") + "\"\n)\n" +
		"var _, _, _ = builtin.Sum[int], exec.Must, policy.Range\n"
	return func(statement string) error {
		file, err := parser.ParseFile(files, "p.go", head+"func f() { "+statement+" }\n", 0)
		if err != nil {
			return err
		}
		_, err = config.Check("p", files, []*ast.File{file}, nil)
		return err
	}
}
