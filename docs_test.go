package gokkos

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sources are the files that a page's blocks of Go and of text come from.
var sources = map[string][]string{
	"README.md":               {"examples/dot/main.go", "examples/dot/main_test.go"},
	"docs/cards.md":           {"examples/card/main.go", "examples/card/main_test.go"},
	"docs/getting-started.md": {"examples/start/main.go", "examples/start/main_test.go"},
	"docs/kernels.md":         {"exec/kernel/gokkosc/internal/inplace/testdata/other/other.go", "exec/kernel/gokkosc/internal/kernels/kernels.go", "exec/kernel/gokkosc/internal/sample/z_kernels_span.go", "exec/kernel/gokkosc/internal/kernels/points.go", "exec/kernel/gokkosc/internal/kernels/values.go", "exec/kernel/gokkosc/internal/kernels/example_test.go", "exec/kernel/gokkosc/internal/kernels/tables.go", "exec/kernel/gokkosc/internal/kernels/rounds.go", "exec/kernel/gokkosc/internal/kernels/lanestores.go", "exec/kernel/gokkosc/internal/kernels/neighbours.go", "exec/kernel/gokkosc/internal/kernels/structs.go", "exec/kernel/gokkosc/main.go"},
	"docs/porting.md":         {"examples/ports/heat.go", "examples/ports/cg.go", "examples/ports/md.go", "examples/ports/kernels.go"},
	"docs/races.md":           {"exec/check/race_test.go"},
	"docs/teams.md":           {"team/softmax_example_test.go", "team/errors_example_test.go", "exec/exectest/smooth_test.go"},
}

// pages returns the pages for users, by name.
func pages(t *testing.T) map[string]string { return matching(t, "*.md", "docs/*.md") }

// everyPage returns these, and the pages of folders, which are for those who change what is there.
func everyPage(t *testing.T) map[string]string {
	return matching(t, "*.md", "docs/*.md", "exec/README.md", "exec/*/README.md", "exec/kernel/gokkosc/README.md", "exec/kernel/gokkosc/internal/*/README.md")
}

func matching(t *testing.T, patterns ...string) map[string]string {
	pages := map[string]string{}
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			pages[filepath.ToSlash(name)] = string(text)
		}
	}
	return pages
}

var (
	block   = regexp.MustCompile("(?ms)^```([^`\n]*)\n(.*?)^```$")
	comment = regexp.MustCompile(`(?m)^\s*// ?`)
)

// Code on a page is code that is compiled, and text is what an Example or a test expects. Blocks of other languages are what is
// typed, what programs print on a machine, and drawings: no block is without its language.
func TestDocsCodeIsReal(t *testing.T) {
	for page, text := range pages(t) {
		found := map[string]bool{}
		for _, m := range block.FindAllStringSubmatch(text, -1) {
			kind, want := m[1], m[2]
			if kind != "go" && kind != "text" {
				assert.Contains(t, []string{"sh", "console", "diagram", "go.mod"}, kind, "%s: the language of a block:\n%s", page, want)
				continue
			}
			from := ""
			for _, name := range sources[page] {
				source, err := os.ReadFile(name)
				require.NoError(t, err)
				lines := string(source)
				if kind == "text" {
					lines, want = comment.ReplaceAllString(lines, ""), strings.TrimSuffix(want, "\n")
				}
				if strings.Contains(lines, want) {
					from = name
				}
			}
			assert.NotEmpty(t, from, "%s: this block of %s is not in %v:\n%s", page, kind, sources[page], want)
			found[from] = true
		}
		for _, name := range sources[page] {
			assert.True(t, found[name], "%s shows nothing of %s", page, name)
		}
	}
}

// What a finding on a page tells one to do is advice that a launch gives.
func TestDocsAdviceIsGiven(t *testing.T) {
	source, err := os.ReadFile("exec/internal/checked/findings.go")
	require.NoError(t, err)
	seen := 0
	for page, text := range pages(t) {
		for _, m := range regexp.MustCompile(`(?m)^\tdo: (.*)$`).FindAllStringSubmatch(text, -1) {
			seen++
			assert.Contains(t, string(source), `return "`+m[1]+`"`, page)
		}
	}
	assert.Greater(t, seen, 1)
}

