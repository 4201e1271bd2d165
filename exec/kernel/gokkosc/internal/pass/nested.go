package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// copy copies a value to a block, with the values in its blocks. Ranges become loops.
func (p *phaser) copy(v *ir.Value, to *ir.Block, s *scope) {
	switch v.Op {
	case ir.Member:
		s.local[v] = s.rank
		return
	case ir.Each:
		p.strided(v, to, s)
		return
	case ir.Fold:
		if v.Meets() {
			p.refuse(v.Pos, "the members of a team meet here, where they have different items", "let the item be of a VectorRange")
		}
		p.foldLanes(v, to, s)
		return
	case ir.Atomic:
		if p.k.Mems[v.Index].Own {
			p.unshared(v, to, s)
			return
		}
	case ir.Meet, ir.Gather, ir.Prefix, ir.Pass:
		p.refuse(v.Pos, "the members of a team meet here, where they have different items", "loop over the items of the team alike in all members")
	case ir.Result:
		if v.Args[0].Op == ir.Fold {
			s.local[v] = p.folds[v.Args[0]][v.Index]
			return
		}
	}
	c := p.like(v)
	for _, a := range v.Args {
		c.Args = append(c.Args, p.get(a, s))
	}
	s.local[v] = c
	for _, b := range v.Blocks {
		own := &ir.Block{}
		for _, q := range b.Params {
			d := p.like(q)
			s.local[q] = d
			own.Params = append(own.Params, d)
		}
		p.copyAll(b, own, s)
		for _, y := range b.Yield {
			own.Yield = append(own.Yield, p.get(y, s))
		}
		c.Blocks = append(c.Blocks, own)
	}
	to.Values = append(to.Values, c)
}

// unshared writes an atomic operation on memory that one worker alone sees: a load, and a store of the new value.
func (p *phaser) unshared(v *ir.Value, to *ir.Block, s *scope) {
	var args []*ir.Value
	for _, a := range v.Args {
		args = append(args, p.get(a, s))
	}
	was := p.emit(to, ir.Load, v.Type, args[0])
	was.Index, was.Name, was.Pos = v.Index, v.Name, v.Pos
	s.local[v] = was
	var now *ir.Value
	switch op := v.Becomes(); {
	case v.Func == "load":
		return
	case v.Func == "exchange":
		now = args[1]
	case v.Func == "compareexchange":
		now = p.emit(to, ir.Select, v.Type, p.sameBits(to, was, args[1]), args[2], was)
	default:
		now = p.emit(to, op, v.Type, was, args[1])
		now.Unsigned = v.Unsigned
	}
	store := p.emit(to, ir.Store, ir.None, args[0], now)
	store.Index, store.Pos = v.Index, v.Pos
}

// sameBits computes whether two numbers have the same bits.
func (p *phaser) sameBits(to *ir.Block, x, y *ir.Value) *ir.Value {
	if t := map[ir.Type]ir.Type{ir.F64: ir.I64, ir.F32: ir.I32}[x.Type]; t != ir.None {
		x, y = p.emit(to, ir.Bits, t, x), p.emit(to, ir.Bits, t, y)
	}
	return p.emit(to, ir.Eq, ir.Bool, x, y)
}

func (p *phaser) copyAll(b, to *ir.Block, s *scope) {
	for _, v := range b.Values {
		p.copy(v, to, s)
	}
}

// count appends a loop over from, from+step, ... below limit to a block. The function writes the body, given
// the counter and the carried values, and returns the next carried values.
func (p *phaser) count(b *ir.Block, from, limit, step *ir.Value, carried []*ir.Value, write func(body *ir.Block, j *ir.Value, carried []*ir.Value) []*ir.Value) (results []*ir.Value) {
	j := p.k.NewValue(ir.Arg, ir.I64)
	j.Name = "j"
	var params []*ir.Value
	for n, x := range carried {
		q := p.k.NewValue(ir.Arg, x.Type)
		q.Index, q.Name = n+1, x.Name
		params = append(params, q)
	}
	body := &ir.Block{}
	next := write(body, j, params)
	loop := p.close(b, j, from, limit, step, carried, body, next)
	loop.Head().Params = append(loop.Head().Params, params...)
	for n, x := range carried {
		r := p.emit(b, ir.Result, x.Type, loop)
		r.Index = n + 1
		results = append(results, r)
	}
	return results
}

