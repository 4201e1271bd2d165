package front

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A loop is what all forms of loops have.
type loop struct {
	label    string
	node     ast.Node // variables that are set in it are carried
	rest     ast.Node // part of node that may leave the loop; nil: all of node
	carried  []any    // further variables that are carried
	cond     func() *ir.Value
	body     func() flow
	post     func()
	postSafe bool // post may run although the loop is left
}

func (f *frame) forStmt(s *ast.ForStmt, label string) flow {
	if v, from, rounds, ok := f.counted(s); ok {
		if f.writtenOut(s.Body, rounds, []types.Object{v}, func(k int) { f.set(v, f.constantNumber(from+k, v.Type())) }) {
			return onward
		}
	}
	if s.Init != nil {
		f.stmt(s.Init)
	}
	first, rest := f.exits1(s.Body.List, label)
	test := s.Cond
	if test != nil && hasCall(test) && len(f.assigned(test)) > 0 {
		first, rest, test = nil, append([]ast.Stmt{breakUnless(s)}, s.Body.List...), nil
	}
	return f.loop(loop{
		label: label,
		node:  s,
		rest:  &ast.BlockStmt{List: rest},
		cond: func() *ir.Value {
			if len(first) > 0 {
				f.plainly(first)
			}
			cond := func() *ir.Value { return f.truth(true) }
			if test != nil {
				cond = func() *ir.Value { return f.truthOf(test) }
			}
			for _, x := range first {
				if x, ok := x.(*ast.IfStmt); ok {
					before := cond
					cond = func() *ir.Value {
						return f.either(before, func() *ir.Value { return f.emit(ir.Not, ir.Bool, f.truthOf(x.Cond)) }, false)
					}
				}
			}
			return cond()
		},
		body: func() flow { return f.stmts(rest) },
		post: func() {
			if s.Post != nil {
				f.stmt(s.Post)
			}
		},
		postSafe: counts(s),
	})
}

// breakUnless returns the condition of a for as a statement in front of its body. After a loop, variables
// have their values from before the last evaluation of its condition. So a condition with a call that sets a
// variable moves into the body.
func breakUnless(s *ast.ForStmt) ast.Stmt {
	leave := &ast.BranchStmt{TokPos: s.Cond.Pos(), Tok: token.BREAK}
	return &ast.IfStmt{If: s.Cond.Pos(), Cond: s.Cond, Body: &ast.BlockStmt{}, Else: &ast.BlockStmt{List: []ast.Stmt{leave}}}
}

// hasCall reports whether an expression has a call, or a conversion.
func hasCall(x ast.Expr) (has bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		_, is := n.(*ast.CallExpr)
		has = has || is
		return !has
	})
	return has
}

// counts reports whether the post statement of a for cannot fail, and only sets a variable that ends with the
// loop.
func counts(s *ast.ForStmt) bool {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE {
		return s.Post == nil
	}
	var x ast.Expr
	switch p := s.Post.(type) {
	case nil:
		return true
	case *ast.IncDecStmt:
		x = p.X
	case *ast.AssignStmt:
		switch p.Tok {
		case token.ADD_ASSIGN, token.SUB_ASSIGN:
		default:
			return false
		}
		switch p.Rhs[0].(type) {
		case *ast.Ident, *ast.BasicLit:
			x = p.Lhs[0]
		}
	}
	id, ok := x.(*ast.Ident)
	for _, l := range init.Lhs {
		if l, isIdent := l.(*ast.Ident); ok && isIdent && l.Name == id.Name {
			return true
		}
	}
	return false
}

// loop lowers a loop.
func (f *frame) loop(p loop) flow {
	at := f.at
	e := &exit{label: p.label, brk: f.newFlag("broken"), cont: f.newFlag("continued")}
	f.exits = append(f.exits, e)
	defer func() { f.exits = f.exits[:len(f.exits)-1] }()
	keys := append(f.assigned(p.node), p.carried...)
	left := p.rest
	if left == nil {
		left = p.node
	}
	leave := f.leavers(left, e)
	for _, fl := range leave {
		keys = append(keys, fl)
	}
	if len(leave) > 0 && leave[0] == f.ret {
		for _, v := range f.values {
			keys = append(keys, v)
		}
	}
	v := f.k.NewValue(ir.Loop, ir.None)
	v.Pos, v.Blocks = f.here(at), []*ir.Block{{}, {}}
	before := f.begin(v, keys)
	var out flow
	var after map[any]tree
	f.looping++
	f.in(v.Head(), func() {
		f.carry(v, keys, before)
		cond := f.goesOn(leave, p.cond)
		v.Head().Yield = []*ir.Value{cond}
		after = f.in(v.LoopBody(), func() {
			f.set(e.cont, number{v: f.truth(false)})
			out = p.body().without(e.cont)
			switch {
			case p.postSafe || len(out.jumps) == 0:
				p.post()
			case out.next:
				f.branch(f.any(out.jumps), func() {}, p.post)
			}
		})
		f.next(v, keys, after)
	})
	f.looping--
	f.cur.Values = append(f.cur.Values, v)
	f.carriedOut(v, keys, before, after)
	f.set(e.cont, number{v: f.truth(false)})
	out = out.without(e.brk)
	return flow{true, out.jumps}
}

