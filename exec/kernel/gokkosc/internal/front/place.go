package front

import (
	"go/ast"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// place returns the place that an expression on the left side of an assignment denotes.
func (f *frame) place(x ast.Expr) *place {
	f.at = x.Pos()
	switch x := x.(type) {
	case *ast.ParenExpr:
		return f.place(x.X)
	case *ast.Ident:
		v, ok := f.pkg.TypesInfo.ObjectOf(x).(*types.Var)
		if x.Name == "_" {
			return &place{store: func(tree) {}}
		}
		if o, ok := f.vars[v].(owned); ok {
			return f.ownedPlace(o, x)
		}
		if _, known := f.vars[v]; ok && !known {
			if t, ok := f.capturedVar(x, v); ok {
				return &place{load: func() tree { return t }, store: func(tree) {
					f.refuse(x.Pos(), "items share it: use a slice, or a reduction", "the functor assigns to %s, which it captures", x.Name)
				}}
			}
		}
		if _, known := f.vars[v]; !ok || !known {
			f.refuse(x.Pos(), "items share it: use a slice, or a reduction", "the functor assigns to %s, which is no variable of its own", x.Name)
		}
		return &place{load: f.variable(v, x).load, store: func(t tree) {
			if f.captured[v] && !f.setup {
				f.refuse(x.Pos(), "items share it: use a slice, or a reduction", "the functor assigns to %s, which it captures", x.Name)
			}
			f.set(v, f.copied(t))
		}}
	case *ast.CallExpr:
		switch t := f.expr(x).(type) {
		case *reference, *pointer, accumulator, address, far:
			return &place{load: func() tree { return t }}
		}
	case *ast.StarExpr:
		if _, ok := f.typeOf(x.X).Underlying().(*types.Pointer); ok {
			return f.behindPointer(f.place(x.X))
		}
	case *ast.SelectorExpr:
		if sel := f.pkg.TypesInfo.Selections[x]; sel != nil && sel.Kind() == types.FieldVal {
			return f.field(f.place(x.X), sel.Index())
		}
	case *ast.IndexExpr:
		if _, ok := f.typeOf(x.X).Underlying().(*types.Slice); ok {
			return f.memoryPlace(x)
		}
		if k, ok := f.constantIndex(x.Index); ok {
			return f.field(f.place(x.X), []int{k})
		}
		return f.elementPlace(x)
	}
	f.refuse(x.Pos(), "assign to variables, elements of slices and accumulators", "the functor cannot assign to this")
	return nil
}

// elementPlace returns an element of an array at an index that is not constant.
func (f *frame) elementPlace(x *ast.IndexExpr) *place {
	outer := f.behindPointer(f.place(x.X))
	i := f.indexOf(x.Index)
	if outer.record {
		a, _ := arrayOf(f.typeOf(x.X))
		f.at = x.Index.Pos()
		f.emit(ir.Check, ir.None, i, f.integer(int(a.Len())))
		return outer.elem(i)
	}
	if a, ok := outer.load().(*array); ok && a.shared() {
		if mem, ok := f.memory(a); ok {
			n := f.integer(len(a.list))
			return f.inSlice(&slice{mem: mem, len: n, cap: n}, i, x)
		}
	}
	whole := f.partsOf(outer.load())
	if k, ok := known(i); ok && k < uint64(len(whole.list)) {
		return f.field(outer, []int{int(k)})
	}
	f.at = x.Index.Pos()
	f.inArray(whole, number{v: i}, x.Index)
	return &place{
		load: func() tree {
			f.at = x.Pos()
			return f.chosen(f.partsOf(outer.load()), number{v: i})
		},
		store: func(t tree) {
			f.at = x.Pos()
			outer.store(f.replaced(f.partsOf(outer.load()), number{v: i}, t))
		},
	}
}

// memoryPlace returns an element of a slice.
func (f *frame) memoryPlace(x *ast.IndexExpr) *place {
	s := f.sliceOf(f.expr(x.X), x.X)
	return f.inSlice(s, f.indexOf(x.Index), x)
}

// inSlice returns element i of a slice.
func (f *frame) inSlice(s *slice, i *ir.Value, x *ast.IndexExpr) *place {
	f.at = x.Index.Pos()
	f.emit(ir.Check, ir.None, i, s.len)
	if s.flat != nil {
		return f.recordPlace(s, i, x.Pos())
	}
	return f.storable(s, i, x)
}
