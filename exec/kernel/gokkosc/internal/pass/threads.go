package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Threads turns the body of a kernel by member into the work of one thread of a card. A team is a block of
// threads there. A member is a row of threads, one for each of its vector lanes, a power of two.
//
// All threads of a member run the code of the member, but only one thread stores, while the others wait. They
// share the items of a reduction over vector lanes, and each thread takes the items of its lane. They also
// share the items of a TeamVectorRange, if no item touches an element that another item stores. Members
// exchange values through memory of the block, a word for each member and value.
func Threads(k *ir.Kernel) {
	t := &threads{phaser: &phaser{k: k, to: map[*ir.Value]*ir.Value{}, room: map[ir.Type]int{}}, with: replacement{}}
	t.size, t.vector = t.number(ir.TeamSize), t.number(ir.VectorLength)
	for typ := ir.F64; typ <= ir.Bool; typ++ {
		t.room[typ] = t.own("Room", -1, typ)
	}
	values := k.Body.Values
	k.Body.Values = nil
	t.rank, t.lane = t.emit(k.Body, ir.Member, ir.I64), t.emit(k.Body, ir.Lane, ir.I64)
	t.first = t.emit(k.Body, ir.Eq, ir.Bool, t.lane, t.integer(0))
	t.values(k.Body, values)
	if len(k.Accs) > 0 && !k.Structured() { // structs are always left apart
		joined := t.members(k.Body, k.Body.Yield, t.size, func(b *ir.Block, n int, x, y *ir.Value) *ir.Value {
			z := t.emit(b, ir.Joined, x.Type, x, y)
			z.Index = n
			return z
		})
		apart := t.emit(k.Body, ir.Apart, ir.Bool)
		for n, own := range k.Body.Yield {
			joined[n] = t.emit(k.Body, ir.Select, own.Type, apart, own, joined[n])
		}
		k.Body.Yield = joined
	}
	t.with.all(k)
	k.Team, k.Room = ir.ByThread, t.words
}

// Alone turns a kernel by thread into one for members with one vector lane: a member is a thread.
func Alone(k *ir.Kernel) {
	r := replacement{}
	zero, one := constant(k, ir.I64, 0), constant(k, ir.I64, 1)
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		var out []*ir.Value
		for _, v := range b.Values {
			switch {
			case v.Op == ir.Lane:
				r[v] = zero
			case v.Op == ir.Across:
				r[v] = v.Args[0]
			case v.Op == ir.Uniform && slices.Equal(k.Scalars[v.Index].Path, ir.VectorLength):
				r[v] = one
			case v.Op != ir.Wait:
				out = append(out, v)
			}
			for _, inner := range v.Blocks {
				block(inner)
			}
		}
		b.Values = out
	}
	block(k.Setup)
	block(k.Body)
	r.all(k)
}

// A threads makes a kernel by thread.
type threads struct {
	*phaser
	with              replacement // stand-ins of values of the kernel by member
	rank, lane, first *ir.Value   // of the thread; first: its lane is 0
	apart             bool        // the threads of a member have items of their own here
}

func (t *threads) values(b *ir.Block, values []*ir.Value) {
	for _, v := range values {
		t.value(b, v)
	}
}

func (t *threads) value(b *ir.Block, v *ir.Value) {
	switch v.Op {
	case ir.Member:
		t.with[v] = t.rank
	case ir.Store:
		t.once(b, v)
	case ir.Atomic:
		t.atomic(b, v)
	case ir.Each:
		t.items(b, v, !t.apart && t.independent(v.Blocks[0]), nil)
	case ir.Fold:
		t.fold(b, v)
	case ir.Gather:
		t.with[v] = t.members(b, v.Args, t.size, t.joints(v))[0]
	case ir.Prefix:
		t.scan(b, v)
	case ir.Pass:
		t.pass(b, v)
	case ir.Result:
		if of := v.Args[0]; of.Op == ir.Fold {
			t.with[v] = t.folds[of][v.Index]
			return
		}
		b.Values = append(b.Values, v)
	default:
		for _, inner := range v.Blocks {
			values := inner.Values
			inner.Values = nil
			t.values(inner, values)
		}
		b.Values = append(b.Values, v)
	}
}

// once lets one thread of a member store, unless the item is its own.
func (t *threads) once(b *ir.Block, store *ir.Value) {
	if t.apart {
		b.Values = append(b.Values, store)
		return
	}
	if last := len(b.Values) - 1; last < 0 || b.Values[last].Op != ir.Wait {
		t.emit(b, ir.Wait, ir.None)
	}
	t.ways(b, t.first, func(b *ir.Block) []*ir.Value {
		b.Values = append(b.Values, store)
		return nil
	}, func(*ir.Block) []*ir.Value { return nil })
	t.emit(b, ir.Wait, ir.None)
}

func (t *threads) save(b *ir.Block, h *home, at, x *ir.Value) {
	v := t.k.NewValue(ir.Store, ir.None, t.index(b, h, at), x)
	v.Index = h.mem
	t.once(b, v)
}

