package pass

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// items writes loops over the items of a range that a member takes, and returns the final accumulators. If
// the items are spread, each thread of the member has the items of its lane, and accumulators of its own.
// Else all threads run all items, and the thread of an item's lane keeps the new accumulators.
func (t *threads) items(b *ir.Block, v *ir.Value, spread bool, accs []*ir.Value) []*ir.Value {
	n, from, step := v.Args[0], t.integer(0), t.vector
	switch ir.Level(v.Index) {
	case ir.OverThreads:
		return t.count(b, t.rank, n, t.size, accs, func(body *ir.Block, j *ir.Value, accs []*ir.Value) []*ir.Value {
			return t.block(body, v, j, accs)
		})
	case ir.OverBoth:
		from, step = t.emit(b, ir.Mul, ir.I64, t.rank, t.vector), t.emit(b, ir.Mul, ir.I64, t.size, t.vector)
	}
	if spread {
		t.apart = true
		t.wait(b, v)
		accs = t.count(b, t.emit(b, ir.Add, ir.I64, from, t.lane), n, step, accs, func(body *ir.Block, j *ir.Value, accs []*ir.Value) []*ir.Value {
			return t.block(body, v, j, accs)
		})
		t.wait(b, v)
		t.apart = false
		return accs
	}
	return t.count(b, from, n, step, accs, func(body *ir.Block, first *ir.Value, accs []*ir.Value) []*ir.Value {
		width := t.emit(body, ir.Min, ir.I64, t.vector, t.emit(body, ir.Sub, ir.I64, n, first))
		return t.count(body, t.integer(0), width, t.integer(1), accs, func(body *ir.Block, lane *ir.Value, accs []*ir.Value) (next []*ir.Value) {
			var of []*ir.Value
			for _, x := range accs {
				of = append(of, t.across(body, x, lane))
			}
			own := t.emit(body, ir.Eq, ir.Bool, lane, t.lane)
			for k, x := range t.block(body, v, t.emit(body, ir.Add, ir.I64, first, lane), of) {
				next = append(next, t.emit(body, ir.Select, x.Type, own, x, accs[k]))
			}
			return next
		})
	})
}

// wait lets the threads of a member wait for one another around items that store.
func (t *threads) wait(b *ir.Block, v *ir.Value) {
	if stores(v) {
		t.emit(b, ir.Wait, ir.None)
	}
}

// block writes an item, and returns its new accumulators.
func (t *threads) block(b *ir.Block, v, j *ir.Value, accs []*ir.Value) []*ir.Value {
	of := v.Blocks[0]
	for n, x := range append([]*ir.Value{j}, accs...) {
		t.with[of.Params[n]] = x
	}
	t.values(b, of.Values)
	return of.Yield
}

// fold writes a reduction: of the items of a lane, of the lanes of a member that have items, and of such members.
func (t *threads) fold(b *ir.Block, v *ir.Value) {
	level, n := ir.Level(v.Index), v.Args[0]
	spread := level != ir.OverThreads && !t.apart && t.independent(v.Blocks[0])
	accs, join := t.items(b, v, spread, v.Args[1:]), t.joints(v)
	if level != ir.OverThreads {
		left := n
		if level == ir.OverBoth {
			left = t.emit(b, ir.Sub, ir.I64, n, t.emit(b, ir.Mul, ir.I64, t.rank, t.vector))
		}
		accs = t.lanesJoined(b, accs, left, join)
	}
	count := t.emit(b, ir.Min, ir.I64, t.size, n)
	if level == ir.OverBoth {
		up := t.emit(b, ir.Add, ir.I64, n, t.emit(b, ir.Sub, ir.I64, t.vector, t.integer(1)))
		count = t.emit(b, ir.Min, ir.I64, t.size, t.emit(b, ir.Div, ir.I64, up, t.vector))
	}
	if level != ir.OverVector {
		accs = t.members(b, accs, count, join)
	}
	if t.folds == nil {
		t.folds = map[*ir.Value][]*ir.Value{}
	}
	t.folds[v] = accs
}

