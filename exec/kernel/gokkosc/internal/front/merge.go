package front

import (
	"go/token"
	"maps"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// branch lowers an if with a condition. Two functions lower its branches.
func (l *lowering) branch(cond *ir.Value, then, els func()) {
	bits, ok := cond.Bits, cond.Op == ir.Const
	if !ok && l.folds {
		bits, ok = known(cond)
	}
	if ok { // the condition is known: only one branch is lowered
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

// meet sets the variables that the branches of an If have left different to results of the If.
func (l *lowering) meet(v *ir.Value, a, b map[any]tree) {
	for _, key := range l.setIn(a, b) {
		x, y := l.behind(a, key), l.behind(b, key)
		if identical(x, y) {
			l.put(key, x)
			continue
		}
		if x == unknown || y == unknown {
			l.put(key, unknown)
			continue
		}
		x, y = l.resolve(x, y)
		l.sameForm(key, x, y)
		xs, ys := leaves(x), leaves(y)
		if sameValues(xs, ys) {
			l.put(key, l.products2(x, y))
			continue
		}
		merged := make([]*ir.Value, len(xs))
		for n := range xs {
			merged[n] = l.choice(v, xs[n], ys[n], name(key))
		}
		l.put(key, with(l.products2(x, y), &merged))
	}
}

// setIn returns the variables from before two branches that one of these has set.
func (l *lowering) setIn(a, b map[any]tree) []any {
	set := maps.Clone(a)
	maps.Copy(set, b)
	maps.DeleteFunc(set, func(key any, _ tree) bool {
		_, is := l.vars[key]
		return !is
	})
	return l.sorted(maps.Keys(set))
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

// resolve gives two trees a common form. If one tree is a slice, or the parts of an array, the other tree
// becomes the same.
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

// choice returns the result of an If that is x behind its first branch and y behind its second.
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

// A formed is a tree with properties beyond its values, such as the memory of a slice.
type formed interface {
	// differs returns "" if a variable may be either this tree or the other one. If not, it returns the text
	// and the help of a refusal.
	differs(k *ir.Kernel, other tree) (says, help string)
}

// sameForm refuses slices of different memories, and other things that values do not tell apart, where
// they meet in a variable.
func (l *lowering) sameForm(key any, x, y tree) {
	for _, of := range [][2]tree{{x, y}, {y, x}} {
		if t, ok := of[0].(formed); ok {
			if says, help := t.differs(l.k, of[1]); says != "" {
				l.refuse(l.at, help, "%s %s", l.subject(key), says)
			}
		}
	}
	if x, ok := x.(*parts); ok {
		if y, ok := y.(*parts); ok {
			for n := range x.list {
				l.sameForm(key, x.list[n], y.list[n])
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
