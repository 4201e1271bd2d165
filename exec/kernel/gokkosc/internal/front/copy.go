package front

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// builtinStore lowers copy and clear, as loops over elements.
func (f *frame) builtinStore(name string, x *ast.CallExpr, alone bool) tree {
	if !alone {
		f.refuse(x.Pos(), "call it in a statement of its own", "%s changes memory that the statement may load from", name)
	}
	dst := f.elements(x.Args[0])
	if name == "clear" {
		zero := f.zero(f.typeOf(x.Args[0]).Underlying().(*types.Slice).Elem(), x.Pos())
		f.eachElement(dst.len, false, func(k *ir.Value) { f.elementAt(dst, k, x).store(zero) })
		return &parts{}
	}
	src := f.elements(x.Args[1])
	f.at = x.Pos()
	n := f.emit(ir.Min, ir.I64, dst.len, src.len)
	move := func(back bool) {
		f.eachElement(n, back, func(k *ir.Value) { f.elementAt(dst, k, x).store(f.elementAt(src, k, x).load()) })
	}
	if !f.sameMemory(dst, src, x) {
		move(false)
		f.separate(dst, src)
		return number{v: n}
	}
	f.branch(f.emit(ir.Lt, ir.Bool, f.start(src), f.start(dst)), func() { move(true) }, func() { move(false) })
	return number{v: n}
}

// elements returns a slice of one memory.
func (f *frame) elements(x ast.Expr) *slice {
	s, ok := f.expr(x).(*slice)
	if !ok {
		s = f.sliceOf(f.expr(x), x)
	}
	if len(s.among) > 0 {
		f.refuse(x.Pos(), "write a loop", "a kernel cannot copy or clear one of several slices")
	}
	return s
}

func (f *frame) elementAt(s *slice, k *ir.Value, x *ast.CallExpr) *place {
	f.at = x.Pos()
	if s.flat != nil {
		return f.recordPlace(s, k, x.Pos())
	}
	return f.storable(s, k, x)
}

// sameMemory reports whether two slices are of one memory. Others do not overlap where items run.
func (f *frame) sameMemory(a, b *slice, x *ast.CallExpr) bool {
	same := a.flat == b.flat && a.mem == b.mem
	if (a.base != nil || b.base != nil) && (!same || a.flat != nil) {
		f.refuse(x.Pos(), "write a loop", "slices in memory may overlap here")
	}
	return same
}

// separate lets items run only if two slices do not overlap.
func (f *frame) separate(a, b *slice) {
	for _, p := range a.memories() {
		for _, q := range b.memories() {
			if f.k.Mems[p].Elem == f.k.Mems[q].Elem {
				f.k.Separate(p, q)
			}
		}
	}
}

// memories returns the memories of a slice: of one of structs those that the functor has touched.
func (s *slice) memories() []int {
	if s.flat == nil {
		return []int{s.mem}
	}
	return slices.Sorted(maps.Values(s.flat.mems))
}

// start returns where a slice begins in its memory.
func (f *frame) start(s *slice) *ir.Value {
	if s.flat == nil {
		return f.element1(s, f.integer(0))
	}
	return f.offset(s, f.integer(0))
}

// eachElement lowers a loop over n numbers from 0 on, or back to 0.
func (f *frame) eachElement(n *ir.Value, back bool, do func(k *ir.Value)) {
	count := &flag{"k"}
	f.set(count, number{v: f.integer(0)})
	f.loop(loop{
		node:    &ast.BlockStmt{},
		carried: []any{count},
		cond:    func() *ir.Value { return f.emit(ir.Lt, ir.Bool, f.value(count), n) },
		body: func() flow {
			k := f.value(count)
			if back {
				k = f.emit(ir.Sub, ir.I64, f.emit(ir.Sub, ir.I64, n, f.integer(1)), k)
			}
			do(k)
			return onward
		},
		post:     func() { f.set(count, number{v: f.emit(ir.Add, ir.I64, f.value(count), f.integer(1))}) },
		postSafe: true,
	})
}
