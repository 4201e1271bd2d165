package front

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A Value is what a functor that returns one is: a func(x T) V.
//
// Its kernel has further parameters behind those of the constructor: "first" and "dst" of a func(i int) V, whose
// item i sets dst[i-first], and of a functor of points, whose items are those of one run; and "src" and "dst" of others,
// whose item k sets dst[k] to what src[k] becomes. The slices have room for all items.
type Value struct {
	Index bool   // x is an index: T is int, or a point
	Of    string // T
	Type  string // V
}

// valued lowers a literal that returns a value.
func (l *lowering) valued(lit *ast.FuncLit, sig *types.Signature) {
	x, result := sig.Params().At(0), sig.Results().At(0)
	l.given = len(l.k.Params)
	f := &frame{lowering: l, pkg: l.pkg}
	index, isIndex := l.index(x)
	if l.k.Index.Row {
		l.refuse(lit.Pos(), "return the value of a point, or store those of a row in a slice", "the functor returns a value of a %s", l.typeString(x.Type()))
	}
	l.returned = &Value{isIndex, l.typeString(x.Type()), l.typeString(result.Type())}
	var item *ir.Value
	if isIndex {
		l.set(x, index)
		first := l.scalar(l.further("first", types.Typ[types.Int]), nil, ir.I64, "int")
		l.at = lit.Pos()
		item = l.emit(ir.Sub, ir.I64, l.k.Body.Values[0], first)
	} else {
		item = l.item("")
		src := l.furtherSlice("src", x, x.Type())
		l.emit(ir.Check, ir.None, item, src.len)
		l.set(x, f.loadAt(src, item))
	}
	dst := l.furtherSlice("dst", result, result.Type())
	f.returnsTo(sig)
	f.stmts(lit.Body.List)
	n := f.numberOf(f.result(), lit)
	l.at = lit.Pos()
	l.emit(ir.Check, ir.None, item, dst.len)
	l.emit(ir.Store, ir.None, item, n.v).Index = dst.mem
}

// further adds a parameter behind those of the constructor, and returns its number.
func (l *lowering) further(name string, t types.Type) int {
	for slices.ContainsFunc(l.k.Params, func(p ir.Param) bool { return p.Name == name }) {
		name += "_"
	}
	l.k.Params = append(l.k.Params, ir.Param{Name: name, Type: l.typeString(t)})
	return len(l.k.Params) - 1
}

// furtherSlice adds a slice.
func (l *lowering) furtherSlice(name string, of *types.Var, elem types.Type) *slice {
	if _, ok := elemType(elem); !ok {
		l.refuse(of.Pos(), numberTypes, "the functor is a function of or to a %s", l.typeString(elem))
	}
	t := types.NewSlice(elem)
	n := l.further(name, t)
	return l.sliceParam(n, nil, t, t).(*lazySlice).get()
}
