package front

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

func (grammar) stmts(f *frame, list []ast.Stmt) flow {
	for n, s := range list {
		rest := list[n+1:]
		if s, ok := s.(*ast.IfStmt); ok && f.surveyed == nil {
			if out, all := f.ifStmt(s, rest); all {
				return out
			} else if len(out.jumps) > 0 {
				return f.unless(out, rest)
			}
			continue
		}
		out := f.lowered(s)
		if !out.next {
			return out
		}
		if len(out.jumps) > 0 {
			return f.unless(out, rest)
		}
	}
	return onward
}

// unless lowers the statements that run unless an earlier statement has jumped.
func (f *frame) unless(out flow, rest []ast.Stmt) flow {
	if !out.next || len(rest) == 0 {
		return out
	}
	after := flow{}
	f.branch(f.any(out.jumps), func() {}, func() { after = f.stmts(rest) })
	return flow{after.next, out.or(after).jumps}
}

// ifStmt lowers an if. If control leaves just one branch at its end, ifStmt lowers the rest of the block into
// that branch. Then no flag has to be tested, and the result all is true.
func (f *frame) ifStmt(s *ast.IfStmt, rest []ast.Stmt) (out flow, all bool) {
	f.at = s.Pos()
	f.beginStmt()
	if s.Init != nil {
		f.stmt(s.Init)
		f.beginStmt()
	}
	f.alone = negated(s.Cond)
	cond := f.truthOf(s.Cond)
	then, els := s.Body.List, elseOf(s)
	switch a, b := ends(then), ends(els); {
	case a && b:
		all = true
	case a:
		els, all = append(slices.Clone(els), rest...), true
	case b:
		then, all = append(slices.Clone(then), rest...), true
	}
	f.at = s.Pos()
	f.branch(cond, func() { out = out.or(f.stmts(then)) }, func() { out = out.or(f.stmts(els)) })
	return out, all
}

// negated returns an expression without its leading negations.
func negated(x ast.Expr) ast.Expr {
	for {
		x = ast.Unparen(x)
		u, ok := x.(*ast.UnaryExpr)
		if !ok || u.Op != token.NOT {
			return x
		}
		x = u.X
	}
}

func elseOf(s *ast.IfStmt) []ast.Stmt {
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		return e.List
	case *ast.IfStmt:
		return []ast.Stmt{e}
	}
	return nil
}

// ends reports whether statements plainly end with a jump.
func ends(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.BlockStmt:
		return ends(s.List)
	case *ast.IfStmt:
		return s.Else != nil && ends(s.Body.List) && ends(elseOf(s))
	}
	return false
}

// lowered lowers a statement, by itself if all reasons for refusals are looked for.
func (f *frame) lowered(s ast.Stmt) flow {
	if f.surveyed != nil {
		return f.byItself(s, func() flow { return f.oneStmt(s) })
	}
	return f.oneStmt(s)
}

func (f *frame) oneStmt(s ast.Stmt) flow {
	f.at = s.Pos()
	f.beginStmt()
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.BlockStmt:
		return f.stmts(s.List)
	case *ast.ExprStmt:
		f.alone = ast.Unparen(s.X)
		f.expr(s.X)
	case *ast.AssignStmt:
		f.assign(s)
	case *ast.IncDecStmt:
		p := f.place(s.X)
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		t := f.typeOf(s.X)
		p.store(f.operated(op, p.load(), f.constantOf(constant.MakeInt64(1), t, s.X), t, s.X, s.X, s.Pos()))
	case *ast.DeclStmt:
		f.declare(s)
	case *ast.IfStmt:
		out, _ := f.ifStmt(s, nil)
		return out
	case *ast.ForStmt:
		return f.forStmt(s, "")
	case *ast.RangeStmt:
		return f.rangeStmt(s, "")
	case *ast.SwitchStmt:
		return f.switchStmt(s, "")
	case *ast.LabeledStmt:
		return f.labeled(s)
	case *ast.ReturnStmt:
		return f.returns(s)
	case *ast.BranchStmt:
		return f.jump(s)
	default:
		what, help := statement(s)
		f.refuse(s.Pos(), help, "a kernel cannot have %s", what)
	}
	return onward
}

// statement returns the name of a statement in a refusal, and the help, which names a replacement.
func statement(s ast.Stmt) (what, help string) {
	switch s.(type) {
	case *ast.GoStmt:
		return "goroutines", "make it an item of the launch"
	case *ast.DeferStmt:
		return "defer", "call it where the functor returns"
	case *ast.SendStmt, *ast.SelectStmt:
		return "channels", "store the value in an element of a slice"
	case *ast.TypeSwitchStmt:
		return "interfaces", "give the variable a type, or make the function generic"
	}
	return "this statement", ""
}

