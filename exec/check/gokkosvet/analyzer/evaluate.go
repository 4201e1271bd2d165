package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// A leaf is what is known of a number, a bool, a text, a pointer, a slice or a function. The zero value is
// nothing.
type leaf struct {
	val  constant.Value
	none bool     // nil, or an empty slice
	to   place    // what a pointer or a slice refers to
	fun  ast.Expr // the function
	node ast.Node // the product that it is, see products
	sign int8     // of the product
}

var one = leaf{val: constant.MakeInt64(1)}

// truth returns the value of a condition, if it is known.
func (l leaf) truth() (is, known bool) {
	if l.val == nil || l.val.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(l.val), true
}

func isZero(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.String:
		return constant.StringVal(v) == ""
	}
	return constant.Sign(v) == 0
}

// value follows an expression and returns its value.
func (f *flow) value(e ast.Expr) tree {
	if list := f.values(e); len(list) > 0 && list[0] != nil {
		return list[0]
	}
	return tree{}
}

// values is value of an expression that may be a call with several results.
func (f *flow) values(e ast.Expr) []tree {
	if f.now == nil || e == nil {
		return nil
	}
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && f.pass.TypesInfo.Types[e].Value == nil {
		return f.call(call)
	}
	return []tree{f.simple(ast.Unparen(e))}
}

func (f *flow) simple(e ast.Expr) tree {
	if v := f.pass.TypesInfo.Types[e].Value; v != nil {
		return tree{"": {val: v}}
	}
	switch x := e.(type) {
	case *ast.Ident:
		switch f.pass.TypesInfo.ObjectOf(x).(type) {
		case *types.Nil:
			return tree{"": {none: true}}
		case *types.Func:
			return tree{"": {fun: x}}
		}
	case *ast.FuncLit:
		f.apart(&function{typ: x.Type, body: x.Body})
		return tree{"": {fun: x}}
	case *ast.CompositeLit:
		return f.composite(x)
	case *ast.UnaryExpr:
		return f.unary(x)
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			return tree{"": f.logic(x)}
		}
		a := f.value(x.X)
		b := f.value(x.Y)
		return tree{"": f.operate(x, x.Op, a.leaf(), b.leaf())}
	case *ast.TypeAssertExpr:
		return f.value(x.X)
	case *ast.SliceExpr:
		return f.slice(x)
	}
	if p, ok := f.place(e); ok {
		return f.at(p)
	}
	switch x := e.(type) {
	case *ast.SelectorExpr:
		if s := f.pass.TypesInfo.Selections[x]; s != nil && s.Kind() == types.FieldVal && len(s.Index()) == 1 {
			return f.value(x.X).part("." + x.Sel.Name)
		}
	case *ast.IndexExpr:
		if _, isFunction := f.under(x).(*types.Signature); isFunction {
			return tree{"": {fun: x}}
		}
		f.value(x.X)
	}
	return nil
}

// logic follows && and ||.
func (f *flow) logic(x *ast.BinaryExpr) leaf {
	a := f.value(x.X).leaf()
	if truth, known := a.truth(); known {
		if truth == (x.Op == token.LAND) {
			return f.value(x.Y).leaf()
		}
		return a
	}
	without := f.now.clone()
	b := f.value(x.Y).leaf()
	f.now = f.merge(without, f.now)
	return f.operate(x, x.Op, a, b)
}

func (f *flow) unary(x *ast.UnaryExpr) tree {
	if x.Op != token.AND {
		return tree{"": f.operate(x, x.Op, f.value(x.X).leaf(), leaf{})}
	}
	if lit, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok {
		p := place{root: f.made(lit)}
		f.put(p, f.composite(lit))
		return tree{"": {to: p}}
	}
	if p, ok := f.place(x.X); ok {
		return tree{"": {to: p}}
	}
	return nil
}

// made returns the variable that stands for what an expression makes.
func (f *flow) made(e ast.Expr) types.Object {
	if f.variables[e] == nil {
		f.variables[e] = types.NewVar(e.Pos(), f.pass.Pkg, "", f.pass.TypesInfo.TypeOf(e))
		f.addressed[f.variables[e]] = true
	}
	return f.variables[e]
}

func (f *flow) composite(x *ast.CompositeLit) tree {
	t := tree{}
	under := f.under(x)
	pointer, isPointer := under.(*types.Pointer) // of an element whose type is left out
	if isPointer {
		under = pointer.Elem().Underlying()
	}
	set := func(path string, of tree) {
		for rest, l := range of {
			t[path+rest] = l
		}
	}
	next := int64(0)
	s, _ := under.(*types.Struct)
	for k, e := range x.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch {
		case s != nil && keyed:
			set("."+kv.Key.(*ast.Ident).Name, f.value(kv.Value))
		case s != nil:
			set("."+s.Field(k).Name(), f.value(e))
		case keyed:
			if v := f.pass.TypesInfo.Types[kv.Key].Value; v != nil && v.Kind() == constant.Int {
				next, _ = constant.Int64Val(v)
			}
			e = kv.Value
			fallthrough
		default:
			set("["+constant.MakeInt64(next).ExactString()+"]", f.value(e))
			next++
		}
	}
	switch under.(type) {
	case *types.Slice:
		p := place{root: f.made(x)}
		f.put(p, t)
		return tree{"": {to: p}}
	case *types.Map:
		return nil
	}
	if isPointer {
		p := place{root: f.made(x)}
		f.put(p, t)
		return tree{"": {to: p}}
	}
	return t
}

// slice follows a slice expression.
func (f *flow) slice(x *ast.SliceExpr) tree {
	for _, e := range []ast.Expr{x.Low, x.Max} {
		f.value(e)
	}
	high := f.value(x.High).leaf()
	l := leaf{}
	if _, isArray := f.under(x.X).(*types.Array); isArray {
		l.to, _ = f.place(x.X)
	} else {
		l = f.value(x.X).leaf()
	}
	if x.Low != nil {
		l.to = place{}
	}
	if l.to.root != nil && x.Low != nil {
		return nil
	}
	l.none = l.none || high.val != nil && high.val.Kind() == constant.Int && isZero(high.val)
	return tree{"": l}
}
