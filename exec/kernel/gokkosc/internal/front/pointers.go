package front

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A pointer is a pointer that is a part of a parameter. All items share what it points to: they load it, and nothing
// stores to it.
type pointer struct {
	param int
	path  []ir.Step
	elem  types.Type
	to    tree // nil until it is asked for
}

// target returns what a pointer points to.
func (l *lowering) target(p *pointer) tree {
	if p.to == nil {
		p.to = l.param(p.param, append(slices.Clip(p.path), ir.Step{Kind: ir.Deref}), p.elem)
	}
	return p.to
}

// notNil returns whether a part of a parameter is not nil.
func (l *lowering) notNil(param int, path []ir.Step) *ir.Value {
	return l.scalar(param, append(slices.Clip(path), ir.Step{Kind: ir.NotNil}), ir.Bool, "bool")
}

// sharedPlace returns what a pointer points to as a place, to which no item can store.
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