// byOne is the step of most loops that count.
func (f *frame) byOne() *ir.Value { return f.integer(1) }

// counting lowers a loop over from, from+step, ... below to. The step is made where the loop takes it.
func (f *frame) counting(p loop, name string, from, to *ir.Value, step func() *ir.Value, unsigned bool, body func(k *ir.Value) flow) flow {
	count := &flag{name}
	f.set(count, number{v: from})
	p.carried = append([]any{count}, p.carried...)
	p.cond = func() *ir.Value {
		v := f.emit(ir.Lt, ir.Bool, f.value(count), to)
		v.Unsigned = unsigned
		return v
	}
	p.body = func() flow { return body(f.value(count)) }
	p.post = func() { f.set(count, number{v: f.emit(ir.Add, to.Type, f.value(count), step())}) }
	p.postSafe = true
	return f.loop(p)
}

// begin gives a loop the first values of its carried variables, and returns these values as trees.
func (f *frame) begin(v *ir.Value, keys []any) []tree {
	before := make([]tree, len(keys))
	for n, key := range keys {
		t := f.vars[key]
		if s, ok := t.(*lazySlice); ok {
			t = s.get()
		}
		if a, ok := t.(*array); ok {
			t = a.parts
		}
		before[n] = t
		for _, x := range leaves(t) {
			if x == nil {
				x = f.integer(0)
			}
			v.Args = append(v.Args, x)
		}
	}
	return before
}

// carry makes the variables that are carried the parameters of the head.
func (f *frame) carry(v *ir.Value, keys []any, before []tree) {
	for _, x := range v.Args {
		p := f.k.NewValue(ir.Arg, x.Type)
		p.Index = len(v.Head().Params)
		v.Head().Params = append(v.Head().Params, p)
	}
	params := v.Head().Params
	for n, key := range keys {
		f.set(key, with(unmarked(before[n]), &params))
		if t, ok := f.vars[key].(*parts); ok {
			for k, x := range leaves(t) {
				x.Name = name(key) + string(rune('a'+k%26))
			}
		}
	}
}

// goesOn returns whether a loop is to be left by no jump, and goes on.
func (f *frame) goesOn(leave []*flag, cond func() *ir.Value) *ir.Value {
	if len(leave) == 0 {
		return cond()
	}
	left := f.any(leave)
	return f.either(func() *ir.Value { return f.emit(ir.Not, ir.Bool, left) }, cond, false)
}

// next makes the body yield the values that the carried variables have after a round.
func (f *frame) next(v *ir.Value, keys []any, after map[any]tree) {
	params := v.Head().Params
	for _, key := range keys {
		t := f.behind(after, key)
		after[key] = t
		if s, ok := t.(*lazySlice); ok {
			t = s.get()
		}
		own := f.vars[key]
		if t == unknown {
			t = own
		}
		f.sameForm(key, own, t)
		for k, x := range leaves(t) {
			if x == nil {
				x = f.integer(0)
			}
			v.LoopBody().Yield = append(v.LoopBody().Yield, x)
			if at := marks(t)[k]; at != token.NoPos {
				f.noProduct(params[k], at)
			}
		}
		params = params[len(leaves(own)):]
	}
}

// carriedOut sets the variables that a loop has carried to its results.
func (f *frame) carriedOut(v *ir.Value, keys []any, before []tree, after map[any]tree) {
	results := make([]*ir.Value, len(v.Args))
	k := 0
	for n, key := range keys {
		for range leaves(before[n]) {
			r := f.emit(ir.Result, v.Args[k].Type, v)
			r.Index, r.Name = k, v.Head().Params[k].Name
			results[k] = r
			k++
		}
		own := results[k-len(leaves(before[n])) : k]
		if after[key] == unknown {
			f.set(key, unknown)
			continue
		}
		f.set(key, with(f.products2(before[n], after[key]), &own))
	}
}
