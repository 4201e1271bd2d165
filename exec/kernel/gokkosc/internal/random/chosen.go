package random

import "strings"

// chosen adds arrays of slices, of structs with slices and of views, whose elements variables choose.
func (g *gen) chosen(add func(name, typ string) string) {
	if g.r.IntN(2) == 0 {
		t := pick(g.r, []string{"float64", "float32", "int", "uint8"})
		name := add("xs", "[3][]"+t)
		g.slices = append(g.slices, slice{name + "[" + g.chooses(2) + "][%s]", "", t, nil})
	}
	if g.r.IntN(5) == 0 {
		name := add("ws", "[2]trial.Row")
		at := name + "[" + g.chooses(1) + "]"
		g.slices = append(g.slices, slice{at + ".X[%s]", "", "float64", nil})
		g.vars = append(g.vars, variable{strings.ReplaceAll(at, "%%", "%") + ".W", "float64", true})
	}
	if g.r.IntN(4) == 0 {
		t := pick(g.r, []string{"float64", "int"})
		at := add("ys", "[2][]"+t) + "[" + g.chooses(1) + "]"
		load := pick(g.r, []string{at, "ys[" + g.chooses(1) + "]", "ys[0]"})
		g.slices = append(g.slices, slice{load + "[%s]", at + "[%s] = %s", t, []string{"i"}})
	}
	if g.r.IntN(6) == 0 {
		g.chosenViews(add)
	}
}

// chosenViews adds an array of views. Each view has its own length or strides.
func (g *gen) chosenViews(add func(name, typ string) string) {
	typ, args, own := "views.View1[float64]", "%s", []string{"i"}
	if g.r.IntN(2) == 0 {
		typ, args, own = "views.View2[float64]", "i, %s", []string{"1", "4"}
	}
	at := add("vs", "[2]"+typ) + "[" + g.chooses(1) + "]"
	g.slices = append(g.slices, slice{at + ".At(" + args + ")", at + ".Set(" + args + ", %s)", "float64", own})
	g.vars = append(g.vars, variable{strings.ReplaceAll(at, "%%", "%") + ".Extent(0)", "int", true})
}

// chooses returns the index of an element of an array, as a part of a format. The array has mask+1 elements
// or more, a power of two. The index is a captured number, a number of the item, or one of data. Few are out
// of range.
func (g *gen) chooses(mask int) string {
	of := []string{"i", "i", "(i+1)"}
	for _, v := range g.vars {
		if v.fixed && v.typ == "int" {
			of = append(of, v.name, v.name)
		}
	}
	for _, s := range g.slices {
		name, isSlice := strings.CutSuffix(s.at, "[%s]")
		if isSlice && s.own == nil && s.typ != "bool" && s.typ[0] != 'f' && name[0] == 'x' && name != "xs" {
			of = append(of, "int("+name+"[i])", "int("+name+"[i])")
		}
	}
	x := pick(g.r, of)
	switch g.r.IntN(16) {
	case 0:
		return x
	case 1, 2, 3:
		return x + "%%2"
	}
	return x + "&" + string(rune('0'+mask))
}

// several returns an assignment or a range with several places, one of which says where another one is; nil if nothing can
// be assigned to.
func (g *gen) several() *node {
	var counts []string
	for _, v := range g.vars {
		if !v.fixed && v.typ == "int" {
			counts = append(counts, v.name)
		}
	}
	if len(counts) == 0 {
		return nil
	}
	k := pick(g.r, counts)
	if g.r.IntN(3) == 0 {
		if n := g.ranges(k); n != nil {
			return n
		}
	}
	at, t := g.placed(k)
	if at == "" {
		return nil
	}
	x, n := func() *node { return g.expr(t, 2) }, g.expr("int", 2)
	switch g.r.IntN(3) {
	case 0:
		return &node{"stmt", at + ", " + k + " = %s, %s", []*node{x(), n}}
	case 1:
		if other, of := g.placed(k); of == t {
			return &node{"stmt", k + ", " + at + ", " + other + " = %s, %s, %s", []*node{n, x(), x()}}
		}
	}
	return &node{"stmt", k + ", " + at + " = %s, %s", []*node{n, x()}}
}

// ranges returns a range over a slice that sets k, and an element that k says; nil if there is no slice.
func (g *gen) ranges(k string) *node {
	for _, s := range g.slices {
		name, ok := strings.CutSuffix(s.at, "[%s]")
		if !ok || s.own != nil || name[0] != 'x' || g.inFunc {
			continue
		}
		of := strings.ReplaceAll(name, "%%", "%") + pick(g.r, []string{"[i&1:i&1+3]", "[i:i+3]", "[:4]"})
		if at, t := g.placed(k); t == s.typ && g.loops < 2 && g.depth < 4 {
			g.loops++
			defer func() { g.loops-- }()
			return &node{"stmt", "for " + k + ", " + at + " = range " + of + " {\n%s}", []*node{g.block(1)}}
		}
		a := g.fresh("arr")
		g.arrays = append(g.arrays, variable{a, s.typ, false})
		return leaf("stmt", a+" := [4]"+s.typ+"{}\nfor "+k+", "+a+"["+k+"&"+g.mask()+"] = range "+of+" {\n}")
	}
	return nil
}

// placed returns a place that a variable says, and its type; nothing if there is none.
func (g *gen) placed(k string) (at, typ string) {
	if len(g.arrays) > 0 && g.r.IntN(3) > 0 {
		a := pick(g.r, g.arrays)
		return a.name + "[" + k + "&" + g.mask() + "]", a.typ
	}
	if g.inFunc || g.result != "" || g.late {
		return "", ""
	}
	for _, s := range g.slices {
		if name, ok := strings.CutSuffix(s.set, "[%s] = %s"); ok && len(s.own) == 2 {
			return strings.ReplaceAll(name, "%%", "%") + "[2*i+" + k + "&1]", s.typ
		}
	}
	return "", ""
}
