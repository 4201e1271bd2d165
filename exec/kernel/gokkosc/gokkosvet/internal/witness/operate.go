package witness

import (
	"cmp"
	"go/token"
	"go/types"
	"math"
)

// operate returns the result of an operation with two operands.
func (m *machine) operate(op token.Token, x, y value, t types.Type) value {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return m.compare(op, x, y)
	}
	v := value{mark: (x.mark | y.mark) &^ datum}
	shape := mix(mix(uint64(op)+31, x.form()), y.form())
	switch {
	case m.judge.swallows(op, x, y):
		if m.judge.event(Lost) {
			return x.or(y)
		}
		x.mark |= y.mark
		return x.and(y)
	case m.judge != nil && op == token.ADD && x.isNumber() && y.isNumber() && (x.isZero() || y.isZero()):
		m.judge.counts = m.judge.counts || x.kind == number && (x.mark|y.mark)&both == both
		if y.isZero() { // the sum with nothing is the other one
			return x
		}
		return y
	case x.kind == number && y.kind == number:
		v.kind = number
		if v.mark&item != 0 {
			v.shape = shape | 1
		}
		vague := v.mark&wide != 0 && (x.mark|y.mark)&made != 0 || x.mark&y.mark&wide != 0
		switch op {
		case token.ADD, token.SUB, token.MUL, token.XOR:
			v.mark |= (x.mark | y.mark) & datum
		default:
			if vague {
				v.n = int64(mix(mix(uint64(op), uint64(x.n)), uint64(y.n))>>20&(1<<40-1)) + 1<<20
				return v
			}
		}
		v.n = wrap(arithmetic(op, x.n, y.n, isUnsigned(t)), t)
	case x.kind == float && y.kind == float:
		v.kind, v.x = float, floating(op, x.x.(float64), y.x.(float64))
		if b, ok := under(t).(*types.Basic); ok && b.Kind() == types.Float32 {
			v.x = float64(float32(v.x.(float64)))
		}
	case x.kind == text && y.kind == text && op == token.ADD:
		v.kind, v.x = text, x.x.(string)+y.x.(string)
	case x.kind == truth && y.kind == truth:
		v.kind, v.n = truth, arithmetic(op, x.n, y.n, false)
	default:
		return m.unknown(t, mix(mix(uint64(op), x.hash()), y.hash()), shape, v.mark, "")
	}
	return v
}

func arithmetic(op token.Token, x, y int64, unsigned bool) int64 {
	if y == 0 && (op == token.QUO || op == token.REM) {
		panic(end{})
	}
	switch op {
	case token.ADD, token.SUB, token.MUL:
		return ring(op, x, y)
	case token.QUO:
		if unsigned {
			return int64(uint64(x) / uint64(y))
		}
		return x / y
	case token.REM:
		if unsigned {
			return int64(uint64(x) % uint64(y))
		}
		return x % y
	case token.AND:
		return x & y
	case token.OR:
		return x | y
	case token.XOR:
		return x ^ y
	case token.AND_NOT:
		return x &^ y
	case token.SHL:
		return x << uint64(y)
	case token.SHR:
		if unsigned {
			return int64(uint64(x) >> uint64(y))
		}
		return x >> uint64(y)
	}
	return 0
}

func floating(op token.Token, x, y float64) float64 {
	if op == token.QUO {
		return x / y
	}
	return ring(op, x, y)
}

// ring returns a sum, a difference or a product.
func ring[T int64 | float64](op token.Token, x, y T) T {
	switch op {
	case token.ADD:
		return x + y
	case token.SUB:
		return x - y
	}
	return x * y
}

