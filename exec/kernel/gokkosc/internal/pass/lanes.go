package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// unrolled is the number of vector lanes whose accumulators are variables, if an item is short: they are
// joined eight at a time. For other numbers of lanes the accumulators are in memory.
const (
	unrolled = 8
	short    = 24 // values of an item
)

// foldLanes writes the reduction of a member over its vector lanes.
func (p *phaser) foldLanes(v *ir.Value, to *ir.Block, s *scope) {
	l := p.lanesOf(v, 0, 1, 0)
	inMemory := func(b *ir.Block) []*ir.Value { return p.lanesInMemory(v, b, s, l) }
	join := func(b *ir.Block) []*ir.Value { return p.joinLanes(v, b, s, l) }
	p.either(v, to, p.vector, func(b *ir.Block) []*ir.Value { return p.alone(v, b, s) }, p.orInLanes(v, s, l, p.vector, join, func(b *ir.Block) []*ir.Value {
		if v.Blocks[0].Count() > short {
			return inMemory(b)
		}
		eight := p.emit(b, ir.Eq, ir.Bool, p.vector, p.integer(unrolled))
		if mayBeNegativeZero(v) {
			eight = p.emit(b, ir.And, ir.Bool, eight, p.emit(b, ir.Le, ir.Bool, p.integer(unrolled), p.get(v.Args[0], s)))
		}
		return p.ways(b, eight, func(b *ir.Block) []*ir.Value { return p.lanesInVariables(v, b, s) }, inMemory)
	}))
}

func (p *phaser) lanesInMemory(v *ir.Value, b *ir.Block, s *scope, l lanes) []*ir.Value {
	zero := p.integer(0)
	p.begin(v, b, s, l, zero, p.vector)
	p.blocks(v, b, s, func(body *ir.Block, j, lane *ir.Value) { p.joined(v, body, s, l, lane, j) })
	return p.joinLanes(v, b, s, l)
}

// joinLanes joins the lanes of a member that have items.
func (p *phaser) joinLanes(v *ir.Value, b *ir.Block, s *scope, l lanes) []*ir.Value {
	p.tree(v, b, l, p.integer(0), p.emit(b, ir.Min, ir.I64, p.vector, p.get(v.Args[0], s)), p.integer(1))
	return p.loadAll(b, l, p.integer(0))
}

// mayBeNegativeZero reports whether a sum of floats may be -0 in a lane, to which joining the identity gives +0: an item
// does more than add to it, or subtract from it.
func mayBeNegativeZero(v *ir.Value) bool {
	b := v.Blocks[0]
	for k, j := range v.Joints() {
		if acc := b.Params[k+1]; j.Op == ir.Add && acc.Type.IsFloat() && !adds(b.Yield[k], acc) {
			return true
		}
	}
	return false
}

// adds reports whether a value is an accumulator to which numbers may have been added, or subtracted from it.
func adds(y, acc *ir.Value) bool {
	switch {
	case y == acc:
		return true
	case y.Op == ir.Add:
		return adds(y.Args[0], acc) || adds(y.Args[1], acc)
	case y.Op == ir.Sub:
		return adds(y.Args[0], acc)
	case y.Op == ir.Select:
		return adds(y.Args[1], acc) && adds(y.Args[2], acc)
	case y.Op == ir.Result && y.Args[0].Op == ir.If:
		of := y.Args[0]
		return adds(of.Then().Yield[y.Index], acc) && adds(of.Else().Yield[y.Index], acc)
	}
	return false
}

// lanesInVariables writes the reduction over eight lanes. A lane that has no item joins the identity, which changes no
// bit.
func (p *phaser) lanesInVariables(v *ir.Value, b *ir.Block, s *scope) []*ir.Value {
	width := len(v.Args) - 1
	n := p.get(v.Args[0], s)
	rows := p.emit(b, ir.Div, ir.I64, n, p.integer(unrolled))
	whole := p.emit(b, ir.Mul, ir.I64, rows, p.integer(unrolled))
	var accs []*ir.Value
	for range unrolled {
		for _, x := range v.Args[1:] {
			accs = append(accs, p.get(x, s))
		}
	}
	accs = p.count(b, p.integer(0), rows, p.integer(1), accs, func(body *ir.Block, row *ir.Value, accs []*ir.Value) (next []*ir.Value) {
		j := p.emit(body, ir.Mul, ir.I64, row, p.integer(unrolled))
		for lane := range unrolled {
			at := j
			if lane > 0 {
				at = p.emit(body, ir.Add, ir.I64, j, p.integer(lane))
			}
			next = append(next, p.item(v, body, s, at, accs[lane*width:(lane+1)*width])...)
		}
		return next
	})
	return p.joinVariables(v, b, p.lastInVariables(v, b, s, whole, n, accs), width)
}

