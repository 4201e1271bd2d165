package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// joints are the reducers that nested patterns may have.
var joints = map[string]ir.Op{
	"Sum": ir.Add, "Prod": ir.Mul, "Min": ir.Min, "Max": ir.Max, "BAnd": ir.And, "BOr": ir.Or, "BXor": ir.Xor, "LAnd": ir.And, "LOr": ir.Or,
}

// joint returns how a reducer joins numbers of a type, and its identity. The expression names its
// constructor.
func (f *frame) joint(x ast.Expr, t types.Type) (name string, identity *ir.Value) {
	const help = "use builtin.Sum, Prod, Min, Max, BAnd, BOr, BXor, LAnd or LOr of numbers"
	fun := ast.Unparen(x)
	switch i := fun.(type) {
	case *ast.IndexExpr:
		fun = i.X
	case *ast.IndexListExpr:
		fun = i.X
	}
	var id *ast.Ident
	switch fn := fun.(type) {
	case *ast.Ident:
		id = fn
	case *ast.SelectorExpr:
		id = fn.Sel
	}
	var o *types.Func
	if id != nil {
		o, _ = f.pkg.TypesInfo.ObjectOf(id).(*types.Func)
	}
	typ, unsigned, ok := numberType(t)
	if o == nil || o.Pkg() == nil || o.Pkg().Path() != builtinPath || joints[o.Name()] == ir.Invalid || !ok || narrowType(t) != ir.None {
		f.refuse(x.Pos(), help, "a nested pattern has another reducer, or values of type %s", f.typeString(t))
	}
	j := ir.Joint{Op: joints[o.Name()]}
	switch j.Op {
	case ir.Min, ir.Max:
		j.Unsigned = unsigned
		return j.String(), f.limit(t, j.Op == ir.Max)
	case ir.Mul:
		return j.String(), f.one(typ)
	case ir.And:
		if typ == ir.Bool {
			return j.String(), f.truth(true)
		}
		return j.String(), f.constant(typ, map[ir.Type]uint64{ir.I64: 1<<64 - 1, ir.I32: 1<<32 - 1}[typ])
	}
	return j.String(), f.constant(typ, 0)
}

// nestedReduce lowers team.Reduce and its forms with more reducers.
func (f *frame) nestedReduce(x *ast.CallExpr) {
	r, lit := f.ranged(x.Args[0]), f.functionOf(x.Args[1])
	sig := lit.pkg.TypesInfo.TypeOf(lit.lit).(*types.Signature)
	if len(x.Args)-2 != sig.Params().Len()-1 {
		f.refuse(x.Pos(), "", "a nested reduction has reducers of parts of an accumulator")
	}
	var of []types.Type
	for n := range x.Args[2:] {
		of = append(of, f.subst(sig.Params().At(n+1).Type().Underlying().(*types.Pointer).Elem()))
	}
	if set := f.assigned(lit.lit); len(set) > 0 {
		f.refuse(lit.lit.Pos(), "join it into an accumulator", "the functor of a nested reduction sets %s", f.subject(set[0]))
	}
	f.folded(x, r, of, func(j tree, accs []tree) { f.callWith(x, lit, append([]tree{j}, accs...)) })
}

// folded lowers a reduction of a range, with reducers of values of some types. The function lowers an item,
// given pointers to its accumulators.
func (f *frame) folded(x *ast.CallExpr, r *teamRange, types []types.Type, item func(j tree, accs []tree)) {
	reducers := x.Args[2:]
	v := f.k.NewValue(ir.Fold, ir.None, r.n)
	v.Pos, v.Index, v.Blocks = f.here(f.at), int(r.level), []*ir.Block{{}}
	j := f.k.NewValue(ir.Arg, ir.I64)
	v.Blocks[0].Params = []*ir.Value{j}
	var names []string
	var places []*place
	var accs []*flag
	for n, red := range reducers {
		call, ok := ast.Unparen(red).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			f.refuse(red.Pos(), "give it builtin.Sum(&x) or the like", "a nested reduction has a reducer from elsewhere")
		}
		name, identity := f.joint(call.Fun, types[n])
		to := f.expr(call.Args[0])
		if _, isElement := to.(address); isElement && len(reducers) > 1 {
			f.refuse(red.Pos(), "use variables", "several results of a nested reduction are elements of memory")
		}
		names, v.Args = append(names, name), append(v.Args, identity)
		places = append(places, f.behindPointer(&place{load: func() tree { return to }}))
		p := f.k.NewValue(ir.Arg, identity.Type)
		p.Index, p.Name = n+1, "acc"
		v.Blocks[0].Params = append(v.Blocks[0].Params, p)
		accs = append(accs, &flag{"acc"})
	}
	v.Func = strings.Join(names, ",")
	f.looping++
	f.in(v.Blocks[0], func() {
		var pointers []tree
		for n, key := range accs {
			f.set(key, number{v: v.Blocks[0].Params[n+1]})
			pointers = append(pointers, &reference{f.variable(key, x), key})
		}
		item(f.itemOf(r, j), pointers)
		for n, key := range accs {
			y := f.vars[key].(number)
			f.noProductCarried(v.Blocks[0].Params[n+1], y)
			v.Blocks[0].Yield = append(v.Blocks[0].Yield, y.v)
		}
	})
	f.looping--
	f.cur.Values = append(f.cur.Values, v)
	for n, p := range places {
		out := f.emit(ir.Result, v.Args[n+1].Type, v)
		out.Index = n
		p.store(number{v: out})
	}
}

