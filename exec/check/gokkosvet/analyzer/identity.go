package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

const (
	noIdentity = "the identity of this reducer is not zero: give it with reducers.Init, or use a reducer of package builtin"

	noComparedIdentity = "this join compares its values, and zero, the identity without reducers.Init, takes part: give the identity " +
		"with reducers.Init, as +Inf for a minimum, or use a reducer of package builtin"
)

// An identity is the rule that tells whether zero is neutral for a join. It follows the join twice, once with a zero
// for dst and once for src. The other value is not known. The join is wrong where the result depends on how zero
// compares with the other value, or where zero takes part in a product, a minimum, a maximum, or an and. A condition
// that zero does not meet, or that it does, leads one way only: so a join that asks whether one is empty is right.
// Magnitudes, texts, times and numbers without a sign are not less than zero.
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
			if l.fate == lost || l.fate == decided && worst == 0 {
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

// merge is decided by a comparison with zero if zero is one of the two, and the comparison is what led to them.
func (identity) merge(a, b *state, x, y leaf) (leaf, bool) {
	isZero := func(l leaf) bool { return l.sides != 0 && (l.none || l.val != nil) }
	chosen := leaf{sided: sided{fate: decided, sides: x.sides | y.sides}}
	switch {
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
		if x.val != nil && x.sides == 0 && x.val.Kind() != constant.Bool && x.val.Kind() != constant.String && constant.Sign(x.val) < 0 {
			l.sign = 0
		}
	}
	l.sign = max(l.sign, 0)
	return l
}

// against returns which of two numbers is the zero of one value beside the other value: 0, 1, or -1 if none is.
func against(x, y leaf) int {
	is := func(x, y leaf) bool {
		return (x.val != nil || x.none) && y.input && (x.sides != 0 && y.sides&^x.sides != 0 || y.sides == 3 && x.sides == 0)
	}
	switch {
	case is(x, y):
		return 0
	case is(y, x):
		return 1
	}
	return -1
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
	for _, z := range []leaf{x, y} { // a positive constant keeps the sign
		if z.val != nil && (op == token.ADD || op == token.MUL || op == token.QUO) && z.val.Kind() != constant.String && constant.Sign(z.val) >= 0 {
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

// both returns what two conditions are together. One that says nothing of zero is taken for one that does not decide.
func both(op token.Token, x, y leaf) leaf {
	if truth, known := y.truth(); known {
		switch {
		case truth == (op == token.LAND):
			return x
		case x.sides != 0 && y.sides != 0:
			y.fate = lost
		}
		return y
	}
	switch {
	case x.fate == compares && y.fate == compares:
		worse := int8(-1)
		if op == token.LOR {
			worse = 1
		}
		if x.holds == worse || y.holds == worse {
			x.holds = worse
		} else if x.holds == 0 || y.holds == 0 {
			x.holds = 0
		}
		return x
	case x.input && y.input:
		return made(x, y)
	case op == token.LOR && (x.input || y.input): // which may hold wherever the comparison decides
		return leaf{}
	case x.fate == compares:
		return x
	case y.fate == compares:
		return y
	}
	return leaf{}
}

// compare returns the result of a comparison.
func (r identity) compare(n ast.Node, op token.Token, x, y leaf) leaf {
	if x.none && y.none && x.sides|y.sides != 0 {
		return leaf{val: constant.MakeBool(op == token.EQL), sided: sided{sides: x.sides | y.sides}}
	}
	if v := fold(n, op, x.val, y.val); v != nil {
		return leaf{val: v, sided: sided{sides: x.sides | y.sides}}
	}
	if truth, known := y.truth(); known && x.fate == compares {
		if truth != (op == token.EQL) {
			x.holds = -x.holds
		}
		return x
	}
	at := against(x, y)
	equal := op == token.EQL || op == token.NEQ
	switch {
	case at < 0 && x.sides|y.sides != 3 && (x.input || y.input):
		return made(x, y)
	case at < 0 || equal && !x.order && !y.order:
		return leaf{}
	}
	if at == 0 { // the zero to the right
		x, y = y, x
		op = mirrored[op]
	}
	l := leaf{sided: sided{fate: compares, sides: 3}}
	sign := x.sign
	if r.positive && sign == 0 && x.path != "" {
		sign = 1
	}
	if y.val == nil || sign == 0 {
		return l
	}
	switch c := constant.Sign(toNumber(y.val)); {
	case equal:
		l.holds = -1
		if c == int(sign) {
			l.holds = 1
		}
		if op == token.NEQ {
			l.holds = -l.holds
		}
	case c == 0 || c == -int(sign):
		l.holds = -1
		if (op == token.GTR || op == token.GEQ) == (sign > 0) {
			l.holds = 1
		}
	}
	return l
}

var mirrored = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ, token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// toNumber returns 0 for an empty text and for what is no number.
func toNumber(v constant.Value) constant.Value {
	if v.Kind() == constant.Int || v.Kind() == constant.Float {
		return v
	}
	return constant.MakeInt64(0)
}

// ordering are the methods and functions whose result is an order, by their names.
var ordering = []string{"Less", "LessThan", "Before", "After", "Compare", "Cmp", "GreaterThan", "Greater"}

func (r identity) call(f *flow, call *ast.CallExpr, args []tree) tree {
	name, pkg := f.builtin(call), ""
	if c := f.callee(call); c != nil && c.Pkg() != nil {
		name, pkg = c.Name(), c.Pkg().Path()
	}
	if len(args) == 0 {
		return nil
	}
	switch x := args[0].leaf(); {
	case name == "len" || name == "cap":
		if x.none || x.val != nil {
			return tree{"": {val: constant.MakeInt64(0), sided: sided{sides: x.sides, sign: 1}}}
		}
		if x.input {
			x = made(x)
			x.sign = 1
			return tree{"": x}
		}
	case pkg == "" && (name == "min" || name == "max"), pkg == "math" && (name == "Min" || name == "Max"):
		l := x
		for _, a := range args[1:] {
			l = r.least(name == "min" || name == "Min", l, a.leaf(), pkg == "math")
		}
		return tree{"": l}
	case pkg == "math" && slices.Contains(magnitudes, name):
		l := made(firsts(args)...)
		l.sign = 1
		if x.val != nil && len(args) == 1 {
			l = leaf{val: x.val, sided: x.sided}
			l.sign = 1
		} else if !slices.ContainsFunc(args, func(t tree) bool { return t.leaf().input }) {
			l = leaf{val: constant.MakeInt64(0), sided: sided{sides: l.sides, sign: 1}}
		}
		return tree{"": l}
	case slices.Contains(ordering, name) && len(args) == 2:
		return tree{"": r.ordered(f, call, name, pkg, args)}
	}
	return nil
}

// magnitudes are functions of package math that are not negative, and zero for zeros.
var magnitudes = []string{"Abs", "Hypot", "Sqrt"}

func firsts(args []tree) (list []leaf) {
	for _, t := range args {
		list = append(list, t.leaf())
	}
	return list
}

// least returns the lesser or the greater of two numbers.
func (r identity) least(lesser bool, x, y leaf, named bool) leaf {
	at := against(x, y)
	if at < 0 {
		if (x.input || x.val != nil) && (y.input || y.val != nil) {
			if x.val != nil && y.val != nil {
				return leaf{}
			}
			return made(x, y)
		}
		return leaf{}
	}
	if at == 0 {
		x, y = y, x
	}
	if x.sign > 0 && !lesser {
		return x
	}
	if named {
		return leaf{sided: sided{fate: decided, sides: 3}}
	}
	return leaf{sided: sided{fate: lost, sides: 3}}
}

// ordered returns the result of a function that compares two values.
func (r identity) ordered(f *flow, call *ast.CallExpr, name, pkg string, args []tree) leaf {
	x, y := f.whole(args[0]), f.whole(args[1])
	at := against(x, y)
	if at < 0 {
		return leaf{}
	}
	sign := x.sign + y.sign // of the one that is not zero
	if x.val != nil {
		sign = y.sign
	} else {
		sign = x.sign
	}
	if slices.Contains([]string{"time", "bytes", "slices"}, pkg) { // whose zero is the least
		sign = 1
	}
	if at == 0 {
		sign = -sign
	}
	l := leaf{sided: sided{sides: 3, order: true}}
	if !f.basic(call, types.IsBoolean) {
		l.input, l.sign = true, sign
		return l
	}
	l.fate, l.order, l.holds = compares, false, -sign
	if name == "After" || name == "Greater" || name == "GreaterThan" {
		l.holds = sign
	}
	return l
}

// whole returns a value, or what a pointer to it refers to, as if it were one number.
func (f *flow) whole(t tree) leaf {
	if to := t.leaf().to; to.root != nil {
		t = f.at(to)
	}
	if l, ok := t[""]; ok && len(t) == 1 {
		return l
	}
	all := leaf{none: len(t) > 0}
	for _, l := range t {
		all.sides |= l.sides
		if l.input {
			all.input, all.none = true, false
		} else if l.val == nil && !l.none {
			return leaf{}
		}
	}
	return all
}
