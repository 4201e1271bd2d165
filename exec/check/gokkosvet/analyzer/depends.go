package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// A chooser knows the coordinates of the items of a functor, or of one that is nested in it, and what variables
// may differ between items.
type chooser struct {
	*functor
	body        inspector.Cursor      // of the functor whose items are meant
	bodies      map[ast.Node]function // that one, and those of functions that are called from it
	coordinates []pins                // of an item
	all, same   pins                  // all coordinates, and those that are the same for all items
	extent      []extent              // the ranges of the coordinates, as far as they are known
	roots       map[types.Object]pins // the variables that items begin with
	of          map[types.Object]bool // variables that may differ between items
	sets        map[types.Object][]setAt
	lent        map[types.Object]bool // variables that something else than an assignment may set
	asked       map[types.Object]pins // variables that are being looked at
	in          map[ast.Node]bool     // functions that are being looked at
	env         *scope                // of the innermost one
	steps       int                   // expressions that have been looked at for one question
	helped      int                   // calls of helpers that have been looked at
}

// A setAt is a value that a variable is set to: the k-th of what an expression gives, or all of it if k is -1.
type setAt struct {
	at inspector.Cursor
	to ast.Expr
	k  int

	changes bool // it changes the old content, as k++ does
}

// A scope has what the parameters of a function are given, and the scope of these arguments.
type scope struct {
	args map[types.Object]ast.Expr
	up   *scope
}

// given returns what a parameter is given, nil if that is not known, and the scope of it.
func (c *chooser) given(o types.Object) (ast.Expr, *scope) {
	if c.env == nil {
		return nil, nil
	}
	return c.env.args[o], c.env.up
}

// within looks at expressions in a scope, until the result is called.
func (c *chooser) within(env *scope) (back func()) {
	old := c.env
	c.env = env
	return func() { c.env = old }
}

const manyBodies = 64 // of functions that a functor calls, after which no more are looked at

// chooser returns the chooser of the items of a functor, or of one that is nested in it, whose call is given
// an expression that says how many items there are.
func (f *functor) chooser(typ *ast.FuncType, body inspector.Cursor, items ast.Expr) *chooser {
	if c := f.choosers[body.Node()]; c != nil {
		return c
	}
	c := &chooser{
		functor: f, body: body, bodies: map[ast.Node]function{}, roots: map[types.Object]pins{},
		of: map[types.Object]bool{}, sets: map[types.Object][]setAt{}, lent: map[types.Object]bool{},
		asked: map[types.Object]pins{}, in: map[ast.Node]bool{},
	}
	if f.choosers == nil {
		f.choosers = map[ast.Node]*chooser{}
	}
	f.choosers[body.Node()] = c
	c.begin(typ)
	c.walk(&function{typ: typ, body: body.Node().(*ast.BlockStmt)})
	for before := -1; before < len(c.of); {
		before = len(c.of)
		for of := range c.bodies {
			at, _ := c.root.FindNode(of)
			for at := range at.Preorder() {
				c.spread(at)
			}
		}
	}
	if items != nil {
		c.ranges(items)
	}
	return c
}

// items returns the chooser of the items of the launch.
func (f *functor) items() *chooser {
	if f.helper != nil {
		f = f.top
	}
	return f.chooser(f.typ, f.body, f.call.Args[0])
}

// walk notes a function and those that it calls, and what their variables are set to.
func (c *chooser) walk(f *function) {
	c.bodies[f.body] = *f
	body, ok := c.root.FindNode(f.body)
	if !ok {
		return
	}
	for at := range body.Preorder() {
		switch n := at.Node().(type) {
		case *ast.UnaryExpr:
			if v, _ := c.base(n.X); v != nil && n.Op == token.AND {
				c.lent[v] = true
			}
		case *ast.AssignStmt:
			for k, left := range n.Lhs {
				c.note(at, left, n.Rhs, k, n.Tok)
			}
		case *ast.IncDecStmt:
			c.note(at, n.X, []ast.Expr{n.X}, 0, token.ADD_ASSIGN)
		case *ast.ValueSpec:
			for k, left := range n.Names {
				c.note(at, left, n.Values, k, token.DEFINE)
			}
		case *ast.CallExpr:
			if g := c.function(n.Fun); g != nil && !c.holds(g.body.Pos()) && len(c.bodies) < manyBodies {
				c.walk(g)
			}
		}
	}
}

// holds reports whether a place is in the functor or in a function that is called from it.
func (c *chooser) holds(at token.Pos) bool {
	for _, f := range c.bodies {
		first := f.typ.Params.Pos()
		if f.recv != nil {
			first = f.recv.Pos()
		}
		if at >= first && at < f.body.End() {
			return true
		}
	}
	return false
}

