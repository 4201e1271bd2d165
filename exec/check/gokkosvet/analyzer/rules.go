package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// check looks at all of the functor.
func (f *functor) check() {
	ast.Inspect(f.lit.Body, func(n ast.Node) bool {
		if n == nil {
			f.stack = f.stack[:len(f.stack)-1]
			return true
		}
		f.stack = append(f.stack, n)
		switch n := n.(type) {
		case *ast.AssignStmt:
			for k, left := range n.Lhs {
				f.written(left, n.Tok == token.DEFINE)
				if len(n.Rhs) == len(n.Lhs) {
					f.kept(left, n.Rhs[k])
				}
			}
		case *ast.IncDecStmt:
			f.written(n.X, false)
		case *ast.GoStmt:
			f.pass.Reportf(n.Pos(), "a functor starts a goroutine, which a device cannot")
		case *ast.SendStmt:
			f.pass.Reportf(n.Pos(), "a functor uses a channel, which a device has not")
		case *ast.SelectStmt:
			f.pass.Reportf(n.Pos(), "a functor uses a channel, which a device has not")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				f.pass.Reportf(n.Pos(), "a functor uses a channel, which a device has not")
			}
		case *ast.CallExpr:
			f.call(n)
		case *ast.IndexExpr:
			f.index(n)
		case *ast.BinaryExpr:
			f.fused(n)
		}
		return true
	})
	f.final()
}

// written looks at what is assigned to.
func (f *functor) written(e ast.Expr, defined bool) {
	v, indexed := f.shared(e)
	if v == nil || defined {
		return
	}
	if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		if _, isMap := f.pass.TypesInfo.TypeOf(x.X).Underlying().(*types.Map); isMap {
			f.pass.Reportf(e.Pos(), "a functor writes to the map %s, which items share", v.Name())
			return
		}
	}
	if indexed || f.guarded() {
		return
	}
	f.pass.Reportf(e.Pos(), "a functor writes %s, which items share: use a reducer or package atomics", v.Name())
}

// guarded reports whether what is looked at runs behind a condition that one item may be chosen
// by: an equality, an atomic operation, or team.Single.
func (f *functor) guarded() bool {
	for k, n := range f.stack {
		switch n := n.(type) {
		case *ast.IfStmt:
			if f.chooses(n.Cond) || n.Init != nil && f.chooses(n.Init) {
				return true
			}
		case *ast.SwitchStmt:
			return true
		case *ast.FuncLit:
			if call, ok := f.stack[k-1].(*ast.CallExpr); ok && strings.HasPrefix(called(f.pass, call, "team"), "Single") {
				return true
			}
		}
	}
	// An item may also return before.
	for _, s := range f.lit.Body.List {
		if i, ok := s.(*ast.IfStmt); ok && i.Pos() < f.stack[len(f.stack)-1].Pos() && f.chooses(i.Cond) && returns(i.Body) {
			return true
		}
	}
	return false
}

func (f *functor) chooses(n ast.Node) (chosen bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			chosen = chosen || n.Op == token.EQL || n.Op == token.NEQ
		case *ast.Ident:
			b, ok := f.pass.TypesInfo.TypeOf(n).(*types.Basic)
			chosen = chosen || ok && b.Info()&types.IsBoolean != 0
		case *ast.CallExpr:
			chosen = chosen || called(f.pass, n, "views/atomics") != ""
		}
		return !chosen
	})
	return chosen
}

func returns(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	_, ok := b.List[len(b.List)-1].(*ast.ReturnStmt)
	return ok
}

// kept looks at an assignment of an accumulator.
func (f *functor) kept(left, right ast.Expr) {
	id, ok := ast.Unparen(right).(*ast.Ident)
	if !ok || !f.accumulator(f.pass.TypesInfo.Uses[id]) {
		return
	}
	if v, _ := f.shared(left); v != nil {
		f.pass.Reportf(left.Pos(), "a functor keeps the accumulator %s in %s: it is the item's for this call only", id.Name, v.Name())
	}
}

// call looks at a call in the functor.
func (f *functor) call(call *ast.CallExpr) {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && len(call.Args) > 0 {
		if b, ok := f.pass.TypesInfo.Uses[id].(*types.Builtin); ok {
			if _, isMap := f.pass.TypesInfo.TypeOf(call.Args[0]).Underlying().(*types.Map); isMap && (b.Name() == "delete" || b.Name() == "clear") {
				if v, _ := f.shared(call.Args[0]); v != nil {
					f.pass.Reportf(call.Pos(), "a functor writes to the map %s, which items share", v.Name())
				}
			}
			if b.Name() == "close" {
				f.pass.Reportf(call.Pos(), "a functor uses a channel, which a device has not")
			}
		}
		return
	}
	if name := called(f.pass, call, "team"); name != "" || isBarrier(f.pass, call) {
		if f.meets(call, name) && f.some() {
			f.pass.Reportf(call.Pos(), "only some members reach this %s: the others would wait for ever", orBarrier(name))
		}
		return
	}
	c := callee(f.pass, call)
	if c == nil || c.Pkg() == nil {
		return
	}
	switch path := c.Pkg().Path(); {
	case path == "sync" && slices.Contains([]string{"Lock", "RLock", "TryLock", "Wait"}, c.Name()):
		f.pass.Reportf(call.Pos(), "a functor waits for a lock: a device has none, and nothing in a launch that is watched is ordered by it")
	case path == "time" && slices.Contains([]string{"Now", "Since", "Until", "Sleep"}, c.Name()):
		f.pass.Reportf(call.Pos(), "a functor uses time.%s: its result is not a function of its input", c.Name())
	case (path == "math/rand" || path == "math/rand/v2") && c.Signature().Recv() == nil && !strings.HasPrefix(c.Name(), "New"):
		f.pass.Reportf(call.Pos(), "a functor uses the random numbers of the process: views/random has numbers by seed and place")
	}
}

