package front

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A grammar is the syntax of Go, as far as kernels have it.
type grammar struct{}

func (grammar) expr(f *frame, x ast.Expr) tree {
	f.at = x.Pos()
	if tv, ok := f.pkg.TypesInfo.Types[x]; ok && tv.Value != nil {
		return f.constantOf(tv.Value, f.subst(tv.Type), x)
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return f.expr(x.X)
	case *ast.Ident:
		return f.ident(x)
	case *ast.SelectorExpr:
		return f.selector(x)
	case *ast.IndexExpr:
		return f.index(x)
	case *ast.SliceExpr:
		return f.sliceExpr(x)
	case *ast.StarExpr:
		switch t := f.expr(x.X).(type) {
		case accumulator:
			return f.loaded(t)
		case *pointer:
			return f.target(t)
		case *reference:
			f.reads(t.key, x.Pos())
			return t.load()
		case far:
			return f.farPlace(t).load()
		case address:
			return f.loadAt(t.of, f.integer(0))
		case *parts: // the receiver of a method
			return t
		}
		f.refuse(x.Pos(), "pass what it points to", "a kernel cannot have pointers, but to its accumulators")
	case *ast.UnaryExpr:
		return f.unary(x)
	case *ast.BinaryExpr:
		return f.binaryExpr(x)
	case *ast.CallExpr:
		return f.call(x)
	case *ast.CompositeLit:
		return f.composite(x)
	case *ast.FuncLit:
		return f.literal(x)
	case *ast.TypeAssertExpr:
		f.refuse(x.Pos(), "", "a kernel cannot have interfaces")
	}
	f.refuse(x.Pos(), "", "a kernel cannot have this expression")
	return nil
}

func (f *frame) ident(x *ast.Ident) tree {
	switch v := f.pkg.TypesInfo.ObjectOf(x).(type) {
	case *types.Var:
		if t, ok := f.vars[v]; ok {
			f.reads(v, x.Pos())
			switch t := t.(type) {
			case bad:
				f.refuse(x.Pos(), t.help, "a kernel cannot have %s", t.reason)
			case owned:
				return f.ownedPlace(t, x).load()
			}
			return t
		}
		if t, ok := f.isTable(x, v); ok {
			return t
		}
		if t, ok := f.capturedVar(x, v); ok {
			if b, ok := t.(bad); ok {
				f.refuse(x.Pos(), b.help, "a kernel cannot have %s", b.reason)
			}
			return t
		}
		return f.tableOf(x, v)
	case *types.Func:
		return f.funcValue(x, v)
	case *types.Nil:
		return null{}
	}
	f.refuse(x.Pos(), "", "a kernel cannot use %s as a value", x.Name)
	return nil
}

func (f *frame) selector(x *ast.SelectorExpr) tree {
	sel := f.pkg.TypesInfo.Selections[x]
	if sel == nil {
		if o, ok := f.pkg.TypesInfo.Uses[x.Sel].(*types.Func); ok {
			return f.funcValue(x.Sel, o)
		}
		if v, ok := f.pkg.TypesInfo.Uses[x.Sel].(*types.Var); ok {
			if t, ok := f.capturedVar(x, v); ok {
				return t
			}
		}
		f.refuse(x.Pos(), "make it a parameter of the constructor", "the kernel uses %s.%s, which is a variable of another package", x.X, x.Sel.Name)
	}
	if sel.Kind() != types.FieldVal {
		f.refuse(x.Pos(), "call it", "a kernel cannot have method values")
	}
	if f.ofRecord(x) {
		return f.place(x).load()
	}
	t := f.expr(x.X)
	if p, ok := t.(far); ok {
		return f.field(f.farPlace(p), sel.Index()).load()
	}
	t = f.loaded(t)
	if s, ok := t.(shape); ok {
		switch x.Sel.Name {
		case "stride":
			return dims{s, ir.Stride}
		case "extent":
			return dims{s, ir.Extent}
		}
		f.refuse(x.Pos(), "", "a kernel cannot ask views for their %s", x.Sel.Name)
	}
	for _, k := range sel.Index() {
		t = f.part(t, k)
	}
	return t
}

