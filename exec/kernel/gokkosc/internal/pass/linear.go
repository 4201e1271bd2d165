package pass

import "github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"

// A Shape is how a value differs from item to item.
type Shape uint8

// The shapes of values.
const (
	Uniform Shape = iota // the same for all items of a launch
	Affine               // base + step*index, with base and step uniform
	Varying
)

func (s Shape) String() string { return [...]string{"uniform", "affine", "varying"}[s] }

// Shapes returns the shape of each value, by ID. A parameter of a loop has the shape of its values if all
// items run the loop equally often. So has a result of a branch that all items take alike. If the condition
// is not uniform, both are varying.
func Shapes(k *ir.Kernel) []Shape {
	a := &shapes{of: make([]Shape, k.NumValues())}
	a.block(k.Setup, Uniform)
	for _, p := range k.Body.Params {
		a.of[p.ID] = Varying
	}
	for a.changed = true; a.changed; {
		a.changed = false
		a.block(k.Body, Uniform)
	}
	return a.of
}

type shapes struct {
	of      []Shape
	changed bool
}

func (a *shapes) raise(v *ir.Value, s Shape) {
	if s > a.of[v.ID] {
		a.of[v.ID], a.changed = s, true
	}
}

// most returns the shape of the value that varies most.
func (a *shapes) most(values []*ir.Value) (s Shape) {
	for _, v := range values {
		s = max(s, a.of[v.ID])
	}
	return s
}

// block raises the shapes of the values in a block that is run under a condition of a shape.
func (a *shapes) block(b *ir.Block, under Shape) {
	for _, v := range b.Values {
		switch v.Op {
		case ir.Item:
			a.raise(v, Affine)
		case ir.Add, ir.Sub:
			s := a.most(v.Args)
			if s == Affine && v.Type != ir.I64 {
				s = Varying
			}
			a.raise(v, s)
		case ir.Mul:
			x, y := a.of[v.Args[0].ID], a.of[v.Args[1].ID]
			s := max(x, y)
			if x != Uniform && y != Uniform || s == Affine && v.Type != ir.I64 {
				s = Varying
			}
			a.raise(v, s)
		case ir.Neg:
			s := a.most(v.Args)
			if s == Affine && v.Type != ir.I64 {
				s = Varying
			}
			a.raise(v, s)
		case ir.If:
			cond := a.of[v.Args[0].ID]
			a.block(v.Then(), max(under, cond))
			a.block(v.Else(), max(under, cond))
		case ir.Loop:
			a.loop(v, under)
		case ir.Result:
			a.raise(v, a.result(v))
		case ir.Load:
			a.raise(v, least(a.of[v.Args[0].ID]))
		case ir.Atomic: // its former value differs from item to item
			a.raise(v, Varying)
		default:
			a.raise(v, least(a.most(v.Args)))
		}
	}
}

// least returns the shape of a value that is computed from values of shape s and is not linear.
func least(s Shape) Shape {
	if s == Uniform {
		return Uniform
	}
	return Varying
}

func (a *shapes) loop(v *ir.Value, under Shape) {
	for n, p := range v.Head().Params {
		s := a.of[v.Args[n].ID]
		if y := v.LoopBody().Yield[n]; y != p {
			s = max(s, a.of[y.ID])
		}
		a.raise(p, s)
	}
	a.block(v.Head(), under)
	cond := a.of[v.Head().Yield[0].ID]
	a.block(v.LoopBody(), max(under, cond))
	if cond != Uniform { // items leave after other numbers of rounds
		for n, p := range v.Head().Params {
			if v.LoopBody().Yield[n] != p {
				a.raise(p, Varying)
			}
		}
	}
}

func (a *shapes) result(r *ir.Value) Shape {
	v := r.Args[0]
	if v.Op == ir.Loop {
		return a.of[v.Head().Params[r.Index].ID]
	}
	x, y := v.Then().Yield[r.Index], v.Else().Yield[r.Index]
	s := max(a.of[x.ID], a.of[y.ID])
	if a.of[v.Args[0].ID] != Uniform && x != y {
		s = Varying
	}
	return s
}

// A Count is a loop that counts from one number to another in steps of 1.
type Count struct {
	Index    *ir.Value // the parameter of the head
	From, To *ir.Value // the first number, and the first one that is not reached; From < To if there is a round
	Unsigned bool
	Place    int // of the index among the parameters
}

// CountOf returns a loop as one that counts, if it does nothing else in its head. To is
// computed outside of the loop.
func CountOf(v *ir.Value) (c Count, ok bool) {
	cond := v.Head().Yield[0]
	if cond.Op != ir.Lt || !cond.Args[0].Type.IsInt() {
		return c, false
	}
	for n, p := range v.Head().Params {
		if cond.Args[0] != p {
			continue
		}
		c = Count{p, v.Args[n], cond.Args[1], cond.Unsigned, n}
		next := v.LoopBody().Yield[n]
		ok = next.Op == ir.Add && next.Args[0] == p && isConst(next.Args[1], 1) && !inside(v, c.To)
	}
	return c, ok && len(v.Head().Values) == 1
}

// A Bound says between which numbers the counter of a loop is in each round.
type Bound struct {
	Index     *ir.Value // a parameter of the head, of type i64
	From, To  *ir.Value // of all rounds there may be, from the first on: no round is behind To, which is computed outside of the loop
	Less      bool      // nor at To
	Downwards bool      // the counter goes down by 1, else up, and so To is the least
}

// BoundOf returns the bound of a loop that counts up or down by 1. Flags may leave it earlier.
func BoundOf(v *ir.Value) (b Bound, ok bool) {
	var find func(cond *ir.Value)
	find = func(cond *ir.Value) {
		switch {
		case cond.Op == ir.And:
			find(cond.Args[0])
			find(cond.Args[1])
		case ok || cond.Op != ir.Lt && cond.Op != ir.Le || cond.Unsigned:
		default:
			for n, p := range v.Head().Params {
				next := v.LoopBody().Yield[n]
				if p.Type != ir.I64 || next.Op != ir.Add || next.Args[0] != p {
					continue
				}
				for side, by := range []int64{1, -1} {
					if to := cond.Args[1-side]; cond.Args[side] == p && isConst(next.Args[1], by) && !inside(v, to) {
						b, ok = Bound{p, v.Args[n], to, cond.Op == ir.Lt, side == 1}, true
					}
				}
			}
		}
	}
	find(v.Head().Yield[0])
	return b, ok
}

func isConst(v *ir.Value, n int64) bool { return v.Op == ir.Const && v.Type.IsInt() && v.Int() == n }

// inside reports whether a value is computed in a loop.
func inside(loop, v *ir.Value) (found bool) {
	for _, p := range loop.Head().Params {
		found = found || p == v
	}
	for _, b := range loop.Blocks {
		b.Walk(func(w *ir.Value) { found = found || w == v })
	}
	return found
}