// lastInVariables joins the items from first on, fewer than there are lanes, into the accumulators of the first lanes.
// It returns the accumulators of all lanes.
func (p *phaser) lastInVariables(v *ir.Value, b *ir.Block, s *scope, first, n *ir.Value, accs []*ir.Value) []*ir.Value {
	width := len(v.Args) - 1
	if len(accs) == width {
		return accs // of the last lane
	}
	return p.ways(b, p.emit(b, ir.Lt, ir.Bool, first, n), func(b *ir.Block) []*ir.Value {
		next := p.emit(b, ir.Add, ir.I64, first, p.integer(1))
		return append(p.item(v, b, s, first, accs[:width]), p.lastInVariables(v, b, s, next, n, accs[width:])...)
	}, func(*ir.Block) []*ir.Value { return accs })
}

// joinVariables joins the accumulators of lanes, width of each, into the accumulators of the first lane.
func (p *phaser) joinVariables(v *ir.Value, b *ir.Block, accs []*ir.Value, width int) []*ir.Value {
	for step := width; step < len(accs); step *= 2 {
		for k := 0; k < len(accs); k += 2 * step {
			for m, j := range v.Joints() {
				x := p.emit(b, j.Op, accs[k+m].Type, accs[k+m], accs[k+step+m])
				x.Unsigned, accs[k+m] = j.Unsigned, x
			}
		}
	}
	return accs[:width]
}

// fewestInLanes is the least number of items of a reduction in vectors: for fewer items the call takes longer
// than the items.
const fewestInLanes = 32

// orInLanes returns a way to the results of a Fold that is for vectors, or else another one. For a power of
// two of lanes there is a loop over all items, each with its lane.
func (p *phaser) orInLanes(v *ir.Value, s *scope, l lanes, width *ir.Value, join, other func(b *ir.Block) []*ir.Value) func(b *ir.Block) []*ir.Value {
	if !p.inLanes || p.except[v.Pos] || !simple(v.Blocks[0]) {
		return other
	}
	return func(b *ir.Block) []*ir.Value {
		n, zero, one := p.get(v.Args[0], s), p.integer(0), p.integer(1)
		power := p.emit(b, ir.Eq, ir.Bool, p.emit(b, ir.And, ir.I64, width, p.emit(b, ir.Sub, ir.I64, width, one)), zero)
		wide := p.emit(b, ir.Le, ir.Bool, p.integer(unrolled/2), width)
		long := p.emit(b, ir.Le, ir.Bool, p.integer(fewestInLanes), n)
		return p.ways(b, p.emit(b, ir.And, ir.Bool, p.emit(b, ir.And, ir.Bool, power, wide), long), func(b *ir.Block) []*ir.Value {
			p.begin(v, b, s, l, zero, width)
			p.count(b, zero, n, one, nil, func(body *ir.Block, j *ir.Value, _ []*ir.Value) []*ir.Value {
				p.joined(v, body, s, l, p.emit(body, ir.Rem, ir.I64, j, width), j)
				return nil
			})
			loop := b.Values[len(b.Values)-1]
			loop.Func, loop.Pos = ir.InLanes, v.Pos
			return p.ways(b, p.emit(b, ir.Eq, ir.Bool, width, p.integer(unrolled)), func(b *ir.Block) []*ir.Value {
				var accs []*ir.Value
				for lane := range unrolled {
					accs = append(accs, p.loadAll(b, l, p.integer(lane))...)
				}
				return p.joinVariables(v, b, accs, len(l))
			}, join)
		}, other)
	}
}

// simple reports whether a block has no ranges, and may be vectors.
func simple(b *ir.Block) bool {
	yes := true
	b.Walk(func(v *ir.Value) {
		switch v.Op {
		case ir.Atomic, ir.Combine, ir.Call, ir.Each, ir.Fold, ir.Meet, ir.Gather, ir.Prefix, ir.Pass:
			yes = false
		}
	})
	return yes
}
