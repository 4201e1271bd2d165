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
	rest     ast.Node // what may leave it, if that is less than node
	carried  []any    // others that are
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
	return f.loop(loop{
		label: label,
		node:  s,
		rest:  &ast.BlockStmt{List: rest},
		cond: func() *ir.Value {
			if len(first) > 0 {
				f.plainly(first)
			}
			cond := func() *ir.Value { return f.truth(true) }
			if s.Cond != nil {
				cond = func() *ir.Value { return f.truthOf(s.Cond) }
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

// counts reports whether what a for does after each round only sets a variable that nothing
// behind the loop sees, and cannot fail.
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
	f.behind(v, keys, before, after)
	f.set(e.cont, number{v: f.truth(false)})
	out = out.without(e.brk)
	return flow{true, out.jumps}
}

// begin gives a loop the first values of what it carries, and returns these as trees.
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

// next makes the variables, as they are after a round, what the body yields.
func (f *frame) next(v *ir.Value, keys []any, after map[any]tree) {
	params := v.Head().Params
	for _, key := range keys {
		t := after[key]
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

// behind sets the variables that a loop has carried to its results.
func (f *frame) behind(v *ir.Value, keys []any, before []tree, after map[any]tree) {
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

// leavers returns the flags of jumps in a loop that leave it; that of return is the first.
func (f *frame) leavers(n ast.Node, own *exit) (flags []*flag) {
	returns, breaks, labels := false, false, map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			returns = true
		case *ast.BranchStmt:
			if n.Label != nil {
				labels[n.Label.Name] = true
			} else if n.Tok == token.BREAK {
				breaks = true
			}
		}
		return true
	})
	if returns {
		flags = append(flags, f.ret)
	}
	for _, e := range f.exits {
		if e == own && breaks || labels[e.label] {
			flags = append(flags, e.brk)
			if e.cont != nil && e != own {
				flags = append(flags, e.cont)
			}
		}
	}
	return flags
}

// assigned returns the variables, of those that there are, that a statement may set.
func (f *frame) assigned(n ast.Node) (keys []any) {
	found := map[any]bool{}
	add := func(key any) {
		t, ok := f.vars[key]
		if _, isMember := t.(member); ok && !isMember { // whose methods change nothing
			found[key] = true
		}
	}
	f.targets(n, add)
	f.behindNames(n, add, map[*ast.FuncLit]bool{})
	for _, key := range f.sorted(f.vars) {
		if found[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// behindNames adds the accumulators that variables of a statement point to, and what functions that variables are may set.
func (f *frame) behindNames(n ast.Node, add func(key any), seen map[*ast.FuncLit]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := f.pkg.TypesInfo.Uses[id].(*types.Var)
		if !ok {
			return true
		}
		t, ok := f.vars[v]
		if _, isFunc := v.Type().Underlying().(*types.Signature); !ok && isFunc && f.site != nil {
			t, _ = f.helper(v)
		}
		switch t := t.(type) {
		case accumulator:
			add(t)
		case *reference:
			if t.key != nil {
				add(t.key)
			}
		case *function:
			if t.lit != nil && !seen[t.lit] {
				seen[t.lit] = true
				g := &frame{lowering: f.lowering, pkg: t.pkg, types: t.types}
				g.targets(t.lit.Body, add)
				g.behindNames(t.lit.Body, add, seen)
			}
		}
		return true
	})
}

// targets adds the variables that statements assign to, wholly or in part, or give to a method that may.
func (f *frame) targets(n ast.Node, add func(key any)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				f.root(x, add)
			}
		case *ast.IncDecStmt:
			f.root(n.X, add)
		case *ast.CallExpr:
			if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				if sel := f.pkg.TypesInfo.Selections[s]; sel != nil && sel.Kind() == types.MethodVal {
					if o, ok := sel.Obj().(*types.Func); ok {
						if _, ok := o.Signature().Recv().Type().(*types.Pointer); ok {
							f.root(s.X, add)
						}
					}
				}
			}
		case *ast.RangeStmt:
			f.root(n.Key, add)
			f.root(n.Value, add)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				f.root(n.X, add)
			}
		}
		return true
	})
}

// root adds the variable that an expression is, or is a part of.
func (f *frame) root(x ast.Expr, add func(key any)) {
	switch x := x.(type) {
	case *ast.Ident:
		if v, ok := f.pkg.TypesInfo.ObjectOf(x).(*types.Var); ok {
			add(v)
		}
	case *ast.ParenExpr:
		f.root(x.X, add)
	case *ast.StarExpr:
		f.root(x.X, add)
	case *ast.SelectorExpr:
		f.root(x.X, add)
	case *ast.IndexExpr:
		if _, isSlice := f.typeOf(x.X).Underlying().(*types.Slice); !isSlice {
			f.root(x.X, add)
		}
	}
}
