package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// An exitLane moves the values at the end of a way out of its loop.
type exitLane struct {
	*exits
	loop    *ir.Value
	way     way
	moved   []*ir.Value
	results []*ir.Value // values carried out of the loop
}

// find collects the values that can be moved, and reports whether one of them stores. Values that the block yields stay, and a
// way is left as it is if its loop does anything behind it.
func (m *exitLane) find() bool {
	for _, s := range m.way {
		if !s.lastly() {
			return false
		}
	}
	b := m.way.last()
	stay := map[*ir.Value]bool{}
	var need func(list []*ir.Value)
	need = func(list []*ir.Value) {
		for _, v := range list {
			if stay[v] || !slices.Contains(b.Values, v) {
				continue
			}
			stay[v] = true
			need(v.Args)
			for _, inner := range v.Blocks {
				inner.Walk(func(x *ir.Value) { need(x.Args) })
				need(inner.Yield)
			}
		}
	}
	need(b.Yield)
	for _, v := range b.Values { // a result stays if its branch or loop stays
		if v.Op == ir.Result && (stay[v.Args[0]] || !slices.Contains(b.Values, v.Args[0])) {
			stay[v] = true
		}
	}
	stores := false
	for _, v := range b.Values {
		switch {
		case !stay[v]:
			m.moved = append(m.moved, v)
			stores = stores || stored(v) != [ir.Bool + 1]bool{}
		case looks(v):
			return false
		}
	}
	return stores
}

// lastly reports whether a block does nothing behind a branch that sets a flag, as the rest of the block asks
// for the flag.
func (s step) lastly() bool {
	behind := false
	for _, v := range s.in.Values {
		switch {
		case v == s.branch:
			behind = true
		case !behind || !looks(v):
		case v.Op != ir.If:
			return false
		case s.isFlag(v.Args[0]):
			if anyLooks(v.Then()) {
				return false
			}
		case v.Args[0].Op == ir.Not && s.isFlag(v.Args[0].Args[0]):
			if anyLooks(v.Else()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isFlag reports whether a condition holds if the flag is set.
func (s step) isFlag(cond *ir.Value) bool { return implied(cond, s.branch, s.flag) }

// implied reports whether a condition holds if a result of a value does.
func implied(cond, of *ir.Value, result int) bool {
	if cond.Op == ir.Or {
		return implied(cond.Args[0], of, result) || implied(cond.Args[1], of, result)
	}
	return cond.Op == ir.Result && cond.Args[0] == of && cond.Index == result
}

// looks reports whether a value looks into memory, or has an effect.
func looks(v *ir.Value) bool { return v.Op == ir.Load || hasEffect(v) || anyLooks(v.Blocks...) }

func anyLooks(blocks ...*ir.Block) (found bool) {
	for _, b := range blocks {
		b.Walk(func(v *ir.Value) { found = found || v.Op.Accesses() || v.Op == ir.Check })
	}
	return found
}

// move takes the values out of the loop, and returns them. The loop carries out the values that they depend
// on.
func (m *exitLane) move() []*ir.Value {
	out := &ir.Block{Values: m.moved}
	own := ir.Inside(out)
	to := replacement{}
	see := func(list []*ir.Value) {
		for _, v := range list {
			if own[v] || to[v] != nil || v.Op == ir.Const || !inside(m.loop, v) {
				continue
			}
			to[v] = m.behind(v)
		}
	}
	out.Walk(func(v *ir.Value) {
		see(v.Args)
		for _, b := range v.Blocks {
			see(b.Yield)
		}
	})
	b := m.way.last()
	var stay []*ir.Value
	for _, v := range b.Values {
		if !own[v] {
			stay = append(stay, v)
		}
	}
	b.Values = stay
	to.block(out)
	return out.Values
}

// behind returns the value behind the loop that a value of the last round has.
func (m *exitLane) behind(v *ir.Value) *ir.Value {
	for n, p := range m.loop.Head().Params {
		next := m.loop.LoopBody().Yield[n]
		if p == v && next.Op == ir.Add && next.Args[0] == p && next.Args[1].Op == ir.Const && v.Type.IsInt() { // it has counted on
			r := m.result(m.loop, n)
			back := m.k.NewValue(ir.Sub, v.Type, r, next.Args[1])
			back.Name = v.Name
			m.results = append(m.results, r, back)
			return back
		}
	}
	r := m.result(m.loop, m.carry(v, m.level(v), nil))
	m.results = append(m.results, r)
	return r
}

// level returns the number of steps to the block of a value.
func (m *exitLane) level(v *ir.Value) int {
	for n, s := range m.way {
		if n > 0 && slices.Contains(s.in.Values, v) {
			return n
		}
	}
	if slices.Contains(m.way.last().Values, v) {
		return len(m.way)
	}
	return 0 // of the body, or the head
}

// carry makes the loop carry a value that stands level steps from its body, and returns its number. On other
// ways the carried value is other, or stays as it was if other is nil.
func (m *exitLane) carry(v *ir.Value, level int, other *ir.Value) int {
	p := m.k.NewValue(ir.Arg, v.Type)
	p.Index, p.Name = len(m.loop.Args), v.Name
	if other == nil {
		other = p
	}
	for n := level - 1; n >= 0; n-- {
		s := m.way[n]
		s.branch.Blocks[s.side].Yield = append(s.branch.Blocks[s.side].Yield, v)
		s.branch.Blocks[1-s.side].Yield = append(s.branch.Blocks[1-s.side].Yield, other)
		r := m.result(s.branch, len(s.branch.Then().Yield)-1)
		r.Name = v.Name
		s.in.Values = after(s.in.Values, s.branch, r)
		v = r
	}
	m.loop.Args = append(m.loop.Args, constant(m.k, v.Type, 0))
	m.loop.Head().Params = append(m.loop.Head().Params, p)
	m.loop.LoopBody().Yield = append(m.loop.LoopBody().Yield, v)
	return p.Index
}

// after returns values with a new value behind one of them.
func after(values []*ir.Value, of, more *ir.Value) (out []*ir.Value) {
	for _, v := range values {
		out = append(out, v)
		if v == of {
			out = append(out, more)
		}
	}
	return out
}
