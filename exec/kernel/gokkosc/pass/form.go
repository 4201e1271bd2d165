package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"

// A form is a value as base + step*x, for some x. Base and step do not depend on x.
type form struct{ base, step *ir.Value }

// A former writes values of type i64 as forms, and puts what it has to compute for that somewhere.
type former struct {
	k     *ir.Kernel
	x     *ir.Value              // step 1 of itself
	fixed func(v *ir.Value) bool // does not depend on x, and can be used where the forms are
	put   func(v *ir.Value)      // places a new value
}

// of returns a value as a form, if it is linear in x.
func (f *former) of(v *ir.Value) (form, bool) {
	switch {
	case v == f.x:
		return form{f.number(0), f.number(1)}, true
	case v.Op == ir.Const || f.fixed(v):
		return form{v, f.number(0)}, true
	case v.Type != ir.I64:
		return form{}, false
	}
	switch v.Op {
	case ir.Neg:
		a, ok := f.of(v.Args[0])
		return form{f.op(ir.Neg, a.base), f.op(ir.Neg, a.step)}, ok
	case ir.Add, ir.Sub:
		a, ok := f.of(v.Args[0])
		b, also := f.of(v.Args[1])
		if !ok || !also {
			return form{}, false
		}
		return form{f.op(v.Op, a.base, b.base), f.op(v.Op, a.step, b.step)}, true
	case ir.Mul:
		a, ok := f.of(v.Args[0])
		b, also := f.of(v.Args[1])
		if !ok || !also {
			return form{}, false
		}
		if !isConst(b.step, 0) {
			a, b = b, a
		}
		if !isConst(b.step, 0) {
			return form{}, false
		}
		return form{f.op(ir.Mul, a.base, b.base), f.op(ir.Mul, a.step, b.base)}, true
	case ir.Shl:
		a, ok := f.of(v.Args[0])
		if c := v.Args[1]; ok && c.Op == ir.Const && c.Bits < 63 {
			n := f.number(1 << c.Bits)
			return form{f.op(ir.Mul, a.base, n), f.op(ir.Mul, a.step, n)}, true
		}
	}
	return form{}, false
}

func (f *former) number(n uint64) *ir.Value { return constant(f.k, ir.I64, n) }

// op computes x op y, or what it is equal to.
func (f *former) op(op ir.Op, args ...*ir.Value) *ir.Value {
	for _, a := range args {
		if a == nil {
			return nil
		}
	}
	v := f.k.NewValue(op, ir.I64, args...)
	if x := (&simplify{k: f.k, to: replacement{}}).same(v); x != nil {
		return x
	}
	f.put(v)
	return v
}
