package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Proven makes a second loop of a loop that counts and stores nothing. A condition in front of both asks
// whether all rounds are in range. The second loop runs then: it checks no index, and values that are the
// same in all rounds are computed once. Else the first loop runs, which stops the item at the same place as
// before. Loops around loops are left as they are.
func Proven(k *ir.Kernel) {
	s := &proven{k: k, to: replacement{}}
	s.block(k.Body)
	s.to.all(k)
}

type proven struct {
	k  *ir.Kernel
	to replacement
}

func (s *proven) block(b *ir.Block) {
	var out []*ir.Value
	for _, v := range b.Values {
		if v.Op == ir.Loop && isInnermost(v) {
			out = append(out, s.loop(v)...)
			continue
		}
		for _, inner := range v.Blocks {
			s.block(inner)
		}
		out = append(out, v)
	}
	b.Values = out
}

func isInnermost(loop *ir.Value) bool {
	is := true
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) { is = is && v.Op != ir.Loop && !v.Writes() && v.Op != ir.Combine })
	}
	return is
}

// loop returns the values that stand in place of a loop.
func (s *proven) loop(v *ir.Value) []*ir.Value {
	count, ok := CountOf(v)
	if !ok || count.Unsigned || count.Index.Type != ir.I64 {
		return []*ir.Value{v}
	}
	g := &guard{k: s.k, loop: v, count: count, bounded: map[*ir.Value]bool{}}
	g.collect()
	if len(g.bounded) == 0 {
		return []*ir.Value{v}
	}
	quick, slow := s.copy(v, map[*ir.Value]*ir.Value{}, g.bounded), s.copy(v, map[*ir.Value]*ir.Value{}, nil)
	before := unchanging(quick)
	both := s.k.NewValue(ir.If, ir.None, g.condition())
	both.Pos = v.Pos
	both.Blocks = []*ir.Block{s.results(append(before, quick), quick), s.results([]*ir.Value{slow}, slow)}
	s.to[v] = both
	return append(g.before, both)
}

// results returns a block that yields the results of its last value.
func (s *proven) results(values []*ir.Value, of *ir.Value) *ir.Block {
	b := &ir.Block{Values: values}
	for n, t := range of.Results() {
		r := s.k.NewValue(ir.Result, t, of)
		r.Index = n
		b.Values, b.Yield = append(b.Values, r), append(b.Yield, r)
	}
	return b
}

// copy returns a copy of a value without some of the values in its blocks. Of values that are not in to it
// has themselves.
func (s *proven) copy(v *ir.Value, to map[*ir.Value]*ir.Value, without map[*ir.Value]bool) *ir.Value {
	refer := func(list []*ir.Value) (out []*ir.Value) {
		for _, x := range list {
			if c := to[x]; c != nil {
				x = c
			}
			out = append(out, x)
		}
		return out
	}
	c := s.k.NewValue(v.Op, v.Type, refer(v.Args)...)
	c.Index, c.Bits, c.Unsigned, c.Func, c.Name, c.Pos = v.Index, v.Bits, v.Unsigned, v.Func, v.Name, v.Pos
	to[v] = c
	for _, b := range v.Blocks {
		d := &ir.Block{}
		for _, p := range b.Params {
			d.Params = append(d.Params, s.copy(p, to, nil))
		}
		for _, x := range b.Values {
			if !without[x] {
				d.Values = append(d.Values, s.copy(x, to, without))
			}
		}
		d.Yield = refer(b.Yield)
		c.Blocks = append(c.Blocks, d)
	}
	return c
}

// unchanging takes values out of a loop that are the same in each of its rounds. It also takes loads that
// stand before the first check that is left.
func unchanging(loop *ir.Value) (moved []*ir.Value) {
	body, varies := loop.LoopBody(), map[*ir.Value]bool{}
	for _, p := range loop.Head().Params {
		varies[p] = true
	}
	for _, v := range loop.Head().Values {
		varies[v] = true
	}
	var stay []*ir.Value
	checked := false
	for _, v := range body.Values {
		checked = checked || v.Op == ir.Check
		can := v.Op.Pure() || v.Op == ir.Load && !checked
		if can && !anyOf(v.Args, varies) {
			moved = append(moved, v)
			continue
		}
		varies[v] = true
		stay = append(stay, v)
	}
	body.Values = stay
	return moved
}

// A guard has the conditions before a loop under which its checks hold.
type guard struct {
	k       *ir.Kernel
	loop    *ir.Value
	count   Count
	asked   []*ir.Value        // checks that each round does, whose limits are the same in all
	bounded map[*ir.Value]bool // the same

	before []*ir.Value
}

func (g *guard) collect() {
	for _, v := range g.loop.LoopBody().Values {
		if v.Op != ir.Check || inside(g.loop, v.Args[1]) || isPanic(v) {
			continue
		}
		if x := v.Args[0]; !inside(g.loop, x) || v.IsRange() && (x == g.count.Index || g.away(x) != nil) {
			g.asked = append(g.asked, v)
			g.bounded[v] = true
		}
	}
}

// away returns the operand of a sum or a difference with the index that is the same in all rounds, or nil.
func (g *guard) away(x *ir.Value) *ir.Value {
	switch {
	case x.Op != ir.Add && x.Op != ir.Sub || x.Type != ir.I64:
	case x.Args[0] == g.count.Index && !inside(g.loop, x.Args[1]):
		return x.Args[1]
	case x.Op == ir.Add && x.Args[1] == g.count.Index && !inside(g.loop, x.Args[0]):
		return x.Args[0]
	}
	return nil
}

func (g *guard) put(op ir.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := g.k.NewValue(op, t, args...)
	g.before = append(g.before, v)
	return v
}

// condition returns whether there is a round, the index is never negative, and all checks hold in the first
// and in the last round. No number between them wraps, as neither limits nor the numbers of rounds exceed
// 2⁶³.
func (g *guard) condition() *ir.Value {
	from, to := g.count.From, g.count.To
	all := g.put(ir.And, ir.Bool, g.put(ir.Lt, ir.Bool, from, to), g.put(ir.Le, ir.Bool, constant(g.k, ir.I64, 0), from))
	last := g.put(ir.Sub, ir.I64, to, constant(g.k, ir.I64, 1))
	below := func(x, y *ir.Value) {
		p := g.put(ir.Lt, ir.Bool, x, y)
		p.Unsigned = true
		all = g.put(ir.And, ir.Bool, all, p)
	}
	for _, c := range g.asked {
		x, limit := c.Args[0], c.Args[1]
		switch {
		case x == g.count.Index:
			below(last, limit)
		case !inside(g.loop, x):
			below(x, limit)
		default:
			ends := []*ir.Value{from, last}
			for n, at := range ends {
				args := slices.Clone(x.Args)
				args[slices.Index(args, g.count.Index)] = at
				ends[n] = g.put(x.Op, ir.I64, args...)
				below(ends[n], limit)
			}
		}
	}
	return all
}
