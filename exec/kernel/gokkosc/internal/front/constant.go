package front

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/interp"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// constant returns a constant of the kernel's setup.
func (l *lowering) constant(t ir.Type, bits uint64) *ir.Value {
	key := constKey{t, bits}
	if v := l.consts[key]; v != nil {
		return v
	}
	v := l.k.NewValue(ir.Const, t)
	v.Bits = bits
	l.k.Setup.Values = append(l.k.Setup.Values, v)
	l.consts[key] = v
	return v
}

func (l *lowering) integer(n int) *ir.Value { return l.constant(ir.I64, uint64(n)) }

func (l *lowering) truth(b bool) *ir.Value {
	if b {
		return l.constant(ir.Bool, 1)
	}
	return l.constant(ir.Bool, 0)
}

func (f *frame) one(t ir.Type) *ir.Value {
	switch t {
	case ir.F64:
		return f.constant(t, 0x3ff0000000000000)
	case ir.F32:
		return f.constant(t, 0x3f800000)
	}
	return f.constant(t, 1)
}

// zero returns the zero value of a type.
func (f *frame) zero(t types.Type, at token.Pos) tree {
	t = f.subst(t)
	if typ, _, ok := numberType(t); ok {
		return number{v: f.constant(typ, 0)}
	}
	if part, ok := complexPart(t); ok {
		return f.complexConstant(constant.MakeInt64(0), t, part)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		p := &parts{typ: t}
		for field := range u.Fields() {
			if isBlank(field) {
				p.list = append(p.list, blank)
				continue
			}
			p.list = append(p.list, f.zero(field.Type(), at))
		}
		return p
	case *types.Array:
		if u.Len() <= maxArray {
			p := &parts{typ: t}
			for range u.Len() {
				p.list = append(p.list, f.zero(u.Elem(), at))
			}
			return p
		}
	}
	f.refuse(at, numberTypes, "a kernel cannot have variables of type %s", f.typeString(t))
	return nil
}

// zeroOrNil returns the zero value of a result: nil for slices, and for structs with slices.
func (f *frame) zeroOrNil(t types.Type) tree {
	if canBeNil(f.subst(t)) {
		return null{}
	}
	return f.zero(t, f.at)
}

// limit returns the largest or the least value of a type of numbers.
func (f *frame) limit(t types.Type, least bool) *ir.Value {
	typ, _, _ := numberType(t)
	sign := 1
	if least {
		sign = -1
	}
	switch typ {
	case ir.F64:
		return f.constant(typ, math.Float64bits(math.Inf(sign)))
	case ir.F32:
		return f.constant(typ, uint64(math.Float32bits(float32(math.Inf(sign)))))
	}
	b := t.Underlying().(*types.Basic)
	width := 8 * f.pkg.TypesSizes.Sizeof(b)
	most := uint64(math.MaxUint64) >> (64 - width)
	if b.Info()&types.IsUnsigned != 0 {
		if least {
			most = 0
		}
	} else if most >>= 1; least {
		most = ^most
	}
	if typ == ir.I32 {
		most = uint64(uint32(most))
	}
	return f.constant(typ, most)
}

// constantOf returns a constant.
func (f *frame) constantOf(c constant.Value, t types.Type, x ast.Expr) tree {
	if part, ok := complexPart(t); ok {
		return f.complexConstant(c, t, part)
	}
	typ, _, ok := numberType(t)
	if !ok {
		f.refuse(x.Pos(), numberTypes, "a kernel cannot have constants of type %s", f.typeString(t))
	}
	return number{v: f.constant(typ, constantBits(c, typ))}
}

// constantBits returns a constant as the bits of a value.
func constantBits(c constant.Value, typ ir.Type) uint64 {
	switch typ {
	case ir.F64:
		v, _ := constant.Float64Val(constant.ToFloat(c))
		return math.Float64bits(v)
	case ir.F32:
		v, _ := constant.Float32Val(constant.ToFloat(c))
		return uint64(math.Float32bits(v))
	case ir.Bool:
		if constant.BoolVal(c) {
			return 1
		}
		return 0
	}
	c = constant.ToInt(c)
	bits, exact := constant.Uint64Val(c)
	if i, ok := constant.Int64Val(c); ok && !exact {
		bits = uint64(i)
	}
	if typ == ir.I32 {
		bits = uint64(uint32(bits))
	}
	return bits
}

// constantNumber returns an integer constant as a number of a type.
func (f *frame) constantNumber(k int, t types.Type) number {
	return f.constantOf(constant.MakeInt64(int64(k)), f.subst(t), nil).(number)
}

func (f *frame) constantIndex(x ast.Expr) (int, bool) {
	tv := f.pkg.TypesInfo.Types[x]
	if tv.Value == nil {
		return 0, false
	}
	k, ok := constant.Int64Val(constant.ToInt(tv.Value))
	return int(k), ok
}

// known returns the value of an integer or a truth value that is computed from constants.
func known(v *ir.Value) (bits uint64, ok bool) {
	if v.Op == ir.Const {
		return v.Bits, true
	}
	if !v.Op.Pure() || v.Op == ir.Item || v.Op == ir.Uniform || v.Type.IsFloat() || len(v.Args) == 0 {
		return 0, false
	}
	var x [3]uint64
	for n, a := range v.Args {
		if x[n], ok = known(a); !ok || a.Type.IsFloat() {
			return 0, false
		}
	}
	return interp.Eval(v, x), true
}

// times multiplies an index by a number, and folds constants.
func (f *frame) times(i *ir.Value, n int) *ir.Value {
	if k, ok := known(i); ok {
		return f.integer(int(k) * n)
	}
	return f.emit(ir.Mul, ir.I64, i, f.integer(n))
}

// plus adds two indices, and folds constants; a may be nil for 0.
func (f *frame) plus(a, b *ir.Value) *ir.Value {
	if a == nil {
		return b
	}
	x, ok := known(a)
	y, also := known(b)
	if ok && also {
		return f.integer(int(x + y))
	}
	return f.emit(ir.Add, ir.I64, a, b)
}

// folding decides branches on conditions that are computed from constants, until undo is called. Counters of
// loops that are written out are such constants.
func (l *lowering) folding() (undo func()) {
	before := l.folds
	l.folds = true
	return func() { l.folds = before }
}

// ofLaunch reports whether a value is computed from constants and numbers that are the same for all items.
func ofLaunch(v *ir.Value) bool {
	if v.Op == ir.Const || v.Op == ir.Uniform {
		return true
	}
	if !v.Op.Pure() || len(v.Args) == 0 {
		return false
	}
	for _, a := range v.Args {
		if !ofLaunch(a) {
			return false
		}
	}
	return true
}

// complexOf returns the parts of a complex number that is computed.
func complexOf(t types.Type, re, im number) *parts { return &parts{t, []tree{re, im}} }

// complexConstant returns a constant of a complex type.
func (f *frame) complexConstant(c constant.Value, t, part types.Type) tree {
	typ, _, _ := numberType(part)
	bits := func(c constant.Value) number { return number{v: f.constant(typ, constantBits(c, typ))} }
	return complexOf(t, bits(constant.Real(c)), bits(constant.Imag(c)))
}