// close makes a body that is written a loop of a block.
func (p *phaser) close(b *ir.Block, j, from, limit, step *ir.Value, carried []*ir.Value, body *ir.Block, next []*ir.Value) *ir.Value {
	head := &ir.Block{Params: []*ir.Value{j}}
	head.Yield = []*ir.Value{p.emit(head, ir.Lt, ir.Bool, j, limit)}
	body.Yield = append([]*ir.Value{p.emit(body, ir.Add, ir.I64, j, step)}, next...)
	loop := p.k.NewValue(ir.Loop, ir.None, append([]*ir.Value{from}, carried...)...)
	loop.Blocks = []*ir.Block{head, body}
	b.Values = append(b.Values, loop)
	return loop
}

// byMember reports whether an item of a range depends on the member that takes it.
func (p *phaser) byMember(v *ir.Value) bool {
	for _, x := range outer(v) {
		if p.differ[x] {
			return true
		}
	}
	found := false
	v.Blocks[0].Walk(func(x *ir.Value) { found = found || x.Op == ir.Member })
	return found || p.inOrder(v.Blocks[0])
}

// inOrder reports whether a block has atomic operations on memory of the worker whose results depend on their order. The
// functor runs all items of a member, and then those of the next one.
func (p *phaser) inOrder(b *ir.Block) bool {
	var results []*ir.Value
	found := false
	b.Walk(func(v *ir.Value) {
		if v.Op == ir.Atomic && p.k.Mems[v.Index].Own {
			results = append(results, v)
			sums := v.Becomes() == ir.Add || v.Becomes() == ir.Mul
			found = found || v.Becomes() == ir.Invalid || sums && v.Type.IsFloat()
		}
	})
	return found || len(results) > 0 && anyUsed(b, results)
}

// anyUsed reports whether a value in a block, or what the block yields, has one of some values as an argument.
func anyUsed(b *ir.Block, values []*ir.Value) bool {
	used := func(list []*ir.Value) bool {
		return slices.ContainsFunc(list, func(x *ir.Value) bool { return slices.Contains(values, x) })
	}
	found := used(b.Yield)
	b.Walk(func(v *ir.Value) {
		found = found || used(v.Args)
		for _, inner := range v.Blocks {
			found = found || used(inner.Yield)
		}
	})
	return found
}

// each lowers a range without accumulators: all items in their order, or the items of each member.
func (p *phaser) each(v *ir.Value) {
	if p.byMember(v) || p.differ[v.Args[0]] {
		p.member(v)
		return
	}
	p.flush()
	s := &scope{local: map[*ir.Value]*ir.Value{}}
	p.count(p.block, p.integer(0), p.get(v.Args[0], nil), p.integer(1), nil, func(body *ir.Block, j *ir.Value, _ []*ir.Value) []*ir.Value {
		p.item(v, body, s, j, nil)
		return nil
	})
}

// item copies the block of a range for an item and its accumulators, and returns the new accumulators.
func (p *phaser) item(v *ir.Value, to *ir.Block, s *scope, j *ir.Value, accs []*ir.Value) (next []*ir.Value) {
	b := v.Blocks[0]
	s.local[b.Params[0]] = j
	for n, q := range b.Params[1:] {
		s.local[q] = accs[n]
	}
	p.copyAll(b, to, s)
	for _, y := range b.Yield {
		next = append(next, p.get(y, s))
	}
	return next
}

