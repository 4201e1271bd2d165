package random

import (
	"fmt"
	"strings"
)

var types = []string{"float64", "float64", "float32", "int", "int", "int32", "uint64", "uint32", "bool", "int8", "uint8", "int16", "uint16"}

func (g *gen) fresh(prefix string) string {
	g.next++
	return fmt.Sprintf("%s%d", prefix, g.next)
}

// block returns n statements and more. Variables that are declared in it are forgotten behind it.
func (g *gen) block(n int) *node {
	vars, arrays, draws, funcs := len(g.vars), len(g.arrays), len(g.draws), len(g.funcs)
	g.depth++
	defer func() { g.depth--; g.arrays, g.draws, g.funcs = g.arrays[:arrays], g.draws[:draws], g.funcs[:funcs] }()
	b := &node{kind: "block"}
	for range n {
		b.kids = append(b.kids, g.stmt())
	}
	if g.depth == 1 && g.late && g.result == "" { // of the variables that the body has defined
		g.late = false
		for range 2 {
			b.kids = append(b.kids, g.store())
		}
	}
	g.vars = g.vars[:vars]
	return b
}

// stmt returns a statement.
func (g *gen) stmt() *node {
	switch n := g.r.IntN(16); {
	case n < 4:
		return g.define()
	case n < 6:
		return g.assign()
	case n < 9 && g.result == "" && !g.late:
		return g.store()
	case n < 11 && !g.inFunc && len(g.accs)+len(g.into) > 0:
		return g.accumulate()
	case n < 13 && g.depth < 4:
		return g.branch()
	case n < 15 && g.loops < 2 && g.depth < 4:
		return g.loop()
	}
	return g.leave()
}

func (g *gen) define() *node {
	if g.r.IntN(6) == 0 {
		if n := pick(g.r, []func() *node{g.called, g.called, g.pointer, g.literal})(); n != nil {
			return n
		}
	}
	switch {
	case g.r.IntN(8) == 0:
		return g.array()
	case len(g.draws) > 0 && !g.inFunc && g.r.IntN(2) == 0:
		return g.draw()
	}
	t := pick(g.r, types)
	if g.r.IntN(14) == 0 {
		t = pick(g.r, []string{"complex128", "complex64"})
	}
	name := g.fresh("t")
	n := &node{"stmt", fmt.Sprintf("%s := %%s\n_ = %s", name, name), []*node{g.expr(t, 3)}}
	g.vars = append(g.vars, variable{name, t, false})
	return n
}

// array returns a statement with an array of the functor's own.
func (g *gen) array() *node {
	if len(g.arrays) == 0 || g.r.IntN(3) == 0 {
		t, name := pick(g.r, types), g.fresh("arr")
		form := fmt.Sprintf("%s := [4]%s{%%s, %%s}\n_ = %[1]s", name, t)
		if g.r.IntN(3) == 0 { // memory
			form = fmt.Sprintf("var %s [20]%s\n%[1]s[0], %[1]s[1] = %%s, %%s", name, t)
		}
		if g.r.IntN(4) == 0 { // also by another name
			form = fmt.Sprintf(pick(g.r, []string{
				"%[1]s := []%[2]s{%%s, %%s, 3: %[3]s}\n_ = %[1]s", "%[1]sAll := make([]%[2]s, 5, 7)\n%[1]s := %[1]sAll[1:]\n%[1]sAll[1], %[1]s[1] = %%s, %%s",
				"var %[1]sAll [6]%[2]s\n%[1]s := %[1]sAll[2:]\n%[1]sAll[3], %[1]s[0] = %%s, %%s",
			}), name, t, simplest[t])
		}
		n := &node{"stmt", form, []*node{g.expr(t, 2), g.expr(t, 2)}}
		g.arrays = append(g.arrays, variable{name, t, false})
		return n
	}
	a := pick(g.r, g.arrays)
	if g.r.IntN(2) == 0 {
		return &node{"stmt", a.name + "[%s&" + g.mask() + "] = %s", []*node{g.expr("int", 1), g.expr(a.typ, 2)}}
	}
	j := g.fresh("j")
	return &node{"stmt", fmt.Sprintf("for %s := range 4 {\n%s[3-%s] = %%s\n}", j, a.name, j), []*node{g.expr(a.typ, 2)}}
}

