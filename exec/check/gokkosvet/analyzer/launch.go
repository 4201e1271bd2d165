package analyzer

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// A launch is a call that runs functors.
type launch struct {
	*checker
	call    *ast.CallExpr
	pattern string // the function that is called
	host    bool   // they run on the host, whatever device there is
}

// launchOf returns the launch that a call is, or nil.
func (c *checker) launchOf(call *ast.CallExpr) *launch {
	l := &launch{checker: c, call: call, pattern: c.called(call, "exec")}
	switch {
	case isPattern(l.pattern) && l.pattern != "ParallelFold":
	default:
		if l.pattern = c.called(call, "views/algorithms"); l.pattern == "" {
			l.pattern = c.called(call, "views")
		}
		if l.pattern == "" {
			return nil
		}
	}
	for _, arg := range call.Args {
		if _, isFunctor := types.Unalias(c.pass.TypesInfo.TypeOf(arg)).Underlying().(*types.Signature); !isFunctor {
			l.look(arg)
		}
	}
	return l
}

// isPattern reports whether a function of package exec runs functors.
func isPattern(name string) bool {
	return strings.HasPrefix(name, "Parallel") || name == "Map" || name == "Fill"
}

// look finds out where a launch runs, from a policy or a space that is given to it.
func (l *launch) look(e ast.Expr) {
	l.through(e, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if _, isLiteral := n.(*ast.FuncLit); isLiteral || !ok {
			return !isLiteral
		}
		t := l.pass.TypesInfo.TypeOf(e)
		l.host = l.host || t != nil && (isNamed(t, "exec", "Serial") || isNamed(t, "exec", "Goroutines"))
		return true
	})
}

// functors returns the functors of a launch whose text is known.
func (l *launch) functors() (list []*functor) {
	for _, arg := range l.call.Args {
		t := l.pass.TypesInfo.TypeOf(arg)
		if t == nil {
			continue
		}
		if _, isFunction := types.Unalias(t).Underlying().(*types.Signature); !isFunction {
			continue
		}
		if f := l.functorOf(arg); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// functorOf returns the functor that an expression is.
func (l *launch) functorOf(e ast.Expr) *functor {
	of := l.function(e)
	if of == nil {
		return nil
	}
	at, ok := l.root.FindNode(of.body)
	if !ok {
		return nil
	}
	return &functor{launch: l, typ: of.typ, body: at}
}

// ignoredError looks at calls whose results go nowhere. What does not launch may be ignored.
func (c *checker) ignoredError(at inspector.Cursor, call *ast.CallExpr) {
	switch s := at.Parent().Node().(type) {
	case *ast.ExprStmt:
	case *ast.GoStmt:
		if s.Call != call {
			return
		}
	case *ast.DeferStmt:
		if s.Call != call {
			return
		}
	default:
		return
	}
	f := c.callee(call)
	if f == nil || f.Pkg() == nil || !f.Exported() || !strings.HasPrefix(f.Pkg().Path(), module) || f.Signature().Recv() != nil {
		return
	}
	results := f.Signature().Results()
	if n := results.Len(); n > 0 && results.At(n-1).Type().String() == "error" {
		c.report(call, "the error of "+f.Name()+" is ignored")
	}
}
