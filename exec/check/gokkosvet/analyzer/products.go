package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A products finds products of floats that a function adds to something. Go fuses them also where they have a name, are
// an element or a field, or come from a function that it inlines: only a conversion rounds. A test of what the compiler
// does holds that.
type products struct {
	*functor
	body  ast.Node                    // of the functor, or of a function of the package that it calls
	given map[types.Object][]ast.Node // the products that parameters may be
	sets  map[string][]setTo          // what is assigned to places in the body, by what is written for them
}

// A setTo is a value that a place is set to: the result of a call with that number, or the only one.
type setTo struct {
	to     ast.Node // an expression, or an assignment such as x *= y or x += y
	result int
}

const deepest = 4 // calls within calls that are followed

const fuses = "some processors round this product and the sum once: write float64(x*y) + z or math.FMA(x, y, z)"

// look reports the products that are terms of sums in the body.
func (p *products) look(depth int) {
	p.collect()
	ast.Inspect(p.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.ADD || n.Op == token.SUB) && p.basic(n, types.IsFloat) {
				p.term(n.X, depth)
				p.term(n.Y, depth)
			}
		case *ast.AssignStmt:
			if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && p.basic(n.Lhs[0], types.IsFloat) {
				p.term(n.Lhs[0], depth)
				p.term(n.Rhs[0], depth)
			}
		case *ast.CallExpr:
			if inner, _ := p.within(n, depth); inner != nil {
				inner.look(depth + 1)
			}
		}
		return true
	})
}

func (p *products) term(e ast.Expr, depth int) {
	for _, product := range p.of(e, 0, depth) {
		p.report(product, fuses)
	}
}

// collect finds what places are set to.
func (p *products) collect() {
	p.sets = map[string][]setTo{}
	set := func(left ast.Expr, to ast.Node, result int) {
		if v, _ := p.base(left); v != nil {
			at := p.place(left)
			p.sets[at] = append(p.sets[at], setTo{to, result})
		}
	}
	ast.Inspect(p.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for k, left := range n.Lhs {
				switch {
				case n.Tok != token.DEFINE && n.Tok != token.ASSIGN:
					set(left, n, 0)
				case len(n.Lhs) == len(n.Rhs):
					set(left, n.Rhs[k], 0)
				default:
					set(left, n.Rhs[0], k)
				}
			}
		case *ast.ValueSpec:
			for k, name := range n.Names {
				if len(n.Values) == len(n.Names) {
					set(name, n.Values[k], 0)
				}
			}
		}
		return true
	})
}

// place returns what is written for a place, and which variable it is of.
func (p *products) place(e ast.Expr) string {
	at := token.NoPos
	if v, _ := p.base(e); v != nil {
		at = v.Pos()
	}
	return p.pass.Fset.Position(at).String() + " " + types.ExprString(ast.Unparen(e))
}

// of returns the products that an expression may be: the result of that number, if it has several.
func (p *products) of(e ast.Expr, result, depth int) (list []ast.Node) {
	if depth > deepest || p.pass.TypesInfo.Types[e].Value != nil {
		return nil
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.SUB {
			return p.of(x.X, 0, depth)
		}
	case *ast.BinaryExpr:
		if x.Op == token.MUL && p.basic(x, types.IsFloat) {
			return []ast.Node{x}
		}
	case *ast.CallExpr:
		inner, typ := p.within(x, depth)
		if inner == nil {
			return nil
		}
		inner.collect()
		return inner.returned(typ, result, depth+1)
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		return p.held(ast.Unparen(e), e.Pos(), depth)
	}
	return nil
}

// held returns the products that are in a place at a position. What branches or rounds of a loop bring together is not
// fused: the last assignment counts.
func (p *products) held(e ast.Expr, at token.Pos, depth int) (list []ast.Node) {
	if id, ok := e.(*ast.Ident); ok {
		list = append(list, p.given[p.pass.TypesInfo.ObjectOf(id)]...)
	}
	switch last := p.last(e, at); to := last.to.(type) {
	case *ast.AssignStmt:
		if to.Tok == token.MUL_ASSIGN && p.basic(to.Lhs[0], types.IsFloat) {
			list = append(list, to)
		}
	case ast.Expr:
		list = append(list, p.of(to, last.result, depth+1)...)
	case nil:
		if s, ok := e.(*ast.SelectorExpr); ok {
			if to, ok := p.last(s.X, at).to.(ast.Expr); ok {
				list = append(list, p.field(to, s.Sel.Name, depth+1)...)
			}
		}
	}
	return list
}

// last returns what a place has been set to last before a position.
func (p *products) last(e ast.Expr, at token.Pos) (last setTo) {
	for _, s := range p.sets[p.place(e)] {
		if s.to.End() <= at {
			last = s
		}
	}
	return last
}

// field returns the products that a field of a struct may be.
func (p *products) field(e ast.Expr, name string, depth int) (list []ast.Node) {
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		s, ok := p.pass.TypesInfo.TypeOf(x).Underlying().(*types.Struct)
		for k, element := range x.Elts {
			if kv, keyed := element.(*ast.KeyValueExpr); keyed {
				if id, ok := kv.Key.(*ast.Ident); ok && id.Name == name {
					list = append(list, p.of(kv.Value, 0, depth)...)
				}
			} else if ok && s.Field(k).Name() == name {
				list = append(list, p.of(element, 0, depth)...)
			}
		}
	case *ast.CallExpr:
		if inner, _ := p.within(x, depth); inner != nil {
			inner.collect()
			inner.returns(func(r *ast.ReturnStmt) {
				for _, e := range r.Results {
					list = append(list, inner.field(e, name, depth+1)...)
				}
			})
		}
	}
	return list
}

// returned returns the products that a function may return.
func (p *products) returned(typ *ast.FuncType, result, depth int) (list []ast.Node) {
	var names []*ast.Ident
	if typ.Results != nil {
		for _, field := range typ.Results.List {
			names = append(names, field.Names...)
		}
	}
	p.returns(func(r *ast.ReturnStmt) {
		switch {
		case result < len(r.Results):
			list = append(list, p.of(r.Results[result], 0, depth)...)
		case len(r.Results) == 0 && result < len(names):
			list = append(list, p.held(names[result], r.Pos(), depth)...)
		}
	})
	return list
}

// returns visits the return statements of the body, and not those of literals in it.
func (p *products) returns(visit func(r *ast.ReturnStmt)) {
	ast.Inspect(p.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			visit(n)
		}
		return true
	})
}

// within returns the products of a function of the package that is called, nil if its text is not known.
func (p *products) within(call *ast.CallExpr, depth int) (*products, *ast.FuncType) {
	if depth >= deepest || p.pass.TypesInfo.Types[call.Fun].IsType() {
		return nil, nil
	}
	var typ *ast.FuncType
	var body *ast.BlockStmt
	if lit, ok := p.value(call.Fun).(*ast.FuncLit); ok {
		typ, body = lit.Type, lit.Body
	} else if decl := p.declared(call.Fun); decl != nil {
		typ, body = decl.Type, decl.Body
	}
	if body == nil {
		return nil, nil
	}
	inner := &products{functor: p.functor, body: body, given: map[types.Object][]ast.Node{}}
	k := 0
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			if k < len(call.Args) {
				inner.given[p.pass.TypesInfo.Defs[name]] = p.of(call.Args[k], 0, depth+1)
			}
			k++
		}
	}
	return inner, typ
}
