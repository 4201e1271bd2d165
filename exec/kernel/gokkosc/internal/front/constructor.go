package front

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// kernel lowers a kernel. It returns an error if the compiler cannot generate a constructor.
func (w *world) kernel(p *packages.Package, d *ast.FuncDecl) (*Kernel, error) {
	l := w.lowering(p)
	out := &Kernel{Func: d.Name.Name, Pos: l.position(d.Name.Pos()), Imports: l.imports}
	for _, c := range d.Doc.List {
		if !strings.HasPrefix(c.Text, "//go:") && !strings.HasPrefix(c.Text, "//gokkos:") {
			out.Doc = append(out.Doc, c.Text)
		}
	}
	def, ok := p.TypesInfo.Defs[d.Name].(*types.Func)
	if !ok {
		out.Refused = &Refusal{Pos: out.Pos, Reason: d.Name.Name + " is declared twice"}
		return out, nil
	}
	return l.lower(out, func() error {
		out.Result = l.signature(def.Signature())
		if err := l.sameInAll(p, d); err != nil && out.Result != "" {
			return err
		}
		if r := w.broken(p, d); r != nil {
			return r
		}
		l.constructor(d)
		return nil
	})
}

// signature notes the parameters up to the first without a name, and returns the type of the result. The type
// is "" if generated files cannot declare a function with this signature.
func (l *lowering) signature(sig *types.Signature) (result string) {
	if sig.Recv() != nil || sig.TypeParams().Len() > 0 || sig.Variadic() {
		return ""
	}
	for n := range sig.Params().Len() {
		v := sig.Params().At(n)
		if v.Name() == "" || v.Name() == "_" {
			return ""
		}
		l.k.Params = append(l.k.Params, ir.Param{Name: v.Name(), Type: l.typeString(v.Type())})
	}
	if sig.Results().Len() != 1 {
		return ""
	}
	return l.typeString(sig.Results().At(0).Type())
}

// constructor lowers the functor that a constructor returns.
func (l *lowering) constructor(d *ast.FuncDecl) {
	l.at = d.Name.Pos()
	l.madeOf(l.pkg, d)
	f := l.pkg.TypesInfo.Defs[d.Name].(*types.Func)
	sig := f.Signature()
	switch {
	case d.Recv != nil:
		l.refuse(d.Pos(), "make it a function of what it captures", "constructor %s is a method", d.Name.Name)
	case sig.TypeParams().Len() > 0:
		l.refuse(d.Pos(), "write one for each type, which calls a generic function: that is inlined", "constructor %s is generic", d.Name.Name)
	case sig.Variadic():
		l.refuse(d.Pos(), "take a slice", "constructor %s is variadic", d.Name.Name)
	case d.Body == nil:
		l.refuse(d.Pos(), "", "constructor %s has no body", d.Name.Name)
	}
	if len(l.k.Params) < sig.Params().Len() {
		l.refuse(d.Pos(), "give it one", "parameter %d of constructor %s has no name", len(l.k.Params), d.Name.Name)
	}
	for n := range sig.Params().Len() {
		v := sig.Params().At(n)
		l.set(v, l.param(n, nil, v.Type()))
		l.captured[v] = true
	}
	lit := l.setUp(d)
	l.functor(body{l.pkg, l.pkg.TypesInfo.TypeOf(lit).(*types.Signature), lit.Pos(), lit.Body.List, nil})
	l.finish()
}

// setUp lowers the statements of a constructor in front of its literal, and returns the literal.
func (l *lowering) setUp(d *ast.FuncDecl) *ast.FuncLit {
	f := &frame{lowering: l, pkg: l.pkg, setup: true, ret: l.newFlag("returned")}
	list := d.Body.List
	if len(list) == 0 {
		l.refuse(d.Pos(), "", "constructor %s returns nothing", d.Name.Name)
	}
	for _, s := range list[:len(list)-1] {
		switch s := s.(type) {
		case *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt:
			if lit := literalIn(s); lit != nil {
				l.refuse(lit.Pos(), "return the literal itself, as the last statement: nothing it captures can change behind it", "constructor %s keeps its functor in a variable", d.Name.Name)
			}
			f.stmt(s)
		default:
			l.refuse(s.Pos(), "compute numbers there, or pass them as parameters", "constructor %s has a statement before its literal that is no assignment", d.Name.Name)
		}
	}
	l.k.Body.Walk(func(v *ir.Value) {
		if v.Op.Accesses() || v.Op == ir.Check {
			at := list[0].Pos()
			l.refuse(at, "do it in the functor", "constructor %s looks into memory, or does what can fail, before its literal", d.Name.Name)
		}
	})
	ret, ok := list[len(list)-1].(*ast.ReturnStmt)
	if ok && len(ret.Results) == 1 {
		if lit, ok := ast.Unparen(ret.Results[0]).(*ast.FuncLit); ok {
			for v := range l.vars {
				if v, ok := v.(*types.Var); ok {
					l.captured[v] = true
				}
			}
			return lit
		}
	}
	l.refuse(list[len(list)-1].Pos(), "end it with return func(i int) { ... }", "constructor %s does not return a function literal", d.Name.Name)
	return nil
}

func literalIn(n ast.Node) (lit *ast.FuncLit) {
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok && lit == nil {
			lit = f
		}
		return lit == nil
	})
	return lit
}

// sameInAll returns an error if a length in a constructor's signature differs between builds, because the
// generated constructor contains the length as a number.
func (l *lowering) sameInAll(p *packages.Package, d *ast.FuncDecl) error {
	ast.Inspect(d.Type, func(n ast.Node) bool {
		if array, ok := n.(*ast.ArrayType); ok && array.Len != nil {
			l.noteNames(p, array.Len, true)
		}
		return true
	})
	if len(l.builds) == 0 {
		return nil
	}
	b := &l.builds[0]
	return fmt.Errorf("gokkosc: %v: %s has a parameter of a length that only builds with %v have, because of %s in %s; "+
		"give its type a name", l.world.fset.Position(d.Pos()), d.Name.Name, b, b.Name, b.File)
}
