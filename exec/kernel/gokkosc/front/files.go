package front

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// constrained returns why a file is not a part of all builds of its package, "" if it is: the functions of
// generated files call the constructors in it, and are.
func constrained(path string, file *ast.File) string {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() < file.Package && constraint.IsGoBuild(c.Text) {
				return "of " + c.Text
			}
		}
	}
	for _, machine := range [][2]string{{"linux", "amd64"}, {"windows", "arm64"}} {
		ctx := build.Context{GOOS: machine[0], GOARCH: machine[1], Compiler: "gc"}
		ctx.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package p\n")), nil }
		if ok, err := ctx.MatchFile(filepath.Split(path)); err == nil && !ok {
			return "of its name"
		}
	}
	return ""
}

// left returns an error if a file of a package's folder has kernels and is not among those that are compiled
// here: it is a test, or of other builds.
func (w *world) left(p *packages.Package, dir string) error {
	compiled := map[string]bool{}
	for _, file := range p.Syntax {
		compiled[filepath.Base(w.fset.Position(file.Pos()).Filename)] = true
	}
	all, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, path := range all {
		name := filepath.Base(path)
		if compiled[name] || strings.HasPrefix(name, generated) {
			continue
		}
		file, err := parser.ParseFile(w.fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // nobody has to be able to read what is not compiled
		}
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || !marked(d) {
				continue
			}
			pos := w.fset.Position(d.Pos())
			if strings.HasSuffix(name, "_test.go") {
				return fmt.Errorf("gokkosc: %s:%d: a kernel in a test, which generated files cannot call; move it to a file of the package", pos.Filename, pos.Line)
			}
			return fmt.Errorf("gokkosc: %s:%d: a kernel in a file that this build does not have; move it to a file of all builds", pos.Filename, pos.Line)
		}
	}
	return nil
}
