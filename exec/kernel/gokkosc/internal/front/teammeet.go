package front

import (
	"go/ast"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// What the members of a team compute together, and the vector lanes of one: values that a reducer of package builtin joins.

// allReduce lowers team.AllReduce.
func (f *frame) allReduce(x *ast.CallExpr) tree {
	f.ofGroup(x.Args[0])
	y := f.numberOf(f.expr(x.Args[1]), x.Args[1])
	name, _ := f.joint(x.Args[2], f.typeOf(x))
	if y.product.IsValid() && name == ir.Add.String() {
		f.noRounding(y.product)
	}
	f.at = x.Pos()
	v := f.emit(ir.Gather, y.v.Type, y.v)
	v.Func = name
	return number{v: v}
}

// vote lowers whether all members say yes, or any of them.
func (f *frame) vote(name string, x *ast.CallExpr) (t tree, ok bool) {
	join := map[string]ir.Op{"All": ir.And, "Any": ir.Or}[name]
	if join == ir.Invalid {
		return nil, false
	}
	f.ofGroup(x.Args[0])
	y := f.truthOf(x.Args[1])
	f.at = x.Pos()
	v := f.emit(ir.Gather, ir.Bool, y)
	v.Func = join.String()
	return number{v: v}, true
}

// broadcast lowers team.Broadcast of a number from the member with a rank.
func (f *frame) broadcast(x *ast.CallExpr) tree {
	f.ofGroup(x.Args[0])
	if len(x.Args) != 3 || x.Ellipsis.IsValid() {
		f.refuse(x.Pos(), "give it a rank", "a kernel has a Broadcast from a member that is not given by its rank")
	}
	y, rank := f.expr(x.Args[1]), f.numberOf(f.expr(x.Args[2]), x.Args[2]).v
	f.at = x.Pos()
	f.emit(ir.Check, ir.None, rank, f.teamSize())
	return f.passed(y, rank)
}

// passed returns what the member with a rank has.
func (f *frame) passed(t tree, rank *ir.Value) tree {
	var out []*ir.Value
	for _, v := range leaves(t) {
		out = append(out, f.emit(ir.Pass, v.Type, v, rank))
	}
	return with(unmarked(t), &out)
}

// broadcastFunc lowers team.BroadcastFunc: the member with the rank calls the functor.
func (f *frame) broadcastFunc(x *ast.CallExpr) tree {
	f.ofGroup(x.Args[0])
	if len(x.Args) != 4 || x.Ellipsis.IsValid() {
		f.refuse(x.Pos(), "give it a rank", "a kernel has a BroadcastFunc from a member that is not given by its rank")
	}
	lit := f.functionOf(x.Args[1])
	if set := f.assigned(lit.lit); len(set) > 0 {
		f.refuse(lit.lit.Pos(), "set what it gets", "the functor of a BroadcastFunc sets %s", f.subject(set[0]))
	}
	y, rank := f.expr(x.Args[2]), f.numberOf(f.expr(x.Args[3]), x.Args[3]).v
	f.at = x.Pos()
	f.emit(ir.Check, ir.None, rank, f.teamSize())
	key := &flag{"broadcast"}
	f.set(key, f.copied(y))
	own := []tree{&reference{f.variable(key, x), key}}
	f.branch(f.emit(ir.Eq, ir.Bool, f.rank(), rank), func() { f.callWith(x, lit, own) }, func() {})
	f.at = x.Pos()
	out := f.passed(f.vars[key], rank)
	f.forget(key)
	return out
}

// singleValue lowers team.SingleValue.
func (f *frame) singleValue(x *ast.CallExpr) tree {
	f.ofGroup(x.Args[0])
	lit := f.functionOf(x.Args[1])
	if set := f.assigned(lit.lit); len(set) > 0 {
		f.refuse(lit.lit.Pos(), "return it", "the functor of a SingleValue sets %s", f.subject(set[0]))
	}
	key := &flag{"single"}
	f.set(key, f.zero(f.typeOf(x), x.Pos()))
	f.branch(f.emit(ir.Eq, ir.Bool, f.rank(), f.integer(0)), func() { f.set(key, f.callWith(x, lit, nil)) }, func() {})
	f.at = x.Pos()
	out := f.passed(f.vars[key], f.integer(0))
	f.forget(key)
	return out
}