// strided writes a loop over the items of a range that a member takes: all, of a VectorRange.
func (p *phaser) strided(v *ir.Value, to *ir.Block, s *scope) {
	if ir.Level(v.Index) == ir.OverVector {
		p.count(to, p.integer(0), p.get(v.Args[0], s), p.integer(1), nil, func(body *ir.Block, j *ir.Value, _ []*ir.Value) []*ir.Value {
			p.item(v, body, s, j, nil)
			return nil
		})
		return
	}
	p.blocks(v, to, s, func(body *ir.Block, j, _ *ir.Value) { p.item(v, body, s, j, nil) })
}

// blocks writes loops over the items of a range that a member takes, and the vector lane of each.
func (p *phaser) blocks(v *ir.Value, to *ir.Block, s *scope, write func(body *ir.Block, j, lane *ir.Value)) {
	n, zero, one := p.get(v.Args[0], s), p.integer(0), p.integer(1)
	if ir.Level(v.Index) == ir.OverThreads {
		p.count(to, s.rank, n, p.size, nil, func(body *ir.Block, j *ir.Value, _ []*ir.Value) []*ir.Value {
			write(body, j, zero)
			return nil
		})
		return
	}
	from, stride := zero, p.vector
	if ir.Level(v.Index) == ir.OverBoth {
		from, stride = p.emit(to, ir.Mul, ir.I64, s.rank, p.vector), p.emit(to, ir.Mul, ir.I64, p.size, p.vector)
	}
	p.count(to, from, n, stride, nil, func(body *ir.Block, b *ir.Value, _ []*ir.Value) []*ir.Value {
		width := p.emit(body, ir.Min, ir.I64, p.vector, p.emit(body, ir.Sub, ir.I64, n, b))
		p.count(body, zero, width, one, nil, func(body *ir.Block, lane *ir.Value, _ []*ir.Value) []*ir.Value {
			write(body, p.emit(body, ir.Add, ir.I64, b, lane), lane)
			return nil
		})
		return nil
	})
}

// lanes are the accumulators of a Fold, arrays of which each has one for each lane.
type lanes []*home

func (p *phaser) lanesOf(v *ir.Value, perMember, perLane, perBoth int) (list lanes) {
	for _, x := range v.Args[1:] {
		list = append(list, p.array(x.Type))
		p.words[0], p.words[1], p.words[2] = p.words[0]+perMember, p.words[1]+perLane, p.words[2]+perBoth
	}
	return list
}

// begin sets the first n accumulators from one on to the identities.
func (p *phaser) begin(v *ir.Value, to *ir.Block, s *scope, l lanes, from, n *ir.Value) {
	for k, h := range l {
		identity := p.get(v.Args[1+k], s)
		p.count(to, p.integer(0), n, p.integer(1), nil, func(body *ir.Block, r *ir.Value, _ []*ir.Value) []*ir.Value {
			p.save(body, h, p.emit(body, ir.Add, ir.I64, from, r), identity)
			return nil
		})
	}
}

// joined joins an item into the accumulators at a place.
func (p *phaser) joined(v *ir.Value, to *ir.Block, s *scope, l lanes, at, j *ir.Value) {
	var accs []*ir.Value
	for _, h := range l {
		accs = append(accs, p.load(to, h, at))
	}
	for k, x := range p.item(v, to, s, j, accs) {
		p.save(to, l[k], at, x)
	}
}

// alone writes all items of a Fold with one accumulator.
func (p *phaser) alone(v *ir.Value, to *ir.Block, s *scope) []*ir.Value {
	var first []*ir.Value
	for _, x := range v.Args[1:] {
		first = append(first, p.get(x, s))
	}
	return p.count(to, p.integer(0), p.get(v.Args[0], s), p.integer(1), first, func(body *ir.Block, j *ir.Value, accs []*ir.Value) []*ir.Value {
		return p.item(v, body, s, j, accs)
	})
}

