package pass

import (
	"fmt"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A Form is a value as Base + Step*x, for some x. Base and Step do not depend on x.
type Form struct{ Base, Step *ir.Value }

// A Former writes values of type i64 as forms. Each sum and product is computed once.
type Former struct {
	Kernel *ir.Kernel
	X      *ir.Value              // the value that the forms are linear in
	Fixed  func(v *ir.Value) bool // does not depend on X, and can be used where the forms are
	Put    func(v *ir.Value)      // places a new value
	made   map[string]*ir.Value
}

// Of returns a value as a form, if it is linear in x.
func (f *Former) Of(v *ir.Value) (Form, bool) {
	switch {
	case v == f.X:
		return Form{f.number(0), f.number(1)}, true
	case v.Op == ir.Const || f.Fixed(v):
		return Form{v, f.number(0)}, true
	case v.Type != ir.I64:
		return Form{}, false
	}
	switch v.Op {
	case ir.Neg:
		if a, ok := f.Of(v.Args[0]); ok {
			return Form{f.op(ir.Neg, a.Base), f.op(ir.Neg, a.Step)}, true
		}
	case ir.Add, ir.Sub:
		a, ok := f.Of(v.Args[0])
		if b, also := f.Of(v.Args[1]); ok && also {
			return Form{f.op(v.Op, a.Base, b.Base), f.op(v.Op, a.Step, b.Step)}, true
		}
	case ir.Mul:
		return f.product(v)
	case ir.Shl:
		if a, ok := f.Of(v.Args[0]); ok && v.Args[1].Op == ir.Const && v.Args[1].Bits < 63 {
			n := f.number(1 << v.Args[1].Bits)
			return Form{f.op(ir.Mul, a.Base, n), f.op(ir.Mul, a.Step, n)}, true
		}
	}
	return Form{}, false
}

func (f *Former) product(v *ir.Value) (Form, bool) {
	a, ok := f.Of(v.Args[0])
	b, also := f.Of(v.Args[1])
	if !ok || !also {
		return Form{}, false
	}
	if !isConst(b.Step, 0) {
		a, b = b, a
	}
	if !isConst(b.Step, 0) {
		return Form{}, false
	}
	return Form{f.op(ir.Mul, a.Base, b.Base), f.op(ir.Mul, a.Step, b.Base)}, true
}

func (f *Former) number(n uint64) *ir.Value { return constant(f.Kernel, ir.I64, n) }

// op computes x op y, or returns an equal value.
func (f *Former) op(op ir.Op, args ...*ir.Value) *ir.Value {
	v := f.Kernel.NewValue(op, ir.I64, args...)
	if x := (&simplify{k: f.Kernel, to: replacement{}}).same(v); x != nil {
		return x
	}
	key := fmt.Sprint(v.Op)
	for _, a := range v.Args {
		key += fmt.Sprint(" ", a.ID)
	}
	if x := f.made[key]; x != nil {
		return x
	}
	if f.made == nil {
		f.made = map[string]*ir.Value{}
	}
	f.made[key] = v
	f.Put(v)
	return v
}
