package front

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

func (f *frame) builtin(name string, x *ast.CallExpr, alone bool) tree {
	switch name {
	case "len", "cap":
		switch t := f.expr(x.Args[0]).(type) {
		case *slice, *lazySlice:
			s := f.sliceOf(t, x.Args[0])
			if name == "cap" {
				return number{v: s.cap}
			}
			return number{v: s.len}
		case bad:
			f.refuse(x.Args[0].Pos(), t.help, "a kernel cannot have %s", t.reason)
		}
	case "min", "max":
		op := ir.Min
		if name == "max" {
			op = ir.Max
		}
		out := f.numberOf(f.expr(x.Args[0]), x.Args[0])
		_, unsigned, _ := numberType(f.typeOf(x))
		for _, a := range x.Args[1:] {
			y := f.numberOf(f.expr(a), a)
			f.at = x.Pos()
			out = number{v: f.emit(op, out.v.Type, out.v, y.v)}
			out.v.Unsigned = unsigned
		}
		return out
	case "panic":
		f.at = x.Pos()
		f.emit(ir.Check, ir.None, f.integer(0), f.integer(0)) // the closure panics
		return &parts{}
	case "new":
		key := &flag{"variable"}
		f.set(key, f.zero(f.pkg.TypesInfo.TypeOf(x.Args[0]), x.Pos()))
		return &reference{f.variable(key, x), key}
	case "complex", "real", "imag":
		return f.complexBuiltin(name, x)
	case "copy", "clear":
		return f.builtinStore(name, x, alone)
	case "make":
		return f.makeSlice(x)
	case "append":
		f.refuse(x.Pos(), "pass memory as a parameter", "a kernel cannot allocate")
	}
	f.refuse(x.Pos(), instead[name], "a kernel cannot call %s", name)
	return nil
}

// instead says what takes the place of functions of Go.
var instead = map[string]string{
	"copy":    "write a loop that assigns the elements",
	"clear":   "write a loop that assigns zeros",
	"print":   "store the value, and print it behind the launch",
	"println": "store the value, and print it behind the launch",
	"delete":  "store the key, and delete it behind the launch",
	"close":   "close it behind the launch",
	"recover": "find the panic in the error of the launch",
}

// sizeOf lowers unsafe.Sizeof, which is no constant where the type is a parameter.
func (f *frame) sizeOf(x *ast.CallExpr) tree {
	t := f.typeOf(x.Args[0])
	if _, _, ok := numberType(t); !ok {
		f.refuse(x.Pos(), numberTypes, "a kernel cannot ask for the size of %s", f.typeString(t))
	}
	return f.constantOf(constant.MakeInt64(f.pkg.TypesSizes.Sizeof(t)), types.Typ[types.Uintptr], x)
}

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

// elements returns the slice that an expression is, and refuses one of several memories.
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

// sameMemory reports whether two slices share one memory. Slices of different memories do not overlap if
// items run.
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

// start returns where a slice begins in its memory.
func (f *frame) start(s *slice) *ir.Value {
	if s.flat == nil {
		return f.element1(s, f.integer(0))
	}
	return f.offset(s, f.integer(0))
}

// eachElement lowers a loop over n numbers from 0 on, or back to 0.
func (f *frame) eachElement(n *ir.Value, back bool, do func(k *ir.Value)) {
	f.counting(loop{node: &ast.BlockStmt{}}, "k", f.integer(0), n, f.byOne, false, func(k *ir.Value) flow {
		if back {
			k = f.emit(ir.Sub, ir.I64, f.emit(ir.Sub, ir.I64, n, f.integer(1)), k)
		}
		do(k)
		return onward
	})
}
