package front

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A tree is a value of Go taken apart into values of the representation.
type tree interface{}

// A number is a number or a truth value.
type number struct {
	v *ir.Value
	// product is where the number was multiplied, if nothing has rounded it since: Go may fuse
	// an addition to it.
	product token.Pos
}

// A parts is a struct or an array.
type parts struct {
	typ  types.Type
	list []tree
}

// A slice is a slice of a memory, or of one of several.
type slice struct {
	mem           int
	off, len, cap *ir.Value // off is nil if it is 0
	among         []memoryIf
	flat          *records  // of structs, or arrays; mem is -1 then
	base          *ir.Value // address of element 0 of a slice in memory; else nil
}

// A memoryIf is a memory that a slice is of where a condition holds, and none of those before it.
type memoryIf struct {
	when *ir.Value
	mem  int
}

// An array is a parameter that is an array, or a part of one: it can be indexed by values.
type array struct {
	*parts
	param int
	path  []ir.Step
	mem   int // or -1
}

// A shape is the field shape of a view, or of one of several.
type shape struct {
	param, rank int
	path        []ir.Step
	among       []shapeIf
}

// A shapeIf is a shape where a condition holds, and none of those before it.
type shapeIf struct {
	when  *ir.Value
	param int
	path  []ir.Step
}

// A dims is the strides or extents of a view.
type dims struct {
	shape
	kind ir.StepKind
}

// An accumulator is a pointer to accumulator n.
type accumulator struct{ n int }

// A bad is a part of a parameter that kernels cannot have.
type bad struct{ reason, help string }

// isBlank reports whether a field is one that nothing reads, == neither.
func isBlank(field *types.Var) bool { return field.Name() == "_" }

// blank stands for such a field.
var blank = bad{"a blank field", "give it a name"}

// null is nil.
type null struct{}

// leaves returns the values that a tree consists of and that can differ where branches meet.
func leaves(t tree) (out []*ir.Value) {
	switch t := t.(type) {
	case number:
		out = append(out, t.v)
	case *parts:
		for _, p := range t.list {
			out = append(out, leaves(p)...)
		}
	case *array:
		return leaves(t.parts)
	case *slice:
		out = append(out, t.off, t.len, t.cap)
		if t.base != nil {
			out = append(out, t.base)
		}
		for _, m := range t.among {
			out = append(out, m.when)
		}
	case shape:
		for _, s := range t.among {
			out = append(out, s.when)
		}
	case address:
		return leaves(t.of)
	case far:
		out = append(out, t.addr)
	case *table:
		out = append(out, t.off)
	case *teamRange:
		if out = append(append(out, t.n), t.lengths...); t.first != nil {
			out = append(out, t.first)
		}
		if t.whole != nil {
			out = append(out, leaves(t.whole)...)
		}
	}
	return out
}

// with returns the tree with other leaves, which it takes from the front of the list.
func with(t tree, values *[]*ir.Value) tree {
	take := func() *ir.Value {
		v := (*values)[0]
		*values = (*values)[1:]
		return v
	}
	switch t := t.(type) {
	case number:
		return number{take(), t.product}
	case *parts:
		list := make([]tree, len(t.list))
		for n, p := range t.list {
			list[n] = with(p, values)
		}
		return &parts{t.typ, list}
	case *array:
		return with(t.parts, values)
	case *slice:
		s := &slice{mem: t.mem, off: take(), len: take(), cap: take(), among: slices.Clone(t.among), flat: t.flat}
		if t.base != nil {
			s.base = take()
		}
		for n := range s.among {
			s.among[n].when = take()
		}
		return s
	case shape:
		t.among = slices.Clone(t.among)
		for n := range t.among {
			t.among[n].when = take()
		}
		return t
	case address:
		return address{with(t.of, values).(*slice)}
	case far:
		return far{take(), t.elem}
	case *table:
		return &table{t.of, t.typ, take()}
	case *teamRange:
		r := &teamRange{level: t.level, typ: t.typ, n: take()}
		for range t.lengths {
			r.lengths = append(r.lengths, take())
		}
		if t.first != nil {
			r.first = take()
		}
		if t.whole != nil {
			r.whole = with(t.whole, values).(*teamRange)
		}
		return r
	}
	return t
}

// numberType returns what a type of Go is here, and whether it has no sign.
func numberType(t types.Type) (typ ir.Type, unsigned, ok bool) {
	b, isBasic := t.Underlying().(*types.Basic)
	if !isBasic {
		return ir.None, false, false
	}
	switch b.Kind() {
	case types.Float64, types.UntypedFloat:
		return ir.F64, false, true
	case types.Float32:
		return ir.F32, false, true
	case types.Int, types.Int64, types.UntypedInt, types.UntypedRune:
		return ir.I64, false, true
	case types.Uint, types.Uint64, types.Uintptr:
		return ir.I64, true, true
	case types.Int32, types.Int16, types.Int8, types.Uint16, types.Uint8: // the narrow ones extended, without one with zeros
		return ir.I32, false, true
	case types.Uint32:
		return ir.I32, true, true
	case types.Bool, types.UntypedBool:
		return ir.Bool, false, true
	}
	return ir.None, false, false
}

const numberTypes = "kernels compute with floats, integers and bool"

// elemType returns what a type of Go is in memory.
func elemType(t types.Type) (elem ir.Type, ok bool) {
	typ, _, ok := numberType(t)
	if n := narrowType(t); n != ir.None {
		return n, true
	}
	return typ, ok
}

// narrowType returns the type in memory of integers that are narrower than all values, and None of others.
func narrowType(t types.Type) ir.Type {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch b.Kind() {
		case types.Int8:
			return ir.I8
		case types.Uint8:
			return ir.U8
		case types.Int16:
			return ir.I16
		case types.Uint16:
			return ir.U16
		}
	}
	return ir.None
}

// marks returns, for each of the leaves, where it was multiplied, if nothing has rounded it since.
func marks(t tree) (out []token.Pos) {
	switch t := t.(type) {
	case number:
		out = append(out, t.product)
	case *parts:
		for _, p := range t.list {
			out = append(out, marks(p)...)
		}
	case *array:
		return marks(t.parts)
	default:
		out = make([]token.Pos, len(leaves(t)))
	}
	return out
}

// unmarked returns the tree without the marks of products.
func unmarked(t tree) tree {
	switch t := t.(type) {
	case number:
		return number{v: t.v}
	case *parts:
		list := make([]tree, len(t.list))
		for n, p := range t.list {
			list[n] = unmarked(p)
		}
		return &parts{t.typ, list}
	}
	return t
}