// Functors of nested patterns that own their loop.

// shares lowers team.Shares: a range with an item for each member that has items.
func (f *frame) shares(x *ast.CallExpr) tree {
	r := f.ranged(x.Args[0])
	if r.first != nil {
		f.refuse(x.Pos(), "", "a kernel has a share of a share")
	}
	f.at = x.Pos()
	s := &teamRange{level: r.level, typ: f.typeOf(x), whole: r}
	switch r.level {
	case ir.OverVector: // one member runs all items
		s.n = f.emit(ir.Min, ir.I64, r.n, f.integer(1))
	case ir.OverThreads:
		s.n = f.emit(ir.Min, ir.I64, r.n, f.teamSize())
	default:
		lanes := f.ofTeam(ir.VectorLength...)
		up := f.emit(ir.Add, ir.I64, r.n, f.emit(ir.Sub, ir.I64, lanes, f.integer(1)))
		s.level, s.n = ir.OverThreads, f.emit(ir.Min, ir.I64, f.emit(ir.Div, ir.I64, up, lanes), f.teamSize())
	}
	s.lengths = []*ir.Value{s.n}
	return s
}

// reduceLanes lowers team.ReduceLanes. Its functor must end with a loop over the items and their
// accumulators. Statements before that loop run for each item.
func (f *frame) reduceLanes(x *ast.CallExpr) {
	r, fn := f.ranged(x.Args[0]), f.functionOf(x.Args[1])
	if r.first != nil || r.whole != nil || len(x.Args) != 3 {
		f.refuse(x.Pos(), "reduce a range with one reducer", "a kernel cannot have this ReduceLanes")
	}
	list := fn.lit.Body.List
	var loop *ast.RangeStmt
	if len(list) > 0 {
		loop, _ = list[len(list)-1].(*ast.RangeStmt)
	}
	if loop == nil || loop.Tok != token.DEFINE || !f.itemsOf(fn, loop.X) {
		f.refuse(fn.lit.Pos(), "end it with for j, acc := range l.Items()", "the functor of a ReduceLanes ends with no loop over its items")
	}
	f.loopAlone(fn, loop)
	param := fn.pkg.TypesInfo.TypeOf(fn.lit).(*types.Signature).Params().At(0)
	of := f.subst(types.Unalias(param.Type()).(*types.Named).TypeArgs().At(0))
	f.folded(x, r, []types.Type{of}, func(j tree, accs []tree) {
		g := &frame{lowering: f.lowering, pkg: fn.pkg, types: fn.types, mark: len(f.log)}
		g.returnsTo(types.NewSignatureType(nil, nil, nil, nil, nil, false))
		stores := f.stores
		g.stmts(list[:len(list)-1])
		if f.stores != stores {
			f.refuse(fn.lit.Pos(), "store in front of it", "the functor of a ReduceLanes stores in front of its loop")
		}
		for n, of := range []ast.Expr{loop.Key, loop.Value} {
			if id, ok := of.(*ast.Ident); ok && id.Name != "_" {
				g.set(g.pkg.TypesInfo.Defs[id].(*types.Var), append([]tree{j}, accs...)[n])
			}
		}
		e := &exit{brk: f.newFlag("broken"), cont: f.newFlag("continued")}
		g.exits = append(g.exits, e)
		g.set(e.cont, number{v: f.truth(false)})
		g.stmts(loop.Body.List)
		f.forgetNew(g.mark)
	})
}

// itemsOf reports whether an expression is the method Items of the functor's parameter.
func (f *frame) itemsOf(fn *function, x ast.Expr) bool {
	g := &frame{lowering: f.lowering, pkg: fn.pkg}
	method, _, ok := g.called(x, "Items")
	if !ok {
		return false
	}
	id, isName := ast.Unparen(method.X).(*ast.Ident)
	param := fn.pkg.TypesInfo.TypeOf(fn.lit).(*types.Signature).Params().At(0)
	return isName && fn.pkg.TypesInfo.Uses[id] == param
}

// loopAlone refuses loops of a functor that set variables from outside, or that are left early.
func (f *frame) loopAlone(fn *function, loop *ast.RangeStmt) {
	ast.Inspect(fn.lit.Body, func(n ast.Node) bool {
		branch, isBranch := n.(*ast.BranchStmt)
		_, returns := n.(*ast.ReturnStmt)
		if returns || isBranch && branch.Tok != token.CONTINUE {
			f.refuse(n.Pos(), "put the condition into the loop", "the loop of a ReduceLanes is left early")
		}
		return true
	})
	outside := func(x ast.Expr) bool {
		id, ok := ast.Unparen(x).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := fn.pkg.TypesInfo.Uses[id].(*types.Var)
		return ok && !(loop.Pos() <= v.Pos() && v.Pos() < loop.End())
	}
	ast.Inspect(fn.lit.Body, func(n ast.Node) bool {
		var set []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			set = n.Lhs
		case *ast.IncDecStmt:
			set = []ast.Expr{n.X}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				set = []ast.Expr{n.X}
			}
		}
		for _, x := range set {
			for {
				if inner, ok := ast.Unparen(x).(*ast.SelectorExpr); ok {
					x = inner.X
					continue
				}
				break
			}
			if outside(x) {
				f.refuse(n.Pos(), "use the accumulator", "the functor of a ReduceLanes sets a variable that its loop does not declare")
			}
		}
		return true
	})
}
