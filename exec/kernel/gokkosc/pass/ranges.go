package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"

// Ranges asks once before a loop that counts for what each of its rounds checks, where what is
// checked counts up with it: the first and the last round say it for all. Checks in a branch are
// taken if the branch is the same in all rounds, and gives nothing.
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

// loop takes checks out of a loop, and returns what is to be checked before it.
func (r *ranges) loop(loop *ir.Value) (before []*ir.Value) {
	c, ok := CountOf(loop)
	if !ok || c.Unsigned || c.Index.Type != ir.I64 {
		return nil
	}
	t := &taker{count: c, own: map[*ir.Value]bool{}}
	for _, p := range loop.Head().Params {
		t.own[p] = true
	}
	for _, b := range loop.Blocks {
		b.Walk(func(v *ir.Value) { t.own[v] = true })
	}
	branch := r.k.NewValue(ir.If, ir.None)
	branch.Blocks, branch.Pos = []*ir.Block{{}, {}}, loop.Pos
	t.Former = &Former{Kernel: r.k, X: c.Index, Fixed: func(v *ir.Value) bool { return !t.own[v] }}
	if !t.block(loop.LoopBody(), branch.Then()) {
		return nil
	}
	some := r.k.NewValue(ir.Lt, ir.Bool, c.From, c.To)
	branch.Args = []*ir.Value{some}
	return []*ir.Value{some, branch}
}

// A taker takes checks out of a loop.
type taker struct {
	*Former
	count Count
	own   map[*ir.Value]bool // values of the loop
}

// block takes checks out of a block, into another one before the loop, which is run if the loop has
// a round. It reports whether there were any.
func (t *taker) block(from, to *ir.Block) (found bool) {
	t.to(to)
	var stay []*ir.Value
	for _, v := range from.Values {
		if v.Op == ir.If && !t.own[v.Args[0]] && len(v.Then().Yield) == 0 {
			inner := t.Kernel.NewValue(ir.If, ir.None, v.Args[0])
			inner.Blocks, inner.Pos = []*ir.Block{{}, {}}, v.Pos
			a, b := t.block(v.Then(), inner.Then()), t.block(v.Else(), inner.Else())
			t.to(to)
			if a || b {
				t.Put(inner)
				found = true
			}
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

// to says which block gets what is computed from here on.
func (t *taker) to(b *ir.Block) {
	t.made = nil
	t.Put = func(v *ir.Value) { b.Values = append(b.Values, v) }
}

// check takes a check, if it is one of base + step*j < limit, for from <= j < to.
//
// Both the first and the last index have to be in range, and nothing between may wrap around. With a
// step of 1 that is so if to-1-from is below 2⁶³, as unsigned numbers. With others, step and
// to-1-from have to be below 2³¹, and not negative. The index j itself is in range if the first one is
// not negative, and the last one is.
func (t *taker) check(v *ir.Value) bool {
	if t.own[v.Args[1]] {
		return false
	}
	x, ok := t.Of(v.Args[0])
	if !ok || x.Step.Op == ir.Const && (x.Step.Int() < 0 || x.Step.Int() >= 1<<31) {
		return false // what was computed for that is removed as dead
	}
	from, last := t.count.From, t.op(ir.Add, t.count.To, t.number(1<<64-1))
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
	case t.Kernel.IsRow(from, t.count.To): // of less than 2⁶³ items
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
