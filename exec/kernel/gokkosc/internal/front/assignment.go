package front

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (f *frame) assign(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		p := f.place(s.Lhs[0])
		f.root(s.Lhs[0], func(key any) { f.reads(key, s.Pos()) })
		op, t := opOf(s.Tok), f.typeOf(s.Lhs[0])
		x := p.load()
		if op == token.SHL || op == token.SHR {
			p.store(f.shift(op, f.numberOf(x, s.Lhs[0]), s.Rhs[0], t))
			return
		}
		p.store(f.operated(op, x, f.expr(s.Rhs[0]), t, s.Lhs[0], s.Rhs[0], s.TokPos))
		return
	}
	loads := f.loads
	places := make([]*place, len(s.Lhs))
	for n, x := range s.Lhs {
		if id, ok := x.(*ast.Ident); ok && (id.Name == "_" || f.pkg.TypesInfo.Defs[id] != nil) {
			continue
		}
		places[n] = f.place(x)
	}
	loaded, stores := f.loads != loads, f.stores
	values := f.list(s.Rhs, len(s.Lhs))
	if loaded && f.stores != stores {
		f.refuse(s.Pos(), "load it in a statement before", "what stands left of an assignment loads, and a call right of it stores")
	}
	for n, t := range values {
		if id, ok := s.Lhs[n].(*ast.Ident); places[n] == nil {
			if ok {
				f.define(id, t)
			}
			continue
		}
		f.at = s.Lhs[n].Pos()
		places[n].store(t)
	}
}

// opOf returns the operator of an assignment such as +=.
func opOf(t token.Token) token.Token { return t - token.ADD_ASSIGN + token.ADD }

func (f *frame) declare(s *ast.DeclStmt) {
	d := s.Decl.(*ast.GenDecl)
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		if len(spec.Values) == 0 {
			for _, id := range spec.Names {
				if t := f.subst(f.pkg.TypesInfo.Defs[id].Type()); f.isOwn(f.pkg.TypesInfo.Defs[id], t) && id.Name != "_" {
					f.set(f.pkg.TypesInfo.Defs[id], f.own(id.Name, t, id.Pos()))
				} else {
					f.define(id, f.zeroOrNil(t))
				}
			}
			continue
		}
		var names []ast.Expr
		for _, id := range spec.Names {
			names = append(names, id)
		}
		for n, t := range f.list(spec.Values, len(names)) {
			f.define(spec.Names[n], t)
		}
	}
}

// define sets a variable that is declared here.
func (f *frame) define(id *ast.Ident, t tree) {
	v, ok := f.pkg.TypesInfo.Defs[id].(*types.Var)
	if !ok || id.Name == "_" {
		return
	}
	if of := f.subst(v.Type()); f.isOwn(v, of) {
		if p, ok := t.(*parts); ok {
			o := f.own(id.Name, of, id.Pos())
			f.ownedPlace(o, id).store(p)
			t = o
		}
	}
	f.set(v, t)
}

// rangeVars sets the variables of a range at the beginning of a round. Variables from before the range are
// both found before either is set, as in an assignment.
func (f *frame) rangeVars(s *ast.RangeStmt, key, value func() tree) {
	var set []func(t tree)
	var values []tree
	for n, x := range []ast.Expr{s.Key, s.Value} {
		id, isIdent := x.(*ast.Ident)
		if x == nil || isIdent && id.Name == "_" {
			continue
		}
		if s.Tok == token.DEFINE {
			set = append(set, func(t tree) { f.define(id, t) })
		} else {
			set = append(set, f.place(x).store)
		}
		values = append(values, []func() tree{key, value}[n]())
	}
	for n, to := range set {
		to(values[n])
	}
}