func (f *frame) index(x *ast.IndexExpr) tree {
	if f.ofRecord(x) {
		return f.place(x).load()
	}
	t := f.loaded(f.expr(x.X))
	switch t := t.(type) {
	case *slice, *lazySlice:
		s := f.sliceOf(t, x.X)
		i := f.indexOf(x.Index)
		f.at = x.Index.Pos()
		f.emit(ir.Check, ir.None, i, s.len)
		return f.loadAt(s, i)
	case dims:
		return f.dimension(t.of, t.kind, x.Index)
	case *table:
		i := f.indexOf(x.Index)
		f.at = x.Index.Pos()
		return f.elementOf(t, i)
	case *parts, *array:
		if k, ok := f.constantIndex(x.Index); ok {
			return f.part(t, k)
		}
		i := f.indexOf(x.Index)
		if k, ok := known(i); ok && k < uint64(len(f.partsOf(t).list)) {
			return f.part(t, int(k))
		}
		return f.element(t, number{v: i}, x.X)
	}
	f.refuse(x.Pos(), "", "a kernel cannot index %s", f.typeString(f.typeOf(x.X)))
	return nil
}

func (f *frame) sliceExpr(x *ast.SliceExpr) tree {
	s := f.cutOf(x)
	bound := func(e ast.Expr, other *ir.Value) *ir.Value {
		if e == nil {
			return other
		}
		return f.indexOf(e)
	}
	lo, hi, limit := bound(x.Low, f.integer(0)), bound(x.High, s.len), bound(x.Max, s.cap)
	f.at = x.Pos()
	within := func(a, b *ir.Value) { // 0 <= a <= b
		f.emit(ir.Check, ir.None, a, f.emit(ir.Add, ir.I64, b, f.integer(1)))
	}
	if x.Max != nil {
		within(limit, s.cap)
	}
	if limit != hi {
		within(hi, limit)
	}
	if x.Low == nil {
		return &slice{s.mem, s.off, hi, limit, s.among, s.flat, s.base}
	}
	within(lo, hi)
	return &slice{s.mem, f.offset(s, lo), f.emit(ir.Sub, ir.I64, hi, lo), f.emit(ir.Sub, ir.I64, limit, lo), s.among, s.flat, s.base}
}

// cutOf returns the slice that a slice expression cuts, or the array of the functor's own.
func (f *frame) cutOf(x *ast.SliceExpr) *slice {
	if id, ok := ast.Unparen(x.X).(*ast.Ident); ok {
		if o, ok := f.vars[f.pkg.TypesInfo.Uses[id]].(owned); ok {
			n := int(o.of.elem.Underlying().(*types.Array).Len())
			return f.whole(o, n, n)
		}
	}
	return f.sliceOf(f.expr(x.X), x.X)
}

func (f *frame) unary(x *ast.UnaryExpr) tree {
	if x.Op == token.AND {
		if a, ok := f.addressOf(x); ok {
			return a
		}
		return f.reference(x.X)
	}
	operand := f.expr(x.X)
	if _, ok := complexPart(f.typeOf(x)); ok {
		return f.complexUnary(x, operand)
	}
	n := f.numberOf(operand, x.X)
	f.at = x.Pos()
	switch x.Op {
	case token.ADD:
		return n
	case token.SUB:
		return number{f.wrapped(f.emit(ir.Neg, n.v.Type, n.v), f.typeOf(x)), n.product}
	case token.NOT, token.XOR:
		return number{v: f.wrapped(f.emit(ir.Not, n.v.Type, n.v), f.typeOf(x))}
	}
	f.refuse(x.Pos(), "", "a kernel cannot have the operator %s", x.Op)
	return nil
}

