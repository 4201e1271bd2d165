package witness

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// value returns the result of an instruction.
func (m *machine) value(f *frame, i ssa.Value) value {
	switch i := i.(type) {
	case *ssa.Alloc:
		return to(m.allocate(f.here(), i.Comment))
	case *ssa.UnOp:
		x := m.get(i.X)
		switch i.Op {
		case token.MUL:
			return m.load(x, i.Type())
		case token.ARROW:
			m.visits++
			id := mix(x.hash(), m.visits)
			return m.unknown(i.Type(), id, id, claim, "")
		}
		v := m.negate(i.Op, x, i.Type())
		v.product = x.product
		return v
	case *ssa.BinOp:
		x, y := m.get(i.X), m.get(i.Y)
		return m.fusing.fuse(i, x, y, m.operate(i.Op, x, y, i.X.Type()))
	case *ssa.ChangeInterface:
		return m.get(i.X)
	case *ssa.ChangeType:
		v := m.get(i.X)
		v.product = nil
		return v
	case *ssa.Convert:
		return m.convert(m.get(i.X), i.X.Type(), i.Type())
	case *ssa.MultiConvert:
		return m.convert(m.get(i.X), i.X.Type(), i.Type())
	case *ssa.SliceToArrayPointer:
		return m.get(i.X).element(integer(0))
	case *ssa.MakeInterface:
		return value{kind: boxed, typ: i.X.Type(), x: m.get(i.X), mark: m.get(i.X).mark}
	case *ssa.MakeClosure:
		c := &closure{fn: i.Fn.(*ssa.Function), bound: m.all(i.Bindings)}
		if m.goal.is(f, i) {
			m.closure = append([]value{}, c.bound...)
			panic(end{})
		}
		return value{kind: function, x: c}
	case *ssa.MakeMap, *ssa.MakeChan:
		return to(m.allocate(f.here(), "map"))
	case *ssa.MakeSlice:
		p := to(m.allocate(f.here(), "makeslice"))
		p.kind, p.x = slice, extent{integer(0), m.get(i.Len), m.get(i.Cap)}
		return p
	case *ssa.Slice:
		return m.slice(i)
	case *ssa.Select:
		return m.unknown(i.Type(), f.here(), f.here(), claim, "")
	}
	return m.selected(i)
}

// selected returns the result of an instruction that selects a part of something.
func (m *machine) selected(i ssa.Value) value {
	switch i := i.(type) {
	case *ssa.FieldAddr:
		return m.get(i.X).field(i.Field)
	case *ssa.IndexAddr:
		p := m.get(i.X).element(m.get(i.Index))
		if _, is := i.Index.(*ssa.Const); !is {
			p.n = 1
		}
		return p
	case *ssa.Field:
		return m.part(m.get(i.X), i.Field, i.Type())
	case *ssa.Extract:
		return m.part(m.get(i.Tuple), i.Index, i.Type())
	case *ssa.Index:
		return m.index(i)
	case *ssa.Lookup:
		return m.lookup(i)
	case *ssa.TypeAssert:
		return m.assert(i)
	case *ssa.Range:
		return value{kind: opaque, id: 1, x: &turn{of: m.get(i.X)}}
	case *ssa.Next:
		return m.next(i)
	}
	return value{id: 53}
}

// slice returns the result of a slice expression.
func (m *machine) slice(i *ssa.Slice) value {
	x := m.get(i.X)
	s, ok := x.x.(extent)
	if p, isPointer := under(i.X.Type()).(*types.Pointer); isPointer {
		if a, isArray := under(p.Elem()).(*types.Array); isArray {
			s, ok = extent{integer(0), integer(a.Len()), integer(a.Len())}, true
			x.kind = slice
		}
	}
	if !ok || x.kind != slice {
		if x.kind == null {
			return x
		}
		return m.unknown(i.Type(), mix(x.hash(), 59), mix(x.form(), 59), x.mark, x.tag)
	}
	low, high := integer(0), s.len
	if i.Low != nil {
		low = m.get(i.Low)
	}
	if i.High != nil {
		high = m.get(i.High)
	}
	word := types.Typ[types.Int]
	x.x = extent{
		m.operate(token.ADD, s.off, low, word), m.operate(token.SUB, high, low, word),
		m.operate(token.SUB, s.cap, low, word),
	}
	return x
}

// index returns an element of an array or a text.
func (m *machine) index(i *ssa.Index) value {
	x, k := m.get(i.X), m.get(i.Index)
	if list := x.parts(); k.mark&wide == 0 && k.n >= 0 && k.n < int64(len(list)) {
		v := list[k.n]
		v.mark |= k.mark & passed
		v.product = nil
		return v
	}
	return m.unknown(i.Type(), mix(x.hash(), k.hash()), mix(x.form(), k.form()), (x.mark|k.mark)&passed, "")
}

func (m *machine) lookup(i *ssa.Lookup) value {
	x, k := m.get(i.X), m.get(i.Index)
	t := i.Type()
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	var v value
	if x.kind == pointer {
		v = m.load(x.element(number64(k)), t)
	} else {
		v = m.unknown(t, mix(x.hash(), k.hash()), mix(x.form(), k.form()), (x.mark|k.mark)&passed, "")
	}
	if !i.CommaOk {
		return v
	}
	id, shape := mix(x.hash(), mix(k.hash(), 61)), mix(x.form(), mix(k.form(), 61))
	return several(v, m.unknown(types.Typ[types.Bool], id, shape, (x.mark|k.mark)&passed, ""))
}

func (m *machine) assert(i *ssa.TypeAssert) value {
	x := m.get(i.X)
	v, ok := value{}, boolean(true)
	_, isInterface := under(i.AssertedType).(*types.Interface)
	switch {
	case x.kind == boxed && types.Identical(x.typ, i.AssertedType):
		v = x.x.(value)
	case x.kind == boxed && isInterface:
		v = x
	case x.kind == boxed || x.kind == null:
		v, ok = m.zero(i.AssertedType), boolean(false)
	default:
		h := mixText(67, i.AssertedType.String())
		v = m.unknown(i.AssertedType, mix(h, x.hash()), mix(h, x.form()), x.mark, x.tag)
		ok = value{id: mix(h, x.hash()) &^ 1, shape: mix(h, x.form()) &^ 1, mark: x.mark}
	}
	if i.CommaOk {
		return several(v, ok)
	}
	return v
}

// A turn is where a loop over a map or a text is.
type turn struct {
	of value
	n  int
}

// next returns the next entry of a map or a text: two that nobody knows.
func (m *machine) next(i *ssa.Next) value {
	t, _ := m.get(i.Iter).x.(*turn)
	tuple := i.Type().(*types.Tuple)
	if t == nil || t.n == 2 || t.of.kind == null {
		return m.zero(tuple)
	}
	t.n++
	id, shape := mix(t.of.hash(), uint64(t.n)), mix(t.of.form(), uint64(t.n))
	list := m.unknown(tuple, id, shape, t.of.mark&passed, t.of.tag).parts()
	list[0] = boolean(true)
	return several(list...)
}
