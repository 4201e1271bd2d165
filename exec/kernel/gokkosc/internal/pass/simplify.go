package pass

import (
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Simplify computes constants, and removes operations that change nothing and branches that are never taken.
// Simplify changes no bit: x+0 of floats stays, as -0+0 is 0.
func Simplify(k *ir.Kernel) {
	s := &simplify{k: k, to: replacement{}, below: map[*ir.Value]*ir.Value{}}
	s.block(k.Setup)
	s.block(k.Body)
	s.to.all(k)
	checks := k.Checks[:0]
	for _, c := range k.Checks {
		if c.When == nil || !(c.When.Op == ir.Const && c.When.Bits == 0) {
			if c.When != nil && c.When.Op == ir.Const {
				c.When = nil
			}
			checks = append(checks, c)
		}
	}
	k.Checks = checks
}

type simplify struct {
	k     *ir.Kernel
	to    replacement
	below map[*ir.Value]*ir.Value // counters that begin at a constant from 0 on, and what they are below in a round
}

func (s *simplify) block(b *ir.Block) {
	var out []*ir.Value
	before := len(b.Values)
	for _, v := range b.Values {
		s.to.list(v.Args)
		if v.Op == ir.Loop {
			s.invariant(v)
			s.entered(v, v.Head().Yield[0])
			s.counter(v)
		}
		for _, inner := range v.Blocks {
			s.block(inner)
		}
		switch {
		case v.Op == ir.If && v.Args[0].Op == ir.Const:
			taken := v.Else()
			if v.Args[0].Bits != 0 {
				taken = v.Then()
			}
			out = append(out, taken.Values...)
			v.Blocks = []*ir.Block{{Yield: taken.Yield}, {Yield: taken.Yield}} // for its results
			continue
		case v.Op == ir.Loop && never(v):
			v.LoopBody().Yield = v.Head().Params // for its results
			continue
		case v.Op == ir.Check && (s.holds(v) || s.follows(v.Args[1], v.Args[0])):
			continue
		}
		if x := s.same(v); x != nil {
			s.to[v] = x
			continue
		}
		out = append(out, v)
	}
	made := len(b.Values) - before // constants of the setup, in front of the others
	b.Values = append(b.Values[:made:made], out...)
	s.to.list(b.Yield)
}

// never reports whether a loop plainly has no round.
func never(loop *ir.Value) bool {
	c, ok := CountOf(loop)
	if !ok || c.From.Op != ir.Const || c.To.Op != ir.Const {
		return false
	}
	if c.Unsigned {
		return c.From.Bits >= c.To.Bits
	}
	return c.From.Int() >= c.To.Int()
}

// counter notes the counter of a loop.
func (s *simplify) counter(loop *ir.Value) {
	if c, ok := CountOf(loop); ok && !c.Unsigned && c.From.Op == ir.Const && c.From.Int() >= 0 {
		s.below[c.Index] = c.To
	}
}

// invariant replaces values that a loop carries and never changes.
func (s *simplify) invariant(loop *ir.Value) {
	for n, p := range loop.Head().Params {
		if loop.LoopBody().Yield[n] == p {
			s.to[p] = loop.Args[n]
		}
	}
}

// entered replaces a condition without which a loop has no round, in its body.
func (s *simplify) entered(loop, cond *ir.Value) {
	if cond.Op == ir.And {
		s.entered(loop, cond.Args[0])
		s.entered(loop, cond.Args[1])
	}
	if cond.Op != ir.Const {
		replacement{cond: constant(s.k, ir.Bool, 1)}.block(loop.LoopBody())
	}
}

// follows reports whether y is x+1, and x a length, for which this does not wrap around.
func (s *simplify) follows(y, x *ir.Value) bool {
	if x.Op != ir.Uniform || y.Op != ir.Add || y.Args[0] != x || !isConst(y.Args[1], 1) {
		return false
	}
	path := s.k.Scalars[x.Index].Path
	if len(path) == 0 {
		return false
	}
	switch path[len(path)-1].Kind {
	case ir.Len, ir.Cap, ir.Extent:
		return true
	}
	return false
}

// same returns a value that v is equal to, or nil.
func (s *simplify) same(v *ir.Value) *ir.Value {
	if v.Op == ir.Result {
		return s.result(v)
	}
	if !v.Op.Pure() || len(v.Args) == 0 {
		return nil
	}
	if c := s.computed(v); c != nil {
		return c
	}
	if v.Op == ir.Lt && s.k.IsRow(v.Args[0], v.Args[1]) {
		return constant(s.k, ir.Bool, 1)
	}
	x := v.Args[0]
	if (v.Op == ir.Eq || v.Op == ir.Ne) && x == v.Args[1] && !x.Type.IsFloat() { // a float may be NaN
		return constant(s.k, ir.Bool, map[ir.Op]uint64{ir.Eq: 1}[v.Op])
	}
	if v.Op == ir.Select {
		switch {
		case v.Args[1] == v.Args[2] || x.Op == ir.Const && x.Bits != 0:
			return v.Args[1]
		case x.Op == ir.Const:
			return v.Args[2]
		}
		return nil
	}
	if len(v.Args) != 2 {
		if v.Op == ir.Not && x.Op == ir.Not {
			return x.Args[0]
		}
		return nil
	}
	if isCommutative(v.Op) && x.Op == ir.Const {
		v.Args[0], v.Args[1] = v.Args[1], v.Args[0]
	}
	if v.Args[0] == v.Args[1] && (v.Op == ir.And || v.Op == ir.Or) {
		return v.Args[0]
	}
	if v.Type.IsInt() {
		return s.integers(v)
	}
	if v.Type == ir.Bool && v.Args[0].Type == ir.Bool {
		return s.bools(v)
	}
	return nil
}

// isCommutative reports whether arguments can be exchanged, and no bit changes. Of floats that
// are both NaN, addition and multiplication return either, which is not promised.
func isCommutative(op ir.Op) bool {
	switch op {
	case ir.Add, ir.Mul, ir.And, ir.Or, ir.Xor, ir.Eq, ir.Ne:
		return true
	}
	return false
}

// computed returns the constant that a value of constants is.
func (s *simplify) computed(v *ir.Value) *ir.Value {
	var x [3]uint64
	for n, a := range v.Args {
		if a.Op != ir.Const {
			return nil
		}
		x[n] = a.Bits
	}
	if v.Op == ir.Conv && v.Args[0].Type.IsFloat() && v.Type.IsInt() {
		return nil // outside of the range it depends on the machine
	}
	if v.Op == ir.Call && !v.IsOfBits() {
		return nil // so do bits of package math
	}
	return constant(s.k, v.Type, interp.Eval(v, x))
}

// integers removes operations with 0 and 1, and joins sums with constants: x+1-1 is x.
func (s *simplify) integers(v *ir.Value) *ir.Value {
	x, y := v.Args[0], v.Args[1]
	if y.Op != ir.Const {
		switch {
		case v.Op == ir.Sub && x == y || v.Op == ir.Xor && x == y:
			return constant(s.k, v.Type, 0)
		case v.Op == ir.Sub && x.Op == ir.Add && x.Args[0] == y:
			return x.Args[1]
		case v.Op == ir.Sub && x.Op == ir.Add && x.Args[1] == y:
			return x.Args[0]
		case v.Op == ir.Add && x.Op == ir.Sub && x.Args[1] == y:
			return x.Args[0]
		}
		return nil
	}
	if v.Op == ir.Shl || v.Op == ir.Shr {
		return s.shift(v)
	}
	switch n := y.Int(); {
	case n == 0 && (v.Op == ir.Add || v.Op == ir.Sub || v.Op == ir.Or || v.Op == ir.Xor):
		return x
	case n == 1 && (v.Op == ir.Mul || v.Op == ir.Div):
		return x
	case n == 0 && (v.Op == ir.Mul || v.Op == ir.And):
		return constant(s.k, v.Type, 0)
	case v.Op == ir.Sub:
		v.Op, v.Args[1] = ir.Add, constant(s.k, v.Type, -y.Bits)
		return s.integers(v)
	case v.Op == ir.Add && x.Op == ir.Add && x.Args[1].Op == ir.Const:
		sum := constant(s.k, v.Type, x.Args[1].Bits+y.Bits)
		if sum.Bits == 0 {
			return x.Args[0]
		}
		v.Args = []*ir.Value{x.Args[0], sum}
	}
	return nil
}

// shift simplifies shifts by constants: by 0, and by the width and more.
func (s *simplify) shift(v *ir.Value) *ir.Value {
	x, width := v.Args[0], uint64(8*v.Type.Bytes())
	switch count := v.Args[1].Bits; {
	case count == 0:
		return x
	case count >= width && (v.Op == ir.Shl || v.Unsigned):
		return constant(s.k, v.Type, 0)
	case count >= width:
		v.Args[1] = constant(s.k, ir.I64, width-1)
	}
	return nil
}

func (s *simplify) bools(v *ir.Value) *ir.Value {
	x, y := v.Args[0], v.Args[1]
	if y.Op != ir.Const {
		return nil
	}
	switch on := y.Bits != 0; {
	case v.Op == ir.And && on, v.Op == ir.Or && !on, v.Op == ir.Xor && !on, v.Op == ir.Eq && on, v.Op == ir.Ne && !on:
		return x
	case v.Op == ir.And:
		return constant(s.k, ir.Bool, 0)
	case v.Op == ir.Or:
		return constant(s.k, ir.Bool, 1)
	}
	return nil
}

// result returns the value of a result that is the same in both branches.
func (s *simplify) result(r *ir.Value) *ir.Value {
	v := r.Args[0]
	if v.Op == ir.Loop {
		p, next := v.Head().Params[r.Index], v.LoopBody().Yield[r.Index]
		if next == p || s.to.get(next) == p {
			return s.to.get(v.Args[r.Index])
		}
		return nil
	}
	if x, y := s.to.get(v.Then().Yield[r.Index]), s.to.get(v.Else().Yield[r.Index]); x == y {
		return x
	}
	return nil
}
