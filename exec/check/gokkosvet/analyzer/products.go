package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/big"
)

const (
	fuses = "some processors round this product and the sum once: " +
		"write float64(x*y) + z or math.FMA(x, y, z)"
	fusesComplex = "some processors round the products of this complex product and their sums once: " +
		"write its parts with float64(x*y)"
)

// products is the rule of -gokkos.fused. It reports a product of floats that is a term of a sum where Go's
// compiler fuses the two. A test shows what the compiler fuses. The rule follows a product
//
//   - through names, assignments, signs, fields, elements with the same index, composite literals, copies,
//     pointers to variables of the function, and interfaces;
//   - through arguments, receivers and results of functions, methods and literals of the package. The
//     compiler fuses nothing across a call that it does not inline; the rule does not know which are too
//     large;
//   - not through a conversion, which rounds;
//   - not through a place that has something else on another way to the sum: after branches that set it, in a
//     variable that turns of a loop hand on, from a function whose returns differ;
//   - through memory until a write to what may be the same place, or a call that is not followed: of a
//     function of another package, with go:noinline, defer, go or select, of a value, or of an interface.
//
// A quotient by a power of two is a product, too. Products with 1, -1 and 2 are none: the compiler
// multiplies nothing there. A product of complex128 is a product and a sum at once. A product of complex64 is
// computed in float64, where its products are exact.
func (f *functor) products() {
	f.flow().apart(&function{typ: f.typ, body: f.body.Node().(*ast.BlockStmt)})
}

// operate returns the result of an operation or a conversion; y is the zero value if it has one operand.
func (f *flow) operate(n ast.Node, op token.Token, x, y leaf) leaf {
	e := operand(n)
	if !f.basic(e, types.IsFloat) {
		both := op == token.MUL && !isAxis(x.val) && !isAxis(y.val)
		if both && f.basic(e, types.IsComplex) && f.isComplex128(e) && f.quiet == 0 {
			f.report(n, fusesComplex)
		}
		if op == token.LPAREN {
			return leaf{val: x.val}
		}
		return leaf{val: fold(n, op, x.val, y.val)}
	}
	_, unary := n.(*ast.UnaryExpr)
	inverse := op == token.QUO && y.val != nil && isPower(y.val)
	switch {
	case unary:
		x.val = nil
		if op == token.SUB {
			x.sign ^= 1 // another value than the product, which is fused, too
		}
		return x
	case op == token.ADD || op == token.SUB:
		for _, l := range []leaf{x, y} {
			if l.node != nil && f.quiet == 0 {
				f.report(l.node, fuses)
			}
		}
	case op == token.MUL && !vanishes(x.val) && !vanishes(y.val),
		inverse && !vanishes(constant.BinaryOp(one.val, token.QUO, y.val)):
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

// isAxis reports whether a factor is a constant that is real or imaginary, with which only one product is
// not zero.
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

// class returns the kind of a value: bool, text, or number.
func class(v constant.Value) constant.Kind {
	if k := v.Kind(); k == constant.Bool || k == constant.String {
		return k
	}
	return constant.Int
}

// fold returns the result of an operation whose operands are known, nil if it is not known.
func fold(n ast.Node, op token.Token, x, y constant.Value) constant.Value {
	if _, unary := n.(*ast.UnaryExpr); unary {
		if x != nil && (op == token.SUB || op == token.NOT) {
			return constant.UnaryOp(op, x, 0)
		}
		return nil
	}
	if x == nil || y == nil || class(x) != class(y) {
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
