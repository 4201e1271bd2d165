package front

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// path returns the path of a file, whatever its line comments say. That of a file that uses cgo is in such a comment.
func (w *world) path(p *packages.Package, file *ast.File) string {
	path := w.fset.PositionFor(file.Package, false).Filename
	if slices.Contains(p.GoFiles, path) || len(p.GoFiles) == 0 {
		return path
	}
	return w.fset.Position(file.Package).Filename
}

// imported adds the names that the imports of a file declare.
func imported(p *packages.Package, file *ast.File, names map[string]bool) {
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		q := p.Imports[path]
		switch {
		case i.Name == nil && q != nil:
			names[q.Name] = true
		case i.Name == nil || i.Name.Name == "_":
		case i.Name.Name != ".":
			names[i.Name.Name] = true
		case q != nil && q.Types != nil:
			for _, name := range q.Types.Scope().Names() {
				names[name] = names[name] || token.IsExported(name)
			}
		}
	}
}

// left returns an error if a file of a package's folder has kernels and is not among those that are compiled
// here: it is a test, or of other builds.
func (w *world) left(p *packages.Package, dir string) error {
	compiled := map[string]bool{}
	for _, file := range p.Syntax {
		compiled[filepath.Base(w.path(p, file))] = true
	}
	skip := func(name string) bool { return compiled[name] }
	for file := range w.files(dir, parser.ParseComments|parser.SkipObjectResolution, skip) {
		if file.Err != nil {
			continue // nobody has to be able to read what is not compiled
		}
		for _, d := range file.Syntax.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || !marked(d) {
				continue
			}
			pos := w.fset.Position(d.Pos())
			if sources.IsTest(file.Name) {
				return fmt.Errorf("gokkosc: %s:%d: a kernel in a test, which generated files cannot call; move it to a file of the package", pos.Filename, pos.Line)
			}
			return fmt.Errorf("gokkosc: %s:%d: a kernel in a file that this build does not have; move it to a file of all builds", pos.Filename, pos.Line)
		}
	}
	return nil
}
