package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// call follows a call and returns its results.
func (f *flow) call(call *ast.CallExpr) []tree {
	if f.pass.TypesInfo.Types[call.Fun].IsType() {
		x := f.value(call.Args[0])
		if _, isBasic := f.under(call).(*types.Basic); isBasic || len(x) == 1 && x.leaf().node != nil {
			return []tree{{"": f.operate(call, token.LPAREN, x.leaf(), leaf{})}}
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
	f.given(call)
	switch {
	case f.now == nil:
	case name == "panic":
		f.now = nil
	case name == "new":
		p := place{root: f.made(call)}
		f.put(p, nil)
		return []tree{{"": {to: p}}}
	}
	return nil
}

// still are the functions that touch no memory of a program.
var still = []string{"len", "cap", "min", "max", "real", "imag", "complex", "new", "make"}

// inline are the functions of package math that the compiler puts into the code.
var inline = []string{
	"Abs", "Sqrt", "FMA", "Copysign", "Floor", "Ceil", "Trunc", "RoundToEven", "Float64bits", "Float64frombits",
}

// given follows the arguments of a call whose text is not followed, which may change what it is given.
func (f *flow) given(call *ast.CallExpr) {
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.pass.TypesInfo.Selections[s] != nil {
		f.value(s.X)
	}
	for _, e := range call.Args {
		f.value(e)
	}
	c := f.callee(call)
	isInline := c != nil && c.Pkg() != nil && c.Pkg().Path() == "math" && slices.Contains(inline, c.Name())
	if f.now != nil && !isInline && !slices.Contains(still, f.builtin(call)) {
		f.forget()
	}
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

// follows reports whether calls of a function are followed: not into one that has not returned yet, and
// not into what the compiler never inlines.
func (f *flow) follows(fn *function) bool {
	if len(f.frames) > 8 || slices.ContainsFunc(f.frames, func(in *frame) bool { return in.body == fn.body }) {
		return false
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

// isNoinline reports whether a comment forbids the compiler to inline a function.
func isNoinline(doc *ast.CommentGroup) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, "//go:noinline")
	})
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

// argument returns what a parameter is given: a receiver may be the address of what is written, or what it
// points to.
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
				f.put(place{root: o}, nil)
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
