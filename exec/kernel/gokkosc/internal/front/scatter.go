package front

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// An access is a scatter.Access that is an accumulator or a part of one, by its number. Nothing sees its contents.
type access struct{ n int }

// access returns an accumulator, or a part of one, that takes contributions.
func (l *lowering) access(n int, v *types.Var, t types.Type, path []ir.Step) (tree, bool) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !isOf(named, scatterPath, "Access") {
		return nil, false
	}
	of := named.TypeArgs().At(0)
	elem, ok := elemType(of)
	switch {
	case !ok:
		return bad{"contributions of type " + l.typeString(of), "contribute real numbers and imaginary ones to two views"}, true
	case l.k.Scan:
		return bad{"contributions in a scan, whose functor is called twice", "contribute in a launch of its own"}, true
	case l.k.Team != ir.NoTeam:
		return bad{"contributions of members of a team", "contribute in a launch of its own, over a policy.Range"}, true
	}
	layout, ok := l.accessLayout(named)
	if !ok {
		return bad{"a scatter of another version of its package", "generate with the version of the program"}, true
	}
	l.k.Accesses = append(l.k.Accesses, ir.Access{Lanes: n, Path: path, Elem: elem, GoElem: l.typeString(of), Layout: layout})
	return access{len(l.k.Accesses) - 1}, true
}

// accessLayout returns where an Access has the extents of its cells, which package scatter keeps to itself.
func (l *lowering) accessLayout(access *types.Named) (a ir.AccessLayout, ok bool) {
	at, scatter := l.fieldOf(access, "s")
	p, isPointer := scatter.(*types.Pointer)
	if !isPointer {
		return a, false
	}
	rank, isInt := l.fieldOf(p.Elem(), "rank")
	extents, list := l.fieldOf(p.Elem(), "extent")
	array, isArray := list.(*types.Array)
	ok = isInt == types.Typ[types.Int] && isArray && array.Elem() == types.Typ[types.Int]
	return ir.AccessLayout{Scatter: at, Rank: rank, Extents: extents}, ok
}

// fieldOf returns the offset and the type of a field of a struct; nil for the type if there is none.
func (l *lowering) fieldOf(t types.Type, name string) (offset int, of types.Type) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return 0, nil
	}
	fields := slices.Collect(s.Fields())
	for k, f := range fields {
		if f.Name() == name {
			return int(l.pkg.TypesSizes.Offsetsof(fields)[k]), f.Type()
		}
	}
	return 0, nil
}

// accessesIn returns the accesses in a tree.
func accessesIn(t tree) (list []access) {
	switch t := t.(type) {
	case access:
		list = append(list, t)
	case *parts:
		for _, p := range t.list {
			list = append(list, accessesIn(p)...)
		}
	}
	return list
}

// ofAccess lowers a contribution to a scatter.
func (f *frame) ofAccess(x *ast.CallExpr, fn *ast.SelectorExpr, o *types.Func) (tree, bool) {
	n := ir.IndexOf(o.Name())
	if o.Pkg() == nil || o.Pkg().Path() != scatterPath || n == 0 {
		return nil, false
	}
	a := f.accessed(fn)
	if x.Ellipsis.IsValid() || len(x.Args) < n {
		f.refuse(x.Pos(), "list the values of the row", "the kernel contributes a row that is a slice")
	}
	var args []*ir.Value
	for _, arg := range x.Args {
		args = append(args, f.numberOf(f.expr(arg), arg).v)
	}
	f.inCells(x, a, args[:n], len(x.Args)-n, strings.HasPrefix(o.Name(), "CombineRow"))
	v := f.emit(ir.Combine, ir.None, args...)
	v.Func, v.Index = o.Name(), a.n
	f.stores++
	return &parts{}, true
}

// inCells checks that an index is the index of a cell, or of a row of n cells.
func (f *frame) inCells(x *ast.CallExpr, a access, index []*ir.Value, n int, row bool) {
	rank := len(index)
	if row {
		rank++
	}
	for d, i := range index {
		f.at = x.Args[d].Pos()
		f.emit(ir.Check, ir.None, i, f.cells(a, d, rank))
	}
	if f.at = x.Pos(); row { // the same length
		f.emit(ir.Check, ir.None, f.emit(ir.Xor, ir.I64, f.cells(a, rank-1, rank), f.integer(n)), f.integer(1))
	}
}

// cells returns an extent of the cells of an access.
func (l *lowering) cells(a access, d, rank int) *ir.Value {
	key := cellsKey{a, d, rank}
	if l.extents[key] == nil {
		if l.extents == nil {
			l.extents = map[cellsKey]*ir.Value{}
		}
		l.extents[key] = l.k.NewCells(a.n, d, rank)
		l.k.Setup.Values = append(l.k.Setup.Values, l.extents[key])
	}
	return l.extents[key]
}

type cellsKey struct {
	access
	d, rank int
}

// accessed returns what a contribution goes to: an accumulator that the functor has a pointer to, or a part of it.
// A copy would share some of its memory.
func (f *frame) accessed(fn *ast.SelectorExpr) access {
	root, found := ast.Unparen(fn.X), false
	for !found {
		switch x := root.(type) {
		case *ast.SelectorExpr:
			root = ast.Unparen(x.X)
		case *ast.StarExpr:
			root = ast.Unparen(x.X)
		case *ast.IndexExpr:
			root = ast.Unparen(x.X)
		default:
			found = true
		}
	}
	if _, ok := f.expr(root).(accumulator); ok {
		t := f.of(f.expr(fn.X))
		path := f.pkg.TypesInfo.Selections[fn].Index()
		for _, k := range path[:len(path)-1] {
			t = f.of(f.part(t, k))
		}
		switch t := t.(type) {
		case access:
			return t
		case bad:
			f.refuse(fn.Pos(), t.help, "a kernel cannot have %s", t.reason)
		}
	}
	f.refuse(fn.Pos(), "contribute by its own parameter", "the kernel contributes to a scatter that is no accumulator of the functor")
	return access{}
}