// lanesJoined joins accumulators of the lanes of a member as neighbours: the lanes in front of one that has no item.
func (t *threads) lanesJoined(b *ir.Block, accs []*ir.Value, items *ir.Value, join joining) (all []*ir.Value) {
	width := t.k.NewValue(ir.Arg, ir.I64)
	body := &ir.Block{}
	var params, next []*ir.Value
	right := t.emit(body, ir.Add, ir.I64, t.lane, width)
	joins := t.emit(body, ir.And, ir.Bool, t.emit(body, ir.Lt, ir.Bool, right, items), t.emit(body, ir.Lt, ir.Bool, right, t.vector))
	for n, x := range accs {
		q := t.k.NewValue(ir.Arg, x.Type)
		q.Index = n + 1
		params = append(params, q)
		other := t.across(body, q, right)
		next = append(next, t.ways(body, joins, func(b *ir.Block) []*ir.Value {
			return []*ir.Value{join(b, n, q, other)}
		}, func(*ir.Block) []*ir.Value { return []*ir.Value{q} })...)
	}
	loop := t.close(b, width, t.integer(1), t.vector, width, accs, body, next)
	loop.Head().Params = append(loop.Head().Params, params...)
	for n, x := range accs {
		r := t.emit(b, ir.Result, x.Type, loop)
		r.Index = n + 1
		all = append(all, t.across(b, r, t.integer(0)))
	}
	return all
}

// independent reports whether the items of a block touch nothing that another one stores, and do nothing together.
func (t *threads) independent(b *ir.Block) bool {
	of := &itemAccess{item: b.Params[0], inside: ir.Inside(b)}
	var writes, touches []*ir.Value
	is := true
	b.Walk(func(v *ir.Value) {
		is = is && v.Op != ir.Each && !v.Meets() && v.Op != ir.Fold
		if v.Writes() {
			writes = append(writes, v)
		}
		if v.Op.Accesses() {
			touches = append(touches, v)
		}
	})
	for _, s := range writes {
		if s.Op == ir.Store && !of.moves(s.Args[0]) {
			return false
		}
		for _, x := range touches {
			alike := s.Op == ir.Atomic && x.Op == ir.Atomic || s.Op == ir.Store && x.Op != ir.Atomic && s.Index == x.Index && of.same(s.Args[0], x.Args[0])
			if !alike && t.meet(s.Index, x.Index) {
				return false
			}
		}
	}
	return is
}

// meet reports whether an element of one memory may be one of another: memory of the block is none that the functor has captured.
func (t *threads) meet(a, b int) bool {
	return t.k.Mems[a].Own == t.k.Mems[b].Own && mayMeet(t.k, a, b)
}

// An itemAccess knows of values in the block of a range how they depend on the item.
type itemAccess struct {
	item   *ir.Value
	inside map[*ir.Value]bool
}

// fixed reports whether a value is the same for all items.
func (a *itemAccess) fixed(v *ir.Value) bool {
	return !a.inside[v] || v.Op.Pure() && !slices.ContainsFunc(v.Args, func(x *ir.Value) bool { return !a.fixed(x) })
}

// moves reports whether a value is another one for each item.
func (a *itemAccess) moves(v *ir.Value) bool {
	switch {
	case v == a.item:
		return true
	case !a.inside[v]:
		return false
	case v.Op == ir.Add:
		return a.moves(v.Args[0]) && a.fixed(v.Args[1]) || a.fixed(v.Args[0]) && a.moves(v.Args[1])
	case v.Op == ir.Sub:
		return a.moves(v.Args[0]) && a.fixed(v.Args[1]) || a.fixed(v.Args[0]) && a.moves(v.Args[1])
	}
	return false
}

// same reports whether two values are plainly equal.
func (a *itemAccess) same(x, y *ir.Value) bool {
	if x == y {
		return true
	}
	return x.Op == y.Op && x.Op.Pure() && x.Type == y.Type && x.Bits == y.Bits && x.Index == y.Index && x.Unsigned == y.Unsigned && x.Func == y.Func &&
		slices.EqualFunc(x.Args, y.Args, a.same)
}
