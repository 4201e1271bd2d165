package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/big"
)

const (
	fuses        = "some processors round this product and the sum once: write float64(x*y) + z or math.FMA(x, y, z)"
	fusesComplex = "some processors round the products of this complex product and their sums once: write its parts with float64(x*y)"
)

// Products are the rule of -gokkos.fused: a product of floats that is a term of a sum is reported where Go's compiler
// fuses the two. A test of what the compiler does holds that. A product is followed
//
//   - through names, assignments, signs, fields, elements with the same index, composite literals, copies, pointers to
//     variables of the function, and interfaces;
//   - through arguments, receivers and results of functions, methods and literals of the package. Of a function that is
//     too large to be inlined the compiler fuses nothing, and it is reported nonetheless;
//   - not through a conversion, which rounds, nor through a place that has something else on another way to the sum: after
//     branches that set it, in a variable that turns of a loop hand on, in a function with several results;
//   - through memory until something else is written that may be the same place, or a function is called that is not
//     followed: one of another package, with go:noinline, defer, go or select, a value or a method of an interface.
//
// A quotient by a power of two is a product, too. Products with 1, -1 and 2 are none, as the compiler makes no product of
// them. A product of complex128 is one and a sum at once. That of complex64 is computed in float64, which rounds nothing.
type products struct{}

// look reports the products that are terms of sums in a functor.
func (f *functor) products() {
	w := f.flow(products{})
	w.apart(&function{typ: f.typ, body: f.body.Node().(*ast.BlockStmt)})
}

// flow returns a flow for a rule, with nothing known.
func (c *checker) flow(r rule) *flow {
	c.inAddresses()
	start := &state{leaves: map[place]leaf{}}
	return &flow{checker: c, rule: r, now: start, variables: map[ast.Expr]types.Object{}, alone: map[ast.Node]bool{}}
}

// inAddresses notes the variables that a pointer is made of, and those that a literal around which they stand sets.
func (c *checker) inAddresses() map[types.Object]bool {
	if c.addressed != nil {
		return c.addressed
	}
	c.addressed = map[types.Object]bool{}
	note := func(e ast.Expr, within ast.Node) {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if o := c.pass.TypesInfo.Uses[id]; ok && o != nil && (within == nil || o.Pos() < within.Pos() || o.Pos() >= within.End()) {
			c.addressed[o] = true
		}
	}
	for at := range c.root.Preorder((*ast.UnaryExpr)(nil), (*ast.SelectorExpr)(nil), (*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil)) {
		var set []ast.Expr
		switch n := at.Node().(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X, nil)
			}
		case *ast.SelectorExpr:
			if f, _ := c.pass.TypesInfo.Uses[n.Sel].(*types.Func); changes(f) {
				note(n.X, nil)
			}
		case *ast.AssignStmt:
			set = n.Lhs
		case *ast.IncDecStmt:
			set = []ast.Expr{n.X}
		}
		for lit := range at.Enclosing((*ast.FuncLit)(nil)) {
			for _, e := range set {
				note(e, lit.Node())
			}
			break
		}
	}
	return c.addressed
}

func (products) compiled() bool { return true }

func (products) zero(types.Type) tree { return nil }

func (products) merge(_, _ *state, _, _ leaf) (leaf, bool) { return leaf{}, false }

func (products) call(*flow, *ast.CallExpr, []tree) tree { return nil }

func (products) operate(f *flow, n ast.Node, op token.Token, x, y leaf) leaf {
	e := operand(n)
	if !f.basic(e, types.IsFloat) {
		if f.basic(e, types.IsComplex) && op == token.MUL && !isAxis(x.val) && !isAxis(y.val) && f.isComplex128(e) && f.quiet == 0 {
			f.report(n, fusesComplex)
		}
		if op == token.LPAREN {
			return leaf{val: x.val}
		}
		return leaf{val: fold(n, op, x.val, y.val)}
	}
	_, unary := n.(*ast.UnaryExpr)
	switch {
	case unary:
		return leaf{node: x.node}
	case op == token.ADD || op == token.SUB:
		for _, l := range []leaf{x, y} {
			if l.node != nil && f.quiet == 0 {
				f.report(l.node, fuses)
			}
		}
	case op == token.MUL && !vanishes(x.val) && !vanishes(y.val),
		op == token.QUO && y.val != nil && isPower(y.val) && !vanishes(constant.BinaryOp(one.val, token.QUO, y.val)):
		return leaf{node: n}
	}
	return leaf{}
}

// operand returns the expression whose type an operation has.
func operand(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs[0]
	case *ast.IncDecStmt:
		return n.X
	}
	return n.(ast.Expr)
}

func (f *flow) isComplex128(e ast.Expr) bool {
	b, ok := f.under(e).(*types.Basic)
	return !ok || b.Kind() != types.Complex64
}

// isAxis reports whether a factor is a constant that is real or imaginary, with which only one product is not zero.
func isAxis(v constant.Value) bool {
	return v != nil && (constant.Sign(constant.Real(v)) == 0 || constant.Sign(constant.Imag(v)) == 0)
}

// vanishes reports whether the compiler makes no product with a factor.
func vanishes(v constant.Value) bool {
	if v = toFloat(v); v == nil {
		return false
	}
	x, _ := constant.Float64Val(v)
	return x == 1 || x == -1 || x == 2
}

// isPower reports whether a divisor is a power of two.
func isPower(v constant.Value) bool {
	if v = toFloat(v); v == nil {
		return false
	}
	x, _ := constant.Float64Val(v)
	mantissa := new(big.Float).SetFloat64(x)
	return x != 0 && mantissa.MinPrec() == 1
}

func toFloat(v constant.Value) constant.Value {
	if v == nil || v.Kind() != constant.Int && v.Kind() != constant.Float {
		return nil
	}
	return constant.ToFloat(v)
}

// fold returns the result of an operation whose operands are known, nil if it is not known.
func fold(n ast.Node, op token.Token, x, y constant.Value) constant.Value {
	if _, unary := n.(*ast.UnaryExpr); unary {
		if x != nil && (op == token.SUB || op == token.NOT) {
			return constant.UnaryOp(op, x, 0)
		}
		return nil
	}
	if x == nil || y == nil {
		return nil
	}
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return constant.MakeBool(constant.Compare(x, op, y))
	case token.ADD, token.SUB, token.MUL:
		return constant.BinaryOp(x, op, y)
	}
	return nil
}