// draw returns a statement that makes a generator, or draws a number.
func (g *gen) draw() *node {
	if len(g.draws) == 1 || g.r.IntN(4) == 0 {
		name := g.fresh("g")
		n := leaf("stmt", fmt.Sprintf("%s := %s\n_ = %s", name, g.draws[0], name))
		g.draws = append(g.draws, name)
		return n
	}
	x := g.draws[1+g.r.IntN(len(g.draws)-1)]
	d := pick(g.r, []variable{{"Float64()", "float64", false}, {"Float32()", "float32", false}, {"Uint64()", "uint64", false}, {"Uint32()", "uint32", false}, {"IntN(6)", "int", false}})
	name := g.fresh("t")
	g.vars = append(g.vars, variable{name, d.typ, false})
	return leaf("stmt", fmt.Sprintf("%s := %s.%s\n_ = %s", name, x, d.name, name))
}

func (g *gen) assign() *node {
	var fit []variable
	for _, v := range g.vars {
		if !v.fixed {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		return g.define()
	}
	if g.r.IntN(2) == 0 {
		if n := g.several(); n != nil {
			return n
		}
	}
	v := pick(g.r, fit)
	if v.typ != "bool" && g.r.IntN(2) == 0 {
		return &node{"stmt", v.name + " " + pick(g.r, []string{"+=", "-="}) + " %s", []*node{g.expr(v.typ, 2)}}
	}
	return &node{"stmt", v.name + " = %s", []*node{g.expr(v.typ, 3)}}
}

func (g *gen) store() *node {
	return g.storing(func(t string) *node { return g.expr(t, 3) })
}

// storeOf returns a statement that stores the number of a variable.
func (g *gen) storeOf(name string) *node {
	return g.storing(func(t string) *node {
		if t == "bool" {
			return leaf(t, name+" > 2")
		}
		if part := partOf[t]; part != "" {
			return leaf(t, "complex("+part+"("+name+"), 0)")
		}
		return leaf(t, t+"("+name+")")
	})
}

// storing returns a statement that stores x of a type.
func (g *gen) storing(x func(t string) *node) *node {
	var fit []slice
	for _, s := range g.slices {
		if s.set != "" {
			fit = append(fit, s)
		}
	}
	s := pick(g.r, fit)
	set := strings.Replace(s.set, "%s", g.own(s), 1)
	if s.typ != "bool" && strings.HasSuffix(s.set, "= %s") && g.r.IntN(3) == 0 {
		set = strings.Replace(set, "= %s", "+= %s", 1)
	}
	return &node{"stmt", set, []*node{x(s.typ)}}
}

// own returns an index of the item's own.
func (g *gen) own(s slice) string {
	x := pick(g.r, s.own)
	if x != "small" {
		return x
	}
	if len(g.small) == 0 {
		return "4"
	}
	return pick(g.r, g.small) + pick(g.r, []string{"", "", "-1"})
}

func (g *gen) accumulate() *node {
	if len(g.into) > 0 && (len(g.accs) == 0 || g.r.IntN(3) > 0) {
		return g.contribution()
	}
	if len(g.located) > 0 && g.r.IntN(2) == 0 {
		v := pick(g.r, g.located)
		types := locatedTypes[v.typ]
		return &node{"stmt", v.name + "." + pick(g.r, locatedMethods[v.typ]) + "(%s, %s)", []*node{g.expr(types[0], 3), g.expr(types[1], 2)}}
	}
	v := pick(g.r, g.accs)
	t, acc := v.typ, v.name
	x := g.expr(t, 3)
	if other := g.accs[len(g.accs)-1]; other.typ == t && other != v && g.r.IntN(2) == 0 { // gets the value of the other one
		return &node{"stmt", acc + ", " + other.name + " = %s, " + acc, []*node{x}}
	}
	switch g.r.IntN(4) {
	case 0:
		return &node{"stmt", acc + " = %s", []*node{x}}
	case 1:
		if t != "bool" {
			return &node{"stmt", acc + " = min(" + acc + ", %s)", []*node{x}}
		}
	case 2:
		if t != "bool" {
			name := g.fresh("t")
			return &node{"stmt", fmt.Sprintf("if %s := %%s; %s < %s {\n%s = %s\n}", name, name, acc, acc, name), []*node{x}}
		}
	}
	if t == "bool" {
		return &node{"stmt", acc + " = " + acc + " || %s", []*node{x}}
	}
	return &node{"stmt", acc + " += %s", []*node{x}}
}

func (g *gen) branch() *node {
	cond := g.expr("bool", 2)
	switch g.r.IntN(6) {
	case 5:
		return g.switches()
	case 0:
		if n := g.guarded(); n != nil {
			return n
		}
		fallthrough
	case 1:
		return &node{"stmt", "if %s {\n%s}", []*node{cond, g.block(1 + g.r.IntN(3))}}
	case 2, 3:
		return &node{"stmt", "if %s {\n%s} else {\n%s}", []*node{cond, g.block(1 + g.r.IntN(2)), g.block(1 + g.r.IntN(2))}}
	}
	return &node{"stmt", "switch %s & 3 {\ncase 0, 2:\n%scase 1:\n%sdefault:\n%s}", []*node{g.expr("int", 2), g.block(1), g.block(1), g.block(1)}}
}

// stored returns a loop that leaves a number in a variable, and adds the variable to vars. Behind the loop it
// stores that number, if that can be.
func (g *gen) stored(name string, loop *node, vars *int) *node {
	g.vars = append(g.vars[:*vars], variable{name, "int", true})
	*vars++
	if g.inFunc || g.late || g.result != "" {
		return loop
	}
	return &node{"stmt", "%s\n%s", []*node{loop, g.storeOf(name)}}
}

// guarded returns a branch that runs if the index of an element of a slice is in range, for an index with a
// counter. It returns nil if there is no counter.
func (g *gen) guarded() *node {
	var counters, slices []string
	for _, v := range g.vars {
		if v.fixed && strings.HasPrefix(v.name, "j") {
			counters = append(counters, v.name, "i+"+v.name, v.name+"-1")
		}
	}
	for _, s := range g.slices {
		if name, ok := strings.CutSuffix(s.at, "[%s]"); ok && s.own == nil && strings.HasPrefix(name, "x") {
			slices = append(slices, name)
		}
	}
	if len(counters) == 0 || len(slices) == 0 || g.inFunc {
		return nil
	}
	at, x, e := pick(g.r, counters), pick(g.r, slices), g.fresh("e")
	for _, s := range g.slices {
		if s.at == x+"[%s]" {
			g.vars = append(g.vars, variable{e, s.typ, true})
		}
	}
	n := &node{"stmt", fmt.Sprintf("if %s >= 0 && %s < len(%s) {\n%s := %s[%s]\n_ = %s\n%%s}", at, at, x, e, x, at, e), []*node{g.block(1 + g.r.IntN(2))}}
	g.vars = g.vars[:len(g.vars)-1]
	return n
}

// number returns the end of a slice that begins at low: a parameter further, if there is one.
func (g *gen) number(low string) string {
	if low == "" {
		low = "i"
	}
	for _, v := range g.vars {
		if v.typ == "int" && v.fixed && (v.name[0] == 'p' || v.name[0] == 'v') && g.r.IntN(4) > 0 {
			return low + "+" + v.name
		}
	}
	return low + pick(g.r, []string{"+2", "", "-1"})
}

// leave returns a jump under a condition, or nothing much.
func (g *gen) leave() *node {
	cond := g.expr("bool", 2)
	switch n := g.r.IntN(4); {
	case n < 2 && g.loops > 0 && g.depth < 5 && g.r.IntN(2) == 0: // the last thing that a loop does
		return &node{"stmt", "if %s {\n%sbreak\n}", []*node{cond, g.block(1 + g.r.IntN(2))}}
	case n < 2 && g.loops > 0:
		return &node{"stmt", "if %s {\n" + pick(g.r, []string{"break", "continue"}) + "\n}", []*node{cond}}
	case n == 2 && g.result != "":
		return &node{"stmt", "if %s {\nreturn %s\n}", []*node{cond, g.expr(g.result, 2)}}
	case n == 2 && g.depth < 5:
		return &node{"stmt", "if %s {\n%sreturn\n}", []*node{cond, g.block(g.r.IntN(2))}}
	case n == 3 && g.r.IntN(4) == 0 && !g.inFunc:
		return &node{"stmt", "if %s && %s {\npanic(\"no\")\n}", []*node{cond, g.expr("bool", 1)}}
	}
	return g.define()
}

// function returns a function that kernels call.
func (g *gen) function() *node {
	outer := *g
	defer func() { g.vars, g.inFunc, g.loops, g.arrays = outer.vars, false, 0, outer.arrays }()
	g.vars, g.inFunc, g.arrays = nil, true, nil
	f := function{name: g.name + g.fresh("Func"), result: pick(g.r, types)}
	var params []string
	for k := range 1 + g.r.IntN(3) {
		t := pick(g.r, types)
		name := fmt.Sprintf("a%d", k)
		if g.r.IntN(4) == 0 {
			t, name = "*"+t, "*"+name
		}
		f.params = append(f.params, t)
		params = append(params, fmt.Sprintf("a%d %s", k, t))
		g.vars = append(g.vars, variable{name, strings.TrimPrefix(t, "*"), false})
	}
	g.result = f.result
	body := g.block(1 + g.r.IntN(3))
	n := &node{"stmt", fmt.Sprintf("func %s(%s) %s {\n%s%%sreturn %%s\n}\n", f.name, strings.Join(params, ", "), f.result, constants), []*node{body, g.expr(f.result, 2)}}
	g.funcs = append(g.funcs, f)
	return n
}
