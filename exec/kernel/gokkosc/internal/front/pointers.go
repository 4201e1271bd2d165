package front

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// notNil returns whether a part of a parameter is not nil.
func (l *lowering) notNil(param int, path []ir.Step) *ir.Value {
	return l.scalar(param, append(slices.Clip(path), ir.Step{Kind: ir.NotNil}), ir.Bool, "bool")
}

// sharedPlace returns the value behind a pointer as a place. No item can store to that place.
func (f *frame) sharedPlace(p *pointer) *place {
	return &place{
		load: func() tree { return f.target(p) },
		store: func(tree) {
			f.refuse(f.at, "items share it: use a slice, or a reduction", "the functor assigns to what %s points to", f.k.PathString(p.param, p.path))
		},
	}
}

// isNil lowers a comparison with nil, of something that may be.
func (f *frame) isNil(t tree, x *ast.BinaryExpr, not bool) (tree, bool) {
	var v *ir.Value
	switch t := t.(type) {
	case shape: // the kernel does not run with views that have none
		return number{v: f.truth(not)}, true
	case *pointer:
		v = f.notNil(t.param, t.path)
	case far:
		v = f.emit(ir.Ne, ir.Bool, t.addr, f.integer(0))
	case *slice:
		if t.base == nil {
			return nil, false
		}
		v = f.emit(ir.Ne, ir.Bool, t.base, f.integer(0))
	case *lazySlice:
		s := t.get()
		if s.flat != nil {
			v = f.notNil(s.flat.param, s.flat.path)
		} else {
			v = f.notNil(f.k.Mems[s.mem].Param, f.k.Mems[s.mem].Path)
		}
	default:
		return nil, false
	}
	f.at = x.OpPos
	if !not {
		v = f.emit(ir.Not, ir.Bool, v)
	}
	return number{v: v}, true
}

// A reference is a pointer to a variable of the functor, or to a part of an element of a slice.
type reference struct {
	*place
	key any // the variable; nil for an element
}

func (r *reference) differs(_ *ir.Kernel, other tree) (says, help string) {
	if other == tree(r) {
		return "", ""
	}
	return "points to one of several things", "choose between values instead"
}

// variable returns a variable of the functor as a place. A load refuses a variable that has gone out of
// scope.
func (f *frame) variable(key any, x ast.Expr) *place {
	return &place{
		load: func() tree {
			t, ok := f.vars[key]
			if !ok {
				f.refuse(x.Pos(), "use its value", "a kernel cannot have a pointer to a variable that is gone")
			}
			return t
		},
		store: func(t tree) { f.set(key, f.copied(t)) },
	}
}

// of returns the tree behind a pointer, and other trees as they are.
func (f *frame) of(t tree) tree {
	switch t := t.(type) {
	case accumulator:
		return f.vars[t]
	case *pointer:
		return f.target(t)
	case far:
		return f.farPlace(t).load()
	case *reference:
		f.reads(t.key, f.at)
		return t.load()
	}
	return t
}

// loaded is of for an expression that loads the variable that it names. It counts a load of an accumulator.
func (f *frame) loaded(t tree) tree {
	if _, ok := t.(accumulator); ok {
		f.loads++
	}
	return f.of(t)
}

// behindPointer returns the place behind a pointer, if a place holds a pointer. It returns other places
// unchanged.
func (f *frame) behindPointer(p *place) *place {
	if p.load == nil {
		return p
	}
	if p.record {
		if _, ok := p.typ.Underlying().(*types.Pointer); ok {
			return f.farPlace(p.load().(far))
		}
		return p
	}
	switch t := p.load().(type) {
	case accumulator:
		return &place{load: func() tree { return f.vars[t] }, store: func(to tree) { f.accumulate(t, to) }}
	case *pointer:
		return f.sharedPlace(t)
	case *reference:
		return t.place
	case far:
		return f.farPlace(t)
	case address:
		return f.placeAt(t)
	}
	return p
}

// farPlace returns the place behind a pointer, and checks that the pointer is not nil.
func (f *frame) farPlace(p far) *place {
	f.emit(ir.Check, ir.None, f.emit(ir.Add, ir.I64, p.addr, f.integer(-1)), f.integer(ir.Addresses))
	return f.inRecord(record{of: f.farRecords(p.elem), typ: p.elem, base: p.addr, at: f.at})
}

// placeAt returns the element at an address.
func (f *frame) placeAt(a address) *place {
	return f.storable(a.of, f.integer(0), &ast.BadExpr{From: f.at, To: f.at})
}

// accumulate sets an accumulator.
func (f *frame) accumulate(a accumulator, t tree) {
	if !sameValues(words(f.vars[a]), words(t)) {
		f.refuse(f.at, "store to its elements", "the functor assigns to a slice that is an accumulator")
	}
	if !slices.Equal(accessesIn(f.vars[a]), accessesIn(t)) {
		f.refuse(f.at, "assign to its other fields", "the functor assigns to an accumulator that takes contributions to a scatter")
	}
	if own := leaves(f.vars[a]); len(leaves(t)) != len(own) {
		f.refuse(f.at, "assign to its fields", "the functor assigns to all of an accumulator that has fields which only their own package sees")
	}
	f.stores++
	f.set(a, t)
}

// words returns the values of the slices in a tree.
func words(t tree) (out []*ir.Value) {
	switch t := t.(type) {
	case *slice:
		return leaves(t)
	case *parts:
		for _, p := range t.list {
			out = append(out, words(p)...)
		}
	}
	return out
}

// ofRecord reports whether an expression is a part of an element of a slice of structs: a field, or an
// element of an array.
func (f *frame) ofRecord(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		if s := f.pkg.TypesInfo.Selections[x]; s != nil && s.Kind() == types.FieldVal {
			return f.ofRecord(x.X)
		}
	case *ast.IndexExpr:
		t := f.typeOf(x.X)
		if t == nil { // of what does not compile
			return false
		}
		if s, ok := t.Underlying().(*types.Slice); ok {
			return isFlat(f.subst(s.Elem()))
		}
		if _, ok := arrayOf(t); ok {
			return f.ofRecord(x.X)
		}
	case *ast.StarExpr:
		return f.ofRecord(x.X)
	case *ast.Ident:
		if v, ok := f.pkg.TypesInfo.Uses[x].(*types.Var); ok {
			switch t := f.vars[v].(type) {
			case *reference:
				return t.record
			case far, owned:
				return true
			}
		}
	}
	return false
}
