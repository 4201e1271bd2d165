package front

import (
	"go/ast"
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
func (f *frame) own(id *ast.Ident, t types.Type) owned {
	if f.k.Team != ir.NoTeam {
		f.refuse(id.Pos(), "take scratch memory", "a member of a team has a variable %s of type %s", id.Name, f.typeString(t))
	}
	numbers := numbersOf(t)
	basic, ok := numbers[0].Underlying().(*types.Basic)
	elem, isNumber := elemType(numbers[0])
	for _, of := range numbers {
		ok = ok && types.Identical(of.Underlying(), basic)
	}
	if !ok || !isNumber || len(numbers) > maxOwned {
		f.refuse(id.Pos(), "declare arrays of fewer numbers of one type", "the functor has a variable %s of type %s", id.Name, f.typeString(t))
	}
	mem := len(f.k.Mems)
	f.k.Mems = append(f.k.Mems, ir.Mem{Param: -1, Elem: elem, GoElem: basic.Name(), Own: true, Local: len(numbers), Name: id.Name})
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
