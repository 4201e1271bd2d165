package front

import (
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

const numberTypes = "kernels compute with floats, integers and bool"

// numberType returns the type of Go's numbers in the representation, and whether they are unsigned.
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
	case types.Int32, types.Int16, types.Int8, types.Uint16, types.Uint8: // narrow types are extended, unsigned ones with zeros
		return ir.I32, false, true
	case types.Uint32:
		return ir.I32, true, true
	case types.Bool, types.UntypedBool:
		return ir.Bool, false, true
	}
	return ir.None, false, false
}

// complexPart returns the type of the parts of complex numbers of a type.
func complexPart(t types.Type) (part types.Type, ok bool) {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch b.Kind() {
		case types.Complex128, types.UntypedComplex:
			return types.Typ[types.Float64], true
		case types.Complex64:
			return types.Typ[types.Float32], true
		}
	}
	return nil, false
}

// elemType returns the type of Go's numbers in memory.
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

// numbersOf returns the types of the numbers that a type consists of.
func numbersOf(t types.Type) (list []types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for v := range u.Fields() {
			list = append(list, numbersOf(v.Type())...)
		}
	case *types.Array:
		for range u.Len() {
			list = append(list, numbersOf(u.Elem())...)
		}
	default:
		if part, ok := complexPart(t); ok {
			return []types.Type{part, part}
		}
		list = append(list, t)
	}
	return list
}

// isFlat reports whether the elements of slices of a type have parts: structs, arrays, and slices and
// pointers, which are words.
func isFlat(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Pointer:
		return true
	case *types.Struct:
		return u.NumFields() > 0
	case *types.Array:
		_, ok := elemType(u.Elem())
		return ok || isFlat(u.Elem())
	}
	_, ok := complexPart(t)
	return ok
}

// canBeNil reports whether a value of a type, or a part of the value, can be nil.
func canBeNil(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Signature, *types.Pointer:
		return true
	case *types.Array:
		return canBeNil(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if canBeNil(v.Type()) {
				return true
			}
		}
	}
	return false
}

// arrayOf returns the type of an array, or of the array behind a pointer.
func arrayOf(t types.Type) (a *types.Array, ok bool) {
	if p, isPointer := t.Underlying().(*types.Pointer); isPointer {
		t = p.Elem()
	}
	a, ok = t.Underlying().(*types.Array)
	return a, ok
}

func isUnsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// isBlank reports whether a field is blank: nothing reads it, and == leaves it out.
func isBlank(field *types.Var) bool { return field.Name() == "_" }

// innermost returns the type of the elements of an array of arrays.
func innermost(t types.Type) types.Type {
	for {
		a, ok := t.Underlying().(*types.Array)
		if !ok {
			return t
		}
		t = a.Elem()
	}
}

// numbersIn returns how many numbers there are in an array of arrays.
func numbersIn(t types.Type) int {
	n := 1
	for {
		a, ok := t.Underlying().(*types.Array)
		if !ok {
			return n
		}
		if n *= int(min(a.Len(), maxTable+1)); n > maxTable {
			return n
		}
		t = a.Elem()
	}
}

// inOrder reports whether values of a type are compared part by part. Types without a method Compare are, and
// so are indices of boxes, whose method compares part by part.
func inOrder(t types.Type) bool {
	return isIndex(t) || types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "Compare") == nil
}

// maxArray limits the elements of a captured array whose elements become separate values.
const maxArray = 256

// maxChosen limits the elements of an array between which a variable chooses.
const maxChosen = 16

// isLarge reports whether a type is an array of too many elements for a variable to choose between.
func isLarge(t types.Type) bool {
	a, ok := t.Underlying().(*types.Array)
	return ok && (a.Len() > maxChosen || isLarge(a.Elem()) || len(numbersOf(a)) > maxArray)
}

// maxTable is how many numbers an array of constants can have: with 64 bits each they fill half of the
// constant memory of a device.
const maxTable = 4096

// maxNumbers is how many numbers an element can have for it to be a value as a whole.
const maxNumbers = 64

// isLocal reports whether a type is declared in a function.
func isLocal(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Parent() != n.Obj().Pkg().Scope()
}
