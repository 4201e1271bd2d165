package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// Changes are the memories that values store to.
type changes struct {
	k    *ir.Kernel
	mems map[int]bool
	all  bool // nothing is moved from one side of an atomic operation or a meeting to the other
}

// changesOf returns the memories that values, and the values in their blocks, store to.
func changesOf(k *ir.Kernel, values ...*ir.Value) changes {
	c := changes{k: k, mems: map[int]bool{}}
	(&ir.Block{Values: values}).Walk(func(v *ir.Value) {
		if v.Op == ir.Store {
			c.mems[v.Index] = true
		}
		c.all = c.all || v.Orders()
	})
	return c
}

// of reports whether elements of a memory may change.
func (c changes) of(mem int) bool {
	for m := range c.mems {
		if mayMeet(c.k, m, mem) {
			return true
		}
	}
	return c.all
}

// mayMeet reports whether an element of one memory may be one of another.
func mayMeet(k *ir.Kernel, a, b int) bool {
	return a == b || k.Mems[a].Elem.Value() == k.Mems[b].Elem.Value() && !k.AreApart(a, b)
}

// stored returns the types of the elements that a value and the values in its blocks store. An atomic operation counts
// as a store of all types, as no value moves from one side of it to the other.
func stored(v *ir.Value) (types [ir.Bool + 1]bool) {
	note := func(v *ir.Value) {
		if v.Op == ir.Store {
			types[v.Args[1].Type] = true
		}
		for t := range types {
			types[t] = types[t] || v.Orders()
		}
	}
	note(v)
	for _, b := range v.Blocks {
		b.Walk(note)
	}
	return types
}