// note notes what a variable is set to.
func (c *chooser) note(at inspector.Cursor, left ast.Expr, to []ast.Expr, k int, tok token.Token) {
	id, ok := ast.Unparen(left).(*ast.Ident)
	if !ok {
		return
	}
	o, s := c.pass.TypesInfo.ObjectOf(id), setAt{at: at, k: -1}
	switch op, isOperation := operators[tok]; {
	case isOperation:
		s.to, s.changes = &ast.BinaryExpr{X: left, OpPos: left.Pos(), Op: op, Y: to[0]}, true
	case k < len(to) && (len(to) > 1 || k == 0 && !c.isTuple(to[0])):
		s.to = to[k]
	case len(to) == 1:
		s.to, s.k = ast.Unparen(to[0]), k
	default:
		return
	}
	c.sets[o] = append(c.sets[o], s)
}

func (c *chooser) isTuple(e ast.Expr) bool {
	_, is := c.pass.TypesInfo.TypeOf(e).(*types.Tuple)
	return is
}

// depends reports whether a node has something that may differ between items.
func (c *chooser) depends(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && c.pass.TypesInfo.Types[e].Value != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			o := c.pass.TypesInfo.ObjectOf(n)
			if arg, env := c.given(o); arg != nil {
				back := c.within(env)
				found = found || c.depends(arg)
				back()
			} else {
				found = found || c.of[o]
			}
		case *ast.CallExpr:
			if c.alike(n) {
				return false
			}
			found = found || c.claims(n)
		}
		return !found
	})
	return found
}

var sizes = []string{"LeagueSize", "Size", "LocalSize", "VectorLength", "Count", "MaxSize"}

// alike reports whether a call asks for a size of a team, which is the same for all items.
func (c *chooser) alike(call *ast.CallExpr) bool {
	f := c.method(call, "team")
	return f != nil && slices.Contains(sizes, f.Name())
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
		c.ranged(n)
	case *ast.CallExpr:
		c.gives(n)
	}
}

// set marks a variable that is set to something of an item, or for some items only.
func (c *chooser) set(at inspector.Cursor, left, right ast.Expr) {
	if left == nil {
		return
	}
	v, _ := c.base(left)
	if v == nil || c.of[v] || !c.holds(v.Pos()) {
		return
	}
	some := c.depends(right)
	c.conditions(c.around(at), at, func(n ast.Node, _ bool) bool {
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
		if v == nil || !c.holds(v.Pos()) {
			return
		}
		c.of[v] = true
		_, plain := ast.Unparen(place).(*ast.Ident)
		c.lent[v] = c.lent[v] || !plain
		if plain || c.values[v] == nil || !c.refers(v.Type()) {
			return
		}
		place = &ast.StarExpr{X: c.values[v]}
	}
}

// gives marks what a call is given to write to, beside something of an item, and the parameters of
// functions: those of literals that others call, and those that are given something of an item.
func (c *chooser) gives(call *ast.CallExpr) {
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
			c.handed(call, lit)
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
		c.mark(&ast.StarExpr{X: s.X})
	}
}

// handed marks the parameters of a literal that another function calls. Each item has its own share of what
// the members of a team do together.
func (c *chooser) handed(call *ast.CallExpr, lit *ast.FuncLit) {
	for k, v := range c.parameters(lit.Type) {
		if v == nil || c.of[v] {
			continue
		}
		c.of[v] = true
		if c.called(call, "team") == "" {
			continue
		}
		c.roots[v] = 0
		if k == 0 && (c.spreads(call.Args[0], "ThreadRange") || c.spreads(call.Args[0], "TeamVectorRange")) {
			c.roots[v] = coordinate(1)
		}
	}
}

// ranged marks the variables of a loop: the items of a span, or numbers that several items have.
func (c *chooser) ranged(n *ast.RangeStmt) {
	if n.Tok != token.DEFINE {
		return
	}
	for _, e := range []ast.Expr{n.Key, n.Value} {
		id, ok := e.(*ast.Ident)
		if !ok || !c.of[c.pass.TypesInfo.ObjectOf(id)] {
			continue
		}
		o, p := c.pass.TypesInfo.ObjectOf(id), pins(0)
		if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok && e == n.Key {
			if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				p, _ = c.coordinate(s.X)
			}
		} else if e == n.Value {
			p = c.datum(e)
		}
		c.roots[o] = p
	}
}
