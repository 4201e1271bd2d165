package random

import (
	"fmt"
	"strings"
)

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
	switch g.r.IntN(16) {
	case 12, 13:
		return g.asking(body, &vars)
	case 14:
		return &node{"stmt", g.counted(j) + " {\n_ = " + j + "\n%s}", []*node{body(j)}}
	case 10, 11:
		sum, n := g.overNeighbours(j, body)
		return g.stored(sum, n, &vars)
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
		if n := g.overSlice(j, body, few); n != nil {
			return n
		}
	}
	return &node{"stmt", fmt.Sprintf("for %s := 0; %s < 3; %s++ {\n%%s}", j, j, j), []*node{few(j)}}
}

// overNeighbours returns a loop over the neighbours of an item, some of which it leaves out, and the variable of their sum.
func (g *gen) overNeighbours(j string, body func(name string) *node) (sum string, loop *node) {
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
	return sum, &node{"stmt", sum + " := %s\n" + head + "if %s {\n" + then + "\n}\n%s" + sum + " += %s\n}", kids}
}

// overSlice returns a loop over elements of a slice that the kernel reads, or nil if there is no such slice.
func (g *gen) overSlice(j string, body, few func(name string) *node) *node {
	for _, s := range g.slices {
		name, ok := strings.CutSuffix(s.at, "[%s]")
		if !ok || s.own != nil || !strings.HasPrefix(name, "x") || g.inFunc {
			continue
		}
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
	return nil
}
