package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// A chooser knows the variables of a functor, or of one that is nested in it, that may differ between its
// items.
type chooser struct {
	*functor
	body  inspector.Cursor // of the functor whose items are meant
	of    map[types.Object]bool
	sets  map[types.Object][]setAt // of variables that nothing else sets
	lent  map[types.Object]bool    // variables that a pointer is made of
	asked map[types.Object]bool    // flags that are being decided
	in    map[ast.Expr]bool        // results of functions that are being looked at: one may call itself
}

// A setAt is a value that a variable is set to, nil if the value is no expression of its own.
type setAt struct {
	at inspector.Cursor
	to ast.Expr
}

// chooser returns the chooser of the items of a functor with these parameters.
func (f *functor) chooser(typ *ast.FuncType, body inspector.Cursor) *chooser {
	if c := f.choosers[body.Node()]; c != nil {
		return c
	}
	c := &chooser{
		functor: f, body: body, of: map[types.Object]bool{}, sets: map[types.Object][]setAt{},
		lent: map[types.Object]bool{}, asked: map[types.Object]bool{},
	}
	if f.choosers == nil {
		f.choosers = map[ast.Node]*chooser{}
	}
	f.choosers[body.Node()] = c
	for k, v := range c.parameters(typ) {
		if v != nil && (body != f.body || f.pattern != "ParallelScan" || k < 2) { // the pass is that of all items
			c.of[v] = true
		}
	}
	for at := range body.Preorder((*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.UnaryExpr)(nil)) {
		c.collect(at)
	}
	for before := -1; before < len(c.of); {
		before = len(c.of)
		for at := range body.Preorder() {
			c.spread(at)
		}
	}
	return c
}

// collect notes what variables are set to.
func (c *chooser) collect(at inspector.Cursor) {
	if n, ok := at.Node().(*ast.UnaryExpr); ok {
		if v, _ := c.base(n.X); v != nil && n.Op == token.AND {
			c.lent[v] = true
		}
		return
	}
	eachSet(at.Node(), func(left, to ast.Expr) {
		if id, ok := ast.Unparen(left).(*ast.Ident); ok {
			o := c.pass.TypesInfo.ObjectOf(id)
			c.sets[o] = append(c.sets[o], setAt{at, to})
		}
	})
}

// depends reports whether a node has something that may differ between items.
func (c *chooser) depends(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && c.pass.TypesInfo.Types[e].Value != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			found = found || c.of[c.pass.TypesInfo.ObjectOf(n)]
		case *ast.CallExpr:
			if c.alike(n) {
				return false
			}
			if to := c.gives(n); to != nil && !c.in[to] { // one that calls itself depends on what it is given
				found = found || c.claims(n) || c.within(to, func() bool { return c.depends(to) })
				return false
			}
			found = found || c.claims(n)
		}
		return !found
	})
	return found
}

var sizes = []string{"LeagueSize", "Size", "LocalSize", "VectorLength", "Count", "MaxSize"}

// ranks are what the teams of a league have alike.
var ranks = []string{"Rank", "LocalID", "ID"}

// alike reports whether a call asks for a size of a team, which is the same for all items, or for a rank,
// which there is one of in each team of a league.
func (c *chooser) alike(call *ast.CallExpr) bool {
	f := c.callee(call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != module+"team" || f.Signature().Recv() == nil {
		return false
	}
	ofTeam := c.body == c.functor.body && !c.oneTeam()
	return slices.Contains(sizes, f.Name()) || ofTeam && slices.Contains(ranks, f.Name())
}

// within returns what look says of the result of a function, and false while the same result is looked at already.
func (c *chooser) within(result ast.Expr, look func() bool) bool {
	if c.in[result] {
		return false
	}
	if c.in == nil {
		c.in = map[ast.Expr]bool{}
	}
	c.in[result] = true
	defer delete(c.in, result)
	return look()
}

// gives returns the expression that a call of a function of the package stands for, nil if there is none.
func (c *chooser) gives(call *ast.CallExpr) ast.Expr {
	if f := c.function(call.Fun); f != nil && len(f.body.List) == 1 {
		if r, ok := f.body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 {
			return r.Results[0]
		}
	}
	return nil
}

// spread marks what a node gives something of an item.
func (c *chooser) spread(at inspector.Cursor) {
	switch n := at.Node().(type) {
	case *ast.AssignStmt:
		for k, left := range n.Lhs {
			c.set(at, left, n.Rhs[min(k, len(n.Rhs)-1)])
		}
	case *ast.ValueSpec:
		for k, name := range n.Names {
			if len(n.Values) > 0 {
				c.set(at, name, n.Values[min(k, len(n.Values)-1)])
			}
		}
	case *ast.IncDecStmt:
		c.set(at, n.X, n.X)
	case *ast.RangeStmt:
		c.set(at, n.Key, n.X)
		c.set(at, n.Value, n.X)
	case *ast.CallExpr:
		c.given(n)
	}
}

// set marks a variable that is set to something of an item, or for some items only.
func (c *chooser) set(at inspector.Cursor, left, right ast.Expr) {
	if left == nil {
		return
	}
	v, _ := c.base(left)
	if v == nil || c.of[v] || !c.owns(v) {
		return
	}
	some := c.depends(right)
	c.conditions(c.body, at, func(n ast.Node, _ bool) bool {
		some = some || c.depends(n)
		return !some
	})
	if some {
		c.mark(left)
	}
}

// mark marks the variable that a place is of, and the one that a pointer or a slice in it refers to.
func (c *chooser) mark(place ast.Expr) {
	for range 8 { // deeper chains are nobody's
		v, _ := c.base(place)
		if v == nil || !c.owns(v) {
			return
		}
		c.of[v] = true
		if _, plain := ast.Unparen(place).(*ast.Ident); plain || c.values[v] == nil || !refers(v.Type()) {
			return
		}
		place = &ast.StarExpr{X: c.values[v]}
	}
}

// given marks what a call is given to write to, beside something of an item, and the parameters of
// functions: those of literals that others call, and those that are given something of an item.
func (c *chooser) given(call *ast.CallExpr) {
	if f := c.function(call.Fun); f != nil {
		for v, arg := range c.bound(f, call) {
			if c.depends(arg) {
				c.of[v] = true
			}
			if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND && c.of[v] {
				c.mark(&ast.StarExpr{X: u})
			}
		}
	}
	some := false
	for _, arg := range call.Args {
		if lit, ok := c.value(arg).(*ast.FuncLit); ok {
			for _, v := range c.parameters(lit.Type) {
				c.of[v] = true
			}
		}
		some = some || c.depends(arg)
	}
	if !some {
		return
	}
	for _, arg := range call.Args {
		if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND {
			c.mark(&ast.StarExpr{X: u})
		}
	}
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		c.mark(s.X)
	}
}
