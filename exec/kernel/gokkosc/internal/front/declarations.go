package front

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// folder returns the declarations of a package's folder, or nil if the package has no files. The result from
// is the path to that folder from the kernel's folder. It is "" for a package of another module, whose
// version is fixed.
func (l *lowering) folder(p *packages.Package) (folder *sources.Folder, from string) {
	if len(p.GoFiles) == 0 {
		return nil, ""
	}
	dir := filepath.Dir(p.GoFiles[0])
	if p == l.pkg || p.Module != nil && l.pkg.Module != nil && p.Module.Path == l.pkg.Module.Path {
		if rel, err := filepath.Rel(filepath.Dir(l.pkg.GoFiles[0]), dir); err == nil {
			from = filepath.ToSlash(rel)
		}
	}
	return l.world.folder(dir, from != ""), from
}

// madeOf notes a function as one that the kernel is made of, and the constants, types and variables that it names.
// Declarations of the kernel's module get lines in generated files, and all declarations decide which builds have loops.
func (l *lowering) madeOf(p *packages.Package, d *ast.FuncDecl) {
	if l.site != nil { // loops of a functor in place are made for one build
		return
	}
	l.note(p, sources.Name(d), d, false)
}

// note notes a declaration, and the declarations that it names. For a function that the kernel does not call,
// only the names in its type count. A whole type includes names behind pointers.
func (l *lowering) note(p *packages.Package, name string, declaration ast.Node, whole bool) {
	of := declared{declaration, name, whole}
	if l.noted[of] {
		return
	}
	folder, from := l.folder(p)
	if folder == nil {
		return
	}
	l.noted[of] = true
	file := l.world.file(p, declaration.Pos())
	hash := folder.Hash(file, name)
	switch word := strings.SplitN(name, "_", 3); {
	case hash != "":
	case len(word) == 3 && strings.HasPrefix(name, "_C"):
		l.refuse(l.at, "make it a parameter of the constructor",
			"the kernel is made of C.%s, which is what the C compiler of a build says", word[2])
	case strings.HasPrefix(file, sources.Generated):
		return
	default:
		l.refuse(l.at, "move it to a file that builds have", "the kernel is made of %s, which no build has by its file %s", name, file)
	}
	if from != "" {
		l.isMadeOf(sources.Declaration{Folder: from, Package: p.Name, Name: name, Hash: hash})
	}
	l.noteBuild(p, folder, file, name)
	l.noteNames(p, declaration, whole || from != "")
}

// noteNames notes the declarations that a part of a file names. Types behind pointers and functions in
// another module's type are no part of a kernel, unless a constant has such a type's length or size. A
// function that gives a constant or a variable its type counts. Functions that a kernel calls are noted with
// their bodies.
func (l *lowering) noteNames(p *packages.Package, of ast.Node, own bool) {
	spec, isType := of.(*ast.TypeSpec)
	_, isConstant := of.(*ast.CallExpr)
	ast.Inspect(of, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && isConstant {
			l.noteType(p.TypesInfo.TypeOf(x))
		}
		switch n := n.(type) {
		case *ast.TypeSpec:
			if own || n != spec { // the text of another type counts as if it stood here
				l.noteType(p.TypesInfo.TypeOf(n.Type))
			}
		case *ast.StarExpr, *ast.FuncType, *ast.InterfaceType, *ast.MapType, *ast.ChanType:
			return own || !isType || n == spec.Type
		case *ast.SelectorExpr:
			if s := p.TypesInfo.Selections[n]; s != nil {
				l.noteUnhidden(n.Pos(), s.Recv(), s.Obj().Name(), len(s.Index())-1)
				if isConstant {
					l.notePath(s)
				}
			}
		case *ast.CallExpr:
			if n != of && p.TypesInfo.Types[n].Value != nil { // a size, which the result of a function may have
				l.noteNames(p, n, own)
				return false
			}
		case *ast.Ident:
			o := p.TypesInfo.Uses[n]
			switch o := o.(type) {
			case *types.Const, *types.TypeName, *types.Var:
				l.noteObject(o, false)
			case *types.Func:
				if _, isCode := of.(*ast.FuncDecl); !isCode {
					l.noteObject(o.Origin(), false)
				}
			}
			if o != nil && types.Universe.Lookup(o.Name()) == o {
				l.noteUndeclared(n.Pos(), p, o.Name(), o.Name()+" of Go")
			}
		}
		return true
	})
}

// noteType notes the declaration of the type of a constant's operand. Behind a pointer it notes the type of
// the element.
func (l *lowering) noteType(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		l.noteObject(t.Obj(), true)
		l.noteType(t.Rhs())
	case *types.Pointer:
		l.noteType(t.Elem())
	case *types.Named:
		l.noteObject(t.Obj(), true)
	}
}

// notePath notes the types that a selector in a constant leads through, and the interface that declares a
// method.
func (l *lowering) notePath(s *types.Selection) {
	t := s.Recv()
	for _, k := range s.Index()[:len(s.Index())-1] {
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		t = t.Underlying().(*types.Struct).Field(k).Type()
		l.noteType(t)
	}
	if method, ok := s.Obj().(*types.Func); ok {
		l.noteType(method.Signature().Recv().Type())
	}
}

// isMadeOf adds a declaration to the list of declarations that the kernel is made of, unless the list has it.
func (l *lowering) isMadeOf(d sources.Declaration) {
	if !slices.Contains(l.decls, d) {
		l.decls = append(l.decls, d)
	}
}

