// Package analyzer has the analyzer of gokkosvet.
package analyzer

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

const doc = `report mistakes in functors of gokkos

A functor is a function literal that is given to exec.ParallelFor and its kin, to exec.Map,
exec.Fill or views.FillFunc. Reported are:

  - a variable around the functor that is written without a reducer or package atomics
  - append to a slice around it, and writes to a map around it
  - locks, channels, goroutines, the time, and the random numbers of the process
  - an accumulator that is kept beyond the call
  - a scan that writes and does not ask whether the pass is final
  - a barrier or a collective that only some members of a team reach
  - a reducer whose identity is not zero and that has no Init
  - a launch whose error is ignored
  - products of 32-bit integers as an index

What runs on exec.Serial only is left out.`

// Analyzer reports mistakes in functors.
var Analyzer = &analysis.Analyzer{
	Name:     "gokkos",
	Doc:      doc,
	URL:      "https://pkg.go.dev/github.com/gokkos/gokkos/exec/check/gokkosvet/analyzer",
	Requires: []*analysis.Analyzer{inspect.Analyzer},
	Run:      run,
}

var fused bool

func init() {
	Analyzer.Flags.BoolVar(&fused, "fused", false, "report products of floats that are added to something")
}

const module = "github.com/gokkos/gokkos/"

func run(pass *analysis.Pass) (any, error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	in.Preorder([]ast.Node{(*ast.CallExpr)(nil), (*ast.ExprStmt)(nil)}, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok && strings.HasPrefix(called(pass, call, "exec"), "Parallel") {
				pass.Reportf(call.Pos(), "the error of %s is ignored", called(pass, call, "exec"))
			}
		case *ast.CallExpr:
			if called(pass, n, "reducers") == "New" {
				identity(pass, n)
			}
			if f := functorOf(pass, n); f != nil {
				f.check()
			}
		}
	})
	return nil, nil
}

// called returns the name of the function of a package of gokkos that is called, or "".
func called(pass *analysis.Pass, call *ast.CallExpr, pkg string) string {
	if f := callee(pass, call); f != nil && f.Pkg() != nil && f.Pkg().Path() == module+pkg && f.Signature().Recv() == nil {
		return f.Name()
	}
	return ""
}

func callee(pass *analysis.Pass, call *ast.CallExpr) *types.Func {
	f, _ := typeutil.Callee(pass.TypesInfo, call).(*types.Func)
	return f
}

// A functor is a function literal that a pattern calls for each item.
type functor struct {
	pass    *analysis.Pass
	pattern string
	lit     *ast.FuncLit
	stack   []ast.Node // from the literal to the node that is looked at
}

// functorOf returns the functor of a call, or nil.
func functorOf(pass *analysis.Pass, call *ast.CallExpr) *functor {
	name := called(pass, call, "exec")
	if called(pass, call, "views") == "FillFunc" {
		name = "FillFunc"
	}
	switch name {
	case "Map", "Fill", "FillFunc":
	default:
		if !strings.HasPrefix(name, "Parallel") {
			return nil
		}
	}
	if len(call.Args) < 2 || onSerial(pass, call) {
		return nil
	}
	lit, ok := call.Args[1].(*ast.FuncLit)
	if !ok {
		return nil
	}
	return &functor{pass: pass, pattern: name, lit: lit}
}

// onSerial reports whether a launch runs one item after another: on exec.Serial, or as there is
// one item.
func onSerial(pass *analysis.Pass, call *ast.CallExpr) (serial bool) {
	for k, arg := range call.Args {
		if k == 1 {
			continue
		}
		if id, ok := arg.(*ast.Ident); ok && id.Obj != nil { // a variable of the function
			if a, ok := id.Obj.Decl.(*ast.AssignStmt); ok && len(a.Rhs) == 1 {
				arg = a.Rhs[0]
			}
		}
		ast.Inspect(arg, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if one(pass, e) {
					serial = true
				}
				if t, ok := pass.TypesInfo.TypeOf(e).(*types.Named); ok && t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == module+"exec" && t.Obj().Name() == "Serial" {
					serial = true
				}
			}
			return !serial
		})
	}
	return serial
}

// one reports whether an expression is policy.Range(0, 1).
func one(pass *analysis.Pass, e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok || called(pass, call, "policy") != "Range" || len(call.Args) != 2 {
		return false
	}
	begin, end := pass.TypesInfo.Types[call.Args[0]].Value, pass.TypesInfo.Types[call.Args[1]].Value
	return begin != nil && end != nil && begin.ExactString() == "0" && end.ExactString() == "1"
}

// shared returns the variable around the functor that an expression is of, or nil, and whether
// an index leads to what is meant: others may be for other items.
func (f *functor) shared(e ast.Expr) (v *types.Var, indexed bool) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok {
				if _, isPackage := f.pass.TypesInfo.Uses[id].(*types.PkgName); isPackage {
					e = x.Sel
					continue
				}
			}
			e = x.X
		case *ast.IndexExpr:
			e, indexed = x.X, true
		case *ast.SliceExpr:
			e, indexed = x.X, true
		case *ast.Ident:
			v, ok := f.pass.TypesInfo.Uses[x].(*types.Var)
			if !ok || v.Pos() >= f.lit.Pos() && v.Pos() < f.lit.End() {
				return nil, indexed
			}
			return v, indexed
		default:
			return nil, indexed
		}
	}
}

// accumulator reports whether a variable is a pointer that the functor is given to join into.
func (f *functor) accumulator(v types.Object) bool {
	if !strings.HasPrefix(f.pattern, "ParallelReduce") && f.pattern != "ParallelScan" || v == nil {
		return false
	}
	for k, field := range f.lit.Type.Params.List {
		for _, name := range field.Names {
			if f.pass.TypesInfo.Defs[name] == v {
				_, pointer := v.Type().Underlying().(*types.Pointer)
				return k > 0 && pointer
			}
		}
	}
	return false
}
