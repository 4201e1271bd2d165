package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Pins are the coordinates that a condition fixes, so that all items which fulfil it have them alike. A
// coordinate has two bits, as its quotient and its rest may be fixed one by one. At most one item fulfils a
// condition that fixes all coordinates.
type pins uint32

const (
	quotients  pins = 0x00555555
	remainders pins = 0x00aaaaaa

	// item are all coordinates: nobody knows by which condition.
	item = quotients | remainders

	// datum stands for an element of each item that has one value: one item may have it.
	datum pins = 1 << 24

	// never stands for a condition that no item fulfils.
	never = item | datum | 1<<25
)

const manySteps = 1 << 12 // expressions, after which one item is taken for chosen

// coordinate returns the pins of a coordinate.
func coordinate(k int) pins { return 3 << (2 * k) }

// oneOf returns what one of two conditions fixes: nothing, as each may choose another item.
func oneOf(x, y pins) pins {
	switch never {
	case x:
		return y
	case y:
		return x
	}
	return 0
}

// fixes returns the coordinates that are fixed where an expression has a value, or any one value if v is nil.
func (c *chooser) fixes(e ast.Expr, v constant.Value) pins {
	if c.steps++; c.steps > manySteps {
		return item
	}
	if is := c.pass.TypesInfo.Types[e].Value; is != nil {
		if v != nil && is.Kind() == v.Kind() && !constant.Compare(is, token.EQL, v) {
			return never
		}
		return 0
	}
	if !c.depends(e) {
		return 0
	}
	if p, ok := c.coordinate(e); ok {
		return p
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.fixes(e.X, v)
	case *ast.Ident:
		return c.variable(e, v, c.fixes)
	case *ast.SelectorExpr:
		if p := c.part(e.X, e.Sel.Name, v); p != datum {
			return p
		}
		return c.datum(e)
	case *ast.IndexExpr:
		if c.ofElement(e) {
			return c.datum(e)
		}
		return item
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return c.fixes(e.X, not(v))
		}
		return c.fixes(e.X, nil)
	case *ast.StarExpr:
		return c.fixes(e.X, nil)
	case *ast.BinaryExpr:
		return c.operation(e, v)
	case *ast.CallExpr:
		return c.ofCall(e, 0, v)
	case *ast.CompositeLit:
		return c.union(e.Elts)
	case *ast.KeyValueExpr:
		return c.fixes(e.Value, nil)
	}
	return item
}

func not(v constant.Value) constant.Value {
	if v == nil || v.Kind() != constant.Bool {
		return nil
	}
	return constant.MakeBool(!constant.BoolVal(v))
}

// union returns the coordinates that are fixed where all expressions have values.
func (c *chooser) union(list []ast.Expr) (p pins) {
	for _, e := range list {
		p |= c.fixes(e, nil)
	}
	return p
}

// datum returns the pins of an element. A float or a flag tells no elements apart.
func (c *chooser) datum(e ast.Expr) pins {
	if c.basic(e, types.IsInteger|types.IsString) {
		return datum
	}
	return 0
}

// ofElement reports whether an expression is of an element that each item has one of, such as x[i].
func (c *chooser) ofElement(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(*ast.IndexExpr)
		is = is || ok && c.depends(x.Index)
		return !is
	})
	return is
}

// A look returns the coordinates that are fixed where something of an expression has a value.
type look func(e ast.Expr, v constant.Value) pins

// variable returns the coordinates that are fixed where something of a variable has a value.
func (c *chooser) variable(id *ast.Ident, v constant.Value, of look) pins {
	o := c.pass.TypesInfo.ObjectOf(id)
	if arg, env := c.given(o); arg != nil {
		defer c.within(env)()
		return of(arg, v)
	}
	switch p, ok := c.roots[o]; {
	case ok:
		return p
	case len(c.sets[o]) == 0, slices.ContainsFunc(c.sets[o], func(s setAt) bool { return s.how == partly }):
		return item
	}
	if p, ok := c.asked[o]; ok {
		return p
	}
	defer delete(c.asked, o)
	c.asked[o] = never // where it is set to what is made of itself
	p, before := never, never
	for _, s := range c.sets[o] {
		if s.how != changed {
			p &= c.setTo(s, v, of)
			before &= c.setTo(s, nil, of)
		}
	}
	c.asked[o] = before
	for _, s := range c.sets[o] {
		if s.how == changed {
			p &= c.setTo(s, nil, of)
		}
	}
	return p
}