func isBarrier(pass *analysis.Pass, call *ast.CallExpr) bool {
	c := callee(pass, call)
	return c != nil && c.Name() == "Barrier" && c.Pkg() != nil && c.Pkg().Path() == module+"team"
}

func orBarrier(name string) string {
	if name == "" {
		return "Barrier"
	}
	return name
}

// meets reports whether a call waits for the other members.
func (f *functor) meets(call *ast.CallExpr, name string) bool {
	if name == "" {
		return true
	}
	if len(call.Args) == 0 || slices.Contains([]string{"For", "Scratch", "MemberScratch", "ScratchBytes", "Single", "Shares"}, name) || strings.HasSuffix(name, "Range") {
		return false
	}
	_, member := f.pass.TypesInfo.TypeOf(call.Args[0]).(*types.Pointer)
	return member
}

// some reports whether what is looked at is behind a condition that differs between members.
func (f *functor) some() bool {
	for k, n := range f.stack {
		i, ok := n.(*ast.IfStmt)
		if !ok || k+1 == len(f.stack) || f.stack[k+1] != i.Body && f.stack[k+1] != i.Else {
			continue
		}
		if f.byRank(i.Cond) {
			return true
		}
	}
	return false
}

// byRank reports whether an expression has the rank of a member in its team.
func (f *functor) byRank(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			c := callee(f.pass, call)
			found = found || c != nil && c.Name() == "Rank" && c.Pkg() != nil && c.Pkg().Path() == module+"team" && isMember(c)
		}
		return !found
	})
	return found
}

func isMember(c *types.Func) bool {
	r := c.Signature().Recv()
	return r != nil && strings.HasSuffix(r.Type().String(), ".Member")
}

// index looks at an index.
func (f *functor) index(x *ast.IndexExpr) {
	b, ok := f.pass.TypesInfo.TypeOf(x.Index).(*types.Basic)
	if !ok || b.Kind() != types.Int32 && b.Kind() != types.Uint32 {
		return
	}
	ast.Inspect(x.Index, func(n ast.Node) bool {
		if p, ok := n.(*ast.BinaryExpr); ok && p.Op == token.MUL && f.pass.TypesInfo.Types[p].Value == nil {
			f.pass.Reportf(p.Pos(), "a product of 32-bit integers as an index overflows: convert the factors to int")
			return false
		}
		return true
	})
}

// fused looks at a sum.
func (f *functor) fused(e *ast.BinaryExpr) {
	if !fused || e.Op != token.ADD && e.Op != token.SUB {
		return
	}
	b, ok := f.pass.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsFloat == 0 {
		return
	}
	for _, x := range []ast.Expr{e.X, e.Y} {
		if p, ok := ast.Unparen(x).(*ast.BinaryExpr); ok && p.Op == token.MUL && f.pass.TypesInfo.Types[p].Value == nil {
			f.pass.Reportf(p.Pos(), "some processors round this product and the sum once: write float64(x*y) + z or math.FMA(x, y, z)")
		}
	}
}

// final looks at whether a scan asks for the pass.
func (f *functor) final() {
	if f.pattern != "ParallelScan" || !f.writes() {
		return
	}
	params := f.lit.Type.Params.List
	last := params[len(params)-1]
	if n := len(last.Names); n == 0 || last.Names[n-1].Name == "_" {
		return // it writes nothing, or package check will say so
	}
	final, used := f.pass.TypesInfo.Defs[last.Names[len(last.Names)-1]], false
	ast.Inspect(f.lit.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		used = used || ok && f.pass.TypesInfo.Uses[id] == final
		return !used
	})
	if !used {
		f.pass.Reportf(f.lit.Pos(), "the functor of a scan does not ask whether the pass is final: it may write only then")
	}
}

// writes reports whether the functor writes to memory around it.
func (f *functor) writes() (found bool) {
	ast.Inspect(f.lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				v, _ := f.shared(left)
				found = found || v != nil
			}
		case *ast.IncDecStmt:
			v, _ := f.shared(n.X)
			found = found || v != nil
		}
		return !found
	})
	return found
}

// identity looks at a reducer made of a function.
func identity(pass *analysis.Pass, call *ast.CallExpr) {
	if len(call.Args) != 2 || call.Ellipsis != token.NoPos { // there are options
		return
	}
	join, ok := call.Args[1].(*ast.FuncLit)
	if !ok {
		return
	}
	ast.Inspect(join.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 {
			return true
		}
		product := a.Tok == token.MUL_ASSIGN || a.Tok == token.AND_ASSIGN
		if c, ok := a.Rhs[0].(*ast.CallExpr); ok {
			if id, ok := c.Fun.(*ast.Ident); ok {
				b, ok := pass.TypesInfo.Uses[id].(*types.Builtin)
				product = product || ok && (b.Name() == "min" || b.Name() == "max")
			}
		}
		if product {
			pass.Reportf(call.Pos(), "the identity of this reducer is not zero: give it with reducers.Init, or use a reducer of package builtin")
			return false
		}
		return true
	})
}
