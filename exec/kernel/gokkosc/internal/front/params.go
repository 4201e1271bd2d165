package front

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// param takes a parameter apart. A part that nothing uses costs nothing; the use of a part that kernels cannot have is
// refused.
func (l *lowering) param(n int, path []ir.Step, t types.Type) tree {
	path = slices.Clip(path)
	if rank, ok := viewRank(t); ok {
		return l.view(n, path, rank, t)
	}
	if isNamed(t, randomPath, "Pool") {
		key := &parts{typ: t.Underlying().(*types.Struct).Field(0).Type()}
		for k := range 2 {
			at := append(path, ir.Step{Kind: ir.Method, Field: "Key"}, ir.Step{Kind: ir.Elem, N: k})
			key.list = append(key.list, number{v: l.scalar(n, at, ir.I64, "uint64")})
		}
		return &parts{t, []tree{key}}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if typ, _, ok := numberType(t); ok {
			return number{v: l.scalar(n, path, typ, l.typeString(t))}
		}
		if part, ok := complexPart(t); ok {
			return l.complexParam(n, path, t, part)
		}
		return bad{fmt.Sprintf("type %s", l.typeString(t)), numberTypes}
	case *types.Slice:
		return l.sliceParam(n, path, u, t)
	case *types.Struct:
		s := &parts{typ: t}
		for k := range u.NumFields() {
			f := u.Field(k)
			if isBlank(f) {
				s.list = append(s.list, blank)
				continue
			}
			if !f.Exported() && f.Pkg() != l.pkg.Types && f.Pkg().Path() != l.pkg.PkgPath {
				s.list = append(s.list, bad{fmt.Sprintf("field %s of %s, which only its own package sees", f.Name(), l.typeString(t)), "pass the field as a parameter"})
				continue
			}
			s.list = append(s.list, l.param(n, append(path, ir.Step{Kind: ir.Field, Field: f.Name()}), f.Type()))
		}
		return s
	case *types.Array:
		return l.arrayParam(n, path, u, t)
	case *types.Signature:
		return bad{"functions that are not known when it is compiled", "call a function, a method or a literal by its name"}
	case *types.Pointer:
		return &pointer{n, path, u.Elem(), nil}
	}
	return bad{fmt.Sprintf("type %s", l.typeString(t)), "a kernel captures slices, views of rank 1 to 4, numbers, and structs and arrays of these"}
}

func (l *lowering) arrayParam(n int, path []ir.Step, u *types.Array, t types.Type) tree {
	if u.Len() > maxArray {
		return bad{fmt.Sprintf("an array of %d elements", u.Len()), fmt.Sprintf("capture a slice of it, or an array of at most %d", maxArray)}
	}
	a := &array{parts: &parts{typ: t}, param: n, path: path, mem: -1}
	for k := range int(u.Len()) {
		a.list = append(a.list, l.param(n, append(path, ir.Step{Kind: ir.Elem, N: k}), u.Elem()))
	}
	return a
}

// memory returns the number of an array as memory, which values can index. Items may store to one behind a
// pointer.
func (l *lowering) memory(a *array) (mem int, ok bool) {
	elem := a.typ.Underlying().(*types.Array).Elem()
	typ, ok := elemType(elem)
	if ok && a.mem < 0 {
		m := ir.Mem{Param: a.param, Path: a.path, Elem: typ, GoElem: l.typeString(elem), Array: true}
		if a.shared() {
			m.Path, m.Array = append(slices.Clip(a.path), ir.Step{Kind: ir.Whole}), false
		}
		a.mem = l.addMem(m)
	}
	return a.mem, ok
}

func (l *lowering) sliceParam(n int, path []ir.Step, u *types.Slice, t types.Type) tree {
	elem, ok := elemType(u.Elem())
	if !ok && isFlat(u.Elem()) {
		return &lazySlice{func() *slice { return l.flatSlice(n, 0, path, u.Elem()) }, nil}
	}
	if !ok {
		return bad{fmt.Sprintf("a slice of %s", l.typeString(u.Elem())), numberTypes}
	}
	return &lazySlice{func() *slice {
		mem := l.addMem(ir.Mem{Param: n, Path: path, Elem: elem, GoElem: l.typeString(u.Elem())})
		return &slice{mem: mem, len: l.scalar(n, append(path, ir.Step{Kind: ir.Len}), ir.I64, "int"), cap: l.scalar(n, append(path, ir.Step{Kind: ir.Cap}), ir.I64, "int")}
	}, nil}
}

