package front

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A large array that a functor declares is memory of the item's own, in which variables can index it. Smaller
// ones are numbers.

// ownedPlace returns such a variable as a place, where an expression names it.
func (f *frame) ownedPlace(o owned, x ast.Expr) *place {
	o.at = x.Pos()
	return f.inRecord(o.record)
}

// maxOwned is how many numbers an array can have.
const maxOwned = 4096

// own makes a variable an array of the item's own, of zeros.
func (f *frame) own(name string, t types.Type, at token.Pos) owned {
	if f.k.Team != ir.NoTeam {
		f.refuse(at, "take scratch memory", "a member of a team has a variable %s of type %s", name, f.typeString(t))
	}
	numbers := numbersOf(t)
	if len(numbers) == 0 {
		f.refuse(at, "", "the functor has memory of no numbers")
	}
	basic, ok := numbers[0].Underlying().(*types.Basic)
	elem, isNumber := elemType(numbers[0])
	for _, of := range numbers {
		ok = ok && types.Identical(of.Underlying(), basic)
	}
	if !ok || !isNumber || len(numbers) > maxOwned {
		f.refuse(at, "declare arrays of fewer numbers of one type", "the functor has a variable %s of type %s", name, f.typeString(t))
	}
	mem := len(f.k.Mems)
	f.k.Mems = append(f.k.Mems, ir.Mem{Param: -1, Elem: elem, GoElem: basic.Name(), Own: true, Local: len(numbers), Name: name})
	f.clear(mem)
	of := &records{param: -1, elem: t, mems: map[string]int{basic.Name(): mem}}
	return owned{record{of: of, typ: t}}
}

// clear stores zeros to all of an array of the item's own.
func (f *frame) clear(mem int) {
	m := f.k.Mems[mem]
	zero, one, n := f.constant(m.Elem.Value(), 0), f.integer(1), f.integer(m.Local)
	v := f.k.NewValue(ir.Loop, ir.None, f.integer(0))
	v.Pos = f.here(f.at)
	i := f.k.NewValue(ir.Arg, ir.I64)
	head, body := &ir.Block{Params: []*ir.Value{i}}, &ir.Block{}
	v.Blocks = []*ir.Block{head, body}
	f.in(head, func() { head.Yield = []*ir.Value{f.emit(ir.Lt, ir.Bool, i, n)} })
	f.in(body, func() {
		f.storeOwn(mem, i, zero)
		body.Yield = []*ir.Value{f.emit(ir.Add, ir.I64, i, one)}
	})
	f.cur.Values = append(f.cur.Values, v)
}

// isOwn reports whether a variable of a type is such memory: a large array, or one that the source slices.
func (f *frame) isOwn(v types.Object, t types.Type) bool {
	if _, ok := t.Underlying().(*types.Array); !ok || isLarge(t) {
		return ok
	}
	cut := f.world.cut[f.pkg]
	if cut == nil {
		cut = map[types.Object]bool{}
		for _, file := range f.pkg.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if s, ok := n.(*ast.SliceExpr); ok {
					if id, ok := ast.Unparen(s.X).(*ast.Ident); ok {
						cut[f.pkg.TypesInfo.Uses[id]] = true
					}
				}
				return true
			})
		}
		f.world.cut[f.pkg] = cut
	}
	return cut[v]
}

// whole returns all of such memory as a slice.
func (f *frame) whole(o owned, n, room int) *slice {
	of := o.of.elem.Underlying().(*types.Array)
	s := &slice{mem: -1, len: f.integer(n), cap: f.integer(room)}
	if _, ok := elemType(of.Elem()); ok {
		s.mem = o.of.mems[of.Elem().Underlying().(*types.Basic).Name()]
	} else {
		s.flat = &records{param: -1, elem: of.Elem(), mems: o.of.mems}
	}
	return s
}

// ownedArray returns the array of n elements that an expression names, if it is such memory.
func (f *frame) ownedArray(x ast.Expr) (o owned, n int, ok bool) {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return o, 0, false
	}
	if o, ok = f.vars[f.pkg.TypesInfo.Uses[id]].(owned); !ok {
		return o, 0, false
	}
	a, ok := o.of.elem.Underlying().(*types.Array)
	if !ok {
		return o, 0, false
	}
	return o, int(a.Len()), true
}

// keeps returns a function that refuses a range over elements of such an array if its body stores to them: Go ranges
// over a copy.
func (f *frame) keeps(s *ast.RangeStmt) func() {
	o, _, ok := f.ownedArray(s.X)
	if !ok || s.Value == nil {
		return func() {}
	}
	before := f.stored
	f.stored = nil
	return func() {
		for _, mem := range f.stored {
			for _, own := range o.of.mems {
				if mem == own {
					f.refuse(s.Pos(), "range over its indices", "a loop stores to the array whose elements it ranges over")
				}
			}
		}
		for _, mem := range before {
			f.storesTo(mem)
		}
	}
}

// madeName is what memory is called that is no variable.
const madeName = "made"

// allocated returns memory of the item's own for make of a slice, for the elements of a literal. A loop that keeps such a
// slice for its next round is refused: in front of the loop the slice is another one.
func (f *frame) allocated(t *types.Slice, n, room int, at token.Pos) (owned, *slice) {
	if room == 0 || room > maxOwned {
		f.refuse(at, "pass memory as a parameter", "a kernel cannot allocate %d elements", room)
	}
	o := f.own(madeName, types.NewArray(t.Elem(), int64(room)), at)
	return o, f.whole(o, n, room)
}

// makeSlice lowers make.
func (f *frame) makeSlice(x *ast.CallExpr) tree {
	t, ok := f.typeOf(x).Underlying().(*types.Slice)
	var sizes []int
	for _, a := range x.Args[1:] {
		n, isConstant := f.constantIndex(a)
		ok = ok && isConstant
		sizes = append(sizes, n)
	}
	if !ok {
		f.refuse(x.Pos(), "pass memory as a parameter, or make it of constant size", "a kernel cannot allocate")
	}
	_, s := f.allocated(t, sizes[0], sizes[len(sizes)-1], x.Pos())
	return s
}

// sliceLiteral lowers a literal of a slice.
func (f *frame) sliceLiteral(x *ast.CompositeLit, t *types.Slice) tree {
	p := f.arrayLiteral(x, t)
	o, s := f.allocated(t, len(p.list), len(p.list), x.Pos())
	f.ownedPlace(o, x).store(p)
	return s
}

// arrayLiteral lowers the elements of a slice's literal as an array.
func (f *frame) arrayLiteral(x *ast.CompositeLit, t *types.Slice) *parts {
	next, n := 0, 0
	for _, e := range x.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			next, _ = f.constantIndex(kv.Key)
		}
		next++
		n = max(n, next)
	}
	return f.compositeOf(x, types.NewArray(t.Elem(), int64(n)))
}
