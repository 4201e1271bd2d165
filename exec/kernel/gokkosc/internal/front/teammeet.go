package front

import (
	"go/ast"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// The members of a team, and the vector lanes of a member, compute values together. A reducer of package
// builtin joins the values.

// allReduce lowers team.AllReduce.
func (f *frame) allReduce(x *ast.CallExpr) tree {
	f.ofGroup(x.Args[0])
	y := f.numberOf(f.expr(x.Args[1]), x.Args[1])
	name, _ := f.joint(x.Args[2], f.typeOf(x))
	if y.product.IsValid() && name == ir.Add.String() {
		f.noRounding(y.product)
	}
	f.at = x.Pos()
	v := f.emit(ir.Gather, y.v.Type, y.v)
	v.Func = name
	return number{v: v}
}

// vote lowers team.All and team.Any: whether a condition holds for all members, or for any member.
func (f *frame) vote(name string, x *ast.CallExpr) (t tree, ok bool) {
	join := map[string]ir.Op{"All": ir.And, "Any": ir.Or}[name]
	if join == ir.Invalid {
		return nil, false
	}
	f.ofGroup(x.Args[0])
	y := f.truthOf(x.Args[1])
	f.at = x.Pos()
	v := f.emit(ir.Gather, ir.Bool, y)
	v.Func = join.String()
	return number{v: v}, true
}

// broadcast lowers team.Broadcast of a number from the member with a rank.
func (f *frame) broadcast(x *ast.CallExpr) tree {
	f.ofGroup(x.Args[0])
	if len(x.Args) != 3 || x.Ellipsis.IsValid() {
		f.refuse(x.Pos(), "give it a rank", "a kernel has a Broadcast from a member that is not given by its rank")
	}
	y, rank := f.expr(x.Args[1]), f.numberOf(f.expr(x.Args[2]), x.Args[2]).v
	f.at = x.Pos()
	f.emit(ir.Check, ir.None, rank, f.teamSize())
	return f.passed(y, rank)
}

// passed returns the value that the member with a rank has.
func (f *frame) passed(t tree, rank *ir.Value) tree {
	var out []*ir.Value
	for _, v := range leaves(t) {
		out = append(out, f.emit(ir.Pass, v.Type, v, rank))
	}
	return with(unmarked(t), &out)
}

// broadcastFunc lowers team.BroadcastFunc: the member with the rank calls the functor.
func (f *frame) broadcastFunc(x *ast.CallExpr) tree {
	f.ofGroup(x.Args[0])
	if len(x.Args) != 4 || x.Ellipsis.IsValid() {
		f.refuse(x.Pos(), "give it a rank", "a kernel has a BroadcastFunc from a member that is not given by its rank")
	}
	lit := f.functionOf(x.Args[1])
	if set := f.assigned(lit.lit); len(set) > 0 {
		f.refuse(lit.lit.Pos(), "set what it gets", "the functor of a BroadcastFunc sets %s", f.subject(set[0]))
	}
	y, rank := f.expr(x.Args[2]), f.numberOf(f.expr(x.Args[3]), x.Args[3]).v
	f.at = x.Pos()
	f.emit(ir.Check, ir.None, rank, f.teamSize())
	key := &flag{"broadcast"}
	f.set(key, f.copied(y))
	own := []tree{&reference{f.variable(key, x), key}}
	f.branch(f.emit(ir.Eq, ir.Bool, f.rank(), rank), func() { f.callWith(x, lit, own) }, func() {})
	f.at = x.Pos()
	out := f.passed(f.vars[key], rank)
	return out
}

// singleValue lowers team.SingleValue.
func (f *frame) singleValue(x *ast.CallExpr) tree {
	f.ofGroup(x.Args[0])
	lit := f.functionOf(x.Args[1])
	if set := f.assigned(lit.lit); len(set) > 0 {
		f.refuse(lit.lit.Pos(), "return it", "the functor of a SingleValue sets %s", f.subject(set[0]))
	}
	key := &flag{"single"}
	f.set(key, f.zero(f.typeOf(x), x.Pos()))
	f.branch(f.emit(ir.Eq, ir.Bool, f.rank(), f.integer(0)), func() { f.set(key, f.callWith(x, lit, nil)) }, func() {})
	f.at = x.Pos()
	out := f.passed(f.vars[key], f.integer(0))
	return out
}

// scratch lowers team.Scratch, and without shared team.MemberScratch. The scratch memory of a level holds the
// slices of all calls one after the other. So a slice begins where the slices of earlier calls end.
func (f *frame) scratch(x *ast.CallExpr, shared bool, of types.Type) tree {
	f.ofGroup(x.Args[0])
	of = f.subst(of)
	for _, number := range numbersOf(of) {
		if _, ok := elemType(number); !ok {
			f.refuse(x.Pos(), numberTypes, "a kernel has scratch memory for values of type %s", f.typeString(of))
		}
	}
	size := int(f.lowering.pkg.TypesSizes.Sizeof(of))
	level, known := known(f.numberOf(f.expr(x.Args[1]), x.Args[1]).v)
	if !known || level > 1 {
		f.refuse(x.Args[1].Pos(), "write 0 or 1", "a kernel has scratch memory of a level that is not known")
	}
	n := f.numberOf(f.expr(x.Args[2]), x.Args[2]).v
	if !ofLaunch(n) {
		f.refuse(x.Args[2].Pos(), "compute it from numbers that the functor captures", "the length of scratch memory may differ from member to member")
	}
	if f.cur != f.k.Body || f.looping > 0 {
		f.refuse(x.Pos(), "ask for it at the beginning", "a kernel asks for scratch memory in a branch or a loop")
	}
	f.at = x.Pos()
	owner := map[bool]string{true: "Team", false: "Member"}[shared]
	plan := func(owner string) *ir.Value {
		return f.ofTeam(ir.Step{Kind: ir.Field, Field: "Shape"}, ir.Step{Kind: ir.Field, Field: "Scratch"}, ir.Step{Kind: ir.Elem, N: int(level)}, ir.Step{Kind: ir.Field, Field: owner})
	}
	used := scratchUsed{int(level), shared}
	at := f.aligned(f.used(used))
	bytes := f.emit(ir.Mul, ir.I64, n, f.integer(size))
	f.emit(ir.Check, ir.None, n, f.integer(1<<31))
	f.emit(ir.Check, ir.None, bytes, f.emit(ir.Add, ir.I64, f.emit(ir.Sub, ir.I64, plan(owner), at), f.integer(1)))
	f.set(used, number{v: f.emit(ir.Add, ir.I64, at, bytes)})
	if !shared {
		at = f.emit(ir.Add, ir.I64, at, f.aligned(plan("Team")))
		at = f.emit(ir.Add, ir.I64, at, f.emit(ir.Mul, ir.I64, f.rank(), f.aligned(plan("Member"))))
	}
	mems := map[string]int{}
	for _, number := range numbersOf(of) {
		mems[number.Underlying().(*types.Basic).Name()] = f.scratchOf(int(level), number)
	}
	if basic, ok := of.Underlying().(*types.Basic); ok {
		return &slice{mem: mems[basic.Name()], off: f.emit(ir.Div, ir.I64, at, f.integer(size)), len: n, cap: n}
	}
	path := ir.TeamPart("Scratch", int(level), "")
	return &slice{mem: -1, base: at, len: n, cap: n, flat: &records{param: f.team, path: path[:len(path)-1], elem: of, mems: mems}}
}

// scratchOf returns the scratch memory of a level as numbers of a type, for one call. No two calls share
// elements.
func (f *frame) scratchOf(level int, t types.Type) (mem int) {
	elem, _ := elemType(t)
	name := t.Underlying().(*types.Basic).Name()
	path := ir.TeamPart("Scratch", level, name)
	return f.addMem(ir.Mem{Param: f.team, Path: path, Elem: elem, GoElem: name, Own: true})
}

// scratchUsed is the variable that says how much of the scratch memory of a level is used, in bytes.
type scratchUsed struct {
	level  int
	shared bool
}

func (f *frame) used(key scratchUsed) *ir.Value {
	if t, ok := f.vars[key].(number); ok {
		return t.v
	}
	return f.integer(0)
}

// aligned returns a number of bytes as a multiple of 16.
func (f *frame) aligned(bytes *ir.Value) *ir.Value {
	return f.emit(ir.AndNot, ir.I64, f.emit(ir.Add, ir.I64, bytes, f.integer(15)), f.integer(15))
}
