package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// A helper is a function that a functor calls, directly or not.
type helper struct {
	caller *functor
	top    *functor // of the launch
	site   inspector.Cursor
	args   map[types.Object]ast.Expr // what its parameters stand for
}

const manyHelpers = 256 // calls of a functor, after which no more are looked at

// helped looks at the writes of a function that is called, as if its body stood there.
func (f *functor) helped(at inspector.Cursor, call *ast.CallExpr) {
	fn := f.function(call.Fun)
	if fn == nil || f.alone {
		return
	}
	h := &helper{caller: f, top: f, site: at}
	if f.helper != nil {
		h.top, h.site = f.top, f.site
	}
	c := f.items()
	body, ok := f.root.FindNode(fn.body)
	if !ok || h.top.body.Contains(body) || c.in[fn.body] || c.helped == manyHelpers {
		return
	}
	c.helped++
	same := c.same
	c.same |= c.comes(at)
	leave := c.enter(fn, call)
	h.args = map[types.Object]ast.Expr{}
	for v, arg := range c.env.args {
		if !slices.ContainsFunc(c.sets[v], setAt.assigns) {
			h.args[v] = arg
		}
	}
	g := &functor{launch: f.launch, typ: fn.typ, recv: fn.recv, body: body, helper: h}
	for at := range body.Preorder() {
		g.effects(at)
	}
	leave()
	c.same = same
}

// effects looks at a statement or a call that may write.
func (f *functor) effects(at inspector.Cursor) {
	switch n := at.Node().(type) {
	case *ast.AssignStmt:
		f.assigned(at, n)
	case *ast.IncDecStmt:
		f.written(at, n.X)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			f.written(at, n.Key)
			f.written(at, n.Value)
		}
	case *ast.CallExpr:
		if of := f.element(n, "Set"); of != nil {
			indices := &ast.CompositeLit{Elts: n.Args[:len(n.Args)-1]}
			f.shares(at, n, &ast.IndexExpr{X: of, Index: indices})
		}
		f.bulk(at, n, f.builtin(n))
		f.helped(at, n)
	}
}

// report reports what a helper does where the functor calls it.
func (f *functor) report(at ast.Node, text string) {
	if f.helper != nil {
		at = f.site.Node()
	}
	f.checker.report(at, text)
}

// argument returns what a parameter of a helper is given, nil if a variable is none.
func (f *functor) argument(v types.Object) ast.Expr {
	for h := f.helper; h != nil; h = h.caller.helper {
		if h.args[v] != nil {
			return h.args[v]
		}
	}
	return nil
}

// stands returns what a variable stands for: what a helper is given, or what it is set to once.
func (f *functor) stands(v types.Object) ast.Expr {
	if arg := f.argument(v); arg != nil {
		return arg
	}
	return f.values[v]
}

// places are the methods of views that give places in them.
var places = []string{"Ptr", "Row"}

// element returns the view whose method, one of these, a call calls. It returns nil for another call.
func (c *checker) element(call *ast.CallExpr, methods ...string) ast.Expr {
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if f := c.method(call, "views"); !ok || f == nil || !slices.Contains(methods, f.Name()) {
		return nil
	}
	return s.X
}
