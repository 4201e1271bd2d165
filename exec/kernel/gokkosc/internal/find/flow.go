package find

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// A graph holds the possible values of variables and of results of functions. A slice, an array or a map
// counts as one variable.
type graph struct {
	values map[any][]any // by variable or result: other variables, results and functors
	params map[*types.Var]string
	args   []*argument
	calls  []*dynamic
	found  []*Functor
	at     map[ast.Expr]*Functor
}

// A result is a result of a function.
type result struct{ of, n any }

// parameter names a parameter of a function that has a name.
func parameter(of string, n int) string { return fmt.Sprintf("parameter %d of %s", n, of) }

// A compiled is a functor that a generated constructor returns.
type compiled struct{}

// An argument is an argument of a launch that may be a functor, with its possible values.
type argument struct {
	*Functor
	values []any
}

// A dynamic is a call of a function that is a value.
type dynamic struct {
	call   *ast.CallExpr
	callee []any
	args   [][]any
}

// A reader reads a declaration.
type reader struct {
	*graph
	p    *Package
	file *ast.File
	decl ast.Decl
}

// key returns the key of a variable or a function: a name if other packages can refer to the object, else the
// object.
func (r *reader) key(o types.Object) any {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin().FullName()
	case *types.Var:
		o = o.Origin()
		if p, ok := r.params[o]; ok {
			return p
		}
		switch {
		case o.Pkg() == nil:
		case o.IsField() && o.Exported():
			at := r.p.Fset.Position(o.Pos())
			return fmt.Sprintf("%s.%s of %s:%d", o.Pkg().Path(), o.Name(), at.Filename, at.Line)
		case o.Parent() == o.Pkg().Scope():
			return o.Pkg().Path() + "." + o.Name()
		}
		return o
	}
	return o
}

// holds reports whether values of a type are functions, or have functions as elements.
func holds(t types.Type) bool {
	for range 10 { // a type may have itself as elements
		switch u := t.Underlying().(type) {
		case *types.Signature:
			return true
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		case *types.Pointer:
			t = u.Elem()
		default:
			return false
		}
	}
	return false
}

// of returns the possible values of an expression: variables, results and functors.
func (r *reader) of(x ast.Expr) (list []any) {
	x = ast.Unparen(x)
	if t := r.p.Info.TypeOf(x); t == nil || !holds(t) {
		return nil
	}
	if f, _ := r.p.function(x); f != nil {
		return []any{r.functor(x)}
	}
	switch x := x.(type) {
	case *ast.FuncLit:
		return []any{r.functor(x)}
	case *ast.Ident:
		if v, ok := r.p.Info.ObjectOf(x).(*types.Var); ok {
			return []any{r.key(v)}
		}
	case *ast.SelectorExpr:
		if v, ok := r.p.Info.Uses[x.Sel].(*types.Var); ok {
			return []any{r.key(v)}
		}
	case *ast.IndexExpr:
		return r.of(x.X)
	case *ast.SliceExpr:
		return r.of(x.X)
	case *ast.StarExpr:
		return r.of(x.X)
	case *ast.UnaryExpr:
		return r.of(x.X)
	case *ast.CompositeLit:
		for _, e := range x.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			list = append(list, r.of(e)...)
		}
	case *ast.CallExpr:
		return r.called(x, 0)
	}
	return list
}

// called returns the possible values of result n of a call.
func (r *reader) called(x *ast.CallExpr, n int) (list []any) {
	fun := ast.Unparen(x.Fun)
	if tv := r.p.Info.Types[fun]; tv.IsType() || tv.IsBuiltin() { // a conversion, or append
		for _, a := range x.Args {
			list = append(list, r.of(a)...)
		}
		return list
	}
	if f, _ := r.p.function(fun); f != nil {
		if at := r.p.Fset.Position(f.Pos()).Filename; strings.HasPrefix(filepath.Base(at), sources.Generated) {
			return []any{compiled{}}
		}
		return []any{result{r.key(f), n}}
	}
	if lit, ok := fun.(*ast.FuncLit); ok {
		return []any{result{lit, n}}
	}
	return []any{result{x, n}} // see bind
}

// functor returns the functor for an expression, the same for each call.
func (r *reader) functor(x ast.Expr) *Functor {
	if r.at[x] == nil {
		r.at[x] = &Functor{Package: r.p, File: r.file, Within: r.decl, Expr: x}
	}
	return r.at[x]
}

// assign notes the possible values of a variable.
func (r *reader) assign(to ast.Expr, values []any) {
	for _, v := range r.of(to) {
		if _, ok := v.(*Functor); !ok {
			r.values[v] = append(r.values[v], values...)
		}
	}
}

// declared notes the parameters of the functions of a file.
func (r *reader) declared() {
	for _, d := range r.file.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if f, ok := r.p.Info.Defs[d.Name].(*types.Func); ok {
			for k := range f.Signature().Params().Len() {
				r.params[f.Signature().Params().At(k)] = parameter(f.Origin().FullName(), k)
			}
		}
	}
}

// read notes what flows where in a declaration.
func (r *reader) read() {
	if d, ok := r.decl.(*ast.FuncDecl); ok && d.Body != nil {
		r.returns(r.key(r.p.Info.Defs[d.Name]), d.Body)
	}
	ast.Inspect(r.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			r.returns(n, n.Body)
		case *ast.AssignStmt:
			r.assigned(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, id := range n.Names {
				names = append(names, id)
			}
			r.assigned(names, n.Values)
		case *ast.RangeStmt:
			if n.Value != nil {
				r.assign(n.Value, r.of(n.X))
			}
		case *ast.CompositeLit:
			r.composite(n)
		case *ast.CallExpr:
			r.call(n)
		}
		return true
	})
}

