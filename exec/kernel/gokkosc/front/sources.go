package front

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// madeOf notes a function as one that the kernel is made of, and the constants, types and variables that it names: those of
// the module of the kernel. Others are of a version.
func (l *lowering) madeOf(p *packages.Package, d *ast.FuncDecl) {
	l.note(p, sources.Name(d), d)
}

// note notes a declaration, and those that it names.
func (l *lowering) note(p *packages.Package, name string, declaration ast.Node) {
	if p.Module == nil || l.pkg.Module == nil || p.Module.Path != l.pkg.Module.Path || len(p.GoFiles) == 0 || len(l.pkg.GoFiles) == 0 {
		return
	}
	if path := l.world.fset.PositionFor(declaration.Pos(), false).Filename; !slices.Contains(p.GoFiles, path) {
		return // cgo has written it anew
	}
	folder, err := filepath.Rel(filepath.Dir(l.pkg.GoFiles[0]), filepath.Dir(p.GoFiles[0]))
	if err != nil {
		return
	}
	line := sources.Line(filepath.ToSlash(folder), name, declaration)
	if slices.Contains(l.decls, line) {
		return
	}
	l.decls = append(l.decls, line)
	ast.Inspect(declaration, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch o := p.TypesInfo.Uses[id].(type) {
			case *types.Const, *types.TypeName, *types.Var:
				l.noteObject(o)
			}
		}
		return true
	})
}

// noteObject notes the declaration of a constant, a type or a variable of a package.
func (l *lowering) noteObject(o types.Object) {
	if o.Pkg() == nil || o.Parent() != o.Pkg().Scope() || !l.world.inlines(l.pkg, o.Pkg().Path()) {
		return
	}
	p, err := l.world.source(l.pkg, o.Pkg().Path())
	if err != nil {
		return
	}
	for _, file := range p.Syntax {
		sources.Declared(file, func(name string, declaration ast.Node) {
			if name == o.Name() {
				l.note(p, name, declaration)
			}
		})
	}
}
