package front

import (
	"go/token"
	"go/types"
	"sort"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// branch lowers an if: cond, and two functions that lower the branches.
func (l *lowering) branch(cond *ir.Value, then, els func()) {
	bits, ok := cond.Bits, cond.Op == ir.Const
	if !ok && l.folds {
		bits, ok = known(cond)
	}
	if ok { // one of the branches is not there
		if bits != 0 {
			then()
		} else {
			els()
		}
		return
	}
	at := l.at
	v := l.k.NewValue(ir.If, ir.None, cond)
	v.Pos = l.here(at)
	v.Blocks = []*ir.Block{{}, {}}
	a, b := l.in(v.Then(), then), l.in(v.Else(), els)
	l.cur.Values = append(l.cur.Values, v)
	l.at = at
	l.meet(v, a, b)
}

// meet sets variables, after an If, to its results where its branches have left them different.
func (l *lowering) meet(v *ir.Value, a, b map[any]tree) {
	for _, key := range l.sorted(l.differing(a, b)) {
		x, y := a[key], b[key]
		if x == unknown || y == unknown {
			l.vars[key] = unknown
			continue
		}
		x, y = l.resolve(x, y)
		l.sameForm(key, x, y)
		xs, ys := leaves(x), leaves(y)
		if sameValues(xs, ys) {
			l.vars[key] = l.products2(x, y)
			continue
		}
		merged := make([]*ir.Value, len(xs))
		for n := range xs {
			merged[n] = l.choice(v, xs[n], ys[n], name(key))
		}
		l.vars[key] = with(l.products2(x, y), &merged)
	}
}

// differing returns the variables that two branches may have left different. Most variables of a long function are the same
// behind both, and only set.
func (l *lowering) differing(a, b map[any]tree) map[any]tree {
	differ := map[any]tree{}
	for key := range l.vars {
		if x := a[key]; identical(x, b[key]) {
			l.vars[key] = x
		} else {
			differ[key] = x
		}
	}
	return differ
}

// identical reports whether two trees are plainly the same.
func identical(x, y tree) bool {
	switch x := x.(type) {
	case number:
		y, ok := y.(number)
		return ok && x == y
	case *parts, *array, *slice, *lazySlice, *table, *pointer:
		return x == y
	}
	return false
}

// resolve makes both trees slices, or the parts of arrays, if one of them is.
func (l *lowering) resolve(x, y tree) (tree, tree) { return l.likewise(x, y), l.likewise(y, x) }

func (l *lowering) likewise(x, y tree) tree {
	switch x := x.(type) {
	case *lazySlice:
		if _, ok := y.(*slice); ok {
			return x.get()
		}
	case *array:
		if _, ok := y.(*parts); ok {
			return x.parts
		}
	case null:
		if y, ok := y.(far); ok {
			return far{l.integer(0), y.elem}
		}
	}
	return x
}

// choice returns x or y, whichever the branch that was run has.
func (l *lowering) choice(v, x, y *ir.Value, name string) *ir.Value {
	if x == y {
		return x
	}
	if x == nil {
		x = l.integer(0)
	}
	if y == nil {
		y = l.integer(0)
	}
	for n, t := range v.Then().Yield {
		if t == x && v.Else().Yield[n] == y {
			for _, r := range l.cur.Values {
				if r.Op == ir.Result && r.Args[0] == v && r.Index == n {
					return r
				}
			}
		}
	}
	r := l.emit(ir.Result, x.Type, v)
	r.Index, r.Name = len(v.Then().Yield), name
	v.Then().Yield = append(v.Then().Yield, x)
	v.Else().Yield = append(v.Else().Yield, y)
	return r
}

// sameForm refuses slices of different memories, and other things that numbers do not tell apart, where
// they meet in a variable.
func (l *lowering) sameForm(key any, x, y tree) {
	if _, ok := y.(*table); ok {
		x, y = y, x
	}
	differ := func(what, a, b string) {
		l.refuse(l.at, "choose between elements instead", "%s is %s of %s or of %s", l.subject(key), what, a, b)
	}
	switch x := x.(type) {
	case *slice:
		if y, ok := y.(*slice); ok && !sameMemories(x, y) {
			differ("a slice", l.memoriesOf(x), l.memoriesOf(y))
		}
	case address:
		if y, ok := y.(address); ok && !sameMemories(x.of, y.of) {
			differ("the address of an element", l.memoriesOf(x.of), l.memoriesOf(y.of))
		}
	case *lazySlice:
		if y, ok := y.(*lazySlice); ok && x != y {
			differ("a slice", l.memoriesOf(x.get()), l.memoriesOf(y.get()))
		}
	case shape:
		if y, ok := y.(shape); ok && !sameShapes(x, y) {
			differ("a view", l.k.PathString(x.param, x.path), l.k.PathString(y.param, y.path))
		}
	case *table:
		if y, ok := y.(*table); !ok || x.of != y.of || !types.Identical(x.typ, y.typ) {
			l.refuse(l.at, "choose between elements instead",
				"%s is an array of the package, %s, or another one", l.subject(key), x.of.name)
		}
	case *pointer:
		if y, ok := y.(*pointer); ok && x != y {
			differ("a pointer", l.k.PathString(x.param, x.path), l.k.PathString(y.param, y.path))
		}
	case *reference:
		if y, ok := y.(*reference); !ok || x != y {
			l.refuse(l.at, "choose between values instead", "%s points to one of several things", l.subject(key))
		}
	case *function:
		if y, ok := y.(*function); !ok || x.lit != y.lit || x.decl != y.decl {
			l.refuse(l.at, "call each where it is known", "%s is one of several functions", l.subject(key))
		}
	case *teamRange:
		if y, ok := y.(*teamRange); ok && (x.level != y.level || !types.Identical(x.typ, y.typ)) {
			l.refuse(l.at, "use each where it is made", "%s is one of several ranges", l.subject(key))
		}
	case accumulator:
		if y, ok := y.(accumulator); ok && x != y {
			differ("a pointer", l.k.Lanes[x.n].Name, l.k.Lanes[y.n].Name)
		}
	case *parts:
		if z, ok := y.(*parts); ok {
			for n := range x.list {
				l.sameForm(key, x.list[n], z.list[n])
			}
		}
	}
	_, none := x.(null)
	if _, other := y.(null); none != other || len(leaves(x)) != len(leaves(y)) {
		l.refuse(l.at, "give it a length of 0 in place of nil, as x[:0] of the slice x that it is elsewhere",
			"%s is nil or not on different ways to here", l.subject(key))
	}
}

// products2 returns x with the marks of products that x or y has.
func (l *lowering) products2(x, y tree) tree {
	switch x := x.(type) {
	case number:
		if y, ok := y.(number); ok && x.product == token.NoPos {
			x.product = y.product
		}
		return x
	case *parts:
		z, ok := y.(*parts)
		if !ok || z == x {
			return x
		}
		list := make([]tree, len(x.list))
		for n := range list {
			list[n] = l.products2(x.list[n], z.list[n])
		}
		return &parts{x.typ, list}
	}
	return x
}

func sameValues(x, y []*ir.Value) bool {
	if len(x) != len(y) {
		return false
	}
	for n := range x {
		if x[n] != y[n] {
			return false
		}
	}
	return true
}

// sorted returns the keys of variables in an order that does not change.
func (l *lowering) sorted(vars map[any]tree) []any {
	keys := make([]any, 0, len(vars))
	for k := range vars {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return l.order[keys[i]] < l.order[keys[j]] })
	return keys
}
