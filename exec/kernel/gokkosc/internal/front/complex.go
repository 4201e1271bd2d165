package front

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A complex number is two floats, as parts.

// complexBinary returns x op y of complex numbers. Products of floats of 32 bits are computed with 64, as Go has them.
func (f *frame) complexBinary(op token.Token, x, y tree, t types.Type, at token.Pos) tree {
	a, b := f.complexParts(x, at), f.complexParts(y, at)
	part, _ := complexPart(t)
	switch op {
	case token.ADD, token.SUB:
		return complexOf(t, f.binary(op, a[0], b[0], part, at), f.binary(op, a[1], b[1], part, at))
	case token.MUL:
	case token.QUO:
		f.refuse(at, "compute both parts from numbers", "a kernel cannot divide complex numbers")
	default:
		f.refuse(at, "", "a kernel cannot have the operator %s of complex numbers", op)
	}
	narrow, wide := part.Underlying().(*types.Basic).Kind() == types.Float32, types.Typ[types.Float64]
	if !narrow && !f.world.config.Rounded {
		f.refuse(at, "multiply both parts, as in float64(x*y)", "Go may fuse the products of complex numbers with sums, with other bits on some CPUs")
	}
	f.complexProducts = append(f.complexProducts, at)
	for _, n := range [][]number{a, b} {
		for k := range n {
			n[k] = f.convert(n[k], part, wide, at)
		}
	}
	product := func(x, y number) number {
		p := f.binary(token.MUL, x, y, wide, at)
		if narrow { // the product is exact in float64, so a sum may fuse it
			p.product = token.NoPos
		}
		return p
	}
	re := f.binary(token.SUB, product(a[0], b[0]), product(a[1], b[1]), wide, at)
	im := f.binary(token.ADD, product(a[0], b[1]), product(a[1], b[0]), wide, at)
	return complexOf(t, f.convert(re, wide, part, at), f.convert(im, wide, part, at))
}

// complexParts returns the real and the imaginary part of a complex number.
func (f *frame) complexParts(t tree, at token.Pos) []number {
	p, ok := f.of(t).(*parts)
	if !ok || len(p.list) != 2 {
		f.refuse(at, numberTypes, "a kernel cannot compute with this complex number")
	}
	return []number{p.list[0].(number), p.list[1].(number)}
}

// complexConverted returns a complex number as one of another type.
func (f *frame) complexConverted(x tree, from, to types.Type, at token.Pos) tree {
	p := f.complexParts(x, at)
	a, _ := complexPart(from)
	b, _ := complexPart(to)
	return complexOf(to, f.convert(p[0], a, b, at), f.convert(p[1], a, b, at))
}

// complexBuiltin lowers complex, real and imag.
func (f *frame) complexBuiltin(name string, x *ast.CallExpr) tree {
	if name == "complex" {
		re, im := f.numberOf(f.expr(x.Args[0]), x.Args[0]), f.numberOf(f.expr(x.Args[1]), x.Args[1])
		return complexOf(f.typeOf(x), re, im)
	}
	p := f.complexParts(f.expr(x.Args[0]), x.Pos())
	return p[map[string]int{"real": 0, "imag": 1}[name]]
}