func (f *frame) binaryExpr(x *ast.BinaryExpr) tree {
	switch x.Op {
	case token.LAND, token.LOR:
		return number{v: f.either(func() *ir.Value { return f.truthOf(x.X) }, func() *ir.Value { return f.truthOf(x.Y) }, x.Op == token.LOR)}
	case token.SHL, token.SHR:
		return f.shift(x.Op, f.numberOf(f.expr(x.X), x.X), x.Y, f.typeOf(x))
	}
	a, b := f.expr(x.X), f.expr(x.Y)
	f.at = x.OpPos
	if _, ok := a.(null); ok {
		a, b = b, a
	}
	if _, ok := b.(null); ok {
		if t, ok := f.isNil(a, x, x.Op == token.NEQ); ok {
			return t
		}
		f.refuse(x.Pos(), "ask for its length", "a kernel cannot compare with nil")
	}
	if p, ok := a.(far); ok {
		if q, ok := b.(far); ok {
			a, b = number{v: p.addr}, number{v: q.addr}
		}
	}
	if x.Op == token.EQL || x.Op == token.NEQ {
		if n, ok := f.equal(a, b, x.Op == token.NEQ); ok {
			return n
		}
	}
	return f.operated(x.Op, a, b, f.typeOf(x.X), x.X, x.Y, x.OpPos)
}

// operated returns a op b for numbers of a type, complex ones included. The expressions of and by have a and
// b as their values.
func (f *frame) operated(op token.Token, a, b tree, t types.Type, of, by ast.Expr, at token.Pos) tree {
	if _, ok := complexPart(t); ok {
		return f.complexBinary(op, a, b, t, at)
	}
	return f.binary(op, f.numberOf(a, of), f.numberOf(b, by), t, at)
}

// complexUnary lowers a sign in front of a complex number.
func (f *frame) complexUnary(x *ast.UnaryExpr, t tree) tree {
	p := f.complexParts(t, x.Pos())
	f.at = x.Pos()
	if x.Op == token.SUB {
		for n := range p {
			p[n].v = f.emit(ir.Neg, p[n].v.Type, p[n].v)
		}
	}
	return complexOf(f.typeOf(x), p[0], p[1])
}

func (f *frame) composite(x *ast.CompositeLit) tree {
	t := f.typeOf(x)
	if _, ok := viewRank(t); ok {
		f.refuse(x.Pos(), "pass it as a parameter", "a kernel cannot make views")
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		return f.sliceLiteral(x, s)
	}
	return f.compositeOf(x, t)
}

// compositeOf lowers a literal of a struct or an array, whose type is t.
func (f *frame) compositeOf(x *ast.CompositeLit, t types.Type) *parts {
	p, ok := f.zero(t, x.Pos()).(*parts)
	if !ok {
		f.refuse(x.Pos(), "", "a kernel cannot allocate")
	}
	s, isStruct := t.Underlying().(*types.Struct)
	next := 0
	for _, e := range x.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
			if isStruct {
				for k := range s.NumFields() {
					if s.Field(k).Name() == kv.Key.(*ast.Ident).Name {
						next = k
					}
				}
			} else if k, ok := f.constantIndex(kv.Key); ok {
				next = k
			}
		}
		if v := f.copied(f.expr(e)); !isStruct || !isBlank(s.Field(next)) {
			p.list[next] = v
		}
		next++
	}
	return p
}

// reference lowers &x.
func (f *frame) reference(x ast.Expr) tree {
	if lit, ok := ast.Unparen(x).(*ast.CompositeLit); ok {
		key := &flag{"variable"}
		f.set(key, f.composite(lit))
		return &reference{f.variable(key, x), key}
	}
	p := f.place(x)
	if p.load == nil {
		f.refuse(x.Pos(), "use values", "a kernel cannot have a pointer to this")
	}
	var key any
	f.root(x, func(k any) { key = k })
	if r, ok := f.vars[key].(*reference); ok {
		key = r.key
	}
	return &reference{p, key}
}
