package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

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
	token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}

// toNumber returns 0 for an empty text and for what is no number.
func toNumber(v constant.Value) constant.Value {
	if v.Kind() == constant.Int || v.Kind() == constant.Float {
		return v
	}
	return constant.MakeInt64(0)
}

// against returns which of two numbers is the zero of one value beside the other value: 0, 1, or -1 if
// none is.
func against(x, y leaf) int {
	is := func(x, y leaf) bool {
		ofOther := x.sides != 0 && y.sides&^x.sides != 0 || y.sides == 3 && x.sides == 0
		return (x.val != nil || x.none) && y.input && ofOther
	}
	switch {
	case is(x, y):
		return 0
	case is(y, x):
		return 1
	}
	return -1
}

// both returns what two conditions are together. One that says nothing of zero is taken for one that does
// not decide.
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
	case f.basic(call, types.IsBoolean) && f.ofZero(args):
		if name == "IsZero" || pkg == "math" { // not a number, infinite, or with a sign
			return tree{"": {val: constant.MakeBool(name == "IsZero"), sided: sided{sides: 1}}}
		}
		f.unsure = true
	case pkg == "cmp" && name == "Or" && x.order: // the others are for what is equal
		return tree{"": x}
	case slices.Contains(ordering, name) && len(args) == 2:
		return tree{"": r.ordered(f, call, name, pkg, args)}
	}
	return nil
}

// ofZero reports whether all arguments are zeros, and some of those that are followed.
func (f *flow) ofZero(args []tree) (is bool) {
	for _, t := range args {
		l := f.whole(t)
		if l.val == nil && !l.none {
			return false
		}
		is = is || l.sides != 0
	}
	return is
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

// ordering are the methods and functions whose result is an order, by their names.
var ordering = []string{"Less", "LessThan", "Before", "After", "Compare", "Cmp", "GreaterThan", "Greater"}

// ordered returns the result of a function that compares two values.
func (r identity) ordered(f *flow, call *ast.CallExpr, name, pkg string, args []tree) leaf {
	x, y := f.whole(args[0]), f.whole(args[1])
	at := against(x, y)
	if at < 0 {
		return leaf{}
	}
	sign := []int8{y.sign, x.sign}[at]                             // of the one that is not zero
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