// noteObject notes the declaration of a constant, a type, a variable, a function or a method of a package.
func (l *lowering) noteObject(o types.Object, whole bool) {
	f, isFunc := o.(*types.Func)
	if o.Pkg() == nil || o.Pkg() == types.Unsafe || o.Parent() != o.Pkg().Scope() && !isFunc {
		return
	}
	p := l.declaring(o.Pkg())
	if _, ok := o.(*types.Var); ok {
		l.noteUnwritten(p, o.Name())
	}
	name := o.Name()
	if isFunc {
		name, whole = f.FullName(), false
	}
	for _, d := range l.world.declarations(p)[name] {
		l.note(p, d.name, d.Node, whole)
	}
}

// declarations returns the declarations of a package by name, and the types of functions by their full names.
func (w *world) declarations(p *packages.Package) map[string][]declared {
	if all := w.named[p]; all != nil {
		return all
	}
	all := map[string][]declared{}
	for _, file := range p.Syntax {
		sources.Declared(file, func(name string, declaration ast.Node) {
			key := name
			if d, ok := declaration.(*ast.FuncDecl); ok {
				f, _ := p.TypesInfo.Defs[d.Name].(*types.Func)
				if f == nil {
					return
				}
				key, declaration = f.FullName(), d.Type
			}
			all[key] = append(all[key], declared{Node: declaration, name: name})
		})
	}
	w.named[p] = all
	return all
}

// declaring returns a package with its syntax.
func (l *lowering) declaring(pkg *types.Package) *packages.Package {
	p, err := l.world.syntax(pkg)
	if err != nil {
		l.refuse(l.at, "", "the kernel is made of package %s, whose source is not to be had: %v", pkg.Path(), err)
	}
	return p
}

// noteUndeclared notes a name that the package must not declare, because the kernel means another declaration
// by it. It refuses the kernel if a file of another build, or of tests, declares the name.
func (l *lowering) noteUndeclared(at token.Pos, p *packages.Package, name, means string) {
	folder, from := l.folder(p)
	if folder == nil {
		return
	}
	if file := folder.DeclaredIn(p.Name, name); file != "" {
		builds := ""
		if x := folder.Constraint(file); x != nil {
			builds = " in builds with " + x.String()
		}
		l.refuse(at, "call that something else", "the kernel means %s, which %s declares%s", means, file, builds)
	}
	if from != "" {
		l.isMadeOf(sources.Declaration{Folder: from, Package: p.Name, Name: name, Hash: sources.Undeclared})
	}
}

// noteUnwritten notes an array that nothing in a package writes. Local variables may have its name.
func (l *lowering) noteUnwritten(p *packages.Package, name string) {
	if folder, from := l.folder(p); from != "" && !folder.Written(p.Name, name) {
		l.isMadeOf(sources.Declaration{Folder: from, Package: p.Name, Name: name, Hash: sources.Unwritten})
	}
}

// noteUnhidden notes that a type, and the types that it embeds above a level, have no method of a name. Such
// a method would hide the field or the method of that name at the level.
func (l *lowering) noteUnhidden(at token.Pos, t types.Type, name string, levels int) {
	if levels == 0 || l.site != nil {
		return
	}
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		method := named.Obj().Name() + "." + name
		l.noteUndeclared(at, l.declaring(named.Obj().Pkg()), method, "another "+name+" than "+method)
	}
	if fields, ok := t.Underlying().(*types.Struct); ok {
		for v := range fields.Fields() {
			if v.Embedded() {
				l.noteUnhidden(at, v.Type(), name, levels-1)
			}
		}
	}
}

// A build has loops if it has all files that the loops are made of. In other builds constructors return
// closures.

// noteBuild notes the constraint that a build must fulfil to have a declaration, if not all builds have its
// file. With the race detector, or with views that check indices, no loops run. Code for cards runs even
// then, because views on cards never check dimensions.
func (l *lowering) noteBuild(p *packages.Package, folder *sources.Folder, file, name string) {
	constraint := folder.Constraint(file)
	if constraint == nil {
		return
	}
	tags := releases(l.pkg.Module)
	if p.PkgPath == memoryPath {
		tags["gokkos_bounds"] = false
	}
	b := Build{Only: only(constraint, tags), Name: name, File: file}
	tags["race"], tags["gokkos_bounds"] = false, false
	b.Loops = only(constraint, tags)
	if len(b.Only) > 0 {
		l.builds = append(l.builds, b)
	}
}

// only splits a constraint at &&, and returns the parts that the tags do not fulfil.
func only(x constraint.Expr, tags map[string]bool) (list []string) {
	switch x := x.(type) {
	case nil:
		return nil
	case *constraint.AndExpr:
		return append(only(x.X, tags), only(x.Y, tags)...)
	}
	if !sources.Fulfilled(&constraint.NotExpr{X: x}, tags) {
		return nil
	}
	if _, ok := x.(*constraint.OrExpr); ok {
		return []string{"(" + x.String() + ")"}
	}
	return []string{x.String()}
}

// releases returns the tags go1.N that all versions of Go have that can build a module.
func releases(m *packages.Module) map[string]bool {
	tags, last := map[string]bool{}, 0
	if m != nil {
		fmt.Sscanf(m.GoVersion, "1.%d", &last)
	}
	for n := range last {
		tags[fmt.Sprintf("go1.%d", n+1)] = true
	}
	return tags
}
