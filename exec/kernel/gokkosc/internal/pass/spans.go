package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// Spans turns checks of indices that are linear in the item's index into conditions on that index. A back end
// asks for them many items at a time. Checks within a branch are taken if the branch is the same for all
// items.
func Spans(k *ir.Kernel) {
	s := &spans{k: k, fixed: map[*ir.Value]bool{}}
	for _, v := range k.Setup.Values {
		s.fixed[v] = true
	}
	s.block(k.Body, nil)
}

type spans struct {
	k     *ir.Kernel
	fixed map[*ir.Value]bool
}

func (s *spans) put(v *ir.Value) {
	s.k.Setup.Values = append(s.k.Setup.Values, v)
	s.fixed[v] = true
}

// isFixed reports whether a value is the same for all items.
func (s *spans) isFixed(v *ir.Value) bool { return v.Op == ir.Const || s.fixed[v] }

// block takes checks out of a block that is run when a value of the setup is true, or always if
// that is nil.
func (s *spans) block(b *ir.Block, when *ir.Value) {
	var stay []*ir.Value
	var item *ir.Value
	s.k.Body.Walk(func(v *ir.Value) {
		if v.Op == ir.Item {
			item = v
		}
	})
	for _, v := range b.Values {
		if v.Op == ir.If && s.isFixed(v.Args[0]) {
			s.block(v.Then(), s.both(when, v.Args[0]))
			not := s.k.NewValue(ir.Not, ir.Bool, v.Args[0])
			s.put(not)
			s.block(v.Else(), s.both(when, not))
		}
		if v.Op == ir.Check && s.take(v, &Former{Kernel: s.k, X: item, Fixed: s.isFixed, Put: s.put}, when) {
			continue
		}
		stay = append(stay, v)
	}
	b.Values = stay
}

// take makes a check conditions on the item's index, if it can.
//
// If the limit moves with the index, three signed conditions stand for x < y as unsigned numbers. They are 0
// <= x, 1 <= y and 1 <= y-x.
func (s *spans) take(v *ir.Value, f *Former, when *ir.Value) bool {
	x, ok := f.Of(v.Args[0])
	y, also := f.Of(v.Args[1])
	if !ok || !also || isPanic(v) || !v.IsRange() && !isConst(x.Step, 0) {
		return false
	}
	add := func(x Form, limit *ir.Value) {
		s.k.Checks = append(s.k.Checks, ir.SpanCheck{Base: x.Base, Step: x.Step, Limit: limit, When: when, Pos: v.Pos})
	}
	switch {
	case isConst(y.Step, 0):
		add(x, y.Base)
	case x.Step == y.Step:
		less := func(n *ir.Value) *ir.Value { return f.op(ir.Add, n, f.number(1<<64-1)) }
		most := f.number(1<<63 - 1)
		add(x, most)
		add(Form{less(y.Base), y.Step}, most)
		add(Form{less(f.op(ir.Sub, y.Base, x.Base)), f.number(0)}, most)
	default:
		return false
	}
	return true
}

// both returns the conjunction of two values of the setup, of which the first can be nil.
func (s *spans) both(x, y *ir.Value) *ir.Value {
	if x == nil {
		return y
	}
	v := s.k.NewValue(ir.And, ir.Bool, x, y)
	s.put(v)
	return v
}