func (r *reader) assigned(to, values []ast.Expr) {
	for k, x := range to {
		switch {
		case len(values) == len(to):
			r.assign(x, r.of(values[k]))
		case len(values) == 1:
			if call, ok := ast.Unparen(values[0]).(*ast.CallExpr); ok {
				r.assign(x, r.called(call, k))
			} else {
				r.assign(x, r.of(values[0])) // of a map, with ok
			}
		}
	}
}

// returns notes the values that a function returns. It skips literals in the function, whose returns are
// their own.
func (r *reader) returns(of any, body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for k, x := range n.Results {
				to := result{of, k}
				r.values[to] = append(r.values[to], r.of(x)...)
			}
		}
		return true
	})
}

// composite notes the fields of a struct.
func (r *reader) composite(x *ast.CompositeLit) {
	t := r.p.Info.TypeOf(x)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for k, e := range x.Elts {
		var field types.Object
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				field = r.p.Info.Uses[id]
			}
			e = kv.Value
		} else if k < s.NumFields() {
			field = s.Field(k)
		}
		if v, ok := field.(*types.Var); ok {
			r.values[r.key(v)] = append(r.values[r.key(v)], r.of(e)...)
		}
	}
}

// call notes the arguments of a call.
func (r *reader) call(x *ast.CallExpr) {
	fun := ast.Unparen(x.Fun)
	if tv := r.p.Info.Types[fun]; tv.IsType() || tv.IsBuiltin() {
		return
	}
	f, _ := r.p.function(fun)
	var args [][]any
	for k, a := range x.Args {
		values := r.of(a)
		args = append(args, values)
		if f == nil {
			continue
		}
		if name, most := launch(f); name != "" {
			if k < most && functor(r.p.Info.TypeOf(a)) {
				r.args = append(r.args, &argument{&Functor{Package: r.p, File: r.file, Within: r.decl, Expr: ast.Unparen(a), Launch: name}, values})
			}
			continue
		}
		to := parameter(f.Origin().FullName(), min(k, f.Signature().Params().Len()-1))
		r.values[to] = append(r.values[to], values...)
	}
	if f == nil {
		callee := r.of(fun)
		r.calls = append(r.calls, &dynamic{x, callee, args})
	}
}

// functor reports whether a type can be a functor's type: a function with parameters.
func functor(t types.Type) bool {
	if t == nil {
		return false
	}
	s, ok := t.Underlying().(*types.Signature)
	return ok && s.Params().Len() > 0
}

// reached returns the functors that values may be, without functors of generated constructors. The result ok
// reports whether there are any of the two. The values that it visits become part of seen.
func (g *graph) reached(values []any, seen map[any]bool) (list []*Functor, ok bool) {
	for len(values) > 0 {
		v := values[0]
		values = values[1:]
		if seen[v] {
			continue
		}
		seen[v] = true
		switch v := v.(type) {
		case *Functor:
			list, ok = append(list, v), true
		case compiled:
			ok = true
		default:
			values = append(values, g.values[v]...)
		}
	}
	return list, ok
}

// bind notes the arguments and the results of calls whose callee is a value. Each function that the callee
// may be gets the arguments as values of its parameters.
func (g *graph) bind() {
	for _, c := range g.calls {
		functors, _ := g.reached(c.callee, map[any]bool{})
		for _, f := range functors {
			var of any
			if lit := f.Literal(); lit != nil {
				of = lit
				g.arguments(f.Package, lit, c.args)
			} else if fn, _ := f.Function(); fn != nil {
				of = fn.Origin().FullName()
				for k, values := range c.args {
					to := parameter(fn.Origin().FullName(), k)
					g.values[to] = append(g.values[to], values...)
				}
			}
			sig, ok := f.Package.Info.TypeOf(f.Expr).Underlying().(*types.Signature)
			for n := 0; ok && n < sig.Results().Len(); n++ {
				to := result{c.call, n}
				g.values[to] = append(g.values[to], result{of, n})
			}
		}
	}
}

// arguments notes the values that a call gives to the parameters of a literal.
func (g *graph) arguments(p *Package, lit *ast.FuncLit, args [][]any) {
	k := 0
	for _, field := range lit.Type.Params.List {
		for _, id := range field.Names {
			if v := p.Info.Defs[id]; v != nil && k < len(args) {
				g.values[v] = append(g.values[v], args[k]...)
			}
			k++
		}
		k += 1 - min(1, len(field.Names)) // a parameter without a name
	}
}

// reach finds the functors that reach launches in these packages, or variables and parameters that lead to
// launches in others.
func (g *graph) reach(others Reached) Reached {
	done, reached := map[*Functor]bool{}, Reached{}
	add := func(launch string, values []any, or []*Functor) {
		seen := map[any]bool{}
		list, ok := g.reached(values, seen)
		if !ok {
			list = or
		}
		for _, f := range list {
			if !done[f] {
				done[f], f.Launch = true, launch
				g.found = append(g.found, f)
			}
		}
		for v := range seen {
			if name, ok := v.(string); ok {
				reached[name] = launch
			}
		}
	}
	for _, a := range g.args {
		add(a.Launch, a.values, []*Functor{a.Functor})
	}
	for name, launch := range others {
		add(launch, []any{name}, nil)
	}
	return reached
}
