package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// values has the expression that each variable is set to, of those that are set once.
type values map[types.Object]ast.Expr

// definitions returns the values of variables, and the functions of the package.
func definitions(pass *analysis.Pass, root inspector.Cursor) (v values, f []*ast.FuncDecl) {
	often := map[types.Object]bool{}
	v = values{}
	set := func(left ast.Expr, right ast.Expr) {
		id, ok := left.(*ast.Ident)
		if !ok {
			return
		}
		if object := pass.TypesInfo.ObjectOf(id); object != nil {
			variable, _ := object.(*types.Var)
			given := variable != nil && variable.Kind() == types.ParamVar // by the caller, too
			often[object] = often[object] || v[object] != nil || right == nil || given
			v[object] = right
		}
	}
	kinds := []ast.Node{
		(*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.FuncDecl)(nil), (*ast.RangeStmt)(nil),
		(*ast.IncDecStmt)(nil),
	}
	for at := range root.Preorder(kinds...) {
		switch n := at.Node().(type) {
		case *ast.FuncDecl:
			f = append(f, n)
		case *ast.RangeStmt:
			set(n.Key, nil)
			set(n.Value, nil)
		case *ast.IncDecStmt:
			set(n.X, nil)
		default:
			eachSet(n, set)
		}
	}
	maps.DeleteFunc(v, func(object types.Object, _ ast.Expr) bool { return often[object] })
	return v, f
}

// eachSet calls set for each variable or other place that an assignment or a declaration with values sets, and what it
// is set to: nil if that is no expression of its own.
func eachSet(n ast.Node, set func(left, to ast.Expr)) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for k, left := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.DEFINE || n.Tok == token.ASSIGN) {
				set(left, n.Rhs[k])
			} else {
				set(left, nil)
			}
		}
	case *ast.ValueSpec:
		for k, name := range n.Names {
			if len(n.Names) == len(n.Values) {
				set(name, n.Values[k])
			} else if len(n.Values) > 0 {
				set(name, nil)
			}
		}
	}
}

// value returns what an expression stands for: a variable that is set once stands for what it is
// set to.
func (c *checker) value(e ast.Expr) ast.Expr {
	for range 8 { // deeper chains are nobody's
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			break
		}
		set := c.values[c.pass.TypesInfo.ObjectOf(id)]
		if set == nil {
			break
		}
		e = set
	}
	return ast.Unparen(e)
}

// parameters returns the parameters of functions of a type, nil for those without a name.
func (c *checker) parameters(typ *ast.FuncType) (list []types.Object) {
	for _, field := range typ.Params.List {
		if len(field.Names) == 0 {
			list = append(list, nil)
		}
		for _, name := range field.Names {
			list = append(list, c.pass.TypesInfo.Defs[name])
		}
	}
	return list
}

func (c *checker) variadic(typ *ast.FuncType) bool {
	n := len(typ.Params.List)
	if n == 0 {
		return false
	}
	_, is := typ.Params.List[n-1].Type.(*ast.Ellipsis)
	return is
}

const module = "github.com/gokkos/gokkos/"

// called returns the name of the function of a package of gokkos that is called, or "".
func (c *checker) called(call *ast.CallExpr, pkg string) string {
	if f := c.callee(call); f != nil && f.Pkg() != nil && f.Pkg().Path() == module+pkg && f.Signature().Recv() == nil {
		return f.Name()
	}
	return ""
}

// method returns the method of a package of gokkos that is called, or nil.
func (c *checker) method(call *ast.CallExpr, pkg string) *types.Func {
	f := c.callee(call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != module+pkg || f.Signature().Recv() == nil {
		return nil
	}
	return f
}

func (c *checker) callee(call *ast.CallExpr) *types.Func {
	f, _ := typeutil.Callee(c.pass.TypesInfo, call).(*types.Func)
	return f
}

// builtin returns the name of the builtin function that is called, or "".
func (c *checker) builtin(call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := c.pass.TypesInfo.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// isNamed reports whether a type, or what it points to, is a type of a package of gokkos.
func isNamed(t types.Type, pkg, name string) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module+pkg && n.Obj().Name() == name
}

func (c *checker) basic(e ast.Expr, info types.BasicInfo) bool {
	t := c.pass.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	return isBasic(t, info)
}

// isBasic reports whether a type is basic and of a kind, or a type parameter whose types all are.
func isBasic(t types.Type, info types.BasicInfo) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&info != 0
	case *types.Interface:
		for e := range u.EmbeddedTypes() {
			if isBasic(e, info) {
				return true
			}
		}
	case *types.Union:
		for term := range u.Terms() {
			if !isBasic(term.Type(), info) {
				return false
			}
		}
		return true
	}
	return false
}
