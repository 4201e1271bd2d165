package random

import (
	"fmt"
	"strings"
)

// expr returns an expression of a type.
func (g *gen) expr(t string, depth int) *node {
	if partOf[t] != "" {
		return g.complex(t, depth)
	}
	if depth <= 0 || g.r.IntN(6) == 0 {
		return g.simple(t)
	}
	sub := func(t string) *node { return g.expr(t, depth-1) }
	if g.r.IntN(9) == 0 {
		if n := g.call(t, depth); n != nil {
			return n
		}
	}
	if g.r.IntN(4) == 0 {
		if n := g.load(t, depth); n != nil {
			return n
		}
	}
	if g.r.IntN(30) == 0 {
		if n := g.partOrSame(t, depth); n != nil {
			return n
		}
	}
	if g.r.IntN(6) == 0 {
		return g.convert(t, depth)
	}
	if t == "bool" && g.r.IntN(8) == 0 {
		return leaf(t, pick(g.r, []string{"yes", "!yes"}))
	}
	if n := g.element(t, depth); n != nil && g.r.IntN(3) == 0 {
		return n
	}
	switch t {
	case "float64":
		if g.r.IntN(40) == 0 {
			return g.elementary(t, sub)
		}
		if g.r.IntN(160) == 0 {
			return g.goCall(t, sub)
		}
		return g.float(t, sub, []string{
			"math.Sqrt(%s)", "math.Abs(%s)", "math.Floor(%s)", "math.Ceil(%s)", "math.Trunc(%s)", "math.RoundToEven(%s)",
		}, []string{"min(%s, %s)", "max(%s, %s)", "math.FMA(%s, %s, two)"})
	case "float32":
		if g.r.IntN(60) == 0 {
			return g.elementary(t, sub)
		}
		return g.float(t, sub, []string{"float32(math.Sqrt(float64(%s)))"}, []string{"min(%s, %s)", "max(%s, %s)"})
	case "bool":
		return g.truth(depth)
	}
	return g.integer(t, sub)
}

// elementary returns a function of package kmath. Angles are short: items with others run as the closure, and the
// interpreter stops at them.
func (g *gen) elementary(t string, sub func(string) *node) *node {
	switch g.r.IntN(5) {
	case 0:
		return &node{t, pick(g.r, []string{"kmath.Sin(%s)", "kmath.Cos(%s)", "kmath.Tan(%s)"}), []*node{{t, t + "(%s)", []*node{sub("int16")}}}}
	case 1:
		return &node{t, pick(g.r, []string{"kmath.Pow(%s, %s)", "kmath.Atan2(%s, %s)", "kmath.Hypot(%s, %s)"}), []*node{sub(t), sub(t)}}
	}
	return &node{t, pick(g.r, []string{
		"kmath.Exp(%s)", "kmath.Exp2(%s)", "kmath.Expm1(%s)", "kmath.Log(%s)", "kmath.Log2(%s)", "kmath.Log1p(%s)", "kmath.Tanh(%s)",
		"kmath.Atan(%s)", "kmath.Cbrt(%s)", "kmath.Erf(%s)",
	}), []*node{sub(t)}}
}

// goCall returns a call of a function that loops in Go call.
func (g *gen) goCall(t string, sub func(string) *node) *node {
	if g.r.IntN(2) == 0 {
		return &node{t, t + "(" + pick(g.r, []string{
			"math.Exp(%s)", "math.Log10(%s)", "math.Round(%s)", "math.Sin(%s)", "math.Pow10(mathbits.Len64(math.Float64bits(%s)))",
		}) + ")", []*node{sub("float64")}}
	}
	return &node{t, pick(g.r, []string{"math.Max(%s, %s)", "math.Mod(%s, %s)", "math.Pow(%s, %s)", "math.Dim(%s, %s)"}), []*node{sub(t), sub(t)}}
}

func (g *gen) float(t string, sub func(string) *node, unary, binary []string) *node {
	switch g.r.IntN(8) {
	case 0:
		return &node{t, pick(g.r, unary), []*node{sub(t)}}
	case 1:
		return &node{t, pick(g.r, binary), []*node{sub(t), sub(t)}}
	case 2:
		return &node{t, "(-%s)", []*node{sub(t)}}
	case 3:
		return &node{t, t + "(%s * %s)", []*node{sub(t), sub(t)}}
	case 4:
		return &node{t, "(%s / %s)", []*node{sub(t), sub(t)}}
	case 5:
		return &node{t, pick(g.r, []string{"(%s + 0.5)", "(1 / %s)", "(%s - 3)"}), []*node{sub(t)}}
	}
	return &node{t, pick(g.r, []string{"(%s + %s)", "(%s - %s)"}), []*node{sub(t), sub(t)}}
}

