package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
)

// A sum is a number and multiples of terms, which are no sums.
type sum struct {
	number int64
	terms  map[name]term
}

// A name tells terms apart.
type name struct {
	of   types.Object
	text string
}

type term struct {
	factor  int64
	is      pins // the coordinate that it is, or 0
	fixes   pins // the coordinates that are fixed where it has one value
	depends bool // it may differ between items
	product bool
	size    bool // the result of a call, such as len(x)
}

// plus returns a sum and a multiple of another one.
func (s sum) plus(t sum, factor int64) sum {
	r := sum{s.number + factor*t.number, map[name]term{}}
	for of, x := range s.terms {
		r.terms[of] = x
	}
	for of, x := range t.terms {
		x.factor = r.terms[of].factor + factor*x.factor
		if r.terms[of] = x; x.factor == 0 {
			delete(r.terms, of)
		}
	}
	return r
}

// fixes returns the coordinates that are fixed where a sum has one value. A sum of several coordinates, some
// with factors, is taken for a place in memory, which fixes all of them.
func (s sum) fixes() (p pins) {
	several, scaled := false, false
	for _, t := range s.terms {
		switch {
		case !t.depends:
			continue
		case t.fixes&item == item:
			return item
		case t.fixes == 0 || p&t.fixes != 0 || (p|t.fixes)&datum != 0 && p != 0:
			return 0
		}
		several = several || p != 0
		p |= t.fixes
		scaled = scaled || t.product || t.factor != 1 && t.factor != -1
	}
	if several && !scaled {
		return 0
	}
	return p
}

// sum returns the sum that an expression is.
func (c *chooser) sum(e ast.Expr) sum {
	if c.steps++; c.steps > manySteps {
		return sum{terms: map[name]term{{}: {factor: 1, depends: true, fixes: item}}}
	}
	if v := c.pass.TypesInfo.Types[e].Value; v != nil {
		if n, exact := constant.Int64Val(constant.ToInt(v)); exact {
			return sum{number: n}
		}
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return c.sum(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.SUB {
			return (sum{}).plus(c.sum(x.X), -1)
		}
	case *ast.CallExpr:
		if c.pass.TypesInfo.Types[x.Fun].IsType() && !c.narrows(x) {
			return c.sum(x.Args[0])
		}
	case *ast.Ident:
		o := c.pass.TypesInfo.ObjectOf(x)
		if arg, env := c.given(o); arg != nil {
			defer c.within(env)()
			return c.sum(arg)
		}
		_, root := c.roots[o]
		if _, asked := c.asked[o]; !root && !asked && c.values[o] != nil {
			c.asked[o] = never
			defer delete(c.asked, o)
			return c.sum(c.values[o])
		}
	case *ast.BinaryExpr:
		if x.Op != token.ADD && x.Op != token.SUB && x.Op != token.MUL {
			break
		}
		a, b := c.sum(x.X), c.sum(x.Y)
		switch {
		case x.Op == token.ADD:
			return a.plus(b, 1)
		case x.Op == token.SUB:
			return a.plus(b, -1)
		case len(a.terms) == 0:
			return (sum{}).plus(b, a.number)
		case len(b.terms) == 0:
			return (sum{}).plus(a, b.number)
		}
	}
	return c.term(e)
}

// term returns the sum that has one term.
func (c *chooser) term(e ast.Expr) sum {
	of, t := name{text: types.ExprString(e)}, term{factor: 1, depends: c.depends(e)}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		of = name{of: c.pass.TypesInfo.ObjectOf(x)}
	case *ast.CallExpr:
		t.size = !t.depends
	case *ast.BinaryExpr:
		if t.product = x.Op == token.MUL; t.product || x.Op == token.ADD {
			if !c.depends(x.X) || !c.depends(x.Y) {
				t.fixes = c.fixes(x.X, nil) | c.fixes(x.Y, nil)
			}
			return sum{terms: map[name]term{of: t}}
		}
	}
	t.is, _ = c.coordinate(e)
	t.fixes = c.fixes(e, nil)
	return sum{terms: map[name]term{of: t}}
}

// below returns the coordinates that are fixed where a sum is below zero, if that holds for the first or the
// last item only. A range that is not known begins at zero, and may end at any other term of the sum.
func (c *chooser) below(d sum) pins {
	ends := []*sum{nil}
	for of, t := range d.terms {
		if t.size || !t.depends && c.extent == nil {
			ends = append(ends, &sum{terms: map[name]term{of: {factor: 1, size: true}}})
		}
	}
	for _, end := range ends {
		if p := c.corner(d, end); p != 0 {
			return p
		}
	}
	return 0
}

// corner is below for ranges that end at a sum, or at their own ends if it is nil.
func (c *chooser) corner(d sum, end *sum) (p pins) {
	least, at := int64(math.MaxInt64), sum{number: d.number}
	for of, t := range d.terms {
		k := slices.IndexFunc(c.coordinates, func(is pins) bool { return is == t.is })
		if k < 0 {
			if t.depends {
				return 0
			}
			at = at.plus(sum{terms: map[name]term{of: t}}, 1)
			continue
		}
		p |= t.is
		to := sum{}
		switch known := k < len(c.extent); {
		case t.factor > 0 && known:
			to = c.extent[k].begin
		case t.factor > 0:
		case t.factor < 0 && end != nil:
			to = end.plus(sum{number: 1}, -1)
		case t.factor < 0 && known:
			to = c.extent[k].end.plus(sum{number: 1}, -1)
		case t.factor < 0:
			return 0
		}
		at = at.plus(to, t.factor)
		least = min(least, max(t.factor, -t.factor))
	}
	none := end != nil && at.number >= 0 // an end that leaves no item is none
	if len(at.terms) > 0 || p == 0 || at.number+least < 0 || none {
		return 0
	}
	return p
}
