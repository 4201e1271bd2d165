package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

const (
	fuses = "some processors round this product and the sum once: " +
		"write float64(x*y) + z or math.FMA(x, y, z)"
	fusesComplex = "some processors round the products of this complex product and their sums once: " +
		"write its parts with float64(x*y)"
)

// products reports what -gokkos.fused is for: a product of floats that is a term of a sum where Go's compiler
// fuses the two. A test shows which products the compiler fuses. Products are followed as functors run
//
//   - through names, assignments, signs, fields, elements with the same index, composite literals, copies,
//     pointers to variables of the function, and interfaces;
//   - through arguments, receivers and results of functions, methods and literals of the package. The
//     compiler fuses nothing across a call that it does not inline; it is not known which are too large;
//   - not through a conversion, which rounds;
//   - not through a place that has something else on another way to the sum: after branches that set it, in a
//     variable that turns of a loop hand on, from a function with several returns;
//   - through memory until a write to what may be the same place, or a call that is not followed: of a
//     function of another package, with go:noinline, defer, go or select.
//
// A quotient by a power of two is a product, too. Products with 1, -1 and 2 are none: the compiler
// multiplies nothing there. A product of complex128 is a product and a sum at once. A product of complex64 is
// computed in float64, where its products are exact.
func (c *checker) products() {
	terms, products, rounded := c.terms()
	c.program.Products(func(sum, product token.Pos, left bool) {
		t := terms[sum]
		if e := t[1]; !left && c.isRounded(e, rounded) || left && c.isRounded(t[0], rounded) || rounded.at[product] {
			return
		}
		c.reportAt(product, product, fuses, c.conversion(products[product])...)
	}, func(product token.Pos) { c.reportAt(product, product, fusesComplex) })
}

// A rounding has the products that conversions round, by the places of their operators, and the variables.
type rounding struct {
	at        map[token.Pos]bool
	variables map[types.Object]bool
}

// conversion is the fix that rounds a product: a conversion to its type, if that has a name in the file.
func (c *checker) conversion(x *ast.BinaryExpr) []analysis.SuggestedFix {
	if x == nil {
		return nil
	}
	t := c.pass.TypesInfo.TypeOf(x)
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != c.pass.Pkg {
		return nil
	}
	name := types.TypeString(t, types.RelativeTo(c.pass.Pkg))
	return []analysis.SuggestedFix{{Message: "write " + name + "(x*y)", TextEdits: []analysis.TextEdit{
		{Pos: x.Pos(), End: x.Pos(), NewText: []byte(name + "(")}, {Pos: x.End(), End: x.End(), NewText: []byte(")")},
	}}}
}

// terms returns the operands of operations, and the operations of two operands, both by the places of
// operators. It also returns what conversions round, because SSA has no conversions to the same type.
func (c *checker) terms() (terms map[token.Pos][2]ast.Expr, products map[token.Pos]*ast.BinaryExpr, rounded rounding) {
	terms, products, rounded = map[token.Pos][2]ast.Expr{}, map[token.Pos]*ast.BinaryExpr{}, rounding{map[token.Pos]bool{}, map[types.Object]bool{}}
	kinds := []ast.Node{
		(*ast.BinaryExpr)(nil), (*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.ValueSpec)(nil), (*ast.CallExpr)(nil),
	}
	for at := range c.root.Preorder(kinds...) {
		switch n := at.Node().(type) {
		case *ast.BinaryExpr:
			terms[n.OpPos], products[n.OpPos] = [2]ast.Expr{n.X, n.Y}, n
		case *ast.IncDecStmt:
			terms[n.TokPos] = [2]ast.Expr{n.X, nil}
		case *ast.CallExpr:
			if b, ok := ast.Unparen(c.converted(n)).(*ast.BinaryExpr); ok {
				rounded.at[b.OpPos] = true
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 {
				terms[n.TokPos] = [2]ast.Expr{n.Lhs[0], n.Rhs[0]}
			}
		}
		eachSet(at.Node(), func(left, to ast.Expr) {
			if id, ok := left.(*ast.Ident); ok && c.converted(to) != nil {
				rounded.variables[c.pass.TypesInfo.ObjectOf(id)] = true
			}
		})
	}
	return terms, products, rounded
}

// eachSet calls set for each variable or other place that an assignment or a declaration sets. The argument
// to is the expression of its value, or nil if the value has no expression of its own.
func eachSet(n ast.Node, set func(left, to ast.Expr)) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for k, left := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) && (n.Tok == token.DEFINE || n.Tok == token.ASSIGN) {
				set(left, n.Rhs[k])
			} else {
				set(left, nil)
			}
		}
	case *ast.ValueSpec:
		for k, name := range n.Names {
			if len(n.Names) == len(n.Values) {
				set(name, n.Values[k])
			} else if len(n.Values) > 0 {
				set(name, nil)
			}
		}
	}
}

// converted returns the operand of a conversion to a type of floats; nil for other expressions.
func (c *checker) converted(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if ok && len(call.Args) == 1 && c.pass.TypesInfo.Types[call.Fun].IsType() && c.basic(call, types.IsFloat) {
		return call.Args[0]
	}
	return nil
}

// isRounded reports whether a term is a conversion, or a variable that has been set to one.
func (c *checker) isRounded(e ast.Expr, rounded rounding) bool {
	if e == nil {
		return false
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return c.converted(e) != nil || ok && rounded.variables[c.pass.TypesInfo.ObjectOf(id)]
}
