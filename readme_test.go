package gokkos

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scope declares what the rows of these tables take for granted.
const scope = `package row

import (
	"math"
	"time"

	"github.com/gokkos/gokkos/builtin"
	"github.com/gokkos/gokkos/exec"
	"github.com/gokkos/gokkos/exec/gpu"
	"github.com/gokkos/gokkos/exec/kernel/kmath"
	"github.com/gokkos/gokkos/exec/tools"
	"github.com/gokkos/gokkos/policy"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/team"
	"github.com/gokkos/gokkos/team/group"
	"github.com/gokkos/gokkos/views"
	"github.com/gokkos/gokkos/views/algorithms"
	"github.com/gokkos/gokkos/views/atomics"
	"github.com/gokkos/gokkos/views/bitset"
	"github.com/gokkos/gokkos/views/crs"
	"github.com/gokkos/gokkos/views/hashmap"
	"github.com/gokkos/gokkos/views/random"
	"github.com/gokkos/gokkos/views/scatter"
	"github.com/gokkos/gokkos/views/token"
)

var (
	n, k, i, j, begin, end, c, league, size int

	s, t, total float64
	x           []float64
	v           builtin.ValLoc[float64, int]
	a, b        views.View2[float64]
	y, z        views.View1[float64]
	from, to    views.View1[int]

	p      = policy.Range(0, n)
	m      *team.Member
	on     *exec.Goroutines
	device = gpu.H200()
	seed   uint64
	join   func(dst, src *float64)
	err    error
)

`

var span = regexp.MustCompile("`([^`]+)`")

// program returns the program of a row: f is its functor, then come its spans of code.
// TestDocsNamesExist looks after those that are only a name.
func program(code, functor string) string {
	var body strings.Builder
	if functor != "" {
		functor = strings.Trim(functor, "`")
		if !strings.HasSuffix(functor, "}") {
			functor += " {}"
		}
		fmt.Fprintf(&body, "\tf := %s\n\t_ = f\n", functor)
	}
	for _, m := range span.FindAllStringSubmatch(code, -1) {
		line := m[1]
		if x, err := parser.ParseExpr(line); err == nil { // else it is a statement
			switch x.(type) {
			case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr:
				continue
			case *ast.CallExpr:
			default:
				line = "_ = " + line
			}
		}
		fmt.Fprintf(&body, "\t%s\n", line)
	}
	return scope + "\nfunc row() {\n" + body.String() + "}\n"
}

// rows returns the cells of the rows of a page's tables whose header begins so.
func rows(page, header string) (rows [][]string) {
	inside := false
	for _, line := range strings.Split(page, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		switch {
		case strings.HasPrefix(line, header):
			inside = true
		case !strings.HasPrefix(line, "|"):
			inside = false
		case inside && !strings.HasPrefix(line, "|--"):
			rows = append(rows, cells)
		}
	}
	return rows
}

// exportFiles are the files with what our packages export, by package. The go command finds
// them in its cache; see TestExportsAreCompiledAlready.
var exportFiles = sync.OnceValues(func() (map[string]string, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{if ne .Name `main`}}{{.ImportPath}}={{.Export}}{{end}}",
		"./exec/...", "./team/...", "./builtin/...", "./reducers/...", "./views/...")
	output, err := list.Output()
	files := map[string]string{}
	for line := range strings.Lines(string(output)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[name] = file
	}
	return files, err
})

// exports returns an importer of our packages.
func exports(t *testing.T, fset *token.FileSet) types.Importer {
	files, err := exportFiles()
	require.NoError(t, err)
	return importer.ForCompiler(fset, "gc", func(name string) (io.ReadCloser, error) { return os.Open(files[name]) })
}

// check returns the first error of a program. Variables may be unused.
func check(fset *token.FileSet, imports types.Importer, source string) (first error) {
	file, err := parser.ParseFile(fset, "row.go", source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	config := types.Config{Importer: imports, Error: func(err error) {
		if first == nil && !err.(types.Error).Soft {
			first = err
		}
	}}
	_, _ = config.Check("row", fset, []*ast.File{file}, nil)
	return first
}

// Every row of the tables of README and of the page on porting compiles, with the functor that stands there, and one that
// does not would be seen.
func TestReadmeRowsCompile(t *testing.T) {
	fset := token.NewFileSet()
	imports := exports(t, fset)
	all := pages(t)
	compiled := 0
	for _, table := range []struct {
		page, header  string
		code, functor int // columns
	}{
		{"README.md", "| space |", 0, -1}, {"README.md", "| Kokkos | gokkos", 1, 2}, {"docs/porting.md", "| instead of |", 1, 2}, {"docs/porting.md", "| Kokkos |", 1, 2}, {"docs/porting.md", "| SYCL |", 1, 2},
		{"docs/porting.md", "| RAJA |", 1, 2}, {"docs/porting.md", "| OpenMP |", 1, 2}, {"docs/porting.md", "| CUDA |", 1, 2},
	} {
		for _, row := range rows(all[table.page], table.header) {
			functor := ""
			if table.functor > 0 && len(row) > table.functor {
				functor = row[table.functor]
			}
			source := program(row[table.code], functor)
			assert.NoError(t, check(fset, imports, source), "%s\n%s", row, strings.TrimPrefix(source, scope))
			compiled++
		}
	}
	assert.Greater(t, compiled, 120)
	for _, broken := range []struct{ code, functor, want string }{
		{"`a := views.New2[float64](\"a\", n, k)`", "", "assignment mismatch"},
		{"`err = exec.ParallelFor(p, f)`", "`func(at policy.Index2)`", "exec.ParallelFor"},
		{"`err = exec.ParallelFor(policy.MDRange2([2]int{}, [2]int{n, k}), f)`", "`func(at policy.Index2) { a.Set(at.X, at.J, 1) }`", "at.X undefined"},
		{"`exec.ParallelMap(p)`", "", "undefined: exec.ParallelMap"},
		{"`for i :=`", "", "expected"},
	} {
		assert.ErrorContains(t, check(fset, imports, program(broken.code, broken.functor)), broken.want)
	}
}
