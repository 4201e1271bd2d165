package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// An access is an index and the limit below which it is.
type access struct{ index, limit *ir.Value }

// accesses are the accesses of a kernel that were checked before.
type accesses struct {
	k       *ir.Kernel
	checked map[access]bool
}

func accessesOf(k *ir.Kernel) accesses { return accesses{k, map[access]bool{}} }

// ask notes a check, and appends it to a list of new checks.
func (c accesses) ask(list []access, v *ir.Value) []access {
	if v.Op != ir.Check || c.checked[access{v.Args[0], v.Args[1]}] {
		return list
	}
	a := access{v.Args[0], v.Args[1]}
	c.checked[a] = true
	return append(list, a)
}

func (c accesses) forget(list []access) {
	for _, a := range list {
		delete(c.checked, a)
	}
}

// inRange reports whether the index of a load was checked against the length of its memory. A number in a
// struct is in range if the index of the struct is. inRange returns that check.
func (c accesses) inRange(load *ir.Value) (a access, ok bool) {
	m, index := c.k.Mems[load.Index], load.Args[0]
	if m.IsFlat() {
		if index = structOf(c.k, index, m.Path[len(m.Path)-1].N); index == nil {
			return a, false
		}
		m.Path = m.Path[:len(m.Path)-1]
	}
	for a = range c.checked {
		if a.index != index {
			continue
		}
		if m.Table != nil && a.limit.Op == ir.Const && a.limit.Bits <= uint64(len(m.Table)) {
			return a, true
		}
		if a.limit.Op != ir.Uniform {
			continue
		}
		if c.k.Scalars[a.limit.Index].IsLengthOf(m) {
			return a, true
		}
	}
	return a, false
}

func (c accesses) isInRange(load *ir.Value) bool {
	_, ok := c.inRange(load)
	return ok
}

// structOf returns the index of the struct that a number is in, of n numbers each, or nil if it is not known.
func structOf(k *ir.Kernel, index *ir.Value, n int) *ir.Value {
	within := func(part uint64) bool { return n > 0 && part < uint64(n) }
	switch {
	case n == 1:
		return index
	case index.Op == ir.Const && n > 1:
		return constant(k, ir.I64, index.Bits/uint64(n))
	case index.Op == ir.Add && index.Args[1].Op == ir.Const && within(index.Args[1].Bits):
		index = index.Args[0]
	}
	switch {
	case index.Op == ir.Mul && isConst(index.Args[1], int64(n)):
		return index.Args[0]
	case index.Op == ir.Shl && index.Args[1].Op == ir.Const && index.Args[1].Bits < 63 && 1<<index.Args[1].Bits == n:
		return index.Args[0]
	}
	return nil
}
