package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A leaf is what is known of a number, a bool, a text, a pointer, a slice or a function. The zero value is nothing.
type leaf struct {
	val   constant.Value
	none  bool     // nil, or an empty slice
	to    place    // what a pointer or a slice refers to
	fun   ast.Expr // the function
	node  ast.Node // the product that it is, see products
	sided          // see identity
}

// unclear is in a place of which nothing is known.
var unclear = leaf{sided: sided{fate: unknown}}

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
		return tree{"": f.rule.operate(f, x, x.Op, a.leaf(), b.leaf())}
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
		return f.element(f.value(x.X), x.X)
	}
	return nil
}

// element returns any element of an array or a slice.
func (f *flow) element(of tree, e ast.Expr) tree {
	if f.rule.compiled() {
		return nil
	}
	switch f.under(e).(type) {
	case *types.Array:
		f.put(place{root: f.made(e)}, of)
		return f.at(place{f.made(e), "[?]"})
	case *types.Slice, *types.Pointer:
		if to := of.leaf().to; to.root != nil {
			return f.at(place{to.root, to.path + "[?]"})
		}
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
	return f.rule.operate(f, x, x.Op, a, b)
}

func (f *flow) unary(x *ast.UnaryExpr) tree {
	if x.Op != token.AND {
		return tree{"": f.rule.operate(f, x, x.Op, f.value(x.X).leaf(), leaf{})}
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
	set := func(path string, of tree) {
		for rest, l := range of {
			t[path+rest] = l
		}
	}
	next := int64(0)
	s, _ := f.under(x).(*types.Struct)
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
	switch f.under(x).(type) {
	case *types.Slice:
		p := place{root: f.made(x)}
		f.put(p, t)
		return tree{"": {to: p}}
	case *types.Map:
		return nil
	}
	for path, l := range f.rule.zero(f.pass.TypesInfo.TypeOf(x)) {
		if _, ok := t[path]; !ok {
			t[path] = l
		}
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
	if x.Low != nil && f.rule.compiled() {
		l.to = place{}
	}
	if l.to.root != nil && x.Low != nil {
		return nil
	}
	l.none = l.none || high.val != nil && high.val.Kind() == constant.Int && isZero(high.val)
	return tree{"": l}
}

// call follows a call and returns its results.
func (f *flow) call(call *ast.CallExpr) []tree {
	if f.pass.TypesInfo.Types[call.Fun].IsType() {
		x := f.value(call.Args[0])
		if _, isBasic := f.under(call).(*types.Basic); isBasic || len(x) == 1 && x.leaf().node != nil {
			return []tree{{"": f.rule.operate(f, call, token.LPAREN, x.leaf(), leaf{})}}
		}
		return []tree{x}
	}
	name := f.builtin(call)
	fn := f.function(call.Fun)
	if fn == nil && name == "" {
		if fun := f.value(call.Fun).leaf().fun; fun != nil {
			fn = f.function(fun)
		}
	}
	if fn != nil && f.follows(fn) {
		return f.enter(fn, call)
	}
	if fn != nil {
		f.apart(fn)
	}
	args := f.given(call)
	switch {
	case f.now == nil:
		return nil
	case name == "panic":
		f.now = nil
		return nil
	case name == "new":
		p := place{root: f.made(call)}
		f.put(p, f.rule.zero(f.pass.TypesInfo.TypeOf(call.Args[0])))
		return []tree{{"": {to: p}}}
	}
	return []tree{f.rule.call(f, call, args)}
}

// still are the functions that touch no memory of a program.
var still = []string{"len", "cap", "min", "max", "real", "imag", "complex", "new", "make"}

// inline are the functions of package math that the compiler puts into the code.
var inline = []string{"Abs", "Sqrt", "FMA", "Copysign", "Floor", "Ceil", "Trunc", "RoundToEven", "Float64bits", "Float64frombits"}

// given follows the arguments of a call whose text is not followed, which may change what it is given.
func (f *flow) given(call *ast.CallExpr) (args []tree) {
	of := slices.Clone(call.Args)
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.pass.TypesInfo.Selections[s] != nil {
		of = append([]ast.Expr{s.X}, of...)
	}
	for _, e := range of {
		args = append(args, f.value(e))
	}
	c := f.callee(call)
	if f.now == nil || slices.Contains(still, f.builtin(call)) || c != nil && c.Pkg() != nil && c.Pkg().Path() == "math" && slices.Contains(inline, c.Name()) {
		return args
	}
	if f.rule.compiled() {
		f.forget()
		return args
	}
	for k, e := range of {
		to := args[k].leaf().to
		if _, isPointer := f.under(e).(*types.Pointer); !isPointer && k == 0 && len(of) > len(call.Args) && changes(c) {
			to, _ = f.place(e) // the receiver
		}
		if to.root != nil {
			f.put(to, nil)
		}
	}
	return args
}

// later follows a call that is made at another time.
func (f *flow) later(call *ast.CallExpr) {
	if fn := f.function(call.Fun); fn != nil {
		f.apart(fn)
	}
	f.given(call)
}

// changes reports whether a method has a pointer as its receiver.
func changes(f *types.Func) bool {
	if f == nil || f.Signature().Recv() == nil {
		return false
	}
	_, is := f.Signature().Recv().Type().(*types.Pointer)
	return is
}

// follows reports whether calls of a function are followed: not into one that has not returned yet, and not into what
// the compiler never inlines.
func (f *flow) follows(fn *function) bool {
	if len(f.frames) > 8 || slices.ContainsFunc(f.frames, func(in *frame) bool { return in.body == fn.body }) {
		return false
	}
	if !f.rule.compiled() {
		return true
	}
	follows := !isNoinline(fn.doc)
	ast.Inspect(fn.body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt:
			follows = false
		}
		return follows
	})
	return follows
}

// apart follows a function whose parameters are not known, once.
func (f *flow) apart(fn *function) {
	if f.alone[fn.body] || f.now == nil {
		return
	}
	f.alone[fn.body] = true
	now, quiet := f.now, f.quiet
	f.now, f.quiet = &state{leaves: map[place]leaf{}, memory: f.stored()}, 0
	f.run(fn)
	f.now, f.quiet = now, quiet
}

// enter follows a call into a function.
func (f *flow) enter(fn *function, call *ast.CallExpr) []tree {
	given := map[types.Object]tree{}
	for v, arg := range f.bound(fn, call) {
		given[v] = f.argument(v, arg, call)
	}
	if params := f.parameters(fn.typ); f.variadic(fn.typ) && call.Ellipsis == token.NoPos {
		rest, last := tree{}, params[len(params)-1]
		for k, e := range call.Args[min(len(params)-1, len(call.Args)):] {
			for path, l := range f.value(e) {
				rest["["+constant.MakeInt64(int64(k)).ExactString()+"]"+path] = l
			}
		}
		if p := (place{root: f.made(call)}); last != nil {
			f.put(p, rest)
			given[last] = tree{"": {to: p}}
		}
	}
	for v, t := range given {
		f.put(place{root: v}, t)
	}
	return f.run(fn)
}

// argument returns what a parameter is given: a receiver may be the address of what is written, or what it points to.
func (f *flow) argument(v types.Object, arg ast.Expr, call *ast.CallExpr) tree {
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.X != arg || f.pass.TypesInfo.Selections[s] == nil {
		return f.value(arg)
	}
	index := f.pass.TypesInfo.Selections[s].Index()
	_, toPointer := v.Type().Underlying().(*types.Pointer)
	_, isPointer := f.under(arg).(*types.Pointer)
	if len(index) == 1 && toPointer == isPointer {
		return f.value(arg)
	}
	p, ok := f.field(arg, index[:len(index)-1])
	switch {
	case !ok && !toPointer && len(index) == 1:
		return f.value(arg)
	case !ok:
		return nil
	case toPointer:
		return tree{"": {to: p}}
	}
	return f.at(p)
}

// run follows the body of a function and returns its results.
func (f *flow) run(fn *function) []tree {
	in := &frame{body: fn.body}
	if fn.typ.Results != nil {
		for _, field := range fn.typ.Results.List {
			for _, name := range field.Names {
				o := f.pass.TypesInfo.Defs[name]
				f.put(place{root: o}, f.rule.zero(o.Type()))
				in.results = append(in.results, o)
			}
		}
	}
	targets := f.targets
	f.frames, f.targets = append(f.frames, in), nil
	f.block(fn.body.List)
	f.frames, f.targets = f.frames[:len(f.frames)-1], targets
	f.now = f.merge(f.now, in.out)
	return in.values
}

// isNoinline reports whether a comment forbids the compiler to inline a function.
func isNoinline(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:noinline") })
}
