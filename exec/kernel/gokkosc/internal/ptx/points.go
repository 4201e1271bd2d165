package ptx

import (
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/pass"
)

// A thread runs one row of a functor that gets rows, and neighbouring threads then load elements that lie a
// row apart. If the functor is one loop over the points of the row, and rounds are independent, each point
// may be a row of its own. Neighbouring threads then load neighbouring elements.

// pointwise reports whether points may be rows of their own, and says under which conditions on memories and scalars.
func (c *Code) pointwise() bool {
	k := c.IR
	n := len(k.Body.Values) - 1
	if !k.Index.Row || len(k.Accs) > 0 || n < 0 || k.Body.Values[n].Op != ir.Loop {
		return false
	}
	loop := k.Body.Values[n]
	count, ok := pass.CountOf(loop)
	if !ok || len(loop.Args) != 1 || count.Unsigned || !k.IsRow(count.From, count.To) {
		return false
	}
	for _, v := range k.Body.Values[:n] {
		if !v.Op.Pure() && v.Op != ir.Load && v.Op != ir.Check {
			return false
		}
	}
	if usesBounds(k, loop) {
		return false
	}
	r := &rounds{code: c, loop: loop, index: count.Index}
	if !r.independent() {
		return false
	}
	c.Points = c.Entry + "_points"
	return true
}

// pointOf returns a kernel in which each point of a row is an item: the round of that point. Points of the
// given kernel must be able to be rows of their own.
func pointOf(k *ir.Kernel) *ir.Kernel {
	k = k.Clone()
	k.Index.Row = false
	n := len(k.Body.Values) - 1
	loop := k.Body.Values[n]
	count, _ := pass.CountOf(loop)
	item := k.NewValue(ir.Item, ir.I64)
	k.Body.Values = append(append(k.Body.Values[:n:n], item), loop.LoopBody().Values...)
	k.Body.Walk(func(v *ir.Value) {
		for n, a := range v.Args {
			if a == count.Index {
				v.Args[n] = item
			}
		}
		for _, b := range v.Blocks {
			for n, y := range b.Yield {
				if y == count.Index {
					b.Yield[n] = item
				}
			}
		}
	})
	k.Setup.Values = slices.DeleteFunc(k.Setup.Values, func(v *ir.Value) bool {
		return v.Op == ir.Stop || v.Op == ir.Coord && v.Index == k.Index.Dim
	})
	pass.Run(k, pass.Points)
	return k
}

// usesBounds reports whether more than the loop depends on where a row begins and ends.
func usesBounds(k *ir.Kernel, loop *ir.Value) (used bool) {
	isBound := func(v *ir.Value) bool {
		return v.Op == ir.Stop || v.Op == ir.Coord && v.Index == k.Index.Dim
	}
	see := func(v *ir.Value) {
		if v == loop || len(v.Args) == 2 && v == loop.Head().Yield[0] {
			return
		}
		used = used || slices.ContainsFunc(v.Args, isBound)
	}
	k.Setup.Walk(see)
	k.Body.Walk(see)
	for _, c := range k.Checks {
		used = used || slices.ContainsFunc([]*ir.Value{c.Base, c.Step, c.Limit}, isBound)
	}
	return used
}

// rounds are the rounds of a loop over the points of a row.
type rounds struct {
	code  *Code
	loop  *ir.Value
	index *ir.Value // counts them
}

// independent reports whether no round loads or stores an element that another round stores. It notes the
// conditions on memories and scalars under which that holds.
func (r *rounds) independent() bool {
	k := r.code.IR
	var stored, all []*ir.Value
	k.Body.Walk(func(v *ir.Value) {
		if v.Op == ir.Store {
			stored = append(stored, v)
		}
		if v.Op == ir.Store || v.Op == ir.Load {
			all = append(all, v)
		}
	})
	for _, s := range stored {
		if !r.moves(s.Args[0]) {
			return false
		}
		for _, v := range all {
			switch {
			case v.Index == s.Index && v.Args[0] != s.Args[0]:
				return false
			case v.Index != s.Index && k.Mems[v.Index].Table == nil && k.Mems[v.Index].Elem == k.Mems[s.Index].Elem:
				pair := [2]int{min(v.Index, s.Index), max(v.Index, s.Index)}
				if !slices.Contains(r.code.Apart, pair) {
					r.code.Apart = append(r.code.Apart, pair)
				}
			}
		}
	}
	return true
}

// moves reports whether a value grows by the same number from round to round, which is not 0.
func (r *rounds) moves(v *ir.Value) bool {
	f, ok := r.step(v)
	if !ok || f.by == 0 {
		return false
	}
	if f.times != nil && !slices.Contains(r.code.Steps, f.times.Index) {
		r.code.Steps = append(r.code.Steps, f.times.Index)
	}
	return true
}

// A step is how much a value grows in a round: by, or by*times, a scalar.
type step struct {
	by    int64
	times *ir.Value
}

func (r *rounds) step(v *ir.Value) (s step, ok bool) {
	switch {
	case v == r.index:
		return step{by: 1}, true
	case !r.within(v):
		return step{}, true
	case v.Type != ir.I64 || len(v.Args) != 2:
		return step{}, false
	}
	a, ok := r.step(v.Args[0])
	b, also := r.step(v.Args[1])
	if !ok || !also {
		return step{}, false
	}
	switch {
	case v.Op == ir.Add && (a.by == 0 || b.by == 0):
		if a.by == 0 {
			a = b
		}
		return a, true
	case v.Op == ir.Sub && b.by == 0:
		return a, true
	case v.Op == ir.Mul && a.by == 1 && a.times == nil && b.by == 0 && v.Args[1].Op == ir.Uniform:
		return step{1, v.Args[1]}, true
	case v.Op == ir.Mul && b.by == 1 && b.times == nil && a.by == 0 && v.Args[0].Op == ir.Uniform:
		return step{1, v.Args[0]}, true
	}
	return step{}, false
}

// within reports whether a value is computed in the loop.
func (r *rounds) within(v *ir.Value) (found bool) {
	for _, b := range r.loop.Blocks {
		found = found || slices.Contains(b.Params, v)
		b.Walk(func(w *ir.Value) { found = found || v == w })
	}
	return found
}