func (g *gen) integer(t string, sub func(string) *node) *node {
	if g.r.IntN(40) == 0 { // the same bits with a sign and without
		return &node{t, t + pick(g.r, []string{
			"(%[1]s>>1 ^ int(uint64(%[1]s)>>1))", "(%[1]s/3 - int(uint64(%[1]s)/3))", "(min(%[1]s, three) ^ int(min(uint64(%[1]s), uint64(three))))",
		}), []*node{g.simple("int")}}
	}
	switch g.r.IntN(8) {
	case 0:
		return &node{t, pick(g.r, []string{"(%s / 7)", "(%s %% 5)", "(%s / 1)", "(%s %% 1)", "(%s / 16)", "(%s %% 8)", "(%s * 3)", "(%s + 1)", "(%s - 2)", "(%s & 127)", "(^%s)", "(-%s)"}), []*node{sub(t)}}
	case 1:
		return &node{t, pick(g.r, []string{"(%s << 3)", "(%s >> 1)", "(%s >> 33)", "(%s << 40)", "(%s >> 70)"}), []*node{sub(t)}}
	case 2:
		return &node{t, pick(g.r, []string{"(%s << (%s & 31))", "(%s >> (%s & 63))", "(%s >> %s)"}), []*node{sub(t), sub(pick(g.r, []string{"uint32", "uint64"}))}}
	case 3:
		return &node{t, pick(g.r, []string{"min(%s, %s)", "max(%s, %s)"}), []*node{sub(t), sub(t)}}
	case 4:
		if g.r.IntN(40) == 0 {
			return &node{t, pick(g.r, []string{"(%s >> (zero8 - 2))", "(%s << minus)"}), []*node{sub(t)}} // which gokkosc knows
		}
		return &node{t, pick(g.r, []string{"(%s >> %s)", "(%s << %s)"}), []*node{sub(t), sub(pick(g.r, []string{"int", "int8", "uint8"}))}} // a negative count panics
	case 5:
		if g.r.IntN(3) > 0 { // most divisors are not 0
			return &node{t, pick(g.r, []string{"(%s / (%s | 1))", "(%s %% (%s | 1))"}), []*node{sub(t), sub(t)}}
		}
		return &node{t, pick(g.r, []string{"(%s / %s)", "(%s %% %s)"}), []*node{sub(t), sub(t)}}
	}
	return &node{t, pick(g.r, []string{"(%s + %s)", "(%s - %s)", "(%s * %s)", "(%s & %s)", "(%s | %s)", "(%s ^ %s)", "(%s &^ %s)"}), []*node{sub(t), sub(t)}}
}

var numbers = []string{"float64", "float32", "int", "int32", "uint64", "uint32", "int8", "uint8", "int16", "uint16"}

func (g *gen) truth(depth int) *node {
	sub := func(t string) *node { return g.expr(t, depth-1) }
	switch g.r.IntN(6) {
	case 0:
		return &node{"bool", "(!%s)", []*node{sub("bool")}}
	case 1:
		return &node{"bool", pick(g.r, []string{"(%s && %s)", "(%s || %s)"}), []*node{sub("bool"), sub("bool")}}
	case 2:
		return &node{"bool", pick(g.r, []string{"(%s == %s)", "(%s != %s)"}), []*node{sub("bool"), sub("bool")}}
	case 3:
		return &node{"bool", "math.IsNaN(%s)", []*node{sub("float64")}}
	}
	t := pick(g.r, numbers)
	return &node{"bool", pick(g.r, []string{"(%s < %s)", "(%s <= %s)", "(%s > %s)", "(%s >= %s)", "(%s == %s)", "(%s != %s)"}), []*node{sub(t), sub(t)}}
}

// convert returns a conversion from another type. A float becomes an integer only within its range. Out of
// range the result depends on the machine, and on whether the compiler computes it.
func (g *gen) convert(t string, depth int) *node {
	if t == "bool" {
		return g.truth(depth)
	}
	from := pick(g.r, numbers)
	x := g.expr(from, depth-1)
	top := "1e6"
	if strings.HasSuffix(t, "8") {
		top = "100"
	} else if strings.HasSuffix(t, "16") {
		top = "3e4"
	}
	if strings.HasPrefix(from, "float") && !strings.HasPrefix(t, "float") {
		return &node{t, fmt.Sprintf("%s(max(min(%%s, %s), 0))", t, top), []*node{x}}
	}
	return &node{t, t + "(%s)", []*node{x}}
}