func (f *frame) labeled(s *ast.LabeledStmt) flow {
	switch inner := s.Stmt.(type) {
	case *ast.ForStmt:
		return f.forStmt(inner, s.Label.Name)
	case *ast.RangeStmt:
		return f.rangeStmt(inner, s.Label.Name)
	case *ast.SwitchStmt:
		return f.switchStmt(inner, s.Label.Name)
	}
	return f.stmt(s.Stmt)
}

func (f *frame) returns(s *ast.ReturnStmt) flow {
	if len(s.Results) > 0 {
		for n, t := range f.list(s.Results, len(f.results)) {
			f.set(f.values[n], t)
		}
	} else {
		for n, v := range f.named {
			f.set(f.values[n], f.vars[v])
		}
	}
	f.set(f.ret, number{v: f.truth(true)})
	return flow{jumps: []*flag{f.ret}}
}

func (f *frame) jump(s *ast.BranchStmt) flow {
	if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
		f.refuse(s.Pos(), "write it with if, for or switch", "a kernel cannot have %s", strings.ToLower(s.Tok.String()))
	}
	for _, e := range slices.Backward(f.exits) {
		to := e.brk
		if s.Tok == token.CONTINUE {
			to = e.cont
		}
		if to != nil && (s.Label == nil || s.Label.Name == e.label) {
			f.set(to, number{v: f.truth(true)})
			return flow{jumps: []*flag{to}}
		}
	}
	f.refuse(s.Pos(), "", "%s leads nowhere", s.Tok)
	return onward
}

// switchStmt lowers a switch as a chain of ifs.
func (f *frame) switchStmt(s *ast.SwitchStmt, label string) flow {
	if s.Init != nil {
		f.stmt(s.Init)
	}
	var tag tree
	if s.Tag != nil {
		tag = f.copied(f.loaded(f.expr(s.Tag)))
	}
	e := &exit{label: label, brk: f.newFlag("broken")}
	f.exits = append(f.exits, e)
	defer func() { f.exits = f.exits[:len(f.exits)-1] }()
	var cases []*ast.CaseClause
	var other []ast.Stmt
	bodies := bodiesOf(s.Body.List)
	for n, c := range s.Body.List {
		c := *c.(*ast.CaseClause)
		if c.Body = bodies[n]; c.List == nil {
			other = c.Body
		} else {
			cases = append(cases, &c)
		}
	}
	return f.cases(s, tag, cases, other).without(e.brk)
}

// bodiesOf returns the statements of each case of a switch. A case that falls through includes the next case.
func bodiesOf(clauses []ast.Stmt) [][]ast.Stmt {
	bodies := make([][]ast.Stmt, len(clauses))
	for n, c := range slices.Backward(clauses) {
		list := c.(*ast.CaseClause).Body
		if last := len(list) - 1; last >= 0 {
			if b, ok := list[last].(*ast.BranchStmt); ok && b.Tok == token.FALLTHROUGH {
				list = append(slices.Clone(list[:last]), bodies[n+1]...)
			}
		}
		bodies[n] = list
	}
	return bodies
}

func (f *frame) cases(s *ast.SwitchStmt, tag tree, cases []*ast.CaseClause, other []ast.Stmt) (out flow) {
	if len(cases) == 0 {
		return f.stmts(other)
	}
	cond := f.matches(s, tag, cases[0].List)
	f.at = cases[0].Pos()
	f.branch(cond, func() { out = out.or(f.stmts(cases[0].Body)) }, func() { out = out.or(f.cases(s, tag, cases[1:], other)) })
	return out
}

// matches returns whether one of the expressions of a case is the tag, or true.
func (f *frame) matches(s *ast.SwitchStmt, tag tree, list []ast.Expr) *ir.Value {
	one := func() *ir.Value {
		if tag == nil {
			return f.truthOf(list[0])
		}
		y := f.expr(list[0])
		if same, ok := f.equal(tag, y, false); ok {
			return same.v
		}
		return f.emit(ir.Eq, ir.Bool, f.numberOf(tag, s.Tag).v, f.numberOf(y, list[0]).v)
	}
	if len(list) == 1 {
		return one()
	}
	return f.either(one, func() *ir.Value { return f.matches(s, tag, list[1:]) }, true)
}
