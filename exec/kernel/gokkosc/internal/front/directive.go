package front

import (
	"fmt"
	"go/ast"
	"go/parser"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

const directive = "//gokkos:kernel"

// rareDirective marks a function that is not compiled: an item that calls it runs as the closure.
const rareDirective = find.Closure

// directives returns an error if a comment looks like the directive and is not, or stands at no function.
func (w *world) directives(file *ast.File) error {
	at := map[*ast.Comment]bool{}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Doc != nil {
			for _, c := range d.Doc.List {
				at[c] = true
			}
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			text, ok := strings.CutPrefix(c.Text, "//")
			if !ok || !strings.HasPrefix(strings.TrimSpace(text), "gokkos:") {
				continue
			}
			pos := w.fset.Position(c.Pos())
			switch strings.TrimSpace(c.Text) {
			case directive:
			case rareDirective:
				if !at[c] && !w.inFunction(file, c) {
					return fmt.Errorf("gokkosc: %s:%d: %s stands at no function, expected it in the comment of one that kernels call", pos.Filename, pos.Line, rareDirective)
				}
				continue
			default:
				return fmt.Errorf("gokkosc: %s:%d: %q is no directive, expected %s or %s", pos.Filename, pos.Line, c.Text, directive, rareDirective)
			}
			if !at[c] {
				return fmt.Errorf("gokkosc: %s:%d: %s stands at no function, expected it in the comment of a constructor", pos.Filename, pos.Line, directive)
			}
		}
	}
	return nil
}

// inFunction reports whether a comment stands in a function, where it is one of a functor.
func (w *world) inFunction(file *ast.File, c *ast.Comment) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool { return d.Pos() < c.Pos() && c.Pos() < d.End() })
}

func marked(d *ast.FuncDecl) bool { return hasDirective(d, directive) }

func hasDirective(d *ast.FuncDecl, text string) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return strings.TrimSpace(c.Text) == text })
}

// left returns an error if a file in a package's folder has kernels, but this build does not compile it. Such
// a file is a test, or belongs to other builds.
func (w *world) left(p *packages.Package, dir string) error {
	compiled := map[string]bool{}
	for _, file := range p.Syntax {
		compiled[filepath.Base(w.path(p, file))] = true
	}
	skip := func(name string) bool { return compiled[name] }
	for file := range w.files(dir, parser.ParseComments|parser.SkipObjectResolution, skip) {
		if file.Err != nil {
			continue // a file that is not compiled need not parse
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
