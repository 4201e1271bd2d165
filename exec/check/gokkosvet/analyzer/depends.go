package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// A chooser knows the coordinates of the items of a functor, or of a nested one, and which variables may
// differ between items.
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
	claiming    map[*ast.CallExpr]bool // calls that claim, see claims
	locking     map[ast.Node][2]bool   // functions that lock and unlock, see locks
	asked       map[types.Object]pins  // variables that are being looked at
	in          map[ast.Node]bool      // functions that are being looked at
	env         *scope                 // of the innermost one
	steps       int                    // expressions that have been looked at for one question
	helped      int                    // calls of helpers that have been looked at
}

// A setAt is a place where a variable is set.
type setAt struct {
	at   inspector.Cursor
	to   ast.Expr
	how  int          // the variable is set to this result of to; below zero, see the following
	like types.Object // the parameter through which a function sets the variable, or nil
}

const (
	whole   = -1 - iota // to is the value
	changed             // to has the old value, as in k++
	partly              // a part of the variable is set, or a function that is given to may set it
	key                 // the variable is the key of a loop over to
	value               // the variable is the value of a loop over to
)

// assigns reports whether a variable has another value from then on: it is set, and not by a call.
func (s setAt) assigns() bool {
	_, isCall := s.at.Node().(*ast.CallExpr)
	return s.how != partly && !isCall
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
		of: map[types.Object]bool{}, sets: map[types.Object][]setAt{}, asked: map[types.Object]pins{},
		claiming: map[*ast.CallExpr]bool{}, locking: map[ast.Node][2]bool{}, in: map[ast.Node]bool{},
	}
	if f.choosers == nil {
		f.choosers = map[ast.Node]*chooser{}
	}
	f.choosers[body.Node()] = c
	c.begin(typ)
	c.walk(&function{typ: typ, body: body.Node().(*ast.BlockStmt)})
	for before := -1; before < len(c.of); {
		before = len(c.of)
		for o, list := range c.sets {
			if !c.of[o] && c.holds(o.Pos()) && slices.ContainsFunc(list, c.bySome) {
				c.of[o] = true
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
			if n.Op == token.AND {
				c.reaches(n, setAt{at: at, to: n.X})
			}
		case *ast.AssignStmt:
			for k, left := range n.Lhs {
				c.assigns(at, left, n.Rhs, k, n.Tok)
			}
		case *ast.IncDecStmt:
			c.assigns(at, n.X, []ast.Expr{n.X}, 0, token.ADD_ASSIGN)
		case *ast.ValueSpec:
			for k, left := range n.Names {
				c.assigns(at, left, n.Values, k, token.DEFINE)
			}
		case *ast.RangeStmt:
			c.note(n.Key, setAt{at: at, to: n.X, how: key})
			c.note(n.Value, setAt{at: at, to: n.X, how: value})
		case *ast.CallExpr:
			c.passes(at, n)
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

// assigns notes what an assignment or a declaration sets.
func (c *chooser) assigns(at inspector.Cursor, left ast.Expr, to []ast.Expr, k int, tok token.Token) {
	s := setAt{at: at, how: whole}
	switch op, isOperation := operators[tok]; {
	case isOperation:
		s.to, s.how = &ast.BinaryExpr{X: left, OpPos: left.Pos(), Op: op, Y: to[0]}, changed
	case k < len(to) && !c.isTuple(to[k]) && (len(to) > 1 || k == 0):
		s.to = to[k]
	case len(to) == 1:
		s.to, s.how = ast.Unparen(to[0]), k
	default:
		return
	}
	c.note(left, s)
}

// note notes that a place is set.
func (c *chooser) note(place ast.Expr, s setAt) {
	if place == nil {
		return
	}
	if id, ok := ast.Unparen(place).(*ast.Ident); ok {
		if o := c.pass.TypesInfo.ObjectOf(id); o != nil {
			c.sets[o] = append(c.sets[o], s)
		}
		return
	}
	c.reaches(place, s)
}

// reaches notes that a part of the variable of a place is set, and of those that pointers and slices in it
// refer to.
func (c *chooser) reaches(place ast.Expr, s setAt) {
	s.how = partly
	for range 8 { // deeper chains are nobody's
		v, _ := c.base(place)
		if v == nil {
			return
		}
		if c.sets[v] = append(c.sets[v], s); c.values[v] == nil || !c.refers(v.Type()) {
			return
		}
		place = &ast.StarExpr{X: c.values[v]}
	}
}

// passes notes what a call gives to a function, and what that may set.
func (c *chooser) passes(at inspector.Cursor, call *ast.CallExpr) {
	if f := c.function(call.Fun); f != nil {
		if !c.holds(f.body.Pos()) && len(c.bodies) < manyBodies {
			c.walk(f)
		}
		for v, arg := range c.bound(f, call) {
			c.sets[v] = append(c.sets[v], setAt{at: at, to: arg, how: whole})
			if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND {
				c.reaches(u, setAt{at: at, to: u, like: v})
			}
		}
	}
	with := setAt{at: at, to: &ast.CompositeLit{Elts: call.Args}}
	for _, arg := range call.Args {
		if lit, ok := c.value(arg).(*ast.FuncLit); ok {
			c.handed(call, lit)
		}
		if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND {
			c.reaches(u, with)
		}
	}
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		c.reaches(s.X, with)
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

// bySome reports whether a variable is set to something of an item, or for some items only.
func (c *chooser) bySome(s setAt) bool {
	some := c.depends(s.to) || c.of[s.like]
	c.conditions(c.around(s.at), s.at, func(n ast.Node, _ bool) bool {
		some = some || c.depends(n)
		return !some
	})
	return some
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
