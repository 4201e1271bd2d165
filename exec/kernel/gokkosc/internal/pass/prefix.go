package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// prefix lowers a scan over members: sums are joined up a tree and prefixes down it, in one pass over the members. See
// internal/tree of the library, whose Sweep this is.
func (p *phaser) prefix(v *ir.Value) {
	if p.differ[v.Args[2]] {
		p.refuse(v.Pos, "the number of items of a nested scan may differ among the members of a team", "let all members give the same range")
	}
	w := &sweep{p, v, p.newHome(v.Type), p.newHome(v.Type), p.get(v.Args[1], nil), p.get(v.Args[2], nil)}
	s := p.segment()
	p.save(s.body, w.sums, s.rank, p.get(v.Args[0], s.scope))
	p.save(s.body, w.prefixes, s.rank, w.identity)
	p.flush()
	p.count(p.block, p.integer(1), w.n, p.integer(1), nil, func(body *ir.Block, rank *ir.Value, _ []*ir.Value) []*ir.Value {
		w.after(body, rank)
		return nil
	})
	if ir.Scan(v.Index) == ir.TotalOfItems {
		p.to[v] = w.total(p.block)
		return
	}
	p.homes[v] = w.prefixes
}

// A sweep lowers a Prefix.
type sweep struct {
	*phaser
	of             *ir.Value
	sums, prefixes *home
	identity, n    *ir.Value
}

// join emits the join of two values.
func (w *sweep) join(b *ir.Block, x, y *ir.Value) *ir.Value {
	j := w.of.Joints()[0]
	z := w.emit(b, j.Op, w.of.Type, x, y)
	z.Unsigned = j.Unsigned
	return z
}

// neutral emits the identity joined with a value, if that may be another one: 0 and -0 are 0.
func (w *sweep) neutral(b *ir.Block, x *ir.Value) *ir.Value {
	if w.of.Joints()[0].Op != ir.Add || w.of.Type.IsInt() {
		return x
	}
	return w.join(b, w.identity, x)
}

// left emits the first value of a node, given its left child.
func (w *sweep) left(b *ir.Block, x *ir.Value) *ir.Value {
	if ir.Scan(w.of.Index) == ir.OfMembers {
		return x
	}
	return w.neutral(b, x)
}

// after joins the nodes that end in front of a member, and its prefix.
func (w *sweep) after(b *ir.Block, rank *ir.Value) {
	width := w.k.NewValue(ir.Arg, ir.I64)
	width.Name = "width"
	head, body := &ir.Block{Params: []*ir.Value{width}}, &ir.Block{}
	head.Yield = []*ir.Value{w.emit(head, ir.Eq, ir.Bool, w.emit(head, ir.And, ir.I64, rank, width), w.integer(0))}
	twice := w.emit(body, ir.Add, ir.I64, width, width)
	left, right := w.emit(body, ir.Sub, ir.I64, rank, twice), w.emit(body, ir.Sub, ir.I64, rank, width)
	w.save(body, w.sums, left, w.join(body, w.left(body, w.load(body, w.sums, left)), w.load(body, w.sums, right)))
	body.Yield = []*ir.Value{twice}
	loop := w.k.NewValue(ir.Loop, ir.None, w.integer(1))
	loop.Blocks = []*ir.Block{head, body}
	b.Values = append(b.Values, loop)
	before := w.emit(b, ir.Sub, ir.I64, rank, w.emit(b, ir.Result, ir.I64, loop))
	prefix := w.neutral(b, w.load(b, w.prefixes, before))
	w.save(b, w.prefixes, rank, w.join(b, prefix, w.load(b, w.sums, before)))
}

// total joins the nodes that end with the last member, and returns the sum of all.
func (w *sweep) total(b *ir.Block) *ir.Value {
	last := w.emit(b, ir.Sub, ir.I64, w.n, w.integer(1))
	width := w.k.NewValue(ir.Arg, ir.I64)
	width.Name = "width"
	body := &ir.Block{}
	twice := w.emit(body, ir.Add, ir.I64, width, width)
	at := w.emit(body, ir.AndNot, ir.I64, last, w.emit(body, ir.Sub, ir.I64, twice, w.integer(1)))
	right := w.emit(body, ir.Add, ir.I64, at, width)
	x := w.left(body, w.load(body, w.sums, at))
	sum := w.ways(body, w.emit(body, ir.Lt, ir.Bool, right, w.n), func(b *ir.Block) []*ir.Value {
		return []*ir.Value{w.join(b, x, w.load(b, w.sums, right))}
	}, func(*ir.Block) []*ir.Value { return []*ir.Value{x} })
	w.save(body, w.sums, at, sum[0])
	w.close(b, width, w.integer(1), w.n, width, nil, body, nil)
	return w.ways(b, w.emit(b, ir.Eq, ir.Bool, w.n, w.integer(0)), func(*ir.Block) []*ir.Value { return []*ir.Value{w.identity} },
		func(b *ir.Block) []*ir.Value { return []*ir.Value{w.load(b, w.sums, w.integer(0))} })[0]
}
