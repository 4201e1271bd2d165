package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// Ranges moves checks in front of a loop that counts, if the checked index grows evenly with the counter. The indices of
// the first and of the last round stand for all. Checks in a branch are taken if the branch is the same in all rounds.
//
// Behind a store of an earlier round a check could not be undone. So if a loop stores, Ranges takes the
// checks of all possible rounds and of all branches, although flags may leave the loop earlier. If a
// condition compares the counter, Ranges takes the checks of the rounds in which it holds.
func Ranges(k *ir.Kernel) { (&ranges{k}).block(k.Body) }

type ranges struct{ k *ir.Kernel }

func (r *ranges) block(b *ir.Block) {
	var out []*ir.Value
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			r.block(inner)
		}
		if v.Op == ir.Loop {
			out = append(out, r.loop(v)...)
		}
		out = append(out, v)
	}
	b.Values = out
}

// loop takes checks out of a loop, and returns the checks to put before it.
func (r *ranges) loop(loop *ir.Value) (before []*ir.Value) {
	c, ok := BoundOf(loop)
	stores := lasts(r.k, loop)
	if _, counts := CountOf(loop); !ok || !stores && !counts {
		return nil
	}
	t := &taker{bound: c, stores: stores, own: map[*ir.Value]bool{}}
	for _, p := range loop.Head().Params {
		t.own[p] = true
	}
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) { t.own[v] = true })
	}
	branch := r.k.NewValue(ir.If, ir.None)
	branch.Blocks, branch.Pos = []*ir.Block{{}, {}}, loop.Pos
	t.Former = &Former{Kernel: r.k, X: c.Index, Fixed: func(v *ir.Value) bool { return !t.own[v] }}
	t.to(branch.Then())
	t.noWrap(loop)
	if !t.block(loop.LoopBody(), branch.Then()) {
		return nil
	}
	some := r.k.NewValue(ir.Le, ir.Bool, c.From, c.To)
	if c.Less {
		some.Op = ir.Lt
	}
	if c.Downwards {
		some.Args[0], some.Args[1] = c.To, c.From
	}
	branch.Args = []*ir.Value{some}
	return []*ir.Value{some, branch}
}

// A taker takes checks out of a loop.
type taker struct {
	*Former
	bound  Bound
	stores bool               // checks are taken out of all branches
	own    map[*ir.Value]bool // values of the loop

	from, last *ir.Value // the least and the largest counter in the branch; nil: the bounds of all rounds
	when       *ir.Value // a condition of the branch that is the same in all rounds, or nil
}

// block takes checks out of a block, into another one before the loop, which is run if the loop has a round.
// It reports whether it took any.
func (t *taker) block(from, to *ir.Block) (found bool) {
	t.to(to)
	var stay []*ir.Value
	for _, v := range from.Values {
		if v.Op == ir.If && !t.own[v.Args[0]] {
			inner := t.Kernel.NewValue(ir.If, ir.None, v.Args[0])
			inner.Blocks, inner.Pos = []*ir.Block{{}, {}}, v.Pos
			a, b := t.block(v.Then(), inner.Then()), t.block(v.Else(), inner.Else())
			t.to(to)
			if a || b {
				t.Put(inner)
				found = true
			}
		}
		if v.Op == ir.If && t.stores && t.own[v.Args[0]] {
			found = t.guarded(v, to) || found
		}
		if v.Op == ir.Check && t.check(v) {
			found = true
			continue
		}
		stay = append(stay, v)
	}
	from.Values = stay
	return found
}

// guarded is block of the branches of an If that need not be the same in all rounds.
func (t *taker) guarded(v *ir.Value, to *ir.Block) (found bool) {
	from, last := t.from, t.last
	for n, b := range v.Blocks {
		inner := &ir.Block{}
		t.to(inner)
		t.from, t.last = t.ends()
		t.when = nil
		t.narrow(v.Args[0], n == 0)
		some := t.truth(ir.Le, t.from, t.last)
		if t.when != nil {
			some = t.truth(ir.And, some, t.when)
		}
		branch := t.Kernel.NewValue(ir.If, ir.None, some)
		branch.Blocks, branch.Pos = []*ir.Block{{}, {}}, v.Pos
		taken := t.block(b, branch.Then())
		t.from, t.last = from, last
		t.to(to)
		if taken {
			to.Values = append(append(to.Values, inner.Values...), branch)
			found = true
		}
	}
	return found
}

// truth computes a truth value.
func (t *taker) truth(op ir.Op, args ...*ir.Value) *ir.Value {
	v := t.Kernel.NewValue(op, ir.Bool, args...)
	t.Put(v)
	return v
}

// asks notes a condition of the branch that is the same in all rounds.
func (t *taker) asks(cond *ir.Value) {
	if t.when != nil {
		cond = t.truth(ir.And, t.when, cond)
	}
	t.when = cond
}