// setTo returns the coordinates that are fixed where something of what a variable is set to has a value.
func (c *chooser) setTo(s setAt, v constant.Value, of look) pins {
	p := c.fixed(s.at)
	call, isCall := s.to.(*ast.CallExpr)
	switch {
	case s.how == whole || s.how == changed:
		p |= of(s.to, v)
	case s.how == value:
		p |= c.datum(s.at.Node().(*ast.RangeStmt).Value)
	case s.how == key && isCall: // over the items of a span
		if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			of, _ := c.coordinate(s.X)
			p |= of
		}
	case s.how >= 0 && isCall:
		p |= c.ofCall(call, s.how, v)
	}
	return p
}

// part is fixes of a field.
func (c *chooser) part(of ast.Expr, field string, v constant.Value) pins {
	in := func(e ast.Expr, v constant.Value) pins { return c.part(e, field, v) }
	switch x := ast.Unparen(of).(type) {
	case *ast.Ident:
		return c.variable(x, v, in)
	case *ast.CallExpr:
		if p, known := c.result(x, 0, v, in); known {
			return p
		}
		if c.method(x, "views") != nil {
			return datum
		}
	case *ast.IndexExpr, *ast.SelectorExpr:
		if c.ofElement(x) {
			return datum
		}
	case *ast.CompositeLit:
		s, ok := c.pass.TypesInfo.TypeOf(x).Underlying().(*types.Struct)
		if !ok {
			return item
		}
		for k, e := range x.Elts {
			kv, keyed := e.(*ast.KeyValueExpr)
			switch {
			case keyed && kv.Key.(*ast.Ident).Name == field:
				return c.fixes(kv.Value, v)
			case !keyed && s.Field(k).Name() == field:
				return c.fixes(e, v)
			}
		}
	}
	return item
}

// operation is fixes of an operation with two operands.
func (c *chooser) operation(e *ast.BinaryExpr, v constant.Value) pins {
	switch e.Op {
	case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if v == nil || v.Kind() != constant.Bool {
			return oneOf(c.condition(e, true), c.condition(e, false))
		}
		return c.condition(e, constant.BoolVal(v))
	case token.ADD, token.SUB, token.MUL:
		return c.sum(e).fixes()
	}
	x, y := e.X, e.Y
	if !c.depends(x) && e.Op == token.XOR {
		x, y = y, x
	}
	if c.depends(y) {
		return 0
	}
	p := c.fixes(x, nil)
	switch e.Op {
	case token.QUO:
		if c.basic(e, types.IsInteger) {
			p &= quotients | datum
		}
	case token.SHR, token.AND_NOT:
		p &= quotients
	case token.REM, token.AND:
		p &= remainders
	case token.OR:
		p = 0
	}
	return p
}

// condition is fixes of a condition that holds, or does not.
func (c *chooser) condition(e *ast.BinaryExpr, holds bool) pins {
	op := e.Op
	switch op {
	case token.LAND, token.LOR:
		v := constant.MakeBool(holds)
		x, y := c.fixes(e.X, v), c.fixes(e.Y, v)
		if (op == token.LAND) == holds {
			return x | y
		}
		return oneOf(x, y)
	case token.EQL, token.NEQ:
		return c.equality(e.X, e.Y, holds == (op == token.EQL))
	}
	if c.claimed(e) {
		return item
	}
	d := c.sum(e.X).plus(c.sum(e.Y), -1)
	if (op == token.GTR || op == token.GEQ) == holds {
		d = (sum{}).plus(d, -1)
	}
	if (op == token.LEQ || op == token.GEQ) == holds {
		d.number--
	}
	return c.below(d)
}

