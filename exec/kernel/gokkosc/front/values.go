package front

import (
	"go/ast"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/ir"
)

// A Value is what a functor that returns one is: a func(x T) V.
//
// Its kernel has further parameters behind those of the constructor: "first" and "dst" of a func(i int) V, whose
// item i sets dst[i-first], and "src" and "dst" of others, whose item k sets dst[k] to what src[k] becomes. The
// slices have room for all items.
type Value struct {
	Of    string // T: "int" is an index
	Type  string // V
	First string // name of the parameter that is the index of dst[0]; "" if there is a Src
	Src   string // name of the parameter with the values
	Dst   string // name of the parameter for the results
}

// valued lowers a literal that returns a value.
func (l *lowering) valued(lit *ast.FuncLit, sig *types.Signature) {
	x, result := sig.Params().At(0), sig.Results().At(0)
	l.given = len(l.k.Params)
	l.returned = &Value{Of: l.typeString(x.Type()), Type: l.typeString(result.Type())}
	item := l.item("")
	if types.Identical(x.Type(), types.Typ[types.Int]) {
		item.Name = x.Name()
		l.set(x, number{v: item})
		var first int
		l.returned.First, first = l.further("first", x.Type())
		at := l.scalar(first, nil, ir.I64, "int")
		l.at = lit.Pos()
		item = l.emit(ir.Sub, ir.I64, item, at)
	} else {
		var src *slice
		l.returned.Src, src = l.furtherSlice("src", x, x.Type())
		l.set(x, l.element(src, item))
	}
	dst, s := l.furtherSlice("dst", result, result.Type())
	l.returned.Dst = dst
	f := &frame{lowering: l, pkg: l.pkg}
	f.returnsTo(sig)
	f.stmts(lit.Body.List)
	n := f.numberOf(f.result(), lit)
	l.at = lit.Pos()
	l.emit(ir.Check, ir.None, item, s.len)
	l.emit(ir.Store, ir.None, item, n.v).Index = s.mem
}

// further adds a parameter behind those of the constructor, and returns its name and number.
func (l *lowering) further(name string, t types.Type) (string, int) {
	for l.hasParam(name) {
		name += "_"
	}
	l.k.Params = append(l.k.Params, ir.Param{Name: name, Type: l.typeString(t)})
	return name, len(l.k.Params) - 1
}

func (l *lowering) hasParam(name string) bool {
	for _, p := range l.k.Params {
		if p.Name == name {
			return true
		}
	}
	return false
}

// furtherSlice adds a slice.
func (l *lowering) furtherSlice(name string, of *types.Var, elem types.Type) (string, *slice) {
	if _, ok := elemType(elem); !ok {
		l.refuse(of.Pos(), numberTypes, "the functor is a function of or to a %s", l.typeString(elem))
	}
	t := types.NewSlice(elem)
	name, n := l.further(name, t)
	return name, l.sliceParam(n, nil, t, t).(*lazySlice).get()
}

// element loads an element of a slice.
func (l *lowering) element(s *slice, i *ir.Value) tree {
	l.emit(ir.Check, ir.None, i, s.len)
	v := l.emit(ir.Load, l.k.Mems[s.mem].Elem.Value(), i)
	v.Index = s.mem
	return number{v: v}
}
