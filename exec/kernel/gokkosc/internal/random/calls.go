package random

import (
	"fmt"
	"strings"
)

// Functions and pointers that the functor defines: variables changed by a call, and values behind a pointer.

// pointer returns a statement with a pointer to a variable, or to an element of an array; nil if there is none.
func (g *gen) pointer() *node {
	v, at := g.assignable(""), ""
	if len(g.arrays) > 0 && g.r.IntN(3) == 0 {
		a := pick(g.r, g.arrays)
		v, at = &a, fmt.Sprintf("[%d]", g.r.IntN(4))
	}
	if v == nil || strings.HasPrefix(v.name, "*") {
		return nil
	}
	q := g.fresh("q")
	g.vars = append(g.vars, variable{"*" + q, v.typ, false})
	return leaf("stmt", fmt.Sprintf("%s := &%s%s\n_ = %s", q, v.name, at, q))
}

// assignable returns a variable of a type, or of any if that is ""; nil if there is none.
func (g *gen) assignable(t string) *variable {
	var fit []variable
	for _, v := range g.vars {
		if !v.fixed && (t == "" || v.typ == t) {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	v := pick(g.r, fit)
	return &v
}

// literal returns a statement with a function literal, which may change variables around it. It returns nil
// in a function, or in many blocks.
func (g *gen) literal() *node {
	if g.inFunc || g.depth > 3 {
		return nil
	}
	f := function{name: g.fresh("f"), result: pick(g.r, types), params: []string{pick(g.r, types)}}
	outer := *g
	a := g.fresh("a")
	g.vars = append(g.vars, variable{a, f.params[0], false})
	g.result, g.accs, g.located, g.loops, g.late = f.result, nil, nil, 0, false
	body := g.block(1 + g.r.IntN(2))
	result := g.expr(f.result, 2)
	next := g.next
	*g = outer
	g.next = next
	g.funcs = append(g.funcs, f)
	format := fmt.Sprintf("%s := func(%s %s) %s {\n%%sreturn %%s\n}\n_ = %s", f.name, a, f.params[0], f.result, f.name)
	return &node{"stmt", format, []*node{body, result}}
}

// called returns a statement that calls a function, and nothing else; nil if there is none.
func (g *gen) called() *node {
	if len(g.funcs) == 0 || g.inFunc {
		return nil
	}
	f := pick(g.r, g.funcs)
	call := g.callOf(f, 3)
	if call == nil {
		return nil
	}
	if v := g.assignable(f.result); v != nil && g.r.IntN(2) == 0 {
		return &node{"stmt", v.name + " = %s", []*node{call}}
	}
	name := g.fresh("t")
	g.vars = append(g.vars, variable{name, f.result, false})
	return &node{"stmt", fmt.Sprintf("%s := %%s\n_ = %s", name, name), []*node{call}}
}

// call returns the call of a function, nil if none has the type.
func (g *gen) call(t string, depth int) *node {
	var fit []function
	for _, f := range g.funcs {
		if f.result == t {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 || g.inFunc {
		return nil
	}
	return g.callOf(pick(g.r, fit), depth)
}

// callOf returns the call of a function, nil if there is no variable for one of its pointers.
func (g *gen) callOf(f function, depth int) *node {
	n := &node{f.result, f.name + "(" + strings.TrimSuffix(strings.Repeat("%s, ", len(f.params)), ", ") + ")", nil}
	for _, p := range f.params {
		t, isPointer := strings.CutPrefix(p, "*")
		if !isPointer {
			n.kids = append(n.kids, g.expr(p, depth-1))
			continue
		}
		v := g.assignable(t)
		if v == nil {
			return nil
		}
		n.kids = append(n.kids, leaf(p, strings.TrimPrefix("&"+v.name, "&*")))
	}
	return n
}
