package analyzer

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// byIndex are the functions of other packages whose functors are given an index.
var byIndex = []string{"ForEach", "Generate", "FillFunc"}

// begin notes the parameters of the functor. An accumulator has the content of several items, but the prefix
// of a scan may be that of one. The pass of a scan is the same for all items.
func (c *chooser) begin(typ *ast.FuncType) {
	nested, isScan := c.body != c.functor.body, c.pattern == "ParallelScan"
	indexed := nested || isPattern(c.pattern) || slices.Contains(byIndex, c.pattern)
	n := 1
	if len(typ.Params.List) > 0 && indexed {
		n = rank(c.pass.TypesInfo.TypeOf(typ.Params.List[0].Type))
	}
	for k := range n {
		c.coordinates = append(c.coordinates, coordinate(k))
		c.all |= coordinate(k)
	}
	for k, v := range c.parameters(typ) {
		switch {
		case v == nil || k == 2 && isScan && !nested:
			continue
		case k == 0 && indexed:
			c.roots[v] = c.all
		case k == 1 && isScan && !nested:
			c.roots[v] = item
		default:
			c.roots[v] = 0
		}
		c.of[v] = true
	}
}

// isPattern reports whether the functors of a function are given an index.
func isPattern(name string) bool {
	return strings.HasPrefix(name, "Parallel") || name == "Map" || name == "Fill"
}

// rank returns the number of coordinates of an index.
func rank(t types.Type) int {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return 1
	}
	s, isStruct := n.Underlying().(*types.Struct)
	switch {
	case isNamed(n, "team", "Member"):
		return 2
	case n.TypeArgs().Len() == 1: // such as a tile
		return rank(n.TypeArgs().At(0))
	case isStruct && strings.HasPrefix(n.Obj().Name(), "Index") && isNamed(n, "team", n.Obj().Name()):
		return s.NumFields()
	}
	return 1
}

const axes = "IJKLMN" // the fields of indices

// coordinate returns the coordinates that an expression stands for, and whether it stands for any: it is a
// parameter, a field of one, or a rank.
func (c *chooser) coordinate(e ast.Expr) (p pins, ok bool) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		o := c.pass.TypesInfo.ObjectOf(x)
		if arg, env := c.given(o); arg != nil {
			defer c.within(env)()
			return c.coordinate(arg)
		}
		p, ok = c.roots[o]
	case *ast.StarExpr:
		return c.coordinate(x.X)
	case *ast.SelectorExpr:
		if p, ok = c.coordinate(c.value(x.X)); !ok {
			return 0, false
		}
		switch t := c.pass.TypesInfo.TypeOf(x.X); {
		case rank(t) > 1 && len(x.Sel.Name) == 1 && strings.Contains(axes, x.Sel.Name):
			p &= coordinate(strings.Index(axes, x.Sel.Name))
		case x.Sel.Name == "Begin" || x.Sel.Name == "End": // of a row
			p &= coordinate(rank(t) - 1)
		}
	case *ast.CallExpr:
		f := c.method(x, "team")
		if f == nil || !c.depends(x) {
			return 0, false
		}
		ofGroup := isNamed(f.Signature().Recv().Type(), "team", "SubGroup")
		switch {
		case f.Name() == "LeagueRank":
			return coordinate(0), true
		case f.Name() == "Rank" && !ofGroup:
			return coordinate(1), true
		case f.Name() == "Rank":
			return coordinate(1) & remainders, true
		case f.Name() == "ID":
			return coordinate(1) & quotients, true
		}
	}
	return p, ok
}

// An extent is the range of a coordinate.
type extent struct{ begin, end sum }

// ranges notes the ranges of the coordinates, from a policy or a nested range. A range of one is fixed. A size below 0 is
// team.Auto.
func (c *chooser) ranges(of ast.Expr) {
	add := func(begin, end ast.Expr) {
		r := extent{end: c.sum(end)}
		if begin != nil {
			r.begin = c.sum(begin)
		}
		if n := r.end.plus(r.begin, -1); len(n.terms) == 0 && 0 <= n.number && n.number <= 1 {
			c.same |= coordinate(len(c.extent))
		}
		c.extent = append(c.extent, r)
	}
	c.through(of, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || c.extent != nil || len(call.Args) < 2 { // as where the bounds are the results of one call
			return c.extent == nil
		}
		switch at, in := c.called(call, "policy"), c.called(call, "team"); {
		case at == "Range" || at == "Spans":
			add(call.Args[0], call.Args[1])
		case at == "Team":
			add(nil, call.Args[0])
			add(nil, call.Args[1])
		case strings.HasPrefix(at, "MDRange"):
			lower, _ := c.value(call.Args[0]).(*ast.CompositeLit)
			upper, _ := c.value(call.Args[1]).(*ast.CompositeLit)
			if lower == nil || upper == nil || len(lower.Elts) > 0 && len(lower.Elts) < len(upper.Elts) {
				return false
			}
			for k, end := range upper.Elts {
				if len(lower.Elts) == 0 {
					add(nil, end)
				} else {
					add(lower.Elts[k], end)
				}
			}
		case strings.Contains(in, "Range"):
			for _, end := range call.Args[1:] {
				add(nil, end)
			}
		}
		return c.extent == nil
	})
}
