package front

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"iter"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// files returns the Go files of a folder, of whatever build, see [sources.Files].
func (w *world) files(folder string, mode parser.Mode, skip func(name string) bool) iter.Seq[sources.File] {
	return sources.Files(folder, w.config.Overlay, w.fset, mode, skip)
}

// usesC returns a file of a package that imports "C", "" if there is none: of whatever build, as generated
// files are of all.
func (w *world) usesC(p *packages.Package, folder string) string {
	for file := range w.files(folder, parser.ImportsOnly|parser.ParseComments, sources.IsTest) {
		if file.Err == nil && file.Syntax.Name.Name == p.Name && file.ImportsC() && file.Built() {
			return file.Name
		}
	}
	return ""
}

// folder returns the declarations of a package's folder, and the path to it from that of the kernel: nil if
// the package is of another module, and so of a version.
func (l *lowering) folder(p *packages.Package) (folder *sources.Folder, from string) {
	own := p == l.pkg || p.Module != nil && l.pkg.Module != nil && p.Module.Path == l.pkg.Module.Path
	if !own || len(p.GoFiles) == 0 || len(l.pkg.GoFiles) == 0 {
		return nil, ""
	}
	dir := filepath.Dir(p.GoFiles[0])
	from, err := filepath.Rel(filepath.Dir(l.pkg.GoFiles[0]), dir)
	if err != nil {
		return nil, ""
	}
	w := l.world
	if w.folders[dir] == nil {
		w.folders[dir] = sources.Read(dir, w.config.Overlay)
	}
	return w.folders[dir], filepath.ToSlash(from)
}

// madeOf notes a function as one that the kernel is made of, and the constants, types and variables that it
// names: those of the module of the kernel.
func (l *lowering) madeOf(p *packages.Package, d *ast.FuncDecl) {
	l.note(p, sources.Name(d), d)
}

// note notes a declaration, and those that it names.
func (l *lowering) note(p *packages.Package, name string, declaration ast.Node) {
	folder, from := l.folder(p)
	if folder == nil {
		return
	}
	hash := folder.Hash(l.world.file(p, declaration.Pos()), name)
	if hash == "" {
		return // cgo declares it
	}
	if !l.isMadeOf(sources.Declaration{Folder: from, Package: p.Name, Name: name, Hash: hash}) {
		return
	}
	ast.Inspect(declaration, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if s := p.TypesInfo.Selections[n]; s != nil {
				l.noteEmbedded(s)
			}
		case *ast.Ident:
			switch o := p.TypesInfo.Uses[n].(type) {
			case *types.Const, *types.TypeName, *types.Var:
				l.noteObject(o)
			}
			if o := p.TypesInfo.Uses[n]; o != nil && types.Universe.Lookup(o.Name()) == o {
				l.noteUndeclared(p, o.Name())
			}
		}
		return true
	})
}

// isMadeOf adds to what the kernel is made of. It returns false if that has it already.
func (l *lowering) isMadeOf(d sources.Declaration) bool {
	if slices.Contains(l.decls, d) {
		return false
	}
	l.decls = append(l.decls, d)
	return true
}

// noteObject notes the declaration of a constant, a type or a variable of a package.
func (l *lowering) noteObject(o types.Object) {
	if o.Pkg() == nil || o.Parent() != o.Pkg().Scope() {
		return
	}
	p := l.inModule(o.Pkg())
	if p == nil {
		return
	}
	if _, ok := o.(*types.Var); ok {
		l.noteUnwritten(p, o.Name())
	}
	for _, file := range p.Syntax {
		sources.Declared(file, func(name string, declaration ast.Node) {
			if name == o.Name() {
				l.note(p, name, declaration)
			}
		})
	}
}

// inModule returns a package with its syntax, nil if no kernel is made of its declarations.
func (l *lowering) inModule(pkg *types.Package) *packages.Package {
	if !l.world.inlines(l.pkg, pkg.Path()) {
		return nil
	}
	p, _ := l.world.source(l.pkg, pkg.Path())
	return p
}

// noteUndeclared notes a name that the kernel means something else by than a declaration of a package. Files
// of other builds may have one.
func (l *lowering) noteUndeclared(p *packages.Package, name string) {
	if folder, from := l.folder(p); folder != nil && !folder.Declares(p.Name, name) {
		l.isMadeOf(sources.Declaration{Folder: from, Package: p.Name, Name: name, Hash: sources.Undeclared})
	}
}

// noteUnwritten notes an array that nothing in a package writes. Local variables may have its name.
func (l *lowering) noteUnwritten(p *packages.Package, name string) {
	if folder, from := l.folder(p); folder != nil && !folder.Written(p.Name, name) {
		l.isMadeOf(sources.Declaration{Folder: from, Package: p.Name, Name: name, Hash: sources.Unwritten})
	}
}

// noteEmbedded notes that the types around an embedded field have no methods with the name of what is
// selected in it.
func (l *lowering) noteEmbedded(s *types.Selection) {
	t := s.Recv()
	for _, n := range s.Index()[:len(s.Index())-1] {
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
			if p := l.inModule(named.Obj().Pkg()); p != nil {
				l.noteUndeclared(p, named.Obj().Name()+"."+s.Obj().Name())
			}
		}
		fields, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		t = fields.Field(n).Type()
	}
}

// file returns the name of the file of a package that has a position: before cgo has written it anew.
func (w *world) file(p *packages.Package, at token.Pos) string {
	for _, file := range p.Syntax {
		if file.FileStart <= at && at < file.FileEnd {
			return filepath.Base(w.path(p, file))
		}
	}
	return ""
}
