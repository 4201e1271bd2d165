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
	if g.depth == 1 && g.late && g.result == "" { // of what the body has defined
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
	case n < 11 && !g.inFunc && len(g.accs) > 0:
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
	if len(g.located) > 0 && g.r.IntN(2) == 0 {
		v := pick(g.r, g.located)
		types := locatedTypes[v.typ]
		return &node{"stmt", v.name + "." + pick(g.r, locatedMethods[v.typ]) + "(%s, %s)", []*node{g.expr(types[0], 3), g.expr(types[1], 2)}}
	}
	v := pick(g.r, g.accs)
	t, acc := v.typ, v.name
	x := g.expr(t, 3)
	if other := g.accs[len(g.accs)-1]; other.typ == t && other != v && g.r.IntN(2) == 0 { // gets what was in the one
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
	switch g.r.IntN(5) {
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

// stored returns a loop that leaves a number in a variable, which is one more from here on, and stores it behind the loop, if that can be.
func (g *gen) stored(name string, loop *node, vars *int) *node {
	g.vars = append(g.vars[:*vars], variable{name, "int", true})
	*vars++
	if g.inFunc || g.late || g.result != "" {
		return loop
	}
	return &node{"stmt", "%s\n%s", []*node{loop, g.storeOf(name)}}
}

// guarded returns a branch in which an element of a slice is there, as what counts to it is in range; nil if nothing counts.
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

func (g *gen) loop() *node {
	g.loops++
	defer func() { g.loops-- }()
	j := g.fresh("j")
	vars, small := len(g.vars), len(g.small)
	defer func() { g.vars, g.small = g.vars[:vars], g.small[:small] }()
	body := func(name string) *node {
		g.vars = append(g.vars, variable{name, "int", true})
		return g.block(1 + g.r.IntN(3))
	}
	few := func(name string) *node { // of a loop that counts from 0 up to 6 at most
		if g.r.IntN(3) > 0 {
			g.small = append(g.small, name)
		}
		return body(name)
	}
	switch g.r.IntN(12) {
	case 10, 11: // over neighbours
		own, at := "i", g.fresh("j")
		if g.inFunc {
			own = "three"
		}
		sum, start := g.fresh("t"), g.expr("int", 1)
		skip := &node{"bool", "%s", []*node{g.expr("bool", 1)}}
		if g.r.IntN(3) > 0 {
			skip = leaf("bool", pick(g.r, []string{j + " == 0", at + "&3 == 1"}))
		}
		g.vars = append(g.vars, variable{at, "int", true})
		head := fmt.Sprintf("for %s := %s; %s <= %s; %s++ {\n%s := %s + %s\n_ = %s\n", j, pick(g.r, []string{"-2", "-1", "0"}), j, pick(g.r, []string{"1", "1", "2"}), j, at, own, j, at)
		then := "continue"
		if g.r.IntN(6) == 0 { // the next one as well
			then = j + "++"
		}
		if g.r.IntN(2) == 0 { // the rest of the round asks whether it is left out
			then = "if " + pick(g.r, []string{at + "&1 == 0", at + "&4 == 0", j + " < 1", "yes"}) + " {\n" + then + "\n}\n_ = " + j
		}
		kids := []*node{start, skip, body(j), g.expr("int", 2)}
		return g.stored(sum, &node{"stmt", sum + " := %s\n" + head + "if %s {\n" + then + "\n}\n%s" + sum + " += %s\n}", kids}, &vars)
	case 9: // as many rounds as a number takes to grow
		v := g.fresh("t")
		start, more := g.expr("float64", 2), g.expr("float64", 1)
		g.vars = append(g.vars, variable{v, "float64", true})
		return &node{"stmt", fmt.Sprintf("for %s, %s := 0, %%s; %s < 40 && %s < 12; %s, %s = %s+1, %s+math.Abs(%%s)+1 {\n%%s}", j, v, v, j, j, v, j, v), []*node{start, more, body(j)}}
	case 8: // left in the middle
		limit := &node{"int", "(%s & 15)", []*node{g.expr("int", 2)}}
		own := g.block(1)
		from := "i"
		if g.inFunc {
			from = "0"
		}
		return &node{"stmt", fmt.Sprintf("for %s := %s; ; %s++ {\nif %s-%s > 30 {\nbreak\n}\n%%sif %s-%s >= %%s {\nbreak\n}\n%%s}", j, from, j, j, from, j, from), []*node{own, limit, body(j)}}
	case 7: // left at the beginning
		limit := &node{"float64", "%s", []*node{g.expr("float64", 1)}}
		return &node{"stmt", fmt.Sprintf("for %s := 0; %s < 20; %s++ {\nd := float64(%s)\nif !(d < %%s) {\nbreak\n}\n%%s}", j, j, j, j), []*node{limit, body(j)}}
	case 6: // whose variable is there behind the loop
		outer := &node{"stmt", fmt.Sprintf("%s := 0\nfor %s = 1; %s < 4; %s++ {\n%%s}", j, j, j, j), []*node{few(j)}}
		return g.stored(j, outer, &vars)
	case 0:
		return &node{"stmt", fmt.Sprintf("for %s := range 4 {\n_ = %s\n%%s}", j, j), []*node{few(j)}}
	case 1:
		to := &node{"int", "(%s & 7)", []*node{g.expr("int", 2)}}
		return &node{"stmt", fmt.Sprintf("for %s := 0; %s < %%s; %s++ {\n%%s}", j, j, j), []*node{to, few(j)}}
	case 2:
		from := &node{"int", "(%s&7 - 4)", []*node{g.expr("int", 1)}}
		to := &node{"int", "(%s & 7)", []*node{g.expr("int", 1)}}
		return &node{"stmt", fmt.Sprintf("for %s, end%s := %%s, %%s; %s < end%s; %s++ {\n%%s}", j, j, j, j, j), []*node{from, to, body(j)}}
	case 3:
		x := &node{"bool", "%s", []*node{g.expr("bool", 2)}}
		return &node{"stmt", fmt.Sprintf("for %s := 5; %s > 0 && %%s; %s -= 2 {\n%%s}", j, j, j), []*node{x, few(j)}}
	case 4:
		for _, s := range g.slices {
			if name, ok := strings.CutSuffix(s.at, "[%s]"); ok && s.own == nil && strings.HasPrefix(name, "x") && !g.inFunc {
				e, n := g.fresh("e"), g.expr("int", 1)
				if g.r.IntN(2) == 0 { // a slice that moves with the item
					low := pick(g.r, []string{"i", "2*i", "three", "i-1", ""})
					high := g.number(low)
					g.vars = append(g.vars, variable{e, s.typ, true})
					return &node{"stmt", fmt.Sprintf("for %s, %s := range %s[%s:%s] {\n_, _ = %s, %s\n%%s}", j, e, name, escaped(low), escaped(high), j, e), []*node{body(j)}}
				}
				g.vars = append(g.vars, variable{e, s.typ, true})
				return &node{"stmt", fmt.Sprintf("for %s, %s := range %s[:min(len(%s), %%s&3)] {\n_, _ = %s, %s\n%%s}", j, e, name, name, j, e), []*node{n, few(j)}}
			}
		}
	}
	return &node{"stmt", fmt.Sprintf("for %s := 0; %s < 3; %s++ {\n%%s}", j, j, j), []*node{few(j)}}
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