// either writes two ways to the results of a Fold: for one lane, and for several.
func (p *phaser) either(v *ir.Value, to *ir.Block, n *ir.Value, one, several func(b *ir.Block) []*ir.Value) {
	p.folds[v] = p.ways(to, p.emit(to, ir.Eq, ir.Bool, n, p.integer(1)), one, several)
	for k, r := range p.folds[v] {
		r.Name = v.Blocks[0].Params[k+1].Name
	}
}

// ways appends an if to a block, and returns its results.
func (p *phaser) ways(to *ir.Block, cond *ir.Value, then, els func(b *ir.Block) []*ir.Value) (results []*ir.Value) {
	x := p.k.NewValue(ir.If, ir.None, cond)
	x.Blocks = []*ir.Block{{}, {}}
	x.Then().Yield, x.Else().Yield = then(x.Then()), els(x.Else())
	to.Values = append(to.Values, x)
	for k, y := range x.Then().Yield {
		r := p.emit(to, ir.Result, y.Type, x)
		r.Index = k
		results = append(results, r)
	}
	return results
}

func (p *phaser) loadAll(b *ir.Block, l lanes, at *ir.Value) (list []*ir.Value) {
	for _, h := range l {
		list = append(list, p.load(b, h, at))
	}
	return list
}

// tree joins n accumulators into the first one: neighbours, then neighbours of these. Each accumulator is a
// step behind the one before.
func (p *phaser) tree(v *ir.Value, to *ir.Block, l lanes, from, n, step *ir.Value) {
	body := &ir.Block{}
	width := p.k.NewValue(ir.Arg, ir.I64)
	width.Name = "width"
	twice := p.emit(body, ir.Add, ir.I64, width, width)
	last := p.emit(body, ir.Sub, ir.I64, n, width)
	p.count(body, p.integer(0), last, twice, nil, func(body *ir.Block, k *ir.Value, _ []*ir.Value) []*ir.Value {
		left := p.emit(body, ir.Add, ir.I64, from, p.emit(body, ir.Mul, ir.I64, k, step))
		right := p.emit(body, ir.Add, ir.I64, left, p.emit(body, ir.Mul, ir.I64, width, step))
		for m, j := range v.Joints() {
			x, y := p.load(body, l[m], left), p.load(body, l[m], right)
			z := p.emit(body, j.Op, x.Type, x, y)
			z.Unsigned = j.Unsigned
			p.save(body, l[m], left, z)
		}
		return nil
	})
	p.close(to, width, p.integer(1), n, width, nil, body, nil)
}

// fold lowers a reduction over a range that is spread over members.
func (p *phaser) fold(v *ir.Value) {
	if p.differ[v.Args[0]] {
		p.refuse(v.Pos, "the number of items of a nested reduction may differ among the members of a team", "let all members give the same range")
	}
	both := ir.Level(v.Index) == ir.OverBoth
	if p.byMember(v) {
		p.foldByMember(v, both)
		return
	}
	p.flush()
	s := &scope{local: map[*ir.Value]*ir.Value{}}
	width, l := p.size, lanes(nil)
	if both {
		width, l = p.emit(p.block, ir.Mul, ir.I64, p.size, p.vector), p.lanesOf(v, 0, 0, 1)
	} else {
		l = p.lanesOf(v, 1, 0, 0)
	}
	join := func(b *ir.Block) []*ir.Value { return p.joinMembers(v, b, l, p.get(v.Args[0], s), both) }
	p.either(v, p.block, width, func(b *ir.Block) []*ir.Value { return p.alone(v, b, s) }, p.orInLanes(v, s, l, width, join, func(b *ir.Block) []*ir.Value {
		n, zero, one := p.get(v.Args[0], s), p.integer(0), p.integer(1)
		p.begin(v, b, s, l, zero, width)
		p.count(b, zero, n, width, nil, func(body *ir.Block, first *ir.Value, _ []*ir.Value) []*ir.Value {
			end := p.emit(body, ir.Min, ir.I64, width, p.emit(body, ir.Sub, ir.I64, n, first))
			p.count(body, zero, end, one, nil, func(body *ir.Block, lane *ir.Value, _ []*ir.Value) []*ir.Value {
				p.joined(v, body, s, l, lane, p.emit(body, ir.Add, ir.I64, first, lane))
				return nil
			})
			return nil
		})
		return join(b)
	}))
}