// atomic gives all threads of a member the old value of the element.
func (t *threads) atomic(b *ir.Block, v *ir.Value) {
	if t.apart {
		b.Values = append(b.Values, v)
		return
	}
	t.emit(b, ir.Wait, ir.None)
	c := t.like(v)
	c.Args = v.Args
	was := t.ways(b, t.first, func(b *ir.Block) []*ir.Value {
		b.Values = append(b.Values, c)
		return []*ir.Value{c}
	}, func(*ir.Block) []*ir.Value { return []*ir.Value{t.constant(v.Type, 0)} })
	t.emit(b, ir.Wait, ir.None)
	t.with[v] = t.across(b, was[0], t.integer(0))
}

func (t *threads) across(b *ir.Block, x, lane *ir.Value) *ir.Value {
	return t.emit(b, ir.Across, x.Type, x, lane)
}

// slot returns array n of the block, with a word for each member.
func (t *threads) slot(n int, typ ir.Type) *home {
	base := t.integer(0)
	if n > 0 {
		base = t.emit(t.k.Setup, ir.Mul, ir.I64, t.size, t.integer(n*8/typ.Bytes()))
	}
	t.words[0] = max(t.words[0], n+1)
	return &home{t.room[typ], base, 1}
}

// A joining returns the join of value n of two members.
type joining func(b *ir.Block, n int, x, y *ir.Value) *ir.Value

func (t *threads) joints(v *ir.Value) joining {
	list := v.Joints()
	return func(b *ir.Block, n int, x, y *ir.Value) *ir.Value {
		z := t.emit(b, list[n].Op, x.Type, x, y)
		z.Unsigned = list[n].Unsigned
		return z
	}
}

// members joins values of the first members as neighbours, then neighbours of these, and gives all members
// the result.
func (t *threads) members(b *ir.Block, values []*ir.Value, count *ir.Value, join joining) (all []*ir.Value) {
	t.emit(b, ir.Meet, ir.None)
	var slots []*home
	for n, x := range values {
		slots = append(slots, t.slot(n, x.Type))
		t.save(b, slots[n], t.rank, x)
	}
	width, body := t.k.NewValue(ir.Arg, ir.I64), &ir.Block{}
	t.emit(body, ir.Meet, ir.None)
	twice := t.emit(body, ir.Add, ir.I64, width, width)
	right := t.emit(body, ir.Add, ir.I64, t.rank, width)
	among := t.emit(body, ir.And, ir.I64, t.rank, t.emit(body, ir.Sub, ir.I64, twice, t.integer(1)))
	joins := t.emit(body, ir.And, ir.Bool, t.emit(body, ir.Eq, ir.Bool, among, t.integer(0)), t.emit(body, ir.Lt, ir.Bool, right, count))
	t.ways(body, joins, func(b *ir.Block) []*ir.Value {
		for n, h := range slots {
			t.save(b, h, t.rank, join(b, n, t.load(b, h, t.rank), t.load(b, h, right)))
		}
		return nil
	}, func(*ir.Block) []*ir.Value { return nil })
	t.close(b, width, t.integer(1), count, width, nil, body, nil)
	t.emit(b, ir.Meet, ir.None)
	for _, h := range slots {
		all = append(all, t.load(b, h, t.integer(0)))
	}
	return all
}

// pass gives all members the value of the member with a rank.
func (t *threads) pass(b *ir.Block, v *ir.Value) {
	h, zero := t.slot(0, v.Type), t.integer(0)
	t.emit(b, ir.Meet, ir.None)
	t.ways(b, t.emit(b, ir.Eq, ir.Bool, t.rank, v.Args[1]), func(b *ir.Block) []*ir.Value {
		t.save(b, h, zero, v.Args[0])
		return nil
	}, func(*ir.Block) []*ir.Value { return nil })
	t.emit(b, ir.Meet, ir.None)
	t.with[v] = t.load(b, h, zero)
}

// scan lets one thread of the block join the values of members, up the tree and down it.
func (t *threads) scan(b *ir.Block, v *ir.Value) {
	w := &sweep{t.phaser, v, t.slot(0, v.Type), t.slot(1, v.Type), v.Args[1], v.Args[2]}
	total := ir.Scan(v.Index) == ir.TotalOfItems
	t.emit(b, ir.Meet, ir.None)
	t.save(b, w.sums, t.rank, v.Args[0])
	t.save(b, w.prefixes, t.rank, w.identity)
	t.emit(b, ir.Meet, ir.None)
	one := t.emit(b, ir.And, ir.Bool, t.emit(b, ir.Eq, ir.Bool, t.rank, t.integer(0)), t.first)
	t.ways(b, one, func(b *ir.Block) []*ir.Value {
		t.count(b, t.integer(1), w.n, t.integer(1), nil, func(body *ir.Block, rank *ir.Value, _ []*ir.Value) []*ir.Value {
			w.after(body, rank)
			return nil
		})
		if total {
			t.phaser.save(b, w.prefixes, t.integer(0), w.total(b))
		}
		return nil
	}, func(*ir.Block) []*ir.Value { return nil })
	t.emit(b, ir.Meet, ir.None)
	at := t.rank
	if total {
		at = t.integer(0)
	}
	t.with[v] = t.load(b, w.prefixes, at)
}