// equality is fixes of two values that are equal, or are not.
func (c *chooser) equality(x, y ast.Expr, equal bool) pins {
	v := c.pass.TypesInfo.Types[y].Value
	if v == nil {
		x, y = y, x
		v = c.pass.TypesInfo.Types[y].Value
	}
	if c.basic(x, types.IsBoolean) {
		if v != nil {
			return c.fixes(x, constant.MakeBool(constant.BoolVal(v) == equal))
		}
		where := func(is bool) pins {
			return c.fixes(x, constant.MakeBool(is)) | c.fixes(y, constant.MakeBool(is == equal))
		}
		return oneOf(where(true), where(false))
	}
	if !equal {
		return 0
	}
	if c.claimed(x) || c.claimed(y) {
		return item
	}
	d := c.sum(x).plus(c.sum(y), -1)
	p := d.fixes()
	if v != nil {
		p |= c.fixes(x, v)
	}
	back := (sum{}).plus(d, -1)
	d.number--
	back.number--
	return p | c.below(d) | c.below(back)
}

// ofCall is fixes of the k-th result of a call.
func (c *chooser) ofCall(call *ast.CallExpr, k int, v constant.Value) pins {
	f := c.callee(call)
	switch {
	case c.narrows(call):
		return c.fixes(call.Args[0], nil) & remainders
	case c.pass.TypesInfo.Types[call.Fun].IsType():
		return c.fixes(call.Args[0], v)
	case c.claims(call):
		loses := v != nil && v.Kind() == constant.Bool && !constant.BoolVal(v)
		if loses && f != nil && strings.HasPrefix(f.Name(), "CompareAndSwap") {
			return 0
		}
		return item
	case !c.depends(call), c.uniform(call), c.builtin(call) != "":
		return 0
	}
	if p, known := c.result(call, k, v, c.fixes); known {
		return p
	}
	if f == nil || f.Pkg() == nil {
		return item
	}
	path := f.Pkg().Path()
	switch {
	case strings.HasPrefix(path, module+"views"):
		return c.datum(call)
	case path == module+"team" && f.Name() == "LocalID":
		return coordinate(1)
	case strings.HasPrefix(path, "math"), c.standard(path) && c.basic(call, types.IsBoolean):
		return 0 // of many
	}
	given := slices.Clone(call.Args)
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.Signature().Recv() != nil {
		given = append(given, s.X)
	}
	return c.union(given) &^ datum
}

// narrows reports whether a call is a conversion that several items may have the same result of.
func (c *chooser) narrows(call *ast.CallExpr) bool {
	b, ok := c.pass.TypesInfo.TypeOf(call).Underlying().(*types.Basic)
	return ok && c.pass.TypesInfo.Types[call.Fun].IsType() &&
		slices.Contains([]types.BasicKind{types.Int8, types.Int16, types.Uint8, types.Uint16}, b.Kind())
}

// result returns the coordinates that are fixed where something of the k-th result of a function has a value,
// if the text of the function is known.
func (c *chooser) result(call *ast.CallExpr, k int, v constant.Value, of look) (p pins, known bool) {
	f := c.function(call.Fun)
	if f == nil {
		return 0, false
	}
	body, ok := c.root.FindNode(f.body)
	if !ok || c.in[f.body] { // one that calls itself
		return 0, ok
	}
	defer c.enter(f, call)()
	p = never
	for at := range body.Preorder((*ast.ReturnStmt)(nil)) {
		r := at.Node().(*ast.ReturnStmt)
		switch {
		case c.around(at).Node() != body.Node(): // of a literal in it
		case k < len(r.Results):
			p &= of(r.Results[k], v) | c.fixed(at)
		default:
			p &= item
		}
	}
	return p, true
}
