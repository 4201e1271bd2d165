package front

import (
	"go/ast"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// numberOf returns a tree as a number.
func (f *frame) numberOf(t tree, x ast.Expr) number {
	switch t := t.(type) {
	case number:
		return t
	case bad:
		f.refuse(x.Pos(), t.help, "a kernel cannot have %s", t.reason)
	}
	f.refuse(x.Pos(), numberTypes, "a kernel cannot compute with %s", f.typeString(f.typeOf(x)))
	return number{}
}

func (f *frame) truthOf(x ast.Expr) *ir.Value { return f.numberOf(f.expr(x), x).v }

func (f *frame) sliceOf(t tree, x ast.Expr) *slice {
	switch t := t.(type) {
	case *slice:
		return t
	case *lazySlice:
		return t.get()
	case bad:
		f.refuse(x.Pos(), t.help, "a kernel cannot have %s", t.reason)
	}
	f.refuse(x.Pos(), "", "a kernel cannot have %s here", f.typeString(f.typeOf(x)))
	return nil
}

func (f *frame) partsOf(t tree) *parts {
	switch t := t.(type) {
	case *parts:
		return t
	case *array:
		return t.parts
	case *table:
		return f.ofTable(t)
	}
	f.refuse(f.at, "", "the functor assigns to a part of something that has none")
	return nil
}

// copied returns the value that an assignment gives to a variable, and refuses values that kernels cannot
// have.
func (f *frame) copied(t tree) tree {
	if b, ok := t.(bad); ok {
		f.refuse(f.at, b.help, "a kernel cannot have %s", b.reason)
	}
	return t
}

// list lowers the right side of an assignment to n variables.
func (f *frame) list(exprs []ast.Expr, n int) []tree {
	if len(exprs) == 1 {
		f.alone = ast.Unparen(exprs[0])
		t := f.expr(exprs[0])
		if n == 1 {
			return []tree{t}
		}
		return t.(*parts).list
	}
	out := make([]tree, len(exprs))
	for k, x := range exprs {
		out[k] = f.expr(x)
	}
	return out
}
