package pass

import (
	"maps"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Carry keeps an element of memory in a register while a loop runs. Of
//
//	for k := from; k < to; k++ {
//		y[i] += v[k] * x[column[k]]
//	}
//
// y[i] is loaded in front of the loop and stored behind it. The pass takes other memories of its type that
// the loop uses to be apart from y: the kernel asks so once for all items. An item that stores nothing in the
// loop stores nothing behind it. The element is asked to be in range in front of the loop, which may stop an
// item whose loop has no rounds.
func Carry(k *ir.Kernel) {
	c := &carry{k}
	c.block(k.Body, elements{})
}

type carry struct{ k *ir.Kernel }

// maxHead is the greatest number of operations of a loop's head that are repeated before the loop to find
// whether there is a round.
const maxHead = 4

// block carries elements through the loops of a block, inner loops first. The carrier knows which elements
// the item has touched, and which ones it owns because it has stored there.
func (c *carry) block(b *ir.Block, touched elements) {
	var out []*ir.Value
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			c.block(inner, maps.Clone(touched))
		}
		before, behind := []*ir.Value(nil), []*ir.Value(nil)
		if v.Op == ir.Loop {
			before, behind = c.loop(v, touched)
		}
		for _, x := range slices.Concat(before, []*ir.Value{v}, behind) {
			if x.Op == ir.Load || x.Op == ir.Store {
				e := element{x.Index, x.Args[0]}
				touched[e] = known{own: touched[e].own || x.Op == ir.Store}
			}
			out = append(out, x)
		}
	}
	b.Values = out
}

// loop carries elements through a loop, and returns the values that this puts in front of the loop and behind
// it.
func (c *carry) loop(loop *ir.Value, touched elements) (before, behind []*ir.Value) {
	own := ir.Inside(loop.Blocks...)
	var stores []*ir.Value
	loop.LoopBody().Walk(func(v *ir.Value) {
		if v.Op == ir.Store && !own[v.Args[0]] {
			stores = append(stores, v)
		}
	})
	done := map[element]bool{}
	for _, v := range stores {
		e := element{v.Index, v.Args[0]}
		if done[e] {
			continue
		}
		done[e] = true
		others, ok := c.alone(loop, e)
		t := &through{c: c, loop: loop, e: e, like: v}
		_, asked := touched[e]
		loads := asked && touched[e].own || t.loads()
		limit := c.limit(e.mem)
		if !ok || loads && !asked && limit == nil {
			continue
		}
		for _, mem := range others {
			c.k.Separate(e.mem, mem)
		}
		if loads && !asked {
			check := c.k.NewValue(ir.Check, ir.None, e.at, limit)
			check.Pos = v.Pos
			before = append(before, check)
		}
		behind = append(behind, t.carry(loads, touched[e].own)...)
		if loads {
			before = append(before, t.first)
		}
	}
	return before, behind
}

// alone reports whether an element can be carried through a loop, if some other memories are apart from its
// own. Nothing else in the loop may be the element, and no inner loop may store there.
func (c *carry) alone(loop *ir.Value, e element) (others []int, ok bool) {
	m := c.k.Mems[e.mem]
	if m.Far || m.Own && m.Local == 0 {
		return nil, false
	}
	t := m.Elem.Value()
	var all func(b *ir.Block, nested bool) bool
	all = func(b *ir.Block, nested bool) bool {
		for _, v := range b.Values {
			of := v.Type
			switch v.Op {
			case ir.Atomic:
				return false
			case ir.Store:
				of = v.Args[1].Type
				fallthrough
			case ir.Load:
				is := (element{v.Index, v.Args[0]}) == e
				switch {
				case of != t || is && (v.Op == ir.Load || !nested):
				case v.Index == e.mem && !apart(v.Args[0], e.at):
					return false
				case v.Index != e.mem && !c.k.AreApart(v.Index, e.mem):
					if c.k.Mems[v.Index].Far || c.k.Mems[v.Index].Own {
						return false
					}
					others = append(others, v.Index)
				}
			}
			for _, inner := range v.Blocks {
				if !all(inner, nested || v.Op == ir.Loop) {
					return false
				}
			}
		}
		return true
	}
	return others, all(loop.Head(), false) && all(loop.LoopBody(), false)
}

// limit returns the number of elements of a memory, or nil if that is not in the setup.
func (c *carry) limit(mem int) *ir.Value {
	m := c.k.Mems[mem]
	if m.Local > 0 {
		return constant(c.k, ir.I64, uint64(m.Local))
	}
	for _, v := range c.k.Setup.Values {
		if v.Op != ir.Uniform {
			continue
		}
		if c.k.Scalars[v.Index].IsLengthOf(m) {
			return v
		}
	}
	return nil
}

// through carries an element through a loop.
type through struct {
	c     *carry
	loop  *ir.Value
	e     element
	like  *ir.Value // a store to it
	first *ir.Value // the element in front of the loop, or 0 if nothing asks
	to    replacement
	flags bool // a flag is carried, too: the item has stored
}

// A carried has the value of the element at some place, and says whether the item has stored there in the
// loop.
type carried struct{ value, stored *ir.Value }

