package witness

import (
	"go/constant"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"
)

type kind uint8

const (
	opaque   kind = iota // only the identity is known
	number               // n
	truth                // n is 1 or 0
	float                // x is a float64
	text                 // x is a string
	pointer              // obj, and id is the place in it
	slice                // x is an extent
	parts                // x is a []value: a struct, an array, or several results
	function             // x is a closure
	boxed                // x is a value in an interface
	null                 // nil
)

// A mark says what a value depends on.
type mark uint8

const (
	made  mark = 1 << iota // the environment has chosen it
	item                   // items may have others
	wide                   // a value of an item that nobody knows; n stands for it
	datum                  // an element of an item, which is assumed to be no other item's
	claim                  // nobody knows how many items have it
	left                   // of the value that is joined into
	right                  // of the value that is joined
)

// passed are the marks that values inherit from the values of which they are computed.
const passed = item | claim | left | right

// A value is the content of a register.
type value struct {
	kind    kind
	mark    mark
	n       int64  // a number or a truth; 1 of a pointer to an element whose index is no constant
	id      uint64 // tells values apart; 0 if the content does
	shape   uint64 // is the same for all items that have come to it in the same way; 0 if it is the identity
	obj     *object
	tag     string     // the variable through which a pointer or a slice was reached
	product *ssa.BinOp // product that the value is, see fusing; nil: none
	typ     types.Type
	x       any
}

// An extent is the part of memory to which a slice refers.
type extent struct {
	off, len, cap value
}

// A closure is a function, and what it refers to; fn is nil of one that is called by run.
type closure struct {
	fn    *ssa.Function
	bound []value
	run   func(m *machine, args []value, at ssa.Instruction) value
}

func mix(a, b uint64) uint64 {
	a ^= b + 0x9e3779b97f4a7c15 + a<<6 + a>>2
	a ^= a >> 30
	a *= 0xbf58476d1ce4e5b9
	a ^= a >> 27
	a *= 0x94d049bb133111eb
	return a ^ a>>31
}

func mixText(a uint64, s string) uint64 {
	for _, c := range []byte(s) {
		a = mix(a, uint64(c))
	}
	return mix(a, uint64(len(s)))
}

// hash returns a number that tells values apart.
func (v value) hash() uint64 {
	if v.id != 0 {
		return v.id
	}
	return v.fold(value.hash)
}

// form returns a number that is the same for all items that have come to a value in the same way.
func (v value) form() uint64 {
	switch {
	case v.shape != 0:
		return v.shape
	case v.kind == parts || v.kind == boxed || v.kind == slice || v.id == 0:
		return v.fold(value.form)
	}
	return v.id
}

func (v value) fold(of func(value) uint64) uint64 {
	h := uint64(v.kind) + 11
	switch x := v.x.(type) {
	case float64:
		return mix(h, math.Float64bits(x))
	case string:
		return mixText(h, x)
	case extent:
		return mix(mix(mix(h, v.id), of(x.off)), of(x.len))
	case []value:
		for _, p := range x {
			h = mix(h, of(p))
		}
		return h
	case value:
		return mix(h, of(x))
	case *closure:
		if x.fn != nil {
			return mixText(h, x.fn.String())
		}
	}
	return mix(h, uint64(v.n))
}

func integer(n int64) value { return value{kind: number, n: n} }

func boolean(b bool) value {
	if b {
		return value{kind: truth, n: 1}
	}
	return value{kind: truth}
}

func several(list ...value) value { return value{kind: parts, x: list} }

// parts returns the parts of a value, nil if they are not known.
func (v value) parts() []value {
	list, _ := v.x.([]value)
	return list
}

// constantOf returns the value of a constant.
func (m *machine) constantOf(c *ssa.Const) value {
	if c.Value == nil {
		return m.zero(c.Type())
	}
	switch b, _ := under(c.Type()).(*types.Basic); {
	case b == nil:
	case b.Info()&types.IsInteger != 0:
		if n, ok := constant.Int64Val(constant.ToInt(c.Value)); ok {
			return integer(n)
		}
		u, _ := constant.Uint64Val(constant.ToInt(c.Value))
		return integer(int64(u))
	case b.Info()&types.IsFloat != 0:
		f, _ := constant.Float64Val(c.Value)
		return value{kind: float, x: f}
	case b.Info()&types.IsBoolean != 0:
		return boolean(constant.BoolVal(c.Value))
	case b.Info()&types.IsString != 0 && c.Value.Kind() == constant.String:
		return value{kind: text, x: constant.StringVal(c.Value)}
	}
	return value{id: mixText(3, c.Value.ExactString())}
}

