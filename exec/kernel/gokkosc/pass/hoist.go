package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"

// Hoist computes before a loop what is the same in each of its rounds, and in the setup what is
// the same for all items. What an item loads is left to the item. A check that moves up may stop an
// item whose loop has no rounds.
func Hoist(k *ir.Kernel) {
	h := &hoist{outer: map[*ir.Value]bool{}}
	for _, v := range k.Setup.Values {
		h.outer[v] = true
	}
	h.loops(k.Body)
	h.setup(k)
}

type hoist struct{ outer map[*ir.Value]bool }

// loops moves values out of the loops in a block, inner loops first.
func (h *hoist) loops(b *ir.Block) {
	var out []*ir.Value
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			h.loops(inner)
		}
		if v.Op == ir.Loop {
			out = append(out, invariants(v)...)
		}
		out = append(out, v)
	}
	b.Values = out
}

// invariants takes out of a loop what is the same in each of its rounds. Only what each round
// does is moved, and pure values out of branches.
func invariants(loop *ir.Value) (moved []*ir.Value) {
	varies := map[*ir.Value]bool{}
	for _, p := range loop.Head().Params {
		varies[p] = true
	}
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) {
			varies[v] = true
			for _, inner := range v.Blocks {
				for _, p := range inner.Params {
					varies[p] = true
				}
			}
		})
	}
	types := stored(loop)
	var take func(b *ir.Block, always bool)
	take = func(b *ir.Block, always bool) {
		var stay []*ir.Value
		for _, v := range b.Values {
			for _, inner := range v.Blocks {
				take(inner, false)
			}
			if movable(v, always, types) && !anyOf(v.Args, varies) {
				delete(varies, v)
				moved = append(moved, v)
				continue
			}
			stay = append(stay, v)
		}
		b.Values = stay
	}
	for _, b := range loop.Blocks {
		take(b, true)
	}
	return moved
}

func movable(v *ir.Value, always bool, stored [ir.Bool + 1]bool) bool {
	switch {
	case v.Op.Pure():
		return true
	case v.Op == ir.Check:
		return always
	case v.Op == ir.Load:
		return always && !stored[v.Type]
	}
	return false
}

func anyOf(values []*ir.Value, set map[*ir.Value]bool) bool {
	for _, v := range values {
		if set[v] {
			return true
		}
	}
	return false
}

// setup moves pure values that are the same for all items.
func (h *hoist) setup(k *ir.Kernel) {
	var take func(b *ir.Block)
	take = func(b *ir.Block) {
		var stay []*ir.Value
		for _, v := range b.Values {
			for _, inner := range v.Blocks {
				take(inner)
			}
			if v.Op.Pure() && v.Op != ir.Item && h.known(v.Args) {
				h.outer[v] = true
				k.Setup.Values = append(k.Setup.Values, v)
				continue
			}
			stay = append(stay, v)
		}
		b.Values = stay
	}
	take(k.Body)
}

func (h *hoist) known(values []*ir.Value) bool {
	for _, v := range values {
		if !h.outer[v] {
			return false
		}
	}
	return true
}