// reference is a package, perhaps with its folder, and names in it, as in exec.SimGPU.Close.
var reference = regexp.MustCompile(`\b(?:[a-z_]+/)*([a-z_]+)\.([A-Z]\w*)(?:\.([A-Z]\w*))?`)

// Every test, Example and declaration that a page names exists.
func TestDocsNamesExist(t *testing.T) {
	packages := declarations(t)
	seen := 0
	for page, text := range everyPage(t) {
		for _, m := range reference.FindAllStringSubmatch(text, -1) {
			names, ours := packages[m[1]]
			if !ours {
				assert.NotRegexp(t, `^(Test|Example|Benchmark)`, m[2], "%s: %s is in no package", page, m[0])
				continue
			}
			seen++
			assert.True(t, names[m[2]], "%s: %s does not exist", page, m[0])
			if m[3] != "" {
				assert.True(t, names[m[2]+"."+m[3]], "%s: %s does not exist", page, m[0])
			}
		}
	}
	assert.Greater(t, seen, 100)
}

// A row of the table of features ends with a test or an Example.
func TestDocsFeaturesAreShown(t *testing.T) {
	rows := 0
	for _, line := range strings.Split(pages(t)["docs/features.md"], "\n") {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, ""), "|")
		if len(cells) != 5 || strings.HasPrefix(cells[1], "---") || strings.Contains(cells[3], "shown by") {
			continue
		}
		rows++
		assert.Regexp(t, "`[a-z_/]+\\.(Test|Example)\\w*`", cells[3], line)
	}
	assert.Greater(t, rows, 80)
}

// declarations returns the names that each package declares: top-level ones, and methods
// and fields behind the name of their type. Packages of nested modules are among them: pages
// name those too, and nothing is compiled here.
func declarations(t *testing.T) map[string]map[string]bool {
	packages := map[string]map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.ContainsAny(d.Name()[:1], "._") && file != "." {
			return filepath.SkipDir // as the go command does
		}
		if !strings.HasSuffix(file, ".go") {
			return err
		}
		pkg := path.Base(filepath.ToSlash(filepath.Dir(file)))
		if packages[pkg] == nil {
			packages[pkg] = map[string]bool{}
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range tree.Decls {
			declare(packages[pkg], d)
		}
		return nil
	})
	require.NoError(t, err)
	packages["gokkos"] = packages["."]
	delete(packages, ".")
	return packages
}

func declare(names map[string]bool, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names[d.Name.Name] = true
			return
		}
		names[receiver(d.Recv.List[0].Type)+"."+d.Name.Name] = true
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names[n.Name] = true
				}
			case *ast.TypeSpec:
				names[s.Name.Name] = true
				members(names, s)
			}
		}
	}
}

// receiver returns the name of a method's type.
func receiver(x ast.Expr) string {
	name := ""
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

// members declares the fields of a struct and the methods of an interface.
func members(names map[string]bool, s *ast.TypeSpec) {
	var fields *ast.FieldList
	switch x := s.Type.(type) {
	case *ast.StructType:
		fields = x.Fields
	case *ast.InterfaceType:
		fields = x.Methods
	default:
		return
	}
	for _, f := range fields.List {
		for _, n := range f.Names {
			names[s.Name.Name+"."+n.Name] = true
		}
	}
}

// Pages name files and what is declared in them, as the tables of exec/README.md do. Files are named from the page's folder
// or from the root.
func TestFilesAreAsPagesSay(t *testing.T) {
	files, steps := 0, 0
	named := regexp.MustCompile("`([a-z0-9_/]+\\.(?:go|cu))`((?:,? `[A-Za-z]+`)*)")
	for page, text := range everyPage(t) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "z_") || path.Dir(page) == "." && !strings.Contains(m[1], "/") {
				continue // of any package
			}
			source, err := os.ReadFile(path.Join(path.Dir(page), m[1]))
			if err != nil {
				source, err = os.ReadFile(m[1])
			}
			if !assert.NoError(t, err, page) {
				continue
			}
			files++
			for _, name := range regexp.MustCompile("`([A-Za-z]+)`").FindAllStringSubmatch(m[2], -1) {
				steps++
				declared := regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + name[1] + `\b`)
				assert.Regexp(t, declared, string(source), "%s: %s %s", page, m[1], name[1])
			}
		}
	}
	assert.Greater(t, files, 70)
	assert.Greater(t, steps, 30)
}