func isUnsigned(t types.Type) bool {
	b, ok := under(t).(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// wrap returns an integer as a type holds it.
func wrap(n int64, t types.Type) int64 {
	b, ok := under(t).(*types.Basic)
	if !ok {
		return n
	}
	switch b.Kind() {
	case types.Int8:
		return int64(int8(n))
	case types.Int16:
		return int64(int16(n))
	case types.Int32:
		return int64(int32(n))
	case types.Uint8:
		return int64(uint8(n))
	case types.Uint16:
		return int64(uint16(n))
	case types.Uint32:
		return int64(uint32(n))
	}
	return n
}

// compare returns the result of a comparison, which is computed where both sides are known, and decided for
// all items alike where one is not.
func (m *machine) compare(op token.Token, x, y value) value {
	of := (x.mark | y.mark) &^ datum
	if x.kind == truth && y.kind == opaque || x.kind == opaque && y.kind == truth {
		x, y = m.decided(x), m.decided(y)
		return value{kind: truth, n: x.n ^ y.n ^ flag(op == token.EQL), mark: x.mark | y.mark}
	}
	if c, known := m.order(x, y); known {
		is := map[token.Token]bool{
			token.EQL: c == 0, token.NEQ: c != 0, token.LSS: c < 0, token.LEQ: c == -1 || c == 0,
			token.GTR: c == 1, token.GEQ: c == 0 || c == 1,
		}[op]
		v := boolean(is)
		v.mark = of
		return v
	}
	not := false
	switch op {
	case token.NEQ:
		op, not = token.EQL, true
	case token.GTR:
		op, x, y = token.LSS, y, x
	case token.GEQ:
		op, not = token.LSS, true
	case token.LEQ:
		op, not, x, y = token.LSS, true, y, x
	}
	a, b := x.form(), y.form()
	if op == token.EQL && a > b {
		a, b = b, a
	}
	is := m.decide(mix(mix(uint64(op), a), b), not)
	v := boolean(is != not)
	v.mark = of &^ wide
	if is && op == token.EQL {
		v.mark |= (x.mark | y.mark) & datum
	}
	return v
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// order returns how two values compare, -1, 0 or 1, or 2 if they only differ, and whether that is known.
func (m *machine) order(x, y value) (c int, known bool) {
	unequal := func(same bool) int {
		if same {
			return 0
		}
		return 2
	}
	switch {
	case (x.mark|y.mark)&wide != 0:
		return 0, false
	case x.kind == number && y.kind == number:
		if m.strange && (x.mark|y.mark)&made != 0 && (x.mark|y.mark)&item == 0 {
			return 0, false
		}
		return cmp.Compare(x.n, y.n), true
	case x.kind == float && y.kind == float:
		a, b := x.x.(float64), y.x.(float64)
		if math.IsNaN(a) || math.IsNaN(b) {
			return 2, true
		}
		return cmp.Compare(a, b), true
	case x.kind == text && y.kind == text:
		return cmp.Compare(x.x.(string), y.x.(string)), true
	case x.kind == truth && y.kind == truth:
		return unequal(x.n == y.n), true
	case isRank(x) && isRank(y):
		return cmp.Compare(x.x.(rank), y.x.(rank)), true
	case x.kind == null || y.kind == null:
		if x.kind == opaque || y.kind == opaque {
			return 0, false
		}
		return unequal(x.kind == y.kind), true
	case x.kind == pointer && y.kind == pointer:
		return unequal(x.id == y.id), true
	case x.kind == parts && y.kind == parts:
		return m.orderParts(x.parts(), y.parts())
	case x.kind == boxed && y.kind == boxed:
		if !types.Identical(x.typ, y.typ) {
			return 2, true
		}
		return m.order(x.x.(value), y.x.(value))
	}
	return 0, x.hash() == y.hash() && x.kind == y.kind
}

// orderParts is order of structs and arrays, which are equal or not.
func (m *machine) orderParts(x, y []value) (c int, known bool) {
	all := len(x) == len(y)
	for k := range min(len(x), len(y)) {
		c, known := m.order(x[k], y[k])
		if known && c != 0 {
			return 2, true
		}
		all = all && known
	}
	return 0, all
}

// negate returns the result of an operation with one operand.
func (m *machine) negate(op token.Token, x value, t types.Type) value {
	switch {
	case op == token.NOT && x.kind == truth:
		x.n ^= 1
		return x
	case op == token.NOT:
		x.id, x.shape = x.id^1, x.form()^1
		return x
	case op == token.SUB && x.kind == float:
		x.x = -x.x.(float64)
		return x
	case x.kind == number && op == token.SUB:
		return m.operate(token.SUB, integer(0), x, t)
	case x.kind == number && op == token.XOR:
		return m.operate(token.XOR, x, integer(-1), t)
	}
	return m.unknown(t, mix(uint64(op), x.hash()), mix(uint64(op), x.form()), x.mark, "")
}

// convert returns a value as one of another type.
func (m *machine) convert(x value, from, t types.Type) value {
	to, isBasic := under(t).(*types.Basic)
	if isBasic && to.Info()&types.IsString != 0 {
		x = m.texts(x)
	}
	switch {
	case x.kind == number && isBasic && to.Info()&types.IsInteger != 0:
		x.n = wrap(x.n, t)
		if to.Kind() != types.Int && to.Kind() != types.Int64 {
			x.mark &^= datum
		}
		return x
	case x.kind == number && isBasic && to.Info()&types.IsFloat != 0 && x.mark&wide == 0:
		return value{kind: float, x: float64(x.n), mark: x.mark}
	case x.kind == float && isBasic && to.Info()&types.IsInteger != 0:
		return value{kind: number, n: wrap(int64(x.x.(float64)), t), mark: x.mark}
	case x.kind == float && isBasic && to.Kind() == types.Float32:
		x.x = float64(float32(x.x.(float64)))
		return x
	case x.kind == float && isBasic && to.Info()&types.IsFloat != 0, x.kind == text && isBasic:
		return x
	}
	if x.kind == null {
		return x
	}
	if _, isPointer := under(t).(*types.Pointer); isPointer && x.kind == pointer {
		return x
	}
	return m.unknown(t, mix(37, x.hash()), mix(37, x.form()), x.mark, x.tag)
}
