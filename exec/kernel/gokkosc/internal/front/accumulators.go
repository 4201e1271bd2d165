package front

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// maxParts is how many numbers an accumulator can have.
const maxParts = 16

// accumulated returns an accumulator, or a part of it, as a tree of the body's parameters. Kernels leave
// unexported fields of other packages alone. Fields of package builtin are hidden parameters, as generated
// code is made for its layout.
func (l *lowering) accumulated(n int, v *types.Var, t types.Type, path []ir.Step, offset int, hidden bool) tree {
	path = slices.Clip(path)
	if typ, _, ok := numberType(t); ok {
		elem, _ := elemType(t)
		arg := l.k.NewValue(ir.Arg, typ)
		arg.Index, arg.Name = len(l.k.Body.Params), v.Name()
		if len(path) > 0 {
			arg.Name += partName(path)
		}
		l.k.Body.Params = append(l.k.Body.Params, arg)
		acc := ir.Acc{Name: v.Name(), Lanes: n, Path: path, Offset: offset, Type: typ, Elem: elem, Hidden: hidden}
		acc.Basic = types.Typ[t.Underlying().(*types.Basic).Kind()].Name()
		if acc.GoType = l.typeString(t); hidden {
			acc.GoType = t.Underlying().String()
		}
		l.k.Accs = append(l.k.Accs, acc)
		if len(l.k.Accs) > maxAccumulators*maxParts {
			l.refuse(v.Pos(), fmt.Sprintf("at most %d", maxAccumulators*maxParts), "the functor's accumulators are too many numbers")
		}
		return number{v: arg}
	}
	if a, ok := l.access(n, v, t, path); ok {
		return a
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if s, ok := l.accumulatedSlice(n, v, u, path, offset); ok {
			return s
		}
	case *types.Struct:
		s := &parts{typ: t}
		var fields []*types.Var
		for k := range u.NumFields() {
			fields = append(fields, u.Field(k))
		}
		offsets := l.pkg.TypesSizes.Offsetsof(fields)
		for k, f := range fields {
			if isBlank(f) {
				s.list = append(s.list, blank)
				continue
			}
			foreign := !f.Exported() && f.Pkg().Path() != l.pkg.PkgPath
			if foreign && f.Pkg().Path() != builtinPath {
				s.list = append(s.list, bad{fmt.Sprintf("field %s of %s, which only its own package sees", f.Name(), l.typeString(t)), "assign to the other fields of the accumulator"})
				continue
			}
			s.list = append(s.list, l.accumulated(n, v, f.Type(), append(path, ir.Step{Kind: ir.Field, Field: f.Name()}), offset+int(offsets[k]), hidden || foreign))
		}
		return s
	case *types.Array:
		if u.Len() > maxParts {
			break
		}
		s := &parts{typ: t}
		size := int(l.pkg.TypesSizes.Sizeof(u.Elem()))
		for k := range int(u.Len()) {
			s.list = append(s.list, l.accumulated(n, v, u.Elem(), append(path, ir.Step{Kind: ir.Elem, N: k}), offset+k*size, hidden))
		}
		return s
	}
	l.refuse(v.Pos(), "accumulate numbers, or flat structs, arrays and slices of these", "the functor has an accumulator of type %s", l.typeString(t))
	return nil
}

// accumulatedSlice returns a slice that is an accumulator or a part of an accumulator. Items store to its
// elements, and do not assign to the slice.
func (l *lowering) accumulatedSlice(n int, v *types.Var, t *types.Slice, path []ir.Step, offset int) (s *slice, ok bool) {
	typ, ok := elemType(t.Elem())
	if !ok {
		return nil, false
	}
	word := func(k int, name string) *ir.Value {
		arg := l.k.NewValue(ir.Arg, ir.I64)
		arg.Index, arg.Name = len(l.k.Body.Params), v.Name()+partName(path)+name
		l.k.Body.Params = append(l.k.Body.Params, arg)
		l.k.Accs = append(l.k.Accs, ir.Acc{Name: v.Name(), Lanes: n, Path: path, Offset: offset + 8*k, Type: ir.I64, Elem: ir.I64, GoType: "int", Hidden: true})
		return arg
	}
	mem := l.farMemory(typ, t.Elem().Underlying().(*types.Basic).Name())
	return &slice{mem: mem, len: word(1, "Len"), cap: word(2, "Cap"), base: word(0, "At")}, true // as leaves has them
}

// Accumulators of many numbers stay in memory, and items store to them there. Arrays of a few numbers stay in
// memory, too, if a variable indexes them.

// maxIndexed limits the elements of an array that a variable indexes and whose elements are still numbers.
const maxIndexed = 8

// staysInMemory reports whether an accumulator stays in memory.
func (f *frame) staysInMemory(v *types.Var, t types.Type, body []ast.Stmt) bool {
	numbers := numbersOf(t)
	for _, of := range numbers {
		if _, ok := elemType(of); !ok {
			return false
		}
	}
	if len(numbers) > maxParts || len(numbers) <= maxIndexed {
		return len(numbers) > maxParts
	}
	found := false
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			if x, ok := n.(*ast.IndexExpr); ok && f.pkg.TypesInfo.Types[x.Index].Value == nil {
				ast.Inspect(x.X, func(n ast.Node) bool {
					id, ok := n.(*ast.Ident)
					found = found || ok && f.pkg.TypesInfo.Uses[id] == v
					return true
				})
			}
			return true
		})
	}
	return found
}

// accumulatorAt returns the address of an accumulator.
func (l *lowering) accumulatorAt(n int, v *types.Var) *ir.Value {
	arg := l.k.NewValue(ir.Arg, ir.I64)
	arg.Index, arg.Name = len(l.k.Body.Params), v.Name()+"At"
	l.k.Body.Params = append(l.k.Body.Params, arg)
	l.k.Accs = append(l.k.Accs, ir.Acc{Name: v.Name(), Lanes: n, Type: ir.I64, Elem: ir.I64, GoType: "int", Hidden: true, Address: true})
	return arg
}

// partName returns the part of an accumulator as a part of a name.
func partName(path []ir.Step) (s string) {
	for _, step := range path {
		if step.Kind == ir.Field {
			s += step.Field
		} else {
			s += fmt.Sprint(step.N)
		}
	}
	return s
}

// maxAccumulators is how many accumulators a reduction can have.
const maxAccumulators = 4
