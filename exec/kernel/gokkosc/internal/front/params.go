package front

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

const (
	viewsPath  = "github.com/gokkos/gokkos/views"
	kmathPath  = "github.com/gokkos/gokkos/exec/kernel/kmath"
	policyPath = "github.com/gokkos/gokkos/policy"
	teamPath   = "github.com/gokkos/gokkos/team"
	execPath   = "github.com/gokkos/gokkos/exec"
	memoryPath = "github.com/gokkos/gokkos/internal/memory"

	randomPath  = "github.com/gokkos/gokkos/views/random"
	drawPath    = "github.com/gokkos/gokkos/views/random/draw" // what package random calls
	builtinPath = "github.com/gokkos/gokkos/builtin"
	crsPath     = "github.com/gokkos/gokkos/views/crs"
	atomicsPath = "github.com/gokkos/gokkos/views/atomics"
	scatterPath = "github.com/gokkos/gokkos/views/scatter"
)

// param takes a parameter apart. What is not used costs nothing; what cannot be used is refused
// where it is.
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

// isNamed reports whether a type is the one of that name in a package.
func isNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && n.Obj().Name() == name
}

// maxArray is how many elements a captured array can have for its elements to be taken apart.
const maxArray = 256

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

// memory returns the number of an array as memory, which values can index. Items may store to one behind a pointer.
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

// shared reports whether an array is behind a pointer.
func (a *array) shared() bool {
	is := func(kind ir.StepKind) bool {
		return slices.ContainsFunc(a.path, func(s ir.Step) bool { return s.Kind == kind })
	}
	return is(ir.Deref) && !is(ir.Method)
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

// A lazySlice is a slice that is a part of a parameter, once it is used.
type lazySlice struct {
	make func() *slice
	s    *slice
}

func (s *lazySlice) get() *slice {
	if s.s == nil {
		s.s = s.make()
	}
	return s.s
}

// viewRank returns the rank of a typed view, and 0 of a view whose rank its type does not say.
func viewRank(t types.Type) (rank int, ok bool) {
	n, isNamed := types.Unalias(t).(*types.Named)
	if !isNamed || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != viewsPath {
		return 0, false
	}
	name := n.Obj().Name()
	for _, kind := range []string{"View", "Strided"} {
		if digit, found := strings.CutPrefix(name, kind); found && len(digit) == 1 && digit[0] >= '1' && digit[0] <= '4' {
			return int(digit[0] - '0'), true
		}
	}
	return 0, name == "View"
}

// view takes a typed view apart as its methods do: a struct with a View in it, which has its
// elements as a slice and a shape.
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

// constant returns a constant, which stands at the beginning of the kernel.
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

type constKey struct {
	t    ir.Type
	bits uint64
}

func (l *lowering) integer(n int) *ir.Value { return l.constant(ir.I64, uint64(n)) }

func (l *lowering) truth(b bool) *ir.Value {
	if b {
		return l.constant(ir.Bool, 1)
	}
	return l.constant(ir.Bool, 0)
}

// typeString returns a type as the kernel's package writes it.
func (l *lowering) typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == l.pkg.PkgPath {
			return ""
		}
		name := l.world.importName(p, l.pkg.Types.Scope())
		l.imports[p.Path()] = name
		return name
	})
}

// own are the packages that generated code imports anyway.
var own = map[string]string{
	"kernel": "github.com/gokkos/gokkos/exec/kernel", "views": viewsPath, "policy": policyPath, "math": "math", "kernelBits": "math/bits", "unsafe": "unsafe",
}

// importName returns what generated files call a package: its name, with a number if another one has that, or something
// that the package of the files declares.
func (w *world) importName(p *types.Package, declared *types.Scope) string {
	name := p.Name()
	for n := 2; ; n++ {
		path, taken := own[name]
		if !taken {
			path, taken = w.imports[name]
		}
		if (!taken || path == p.Path()) && declared.Lookup(name) == nil {
			w.imports[name] = p.Path()
			return name
		}
		name = fmt.Sprint(p.Name(), n)
	}
}

// here returns a position in the constructor's package: of a function of another one, that of its call.
func (l *lowering) here(at token.Pos) token.Position {
	if l.outside.IsValid() {
		at = l.outside
	}
	return l.position(at)
}

// position returns a position with the name of its file, without the folder.
func (l *lowering) position(at token.Pos) token.Position {
	p := l.world.fset.Position(at)
	p.Filename = p.Filename[strings.LastIndexByte(p.Filename, '/')+1:]
	p.Offset = 0
	return p
}
