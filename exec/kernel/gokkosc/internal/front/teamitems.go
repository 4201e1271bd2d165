package front

import (
	"go/ast"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// rangeItems lowers a range statement over the items of a range.
func (f *frame) rangeItems(s *ast.RangeStmt, r *teamRange, label string) flow {
	return f.items(r, s, label, func(j tree) flow {
		f.rangeVars(s, func() tree { return j }, nil)
		return f.stmts(s.Body.List)
	})
}

// forItems lowers team.For.
func (f *frame) forItems(x *ast.CallExpr) {
	r, lit := f.ranged(x.Args[0]), f.functionOf(x.Args[1])
	f.items(r, x, "", func(j tree) flow {
		f.callWith(x, lit, []tree{j})
		return onward
	})
}

// items lowers a loop over the items of a range that the member takes. If the loop sets no variable of the member, and
// nothing leaves it, it is an Each.
func (f *frame) items(r *teamRange, node ast.Node, label string, body func(j tree) flow) flow {
	if r.level == ir.OverVector {
		return f.strided(node, node, label, f.integer(0), r.n, f.integer(1), func(j *ir.Value) flow { return body(f.itemOf(r, j)) })
	}
	e := &exit{label: label, brk: f.newFlag("broken"), cont: f.newFlag("continued")}
	f.exits = append(f.exits, e)
	leavers := f.leavers(node, e)
	f.exits = f.exits[:len(f.exits)-1]
	if _, isCall := node.(*ast.CallExpr); isCall { // jumps stay in the functor
		leavers = nil
	}
	rank := r.first
	if rank == nil {
		if len(f.assigned(node))+len(leavers) == 0 {
			return f.eachItem(r, e, body)
		}
		rank = f.rank()
	}
	size := f.teamSize()
	if r.level == ir.OverThreads {
		return f.strided(node, node, label, rank, r.n, size, func(j *ir.Value) flow { return body(f.itemOf(r, j)) })
	}
	if len(leavers) > 0 {
		f.refuse(node.Pos(), "put the condition into the loop", "a loop over a TeamVectorRange is left early")
	}
	lanes := f.ofTeam(ir.VectorLength...)
	stride := f.emit(ir.Mul, ir.I64, size, lanes)
	return f.strided(node, node, "", f.emit(ir.Mul, ir.I64, rank, lanes), r.n, stride, func(b *ir.Value) flow {
		end := f.emit(ir.Min, ir.I64, r.n, f.emit(ir.Add, ir.I64, b, lanes))
		return f.strided(node, node, label, b, end, f.integer(1), func(j *ir.Value) flow { return body(f.itemOf(r, j)) })
	})
}

// eachItem lowers the items of a range whose members share nothing but memory.
func (f *frame) eachItem(r *teamRange, e *exit, body func(j tree) flow) flow {
	v := f.k.NewValue(ir.Each, ir.None, r.n)
	v.Pos, v.Index, v.Blocks = f.here(f.at), int(r.level), []*ir.Block{{}}
	j := f.k.NewValue(ir.Arg, ir.I64)
	v.Blocks[0].Params = []*ir.Value{j}
	f.looping++
	f.exits = append(f.exits, e)
	f.in(v.Blocks[0], func() {
		f.set(e.cont, number{v: f.truth(false)})
		body(f.itemOf(r, j))
	})
	f.exits = f.exits[:len(f.exits)-1]
	f.looping--
	f.cur.Values = append(f.cur.Values, v)
	return onward
}

// strided lowers a loop over from, from+step, ... below to.
func (f *frame) strided(node, rest ast.Node, label string, from, to, step *ir.Value, body func(j *ir.Value) flow) flow {
	count := &flag{"j"}
	f.set(count, number{v: from})
	return f.loop(loop{
		label:    label,
		node:     node,
		rest:     rest,
		carried:  []any{count},
		cond:     func() *ir.Value { return f.emit(ir.Lt, ir.Bool, f.value(count), to) },
		body:     func() flow { return body(f.value(count)) },
		post:     func() { f.set(count, number{v: f.emit(ir.Add, ir.I64, f.value(count), step)}) },
		postSafe: true,
	})
}