// foldByMember is fold for items that depend on the member.
func (p *phaser) foldByMember(v *ir.Value, both bool) {
	seg := p.segment()
	var l lanes
	if both {
		l = p.lanesOf(v, 0, 0, 1)
		first := p.emit(seg.body, ir.Mul, ir.I64, seg.rank, p.vector)
		p.begin(v, seg.body, seg.scope, l, first, p.vector)
		p.blocks(v, seg.body, seg.scope, func(body *ir.Block, j, lane *ir.Value) {
			p.joined(v, body, seg.scope, l, p.emit(body, ir.Add, ir.I64, first, lane), j)
		})
	} else {
		l = p.lanesOf(v, 1, 0, 0)
		p.begin(v, seg.body, seg.scope, l, seg.rank, p.integer(1))
		p.blocks(v, seg.body, seg.scope, func(body *ir.Block, j, _ *ir.Value) { p.joined(v, body, seg.scope, l, seg.rank, j) })
	}
	for t, is := range stored(v) {
		seg.stored[t] = seg.stored[t] || is
	}
	p.flush()
	p.folds[v] = p.joinMembers(v, p.block, l, p.get(v.Args[0], nil), both)
}

// joinMembers joins the accumulators of all members that have items, after joining the lanes of each member.
func (p *phaser) joinMembers(v *ir.Value, b *ir.Block, l lanes, n *ir.Value, both bool) []*ir.Value {
	zero, one := p.integer(0), p.integer(1)
	if !both {
		p.tree(v, b, l, zero, p.emit(b, ir.Min, ir.I64, p.size, n), one)
		return p.loadAll(b, l, zero)
	}
	p.count(b, zero, p.size, one, nil, func(body *ir.Block, r *ir.Value, _ []*ir.Value) []*ir.Value {
		first := p.emit(body, ir.Mul, ir.I64, r, p.vector)
		p.tree(v, body, l, first, p.emit(body, ir.Min, ir.I64, p.vector, p.emit(body, ir.Sub, ir.I64, n, first)), one)
		return nil
	})
	with := p.emit(b, ir.Add, ir.I64, p.emit(b, ir.Div, ir.I64, p.emit(b, ir.Sub, ir.I64, n, one), p.vector), one)
	p.tree(v, b, l, zero, p.emit(b, ir.Min, ir.I64, with, p.size), p.vector)
	return p.loadAll(b, l, zero)
}

// gather lowers a reduction of values that members have.
func (p *phaser) gather(v *ir.Value) {
	h := p.newHome(v.Type)
	s := p.segment()
	p.save(s.body, h, s.rank, p.get(v.Args[0], s.scope))
	p.flush()
	p.tree(v, p.block, lanes{h}, p.integer(0), p.size, p.integer(1))
	p.to[v] = p.load(p.block, h, p.integer(0))
	p.to[v].Name = v.Name
}

// pass lowers a value that one member gives to all.
func (p *phaser) pass(v *ir.Value) {
	if p.differ[v.Args[1]] {
		p.refuse(v.Pos, "the rank of a Broadcast may differ among the members of a team", "let all members give the same rank")
	}
	if !p.differ[v.Args[0]] {
		p.flush()
		p.to[v] = p.get(v.Args[0], nil)
		return
	}
	h := p.newHome(v.Type)
	s := p.segment()
	p.save(s.body, h, s.rank, p.get(v.Args[0], s.scope))
	p.flush()
	p.to[v] = p.load(p.block, h, p.get(v.Args[1], nil))
}
