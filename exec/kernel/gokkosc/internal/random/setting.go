package random

import (
	"fmt"
	"strings"
)

// Conditions that set something: loops and switches that ask functions which change variables around them.

// asking returns a loop whose condition changes a variable, which stays behind the loop. The loop has 7
// rounds at most.
func (g *gen) asking(body func(name string) *node, vars *int) *node {
	n, f := g.fresh("j"), g.fresh("f")
	named := strings.NewReplacer("N", n, "F", f, "V", g.fresh("t"))
	stmt := func(format string, kids ...*node) *node {
		return g.stored(n, &node{"stmt", named.Replace(format), kids}, vars)
	}
	switch kind := g.r.IntN(5); {
	case kind == 0: // a pointer
		head := pick(g.r, []string{"trial.Below(&N, %s&7) && %s", "N < %s&7 && trial.Below(&N, 5) && %s", "N < %s&3 || trial.Below(&N, 6) && %s"})
		return stmt("N := 0\n_ = N\nfor "+head+" {\n%s}", g.expr("int", 1), g.expr("bool", 1), body(n))
	case kind == 1: // a method, and a counter beside it
		return stmt("var F trial.Asked\nfor V := 0; F.Again(%s&7); V++ {\n_ = V\n%s}\nN := F.Times\n_ = N", g.expr("int", 1), body(named.Replace("V")))
	case g.inFunc || g.depth > 3:
	case kind < 4: // a function that changes variables around it
		head := pick(g.r, []string{"F()", "F() && N < 5", "N < 4 && F()", "!!F() || F()"})
		set, result := g.changes(n, "bool")
		return stmt("N := 0\n_ = N\nF := func() bool {\nN++\nif N > 6 {\nreturn false\n}\n%sreturn %s\n}\nfor "+head+" {\n%s}", set, result, body(n))
	default: // two results, by their names
		t := pick(g.r, []string{"float64", "int", "uint8"})
		set, result := g.changes(n, t)
		more, first := g.expr("bool", 1), g.expr(t, 1)
		g.vars = append(g.vars, variable{named.Replace("V"), t, true})
		format := "N := 0\n_ = N\nF := func(was T) (r T, ok bool) {\nif N++; N > 6 {\nreturn\n}\nr = func() T {\n%sreturn %s\n}()\nr, ok = was-r, %s || N < 3\nreturn\n}\n" +
			"for V, ok := F(%s); ok; V, ok = F(V) {\n_ = V\n%s}"
		return stmt(strings.ReplaceAll(format, "T", t), set, result, more, first, body(n))
	}
	return stmt("N := 0\n_ = N\nfor ; %s && N < 6; N++ {\n%s}", g.expr("bool", 3), body(n))
}

// changes returns the statements of a function literal that may change variables around it, and its result.
func (g *gen) changes(n, result string) (body, value *node) {
	outer := *g
	g.vars = append(g.vars, variable{n, "int", true})
	g.result, g.accs, g.located, g.loops, g.late = result, nil, nil, 0, false
	body, value = g.block(1+g.r.IntN(2)), g.expr(result, 2)
	next := g.next
	*g = outer
	g.next = next
	return body, value
}

// counted returns the head of a loop over numbers from a constant on, or down to it, also negative ones.
func (g *gen) counted(j string) string {
	low := g.r.IntN(9) - 5
	form := pick(g.r, []string{
		"%[1]s := range (policy.Span{Begin: %[2]d, End: %[3]d}).All()", "%[1]s := range (policy.Span{Begin: %[2]d, End: three%+[3]d}).All()",
		"%[1]s := %[2]d; %[1]s <= %[3]d; %[1]s++", "%[1]s := %[3]d; %[1]s > %[2]d; %[1]s--", "%[1]s := %[3]d; %[1]s >= %[2]d; %[1]s -= 2",
	})
	if g.r.IntN(6) == 0 {
		return fmt.Sprintf("for %s := range %d", j, low)
	}
	return fmt.Sprintf("for "+form, j, low, low+g.r.IntN(6)-1)
}

// switches returns a switch over values that are computed.
func (g *gen) switches() *node {
	t, v, vars := pick(g.r, []string{"float64", "int", "int8", "uint32"}), g.fresh("t"), len(g.vars)
	kids := []*node{g.expr(t, 2), g.expr(t, 1), g.expr(t, 2)}
	g.vars = append(g.vars, variable{v, t, false})
	for range 3 {
		kids = append(kids, g.block(1))
	}
	g.vars = g.vars[:vars]
	return &node{"stmt", strings.ReplaceAll(pick(g.r, []string{
		"switch V := %s; V {\ncase %s, %s:\n%sfallthrough\ncase V:\n%sdefault:\n%s}",
		"switch V := %s; {\ncase V == %s:\ndefault:\nif V > %s {\nbreak\n}\n%scase V < 3:\n%sfallthrough\ncase V > 9:\n%s}",
	}), "V", v), kids}
}