// carry changes the loop, and returns the values that stand behind it. If the item owns the element, it may
// store the old value again.
func (t *through) carry(loads, owns bool) []*ir.Value {
	k, loop := t.c.k, t.loop
	t.first, t.to = constant(k, t.like.Args[1].Type, 0), replacement{}
	if loads {
		t.first = k.NewValue(ir.Load, t.like.Args[1].Type, t.e.at)
		t.first.Index, t.first.Pos = t.e.mem, t.like.Pos
	}
	always := slices.ContainsFunc(loop.LoopBody().Values, t.isStore)
	var any []*ir.Value
	var cond *ir.Value
	if always && !owns {
		any, cond = t.round()
	}
	t.flags = !owns && cond == nil
	now := carried{value: t.param(t.first)}
	if t.flags {
		now.stored = t.param(constant(k, ir.Bool, 0))
	}
	n := now.value.Index
	t.block(loop.Head(), now)
	next := t.block(loop.LoopBody(), now)
	loop.LoopBody().Yield = append(loop.LoopBody().Yield, t.list(next)...)
	t.replace()
	r := k.NewValue(ir.Result, t.first.Type, loop)
	r.Index, r.Pos = n, t.like.Pos
	store := k.NewValue(ir.Store, ir.None, t.e.at, r)
	store.Index, store.Pos = t.e.mem, t.like.Pos
	out := append(any, r)
	if t.flags {
		cond = k.NewValue(ir.Result, ir.Bool, loop)
		cond.Index, cond.Pos = n+1, t.like.Pos
		out = append(out, cond)
	}
	if cond == nil {
		return append(out, store)
	}
	branch := k.NewValue(ir.If, ir.None, cond)
	branch.Blocks, branch.Pos = []*ir.Block{{Values: []*ir.Value{store}}, {}}, t.like.Pos
	return append(out, branch)
}

// loads reports whether the loop loads the element.
func (t *through) loads() (found bool) {
	for _, b := range t.loop.Blocks {
		b.Walk(func(v *ir.Value) { found = found || v.Op == ir.Load && element{v.Index, v.Args[0]} == t.e })
	}
	return found
}

func (t *through) isStore(v *ir.Value) bool {
	return v.Op == ir.Store && element{v.Index, v.Args[0]} == t.e
}

// list returns the values that the loop and branches in it have as results.
func (t *through) list(s carried) []*ir.Value {
	if t.flags {
		return []*ir.Value{s.value, s.stored}
	}
	return []*ir.Value{s.value}
}

// param adds a parameter to the loop, which begins as a value.
func (t *through) param(first *ir.Value) *ir.Value {
	p := t.c.k.NewValue(ir.Arg, first.Type)
	p.Index = len(t.loop.Args)
	t.loop.Args = append(t.loop.Args, first)
	t.loop.Head().Params = append(t.loop.Head().Params, p)
	return p
}

// round returns the condition of the first round, and how it is computed; nil if the head has more than a few operations.
func (t *through) round() (values []*ir.Value, cond *ir.Value) {
	head, to := t.loop.Head(), replacement{}
	for n, p := range head.Params {
		to[p] = t.loop.Args[n]
	}
	if len(head.Values) > maxHead {
		return nil, nil
	}
	for _, v := range head.Values {
		if !v.Op.Pure() || v.Op == ir.Call {
			return nil, nil
		}
		c := *v
		c.ID, c.Args = t.c.k.NewValue(v.Op, v.Type).ID, slices.Clone(v.Args)
		to.list(c.Args)
		to[v] = &c
		values = append(values, &c)
	}
	return values, to.get(head.Yield[0])
}

// block removes loads and stores of the element, and returns the value of the element behind the block.
func (t *through) block(b *ir.Block, now carried) carried {
	var out []*ir.Value
	for _, v := range b.Values {
		switch {
		case v.Op == ir.Load && (element{v.Index, v.Args[0]}) == t.e:
			t.to[v] = now.value
			continue
		case t.isStore(v):
			now.value = v.Args[1]
			if t.flags {
				now.stored = constant(t.c.k, ir.Bool, 1)
			}
			continue
		}
		out = append(out, v)
		switch v.Op {
		case ir.Loop: // which does not store there
			t.block(v.Head(), now)
			t.block(v.LoopBody(), now)
		case ir.If:
			then, els := t.block(v.Then(), now), t.block(v.Else(), now)
			if then == now && els == now {
				continue
			}
			n := len(v.Then().Yield)
			v.Then().Yield, v.Else().Yield = append(v.Then().Yield, t.list(then)...), append(v.Else().Yield, t.list(els)...)
			results := []*ir.Value{}
			for m, y := range t.list(then) {
				r := t.c.k.NewValue(ir.Result, y.Type, v)
				r.Index, r.Pos = n+m, t.like.Pos
				results = append(results, r)
				out = append(out, r)
			}
			now.value = results[0]
			if t.flags {
				now.stored = results[1]
			}
		}
	}
	b.Values = out
	return now
}

// replace puts the value of the element in the place of its loads.
func (t *through) replace() {
	for _, b := range t.loop.Blocks {
		t.to.block(b)
	}
}