// narrow leaves out rounds in which a condition is not as holds says. If the condition compares the counter
// with a number that is the same in all rounds, narrow cuts off rounds before or behind it. If the condition
// itself is the same in all rounds, narrow notes it.
func (t *taker) narrow(cond *ir.Value, holds bool) {
	if !t.own[cond] {
		if !holds {
			cond = t.truth(ir.Not, cond)
		}
		t.asks(cond)
		return
	}
	if cond.Op == ir.Not {
		t.narrow(cond.Args[0], !holds)
		return
	}
	if cond.Op == ir.And && holds || cond.Op == ir.Or && !holds {
		t.narrow(cond.Args[0], holds)
		t.narrow(cond.Args[1], holds)
		return
	}
	if cond.Op != ir.Lt && cond.Op != ir.Le || cond.Unsigned || cond.Args[0].Type != ir.I64 {
		return
	}
	left, right := cond.Args[0], cond.Args[1]
	if !holds {
		left, right = right, left
	}
	x, ok := t.Of(left)
	y, also := t.Of(right)
	if !ok || !also {
		return
	}
	less := uint64(0) // 1 of <
	if (cond.Op == ir.Lt) == holds {
		less = 1
	}
	switch {
	case isConst(x.Step, 0) && isConst(y.Step, 0):
		t.asks(t.truth([2]ir.Op{ir.Le, ir.Lt}[less], x.Base, y.Base))
	case isConst(x.Step, 1) && isConst(y.Step, 0): // counter + base < limit
		t.last = t.op(ir.Min, t.last, t.minus(y.Base, x.Base, less, cond))
	case isConst(y.Step, 1) && isConst(x.Step, 0):
		t.from = t.op(ir.Max, t.from, t.minus(x.Base, y.Base, -less, cond))
	}
}

// minus returns y-base-less, for the comparison of y with the counter and base. If that number wraps around
// without a base, no round is left out. With a base, the base has to be within 2³¹ and counters within 2⁶¹,
// and a larger y may be cut to 2⁶².
func (t *taker) minus(y, base *ir.Value, less uint64, like *ir.Value) *ir.Value {
	if !isConst(base, 0) {
		from, last := t.all()
		for _, end := range []*ir.Value{from, last} {
			t.emit(t.op(ir.Add, end, t.number(1<<61)), t.number(1<<62), like)
		}
		t.emit(t.op(ir.Add, base, t.number(1<<31)), t.number(1<<32), like)
		y = t.op(ir.Max, t.op(ir.Min, y, t.number(1<<62)), t.number(-1<<62&(1<<64-1)))
	}
	return t.op(ir.Sub, t.op(ir.Sub, y, base), t.number(less))
}

// ends returns the least and the largest counter.
func (t *taker) ends() (from, last *ir.Value) {
	if t.from != nil {
		return t.from, t.last
	}
	return t.all()
}

// all returns the least and the largest counter of all rounds.
func (t *taker) all() (from, last *ir.Value) {
	switch b := t.bound; {
	case b.Downwards && b.Less:
		return t.op(ir.Add, b.To, t.number(1)), b.From
	case b.Downwards:
		return b.To, b.From
	case b.Less:
		return b.From, t.op(ir.Add, b.To, t.number(1<<64-1))
	}
	return t.bound.From, t.bound.To
}

// noWrap asks that the counter does not wrap around behind the last round, if To itself may be the last
// counter.
func (t *taker) noWrap(loop *ir.Value) {
	if !t.bound.Less {
		t.emit(t.op(ir.Add, t.bound.To, t.number(1<<62)), t.number(1<<63), loop)
	}
}

// to sets the block that gets the values computed from here on.
func (t *taker) to(b *ir.Block) {
	t.made = nil
	t.Put = func(v *ir.Value) { b.Values = append(b.Values, v) }
}

// check takes a check, if it is one of base + step*j < limit, for from <= j <= last.
//
// Both the first and the last index have to be in range, and nothing between may wrap around. With a
// step of 1 that is so if last-from is below 2⁶³, as unsigned numbers. With others, last-from has to be below 2³¹, as
// the step has, which is negative only if it is a constant. The index j itself is in range if the first one is
// not negative, and the last one is.
func (t *taker) check(v *ir.Value) bool {
	if t.own[v.Args[1]] || t.from != nil && isPanic(v) { // else each item would stop
		return false
	}
	x, ok := t.Of(v.Args[0])
	if !ok || x.Step.Op == ir.Const && (x.Step.Int() <= -1<<31 || x.Step.Int() >= 1<<31) {
		return false // the values computed for it are removed as dead
	}
	from, last := t.ends()
	switch {
	case isConst(x.Step, 0):
		t.emit(x.Base, v.Args[1], v)
		return true
	case !v.IsRange():
		return false
	case isConst(x.Step, 1) && isConst(x.Base, 0): // 0 <= from <= last < limit
		if from.Op != ir.Const || from.Int() < 0 {
			t.emit(from, t.number(1<<63), v)
		}
		t.emit(last, v.Args[1], v)
		return true
	case !isConst(x.Step, 1):
		t.emit(t.op(ir.Sub, last, from), t.number(1<<31), v)
		if x.Step.Op != ir.Const {
			t.emit(x.Step, t.number(1<<31), v)
		}
	case !t.bound.Downwards && t.Kernel.IsRow(t.bound.From, t.bound.To): // of less than 2⁶³ items
	case from.Op != ir.Const || from.Int() < 0:
		t.emit(t.op(ir.Sub, last, from), t.number(1<<63), v)
	}
	t.emit(t.op(ir.Add, x.Base, t.op(ir.Mul, x.Step, from)), v.Args[1], v)
	t.emit(t.op(ir.Add, x.Base, t.op(ir.Mul, x.Step, last)), v.Args[1], v)
	return true
}

func (t *taker) emit(x, limit, like *ir.Value) {
	v := t.Kernel.NewValue(ir.Check, ir.None, x, limit)
	v.Pos = like.Pos
	t.Put(v)
}
