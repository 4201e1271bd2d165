package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

const (
	noIdentity = "the identity of this reducer is not zero: give it with reducers.Init, " +
		"or use a reducer of package builtin"

	noComparedIdentity = "this join compares its values, and zero, the identity without reducers.Init, " +
		"takes part: give the identity with reducers.Init, as +Inf for a minimum, " +
		"or use a reducer of package builtin"
)

// An identity is the rule that tells whether zero is neutral for a join. It follows the join twice, once
// with a zero for dst and once for src. The other value is not known. The join is wrong where the result
// depends on how zero compares with the other value, or where zero takes part in a product, a minimum, a
// maximum, or an and. A condition that zero does not meet, or that it does, leads one way only: so a join
// that asks whether one is empty is right. Magnitudes, texts, times and numbers without a sign are not
// less than zero.
type identity struct {
	positive bool // numbers that are compared are taken for ones that are not negative
}

// sided is what an identity knows of a number.
type sided struct {
	input bool   // it comes from the value that is not known
	path  string // the part of that value that it is, "" if it is made of several
	sides uint8  // 1 for what is made of dst, 2 for src
	sign  int8   // 1 for what is not negative, -1 for what is not positive
	order bool   // it is the result of a comparison with zero
	fate  fate
	holds int8 // of a comparison with zero: 1 if it holds, -1 if it does not, 0 if it may
}

type fate uint8

const (
	unknown  fate = iota + 1
	compares      // the result of a comparison with zero
	decided       // it was chosen by such a comparison
	lost          // zero has changed it
)

// A choice is the branch of a comparison with zero that leads to a state.
type choice uint8

const (
	either choice = iota + 1
	taken
	untaken
)

// choices returns the choices that the branches of a comparison are.
func (l leaf) choices() (yes, no choice) {
	switch l.holds {
	case 1:
		return taken, untaken
	case -1:
		return untaken, taken
	}
	return either, either
}

// zeroIs returns what a join makes of zero: compares, lost, or nothing.
func (c *checker) zeroIs(join *function, positive bool) (worst fate) {
	params := c.parameters(join.typ)
	if join.recv != nil && len(params) == 1 { // the method of dst
		params = append(c.parameters(&ast.FuncType{Params: join.recv}), params...)
	}
	if len(params) != 2 || params[0] == nil || params[1] == nil {
		return 0
	}
	var result tree // of a zero for dst: what is a magnitude there is one in each dst
	for zero := range 2 {
		rule := identity{positive}
		f := c.flow(rule)
		var to [2]types.Object
		for k, v := range params {
			pointer, ok := v.Type().Underlying().(*types.Pointer)
			if !ok {
				return 0
			}
			to[k] = types.NewVar(v.Pos(), c.pass.Pkg, "", pointer.Elem())
			f.put(place{root: v}, tree{"": {to: place{root: to[k]}}})
			for path, l := range rule.zero(pointer.Elem()) {
				l.sides = 1 << k
				if k != zero {
					l = leaf{sided: sided{input: true, path: path, sides: l.sides, sign: l.sign}}
				}
				if k == 0 && result[path].sign > 0 {
					l.sign = 1
				}
				f.put(place{to[k], path}, tree{"": l})
			}
		}
		f.run(join)
		result = f.at(place{root: to[0]})
		for _, l := range result {
			if !f.unsure && (l.fate == lost || l.fate == decided && worst == 0) {
				worst = l.fate
			}
		}
	}
	return worst
}

func (identity) compiled() bool { return false }

func (identity) zero(t types.Type) tree {
	all := tree{}
	var add func(t types.Type, path string)
	add = func(t types.Type, path string) {
		if len(all) > 512 { // of more, nothing is known
			return
		}
		number := leaf{val: constant.MakeInt64(0)}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for field := range u.Fields() {
				add(field.Type(), path+"."+field.Name())
			}
			return
		case *types.Array:
			for k := range min(u.Len(), 32) {
				add(u.Elem(), path+"["+constant.MakeInt64(k).ExactString()+"]")
			}
			return
		case *types.Basic:
			switch {
			case u.Info()&types.IsBoolean != 0:
				number.val = constant.MakeBool(false)
			case u.Info()&types.IsString != 0:
				number.val, number.sign = constant.MakeString(""), 1
			case u.Info()&types.IsUnsigned != 0:
				number.sign = 1
			}
		case *types.Interface:
			if !isBasic(t, types.IsNumeric) {
				number = leaf{none: true}
			}
		default:
			number = leaf{none: true}
		}
		all[path] = number
	}
	add(t, "")
	return all
}

