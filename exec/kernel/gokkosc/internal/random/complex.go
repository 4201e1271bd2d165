package random

// partOf maps the types of complex numbers to the types of their parts.
var partOf = map[string]string{"complex128": "float64", "complex64": "float32"}

// complex returns a complex number. Nothing is divided; few are multiplied, as only functors in place may do that.
func (g *gen) complex(t string, depth int) *node {
	var fit []string
	for _, v := range g.vars {
		if v.typ == t {
			fit = append(fit, v.name)
		}
	}
	sub := func(t string) *node { return g.expr(t, depth-1) }
	switch n := g.r.IntN(9); {
	case depth <= 0 || n < 2:
		if len(fit) > 0 && g.r.IntN(5) > 0 {
			return leaf(t, pick(g.r, fit))
		}
		return leaf(t, simplest[t])
	case n < 4:
		return &node{t, "complex(%s, %s)", []*node{sub(partOf[t]), sub(partOf[t])}}
	case n == 4:
		return &node{t, "(-%s)", []*node{sub(t)}}
	case n == 5:
		from := pick(g.r, []string{"complex64", "complex128"})
		return &node{t, t + "(%s)", []*node{sub(from)}}
	case n == 6 && (g.r.IntN(4) == 0 || t == "complex64"):
		return &node{t, "(%s * %s)", []*node{sub(t), sub(t)}}
	}
	if g.r.IntN(2) == 0 {
		if n := g.load(t, depth); n != nil {
			return n
		}
	}
	return &node{t, pick(g.r, []string{"(%s + %s)", "(%s - %s)"}), []*node{sub(t), sub(t)}}
}

// partOrSame returns a part of a complex number for a float, or two compared for a bool.
func (g *gen) partOrSame(t string, depth int) *node {
	sub := func(t string) *node { return g.expr(t, depth-1) }
	switch t {
	case "float64":
		return &node{t, pick(g.r, []string{"real(%s)", "imag(%s)"}), []*node{sub("complex128")}}
	case "float32":
		return &node{t, pick(g.r, []string{"real(%s)", "imag(%s)"}), []*node{sub("complex64")}}
	case "bool":
		c := pick(g.r, []string{"complex64", "complex128"})
		return &node{t, pick(g.r, []string{"(%s == %s)", "(%s != %s)"}), []*node{sub(c), sub(c)}}
	}
	return nil
}

// complexMemory adds captured complex numbers: one, and slices.
func (g *gen) complexMemory(add func(name, typ string) string) {
	if g.r.IntN(4) > 0 {
		return
	}
	t := pick(g.r, []string{"complex128", "complex64"})
	g.vars = append(g.vars, variable{add("pz", t), t, true})
	g.slices = append(g.slices, slice{add("xz", "[]"+t) + "[%s]", "", t, nil}, slice{add("yz", "[]"+t) + "[%s]", "yz[%s] = %s", t, []string{"i"}})
}
