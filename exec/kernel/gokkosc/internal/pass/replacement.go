package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// A replacement says which values stand for others.
type replacement map[*ir.Value]*ir.Value

func (r replacement) get(v *ir.Value) *ir.Value {
	for r[v] != nil {
		v = r[v]
	}
	return v
}

// all replaces all arguments and yields of a kernel.
func (r replacement) all(k *ir.Kernel) {
	if len(r) == 0 {
		return
	}
	r.block(k.Setup)
	r.block(k.Body)
	for n := range k.Checks {
		c := &k.Checks[n]
		c.Base, c.Step, c.Limit = r.get(c.Base), r.get(c.Step), r.get(c.Limit)
		if c.When != nil {
			c.When = r.get(c.When)
		}
	}
}

func (r replacement) block(b *ir.Block) {
	b.Walk(func(v *ir.Value) {
		for n, a := range v.Args {
			v.Args[n] = r.get(a)
		}
		for _, inner := range v.Blocks {
			r.list(inner.Yield)
		}
	})
	r.list(b.Yield)
}

func (r replacement) list(values []*ir.Value) {
	for n, v := range values {
		values[n] = r.get(v)
	}
}

// constant returns a constant, which it puts into the setup if it is not there.
func constant(k *ir.Kernel, t ir.Type, bits uint64) *ir.Value {
	if t.Bytes() == 4 {
		bits = uint64(uint32(bits))
	}
	for _, v := range k.Setup.Values {
		if v.Op == ir.Const && v.Type == t && v.Bits == bits {
			return v
		}
	}
	v := k.NewValue(ir.Const, t)
	v.Bits = bits
	k.Setup.Values = append([]*ir.Value{v}, k.Setup.Values...)
	return v
}