// merge is decided by a comparison with zero if zero is one of the two, and the comparison is what led to
// them.
func (identity) merge(a, b *state, x, y leaf) (leaf, bool) {
	isZero := func(l leaf) bool { return l.sides != 0 && (l.none || l.val != nil) }
	chosen := leaf{sided: sided{fate: decided, sides: x.sides | y.sides}}
	switch {
	case x.fate == lost || y.fate == lost:
		return leaf{sided: sided{fate: lost, sides: 3}}, true
	case x.fate == decided || y.fate == decided:
		return chosen, true
	case a.chosen == untaken && b.chosen == taken:
		x = y
		fallthrough
	case a.chosen == taken && b.chosen == untaken:
		if isZero(x) {
			return chosen, true
		}
		return x, true
	case a.chosen != 0 && b.chosen != 0 && (isZero(x) || isZero(y)):
		return chosen, true
	case x.input && y.input && x.sides == y.sides:
		return made(x, y), true
	}
	return unclear, true
}

// made returns a number that is made of others.
func made(of ...leaf) leaf {
	l := leaf{sided: sided{input: true, sign: 1}}
	for _, x := range of {
		l.sides |= x.sides
		l.sign = min(l.sign, x.sign)
		if x.val != nil && x.sides == 0 && constant.Sign(toNumber(x.val)) < 0 {
			l.sign = 0
		}
	}
	l.sign = max(l.sign, 0)
	return l
}

func (r identity) operate(f *flow, n ast.Node, op token.Token, x, y leaf) leaf {
	if _, unary := n.(*ast.UnaryExpr); unary {
		return turned(n, op, x)
	}
	if op == token.LPAREN {
		return converted(x, f.basic(operand(n), types.IsString), f.basic(operand(n), types.IsUnsigned))
	}
	switch op {
	case token.LAND, token.LOR:
		return both(op, x, y)
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return r.compare(n, op, x, y)
	}
	if v := fold(n, op, x.val, y.val); v != nil {
		return leaf{val: v, sided: sided{sides: x.sides | y.sides}}
	}
	zero := func(l leaf) bool { return l.val != nil && l.val.Kind() != constant.Bool && isZero(l.val) }
	sides := x.sides | y.sides
	switch op {
	case token.ADD, token.OR, token.XOR:
		if zero(x) {
			x, y = y, x
		}
		fallthrough
	case token.SUB, token.SHL, token.SHR, token.AND_NOT:
		if zero(y) && x.input {
			x.sides = sides
			return x
		}
	case token.MUL, token.AND:
		if at := against(x, y); at >= 0 && (zero(x) || zero(y)) && x.sides != 0 && y.sides != 0 {
			return leaf{val: constant.MakeInt64(0), sided: sided{sides: sides, fate: lost}}
		}
	}
	if !x.input && x.val == nil || !y.input && y.val == nil {
		return leaf{}
	}
	l := made(x, y)
	switch {
	case op == token.MUL && x == y:
		l.sign = 1
	case op == token.SUB || op == token.XOR || op == token.AND_NOT:
		l.sign = 0
	}
	keeps := op == token.ADD || op == token.MUL || op == token.QUO
	for _, z := range []leaf{x, y} { // a positive constant keeps the sign
		if keeps && z.val != nil && constant.Sign(toNumber(z.val)) >= 0 {
			other := x
			if z == x {
				other = y
			}
			l.sign = max(other.sign, 0)
		}
	}
	return l
}

// converted returns the result of a conversion.
func converted(x leaf, text, unsigned bool) leaf {
	if x.none && text {
		return leaf{val: constant.MakeString(""), sided: sided{sides: x.sides, sign: 1}}
	}
	if x.input {
		x.path = ""
		if text || unsigned {
			x.sign = 1
		}
	}
	return x
}

// turned returns the result of an operation with one operand.
func turned(n ast.Node, op token.Token, x leaf) leaf {
	if op == token.ADD {
		return x
	}
	if v := fold(n, op, x.val, nil); v != nil {
		return leaf{val: v, sided: sided{sides: x.sides}}
	}
	switch {
	case op == token.NOT && x.fate == compares:
		x.holds = -x.holds
		return x
	case op == token.SUB && x.input:
		x.path, x.sign = "", -x.sign
		return x
	}
	return leaf{}
}