// under returns the underlying type, of a type parameter that of a type that it may be.
func under(t types.Type) types.Type {
	if _, is := types.Unalias(t).(*types.TypeParam); !is {
		return t.Underlying()
	}
	t = t.Underlying()
	for range 8 { // deeper constraints are nobody's
		switch u := t.(type) {
		case *types.Interface:
			if u.NumEmbeddeds() == 0 {
				return u
			}
			t = u.EmbeddedType(0)
		case *types.Union:
			t = u.Term(0).Type()
		}
		if _, isUnion := t.(*types.Union); !isUnion {
			t = t.Underlying()
		}
	}
	return t
}

// most is the number of elements of an array that are known one by one.
const most = 128

// zero returns the zero value of a type.
func (m *machine) zero(t types.Type) value {
	switch u := under(t).(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsInteger != 0:
			return integer(0)
		case u.Info()&types.IsFloat != 0:
			return value{kind: float, x: 0.0}
		case u.Info()&types.IsBoolean != 0:
			return boolean(false)
		case u.Info()&types.IsString != 0:
			return value{kind: text, x: ""}
		}
		return value{kind: null}
	case *types.Struct:
		if m.foreign(t) {
			return value{id: mixText(5, t.String()), x: rank(0)}
		}
		list := make([]value, u.NumFields())
		for k := range list {
			list[k] = m.zero(u.Field(k).Type())
		}
		return several(list...)
	case *types.Array:
		if u.Len() > most {
			return value{id: mixText(6, t.String())}
		}
		list := make([]value, u.Len())
		for k := range list {
			list[k] = m.zero(u.Elem())
		}
		return several(list...)
	case *types.Tuple:
		list := make([]value, u.Len())
		for k := range list {
			list[k] = m.zero(u.At(k).Type())
		}
		return several(list...)
	}
	return value{kind: null}
}

// foreign reports whether a type is one of another package whose fields are its own.
func (m *machine) foreign(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg() == m.pkg.Pkg {
		return false
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	if isNamed(n, "policy", "Plan") {
		return true
	}
	for f := range s.Fields() {
		if !f.Exported() {
			return true
		}
	}
	return false
}

// unknown returns a value that nobody knows.
func (m *machine) unknown(t types.Type, id, shape uint64, of mark, tag string) value {
	id, shape = id|1<<63, shape|1<<63
	v := value{id: id, shape: shape, mark: of, tag: tag, typ: t}
	switch u := under(t).(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsInteger != 0:
			if v.kind, v.id = number, 0; of&passed != 0 {
				v.n, v.mark = int64(id>>20&(1<<40-1))+1<<20, of|wide
			} else {
				v.n, v.mark, v.shape = m.size(id), of|made, 0
			}
		case u.Info()&types.IsBoolean != 0:
			v.id, v.shape = id&^1, shape&^1
		case u.Info()&types.IsString != 0:
			v.mark |= of & item
		}
	case *types.Pointer:
		v.kind, v.obj = pointer, m.objectOf(id, shape)
	case *types.Slice:
		n := value{kind: number, n: m.size(id), mark: made}
		v.kind, v.obj, v.x = slice, m.objectOf(id, shape), extent{integer(0), n, n}
	case *types.Map:
		v.kind, v.obj = pointer, m.objectOf(id, shape)
	case *types.Tuple:
		list := make([]value, u.Len())
		for k := range list {
			list[k] = m.unknown(u.At(k).Type(), mix(id, uint64(k)), mix(shape, uint64(k)), of, tag)
		}
		return several(list...)
	case *types.Interface:
		if types.Identical(t, types.Universe.Lookup("error").Type()) {
			return value{kind: null} // what fails ends
		}
	}
	return v
}

func isInteger(t types.Type) bool {
	b, ok := under(t).(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isText(t types.Type) bool {
	b, ok := under(t).(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
