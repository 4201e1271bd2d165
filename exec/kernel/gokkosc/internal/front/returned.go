package front

import (
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// valued lowers a functor that returns a value.
func (l *lowering) valued(b body) {
	x, result := b.sig.Params().At(0), b.sig.Results().At(0)
	f := &frame{lowering: l, pkg: b.pkg, types: b.types}
	of, to := f.subst(x.Type()), f.subst(result.Type())
	index, isIndex := l.index(x)
	if l.k.Index.Row || l.k.Team != ir.NoTeam {
		l.refuse(b.at, "return the value of a point, or store those of a row or a span in a slice", "the functor returns a value of a %s", l.typeString(of))
	}
	l.returned = &ir.Returned{Index: isIndex, Of: l.typeString(of), Type: l.typeString(to)}
	var item *ir.Value
	if isIndex {
		l.set(x, index)
		along, isInt := index.(number)
		if !isInt {
			along.v = l.item("")
		}
		first := l.scalar(l.add("first", types.Typ[types.Int]), nil, ir.I64, "int")
		l.at = b.at
		item = l.emit(ir.Sub, ir.I64, along.v, first)
	} else {
		item = l.item("")
		src := l.furtherSlice("src", x, of)
		l.emit(ir.Check, ir.None, item, src.len)
		l.set(x, f.loadAt(src, item))
	}
	dst := l.furtherSlice("dst", result, to)
	f.returnsTo(b.sig)
	f.stmts(b.list)
	n := f.numberResult(b, result)
	l.at = b.at
	l.emit(ir.Check, ir.None, item, dst.len)
	l.emit(ir.Store, ir.None, item, n.v).Index = dst.mem
}

// numberResult returns the value that the functor has returned.
func (f *frame) numberResult(b body, result *types.Var) number {
	switch t := f.result().(type) {
	case number:
		return t
	case bad:
		f.refuse(b.at, t.help, "a kernel cannot have %s", t.reason)
	}
	f.refuse(b.at, numberTypes, "a kernel cannot compute with %s", f.typeString(result.Type()))
	return number{}
}

// furtherSlice adds a slice.
func (l *lowering) furtherSlice(name string, of *types.Var, elem types.Type) *slice {
	if _, ok := elemType(elem); !ok {
		l.refuse(of.Pos(), numberTypes, "the functor is a function of or to a %s", l.typeString(elem))
	}
	t := types.NewSlice(elem)
	n := l.add(name, t)
	return l.sliceParam(n, nil, t, t).(*lazySlice).get()
}
