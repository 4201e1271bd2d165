// Package find finds the functors of a program: the function literals, functions and method values that reach
// a launch. It follows them through variables, fields, parameters and results of functions.
package find

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A Package is a package with its syntax and types.
type Package struct {
	Path  string
	Files []*ast.File
	Info  *types.Info
	Fset  *token.FileSet
}

// A Functor is an expression whose value reaches a launch.
type Functor struct {
	Package  *Package
	File     *ast.File
	Within   ast.Decl // the declaration that it stands in
	Expr     ast.Expr // a function literal, a function's name or a method value; else an argument of unknown value
	Launch   string   // the library function that gets the functor, or one of several: "exec.ParallelFor"
	Accepted bool     // the functor's line has the comment //gokkos:closure
}

// Known reports whether the functor is a literal, a function or a method value, and not one from elsewhere.
func (f *Functor) Known() bool {
	fn, _ := f.Function()
	return fn != nil || f.Literal() != nil
}

// Literal returns the functor as a function literal; nil for other functors.
func (f *Functor) Literal() *ast.FuncLit {
	lit, _ := f.Expr.(*ast.FuncLit)
	return lit
}

// Function returns the function that the functor names. For a method value it returns the method and the
// selection; for a literal nil.
func (f *Functor) Function() (*types.Func, *types.Selection) { return f.Package.function(f.Expr) }

// TypeArgs returns the type arguments of a functor that is an instance of a generic function; nil for other
// functors.
func (f *Functor) TypeArgs() *types.TypeList {
	x := ast.Unparen(f.Expr)
	for {
		switch of := x.(type) {
		case *ast.IndexExpr:
			x = ast.Unparen(of.X)
			continue
		case *ast.IndexListExpr:
			x = ast.Unparen(of.X)
			continue
		case *ast.SelectorExpr:
			x = of.Sel
		}
		id, _ := x.(*ast.Ident)
		return f.Package.Info.Instances[id].TypeArgs
	}
}

// Closure is the comment that marks a function without place in loops, and a functor that may stay a closure.
const Closure = "//gokkos:closure"

const library = "github.com/gokkos/gokkos/"

// launch returns the name of a function that launches functors, "" of others, and how many of its arguments are or may be
// functors.
func launch(f *types.Func) (name string, args int) {
	if f.Pkg() == nil || f.Signature().Recv() != nil || !f.Exported() {
		return "", 0
	}
	name = f.Pkg().Name() + "." + f.Name()
	switch f.Pkg().Path() {
	case library + "exec":
		if strings.HasPrefix(f.Name(), "Parallel") || f.Name() == "Map" {
			return name, 2
		}
	case library + "views/tensor":
		switch f.Name() {
		case "Map":
			return name, 2
		case "FoldMap":
			return name, 1
		}
	}
	return "", 0
}

// Reached maps variables, fields and parameters whose values reach a launch to the name of that launch. Its
// keys are names that other packages have for them.
type Reached map[string]string

// Functors returns the functors of packages, in the order of files and lines. It also returns the variables
// and parameters through which values reach launches. The argument others is the Reached of other packages.
func Functors(packages []*Package, others Reached) ([]*Functor, Reached) {
	g := &graph{values: map[any][]any{}, params: map[*types.Var]string{}, at: map[ast.Expr]*Functor{}}
	var readers []*reader
	for _, p := range packages {
		for _, file := range p.Files {
			(&reader{g, p, file, nil}).declared()
			for _, d := range file.Decls {
				readers = append(readers, &reader{g, p, file, d})
			}
		}
	}
	for _, r := range readers {
		r.read()
	}
	g.bind()
	reached := g.reach(others)
	slices.SortStableFunc(g.found, func(a, b *Functor) int {
		x, y := a.position(), b.position()
		return cmp.Or(strings.Compare(a.Package.Path, b.Package.Path), strings.Compare(x.Filename, y.Filename), x.Offset-y.Offset)
	})
	for _, f := range g.found {
		f.accept()
	}
	return g.found, reached
}

func (f *Functor) position() token.Position { return f.Package.Fset.PositionFor(f.Expr.Pos(), false) }

// accept looks for //gokkos:closure on the line where the functor begins: this comment lets the functor stay
// a closure.
func (f *Functor) accept() {
	fset, line := f.Package.Fset, f.position().Line
	for _, group := range f.File.Comments {
		for _, c := range group.List {
			if strings.TrimSpace(c.Text) == Closure && fset.PositionFor(c.Pos(), false).Line == line {
				f.Accepted = true
			}
		}
	}
}

// function returns the function that an expression names, with the selection if it is a method value.
func (p *Package) function(x ast.Expr) (*types.Func, *types.Selection) {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		f, _ := p.Info.Uses[x].(*types.Func)
		return f, nil
	case *ast.SelectorExpr:
		f, _ := p.Info.Uses[x.Sel].(*types.Func)
		sel := p.Info.Selections[x]
		if sel != nil && sel.Kind() != types.MethodVal {
			return nil, nil
		}
		return f, sel
	case *ast.IndexExpr:
		return p.function(x.X)
	case *ast.IndexListExpr:
		return p.function(x.X)
	}
	return nil, nil
}
