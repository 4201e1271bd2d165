package pass

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Hoist moves values that are the same in each round of a loop before it. It moves values that are the same
// for all items into the setup. Loads of an item stay in the item. A check that moves up may stop an item
// whose loop has no rounds. A check moves out of a branch if the loop stores, as a store before the check
// could not be undone. A panic stays in its branch: each item would stop.
func Hoist(k *ir.Kernel) { hoisted(k, true) }

// Invariants is Hoist that leaves checks where they are, so that no other item stops.
func Invariants(k *ir.Kernel) { hoisted(k, false) }

func hoisted(k *ir.Kernel, checks bool) {
	h := &hoist{accesses: accessesOf(k), checks: checks, outer: map[*ir.Value]bool{}, made: map[*ir.Value]sided{}}
	for _, v := range k.Setup.Values {
		h.outer[v] = true
	}
	h.loops(k.Body)
	h.setup(k)
}

type hoist struct {
	accesses      // in front of a value, in all cases
	checks   bool // move up as well
	outer    map[*ir.Value]bool
	made     map[*ir.Value]sided
}

// loops moves values out of the loops in a block, inner loops first.
func (h *hoist) loops(b *ir.Block) {
	var asked []access
	var out []*ir.Value
	for _, v := range b.Values {
		asked = h.ask(asked, v)
		for _, inner := range v.Blocks {
			h.loops(inner)
		}
		if v.Op == ir.Loop {
			out = append(out, h.invariants(v)...)
		}
		out = append(out, v)
	}
	b.Values = out
	h.forget(asked)
}

// invariants takes values out of a loop that are the same in each of its rounds. It moves values that each
// round computes. Out of branches it moves pure values, and checks if the loop stores. A load moves if its
// own index was checked by then. Checks that stay in the loop may make it safe, as in x[:j][0].
func (h *hoist) invariants(loop *ir.Value) (moved []*ir.Value) {
	varies := ir.Inside(loop.Blocks...)
	changes, lasting := changesOf(h.k, loop), lasts(h.k, loop)
	var asked []access
	var take func(b *ir.Block, always bool, g sided)
	take = func(b *ir.Block, always bool, g sided) {
		var stay []*ir.Value
		for _, v := range b.Values {
			for n, inner := range v.Blocks {
				within := sided{outer: &sided{}}
				if v.Op == ir.If && !varies[v.Args[0]] && (always || g.branch != nil) {
					within = sided{v, n, &g}
				}
				take(inner, n == 0 && b == loop.Head() && first(loop, v), within)
			}
			if h.movable(v, always, changes, lasting) && !anyOf(v.Args, varies) {
				delete(varies, v)
				if v.Op == ir.Check && !always && g.branch != nil {
					moved = h.guarded(moved, g, v)
					continue
				}
				moved = append(moved, v)
				asked = h.ask(asked, v)
				continue
			}
			stay = append(stay, v)
		}
		b.Values = stay
	}
	for _, b := range loop.Blocks {
		take(b, true, sided{outer: &sided{}})
	}
	h.forget(asked)
	return moved
}

// A sided is the side of a branch that is the same in each round, within another one.
type sided struct {
	branch *ir.Value // nil of no branch
	side   int
	outer  *sided
}

// guarded appends a check that is asked on the side of a branch only.
func (h *hoist) guarded(moved []*ir.Value, g sided, check *ir.Value) []*ir.Value {
	if last := len(moved) - 1; last >= 0 && h.made[moved[last]] == g {
		moved[last].Blocks[g.side].Values = append(moved[last].Blocks[g.side].Values, check)
		return moved
	}
	out := check
	for at := &g; at.branch != nil; at = at.outer {
		c := h.k.NewValue(ir.If, ir.None, at.branch.Args[0])
		c.Blocks, c.Pos = []*ir.Block{{}, {}}, at.branch.Pos
		c.Blocks[at.side].Values = []*ir.Value{out}
		out = c
	}
	if g.outer.branch == nil {
		h.made[out] = g
	}
	return append(moved, out)
}

// first reports whether a branch in the head of a loop is taken before the first round. Such a branch asks
// for a flag that is not set there.
func first(loop, v *ir.Value) bool {
	if v.Op != ir.If || v.Args[0].Op != ir.Not {
		return false
	}
	p := v.Args[0].Args[0]
	return p.Op == ir.Arg && p.Index < len(loop.Args) && loop.Head().Params[p.Index] == p && isBool(loop.Args[p.Index], false)
}

func (h *hoist) movable(v *ir.Value, always bool, changes changes, lasting bool) bool {
	switch {
	case v.Op == ir.Call: // a function such as math.Jn may take long, where a branch keeps it from that
		return always
	case v.Op.Pure():
		return true
	case v.Op == ir.Check:
		return h.checks && (always || lasting && !isPanic(v))
	case v.Op == ir.Load:
		return always && (h.k.Mems[v.Index].Table != nil || !changes.of(v.Index)) && h.isInRange(v)
	}
	return false
}

// isPanic reports whether a check stops each item that reaches it.
func isPanic(check *ir.Value) bool {
	return check.Args[0].Op == ir.Const && check.Args[1].Op == ir.Const
}

func anyOf(values []*ir.Value, set map[*ir.Value]bool) bool {
	for _, v := range values {
		if set[v] {
			return true
		}
	}
	return false
}

// setup moves pure values that are the same for all items into the setup. It moves loads from memories that
// no item stores to behind checks of their indices there. If such a check fails, no item runs.
func (h *hoist) setup(k *ir.Kernel) {
	changes := changesOf(k, k.Body.Values...)
	clear(h.checked)
	var take func(b *ir.Block)
	take = func(b *ir.Block) {
		var stay []*ir.Value
		for _, v := range b.Values {
			for _, inner := range v.Blocks {
				take(inner)
			}
			if h.checks && b == k.Body && v.Op == ir.Check && h.known(v.Args) {
				h.ask(nil, v)
			}
			may := v.Op.Pure() && v.Op != ir.Item && v.Op != ir.Member && v.Op != ir.Lane && (v.Op != ir.Call || b == k.Body)
			if v.Op == ir.Load && b == k.Body && h.known(v.Args) && !k.Mems[v.Index].Own && !changes.of(v.Index) {
				may = h.guard(v)
			}
			if may && h.known(v.Args) {
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

// guard puts the check of a load's index into the setup, if it was asked.
func (h *hoist) guard(load *ir.Value) bool {
	a, ok := h.inRange(load)
	if ok {
		check := h.k.NewValue(ir.Check, ir.None, a.index, a.limit)
		check.Pos = load.Pos
		h.k.Setup.Values = append(h.k.Setup.Values, check)
	}
	return ok
}

func (h *hoist) known(values []*ir.Value) bool {
	for _, v := range values {
		if !h.outer[v] {
			return false
		}
	}
	return true
}