// simple returns a variable or a constant.
func (g *gen) simple(t string) *node {
	var fit []string
	for _, v := range g.vars {
		if v.typ == t {
			fit = append(fit, v.name)
		}
	}
	if !g.inFunc {
		for _, a := range g.accs {
			if a.typ == t {
				fit = append(fit, a.name)
			}
		}
	}
	if len(fit) > 0 && g.r.IntN(4) > 0 {
		return leaf(t, pick(g.r, fit))
	}
	return leaf(t, map[string]string{"float64": pick(g.r, []string{"one", "two"}), "float32": "oneF", "int": pick(g.r, []string{"zero", "three"}), "int32": "zero32", "uint64": "zeroU", "uint32": "zeroU32", "bool": "yes", "int8": "zero8", "uint8": "zeroU8", "int16": "zero16", "uint16": "zeroU16"}[t])
}

// load returns an element, nil if there is no memory of the type.
func (g *gen) load(t string, depth int) *node {
	if g.inFunc {
		return nil
	}
	var fit []slice
	for _, s := range g.slices {
		if s.typ == t && s.at != "" {
			fit = append(fit, s)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	s := pick(g.r, fit)
	if s.own != nil {
		return leaf(t, fmt.Sprintf(s.at, g.own(s)))
	}
	name, ok := strings.CutSuffix(s.at, "[%s]")
	if ok && name != "w" && !strings.HasPrefix(name, "table") && g.r.IntN(4) == 0 { // w and tables are arrays, which kernels do not cut
		return g.loadOfPart(t, strings.ReplaceAll(name, "%%", "%"))
	}
	return &node{t, s.at, []*node{g.index(depth)}}
}

// loadOfPart returns an element of a slice of a slice, in range as a rule. The checks that make the load safe
// are of other numbers than its place in memory.
func (g *gen) loadOfPart(t, name string) *node {
	at := []string{"i", "three", "0"}
	for _, v := range g.vars {
		if v.fixed && strings.HasPrefix(v.name, "j") {
			at = append(at, v.name, v.name, "2*"+v.name, "i+"+v.name)
		}
	}
	low, size := pick(g.r, at), pick(g.r, at)
	high := fmt.Sprintf("%s+(%s&3)", low, size)
	if g.r.IntN(3) == 0 {
		high = fmt.Sprintf("%s+3", low)
	}
	k := pick(g.r, []string{"0", "0", "1", "2", size + "&1", "3-" + size})
	if g.r.IntN(3) == 0 {
		return leaf(t, fmt.Sprintf("%s[:%s][%s]", name, size, k))
	}
	return leaf(t, fmt.Sprintf("%s[%s:%s][%s]", name, low, high, k))
}

// index returns an index, most of them in range.
func (g *gen) index(depth int) *node {
	switch g.r.IntN(9) {
	case 0:
		return &node{"int", "(%s & 3)", []*node{g.expr("int", depth-1)}}
	case 1:
		return leaf("int", pick(g.r, []string{"i+1", "i-1", "2*i", "i+3", "3", "0"}))
	case 2:
		return &node{"int", "(%s %% 6)", []*node{g.expr("int", depth-1)}}
	case 3, 4:
		var counters []string
		for _, v := range g.vars {
			if v.fixed && strings.HasPrefix(v.name, "j") {
				counters = append(counters, v.name)
			}
		}
		if len(counters) > 0 {
			form := pick(g.r, []string{"%s", "%s+1", "%s+i", "%s-1", "i-%s", "2*%s", "3-%s", "(%s+i)*2-3", "%s*%[2]s"})
			if form != "%s*%[2]s" {
				return leaf("int", fmt.Sprintf(form, pick(g.r, counters)))
			}
			return leaf("int", fmt.Sprintf(form, pick(g.r, counters), pick(g.r, counters)))
		}
	case 5:
		if g.r.IntN(3) == 0 {
			return g.expr("int", depth-1)
		}
	}
	return leaf("int", "i")
}

// element returns an element of an array of the functor's own, nil if there is none of the type.
func (g *gen) element(t string, depth int) *node {
	for _, a := range g.arrays {
		if a.typ == t {
			return &node{t, a.name + "[%s&" + g.mask() + "]", []*node{g.expr("int", min(depth-1, 1))}}
		}
	}
	return nil
}

// mask returns the mask of an index of an array of four elements, with which few indices are out of range.
func (g *gen) mask() string {
	if g.r.IntN(12) == 0 {
		return "4"
	}
	return "3"
}