// flatSlice returns a slice of structs or of arrays, or the elements of a view.
func (l *lowering) flatSlice(n, rank int, path []ir.Step, elem types.Type) *slice {
	s := &slice{mem: -1, flat: &records{param: n, rank: rank, path: path, elem: elem, mems: map[string]int{}}}
	s.len = l.scalar(n, append(path, ir.Step{Kind: ir.Len}), ir.I64, "int")
	if s.cap = s.len; rank == 0 {
		s.cap = l.scalar(n, append(path, ir.Step{Kind: ir.Cap}), ir.I64, "int")
	}
	return s
}

// view splits a typed view as the view's methods do. A typed view is a struct with a View in it, which has a
// slice of elements and a shape.
func (l *lowering) view(n int, path []ir.Step, rank int, t types.Type) tree {
	if rank == 0 {
		return bad{"a view whose type does not say its rank", "take a views.View1 to View4, or a Strided1 to Strided4"}
	}
	elem := types.Unalias(t).(*types.Named).TypeArgs().At(0)
	typ, ok := elemType(elem)
	flat := !ok && isFlat(elem)
	if !ok && !flat {
		return bad{fmt.Sprintf("a view of %s", l.typeString(elem)), numberTypes}
	}
	data := &lazySlice{func() *slice {
		if flat {
			return l.flatSlice(n, rank, path, elem)
		}
		mem := l.addMem(ir.Mem{Param: n, Path: path, Rank: rank, Elem: typ, GoElem: l.typeString(elem)})
		length := l.scalar(n, append(path, ir.Step{Kind: ir.Len}), ir.I64, "int")
		return &slice{mem: mem, len: length, cap: length}
	}, nil}
	inner := t.Underlying().(*types.Struct).Field(0).Type() // View[T]
	fields := inner.Underlying().(*types.Struct)
	view := &parts{typ: inner}
	for k := range fields.NumFields() {
		switch fields.Field(k).Name() {
		case "data":
			view.list = append(view.list, data)
		case "shape":
			view.list = append(view.list, shape{n, rank, path, nil})
		default:
			view.list = append(view.list, bad{"field " + fields.Field(k).Name() + " of a view", ""})
		}
	}
	return &parts{t, []tree{view}}
}

// scalar returns the value of a part of a parameter.
func (l *lowering) scalar(param int, path []ir.Step, t ir.Type, goType string) *ir.Value {
	key := l.k.PathString(param, path)
	if v := l.scalars[key]; v != nil {
		return v
	}
	v := l.k.NewValue(ir.Uniform, t)
	v.Index = len(l.k.Scalars)
	l.k.Scalars = append(l.k.Scalars, ir.Scalar{Param: param, Path: slices.Clone(path), Type: t, GoType: goType})
	l.k.Setup.Values = append(l.k.Setup.Values, v)
	l.scalars[key] = v
	return v
}

func (l *lowering) addMem(m ir.Mem) int {
	m.Path = slices.Clone(m.Path)
	m.Name = l.k.PathString(m.Param, m.Path)
	l.k.Mems = append(l.k.Mems, m)
	return len(l.k.Mems) - 1
}

// target returns the value behind a pointer.
func (l *lowering) target(p *pointer) tree {
	if p.to == nil {
		p.to = l.param(p.param, append(slices.Clip(p.path), ir.Step{Kind: ir.Deref}), p.elem)
	}
	return p.to
}

// add adds a parameter after the parameters of the constructor, and returns its number.
func (l *lowering) add(name string, t types.Type) int {
	for slices.ContainsFunc(l.k.Params, func(p ir.Param) bool { return p.Name == name }) {
		name += "_"
	}
	l.k.Params = append(l.k.Params, ir.Param{Name: name, Type: l.typeString(t)})
	l.further = append(l.further, len(l.k.Params)-1)
	return len(l.k.Params) - 1
}

// complexParam returns a captured complex number.
func (l *lowering) complexParam(n int, path []ir.Step, t, part types.Type) tree {
	if slices.ContainsFunc(path, func(s ir.Step) bool { return s.Kind == ir.Deref }) {
		return bad{"complex numbers behind pointers", "capture a variable that nothing changes"}
	}
	typ, _, _ := numberType(part)
	of := func(kind ir.StepKind) number {
		return number{v: l.scalar(n, append(slices.Clip(path), ir.Step{Kind: kind}), typ, part.String())}
	}
	return complexOf(t, of(ir.Real), of(ir.Imag))
}
