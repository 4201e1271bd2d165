package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A place is a result of a value.
type place struct {
	of *ir.Value
	n  int
}

// maxAgain is the greatest number of operations that are computed again in another phase, in place of being
// kept.
const maxAgain = 6

// get returns the value that stands for another one in a scope; nil is the scope of the team.
func (p *phaser) get(v *ir.Value, s *scope) *ir.Value {
	if s != nil {
		if x := s.local[v]; x != nil {
			return x
		}
	}
	if x := p.to[v]; x != nil {
		return x
	}
	if p.seg == nil || s == nil || s.rank != p.seg.rank {
		panic("gokkosc: " + v.String() + " is not of the team")
	}
	p.seg.local[v] = p.again(v)
	return p.seg.local[v]
}

// again returns a value of another phase in front of this one.
func (p *phaser) again(v *ir.Value) *ir.Value {
	s := p.seg
	if x := s.local[v]; x != nil {
		return x
	}
	if v.Op == ir.Member {
		return s.rank
	}
	if x := p.local(v); x != nil {
		s.scope.local[v] = x
		return x
	}
	if p.homes[v] == nil && p.cost(v) <= maxAgain {
		c := p.like(v)
		for _, a := range v.Args {
			c.Args = append(c.Args, p.get(a, s.scope))
		}
		s.first = append(s.first, c)
		return c
	}
	if p.homes[v] == nil {
		p.homes[v] = p.newHome(v.Type)
		of := p.defined[v]
		p.save(of.body, p.homes[v], of.rank, of.local[v])
	}
	front := &ir.Block{}
	x := p.load(front, p.homes[v], s.rank)
	x.Name = v.Name
	s.first = append(s.first, front.Values...)
	return x
}

// cost returns the number of operations to compute a value again. The number exceeds maxAgain if that cannot
// be or is slow.
func (p *phaser) cost(v *ir.Value) int {
	if p.to[v] != nil || v.Op == ir.Member || p.seg.local[v] != nil {
		return 0
	}
	switch {
	case p.homes[v] != nil:
		return 1
	case p.isLocal(v):
		return 0
	}
	switch v.Op {
	case ir.Div, ir.Rem, ir.Sqrt, ir.Call, ir.Arg:
		return maxAgain + 1
	}
	if !v.Op.Pure() || len(v.Args) == 0 {
		return maxAgain + 1
	}
	n := 1
	for _, a := range v.Args {
		n += p.cost(a)
	}
	return n
}

// like returns a copy of a value without arguments and blocks.
func (p *phaser) like(v *ir.Value) *ir.Value {
	c := *v
	c.ID = p.k.NewValue(v.Op, v.Type).ID
	c.Args, c.Blocks = nil, nil
	return &c
}

// newHome returns a new array with an element for each member.
func (p *phaser) newHome(t ir.Type) *home {
	h := p.array(t)
	p.words[0]++
	return h
}

// array returns an array of a type behind all that there are: its length is added to the words of the team then.
func (p *phaser) array(t ir.Type) *home {
	h := &home{p.room[t], p.integer(0), 1}
	sum := func(n int, of *ir.Value) {
		if n > 0 {
			x := p.emit(p.k.Setup, ir.Mul, ir.I64, of, p.integer(n*8/t.Bytes()))
			h.base = p.emit(p.k.Setup, ir.Add, ir.I64, h.base, x)
			p.to[h.base] = h.base
		}
	}
	sum(p.words[0], p.size)
	sum(p.words[1], p.vector)
	if p.words[2] > 0 {
		sum(p.words[2], p.emit(p.k.Setup, ir.Mul, ir.I64, p.size, p.vector))
	}
	return h
}

// own returns a memory of the worker, a part of the team as numbers of a type. It stands in front of tables.
func (p *phaser) own(field string, n int, t ir.Type) (mem int) {
	param := len(p.k.Params) - 1
	path := ir.TeamPart(field, n, t.Go())
	m := ir.Mem{Param: param, Path: path, Elem: t, GoElem: t.Go(), Own: true, Name: p.k.PathString(param, path)}
	for k, other := range p.k.Mems {
		if other.Own && other.Name == m.Name {
			return k
		}
	}
	mem = len(p.k.Captured())
	p.k.Mems = slices.Insert(slices.Clip(p.k.Mems), mem, m)
	p.k.Body.Walk(func(v *ir.Value) {
		if v.Op.Accesses() && v.Index >= mem {
			v.Index++
		}
	})
	return mem
}

// load emits the load of an element.
func (p *phaser) load(b *ir.Block, h *home, rank *ir.Value) *ir.Value {
	v := p.emit(b, ir.Load, p.k.Mems[h.mem].Elem.Value(), p.index(b, h, rank))
	v.Index = h.mem
	return v
}

// save emits the store of an element.
func (p *phaser) save(b *ir.Block, h *home, rank, x *ir.Value) {
	at := p.index(b, h, rank)
	p.emit(b, ir.Store, ir.None, at, x).Index = h.mem
}

func (p *phaser) index(b *ir.Block, h *home, rank *ir.Value) *ir.Value {
	if h.stride != 1 {
		rank = p.emit(b, ir.Mul, ir.I64, rank, p.integer(h.stride))
	}
	return p.emit(b, ir.Add, ir.I64, h.base, rank)
}

// keepAs stores values in the homes of others, all at once.
func (p *phaser) keepAs(of, values []*ir.Value) {
	if len(of) == 0 {
		return
	}
	s := p.segment()
	var xs []*ir.Value
	for _, v := range values {
		xs = append(xs, p.get(v, s.scope))
	}
	for n, x := range xs {
		p.save(s.body, p.homes[of[n]], s.rank, x)
	}
}

// keep stores the yields of a block as results, which differ among members.
func (p *phaser) keep(results, yield []*ir.Value) {
	var values []*ir.Value
	for _, r := range results {
		values = append(values, yield[r.Index])
	}
	p.keepAs(results, values)
}

// memories adds the memories of kept values, and makes the accumulators of members their homes.
func (p *phaser) memories() {
	for t := ir.F64; t <= ir.Bool; t++ {
		p.room[t] = p.own(ir.RoomField, -1, t)
	}
	for n, a := range p.k.Accs {
		mem := p.own("Accs", a.Lanes, a.Elem)
		p.homes[p.k.Body.Params[n]] = &home{mem, p.integer(a.Offset / a.Elem.Bytes()), p.k.Lanes[a.Lanes].Size / a.Elem.Bytes()}
	}
}

// store stores the final accumulators, at the end of the team.
func (p *phaser) store(params, yield []*ir.Value) {
	var of, values []*ir.Value
	for n, q := range params {
		if yield[n] != q {
			of, values = append(of, q), append(values, yield[n])
		}
	}
	p.keepAs(of, values)
	p.flush()
}
