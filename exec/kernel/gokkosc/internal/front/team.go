package front

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A functor of members of teams is lowered as one member does it. Ranges that are spread over the members,
// and what these do together, are operations of the representation; a range over vector lanes is a loop.

// ofMember lowers a method of a member.
func (f *frame) ofMember(x *ast.CallExpr, fn *ast.SelectorExpr, o *types.Func) (t tree, ok bool) {
	if o.Pkg() == nil || o.Pkg().Path() != teamPath || !isMember(o.Signature().Recv().Type()) {
		return nil, false
	}
	if _, ok := f.expr(fn.X).(member); !ok {
		return nil, false
	}
	f.at = x.Pos()
	switch o.Name() {
	case "LeagueRank":
		return number{v: f.league}, true
	case "LeagueSize":
		return number{v: f.ofTeam(ir.Step{Kind: ir.Field, Field: "Shape"}, ir.Step{Kind: ir.Field, Field: "League"})}, true
	case "Rank":
		return number{v: f.rank()}, true
	case "Size":
		return number{v: f.teamSize()}, true
	case "VectorLength":
		return number{v: f.ofTeam(ir.VectorLength...)}, true
	case "LocalSize":
		return &parts{list: []tree{number{v: f.dim(0)}, number{v: f.dim(1)}, number{v: f.dim(2)}}}, true
	case "LocalID":
		row := f.emit(ir.Div, ir.I64, f.rank(), f.dim(0))
		x, y, z := f.emit(ir.Rem, ir.I64, f.rank(), f.dim(0)), f.emit(ir.Rem, ir.I64, row, f.dim(1)), f.emit(ir.Div, ir.I64, row, f.dim(1))
		return &parts{list: []tree{number{v: x}, number{v: y}, number{v: z}}}, true
	case "Barrier":
		f.emit(ir.Meet, ir.None)
		return &parts{}, true
	}
	f.refuse(x.Pos(), "", "a kernel cannot call method %s of a member", o.Name())
	return nil, false
}

// ofTeams lowers a function of package team.
func (f *frame) ofTeams(o *types.Func, x *ast.CallExpr, args *types.TypeList) (t tree, ok bool) {
	if o.Pkg() == nil || o.Signature().Recv() != nil || !o.Exported() {
		return nil, false
	}
	if o.Pkg().Path() == teamPath+"/group" {
		return f.vote(o.Name(), x)
	}
	if o.Pkg().Path() != teamPath {
		return nil, false
	}
	if name := strings.TrimRight(o.Name(), "23"); strings.HasSuffix(name, "Range") {
		return f.makeRange(x, name, o), true
	}
	f.at = x.Pos()
	switch o.Name() {
	case "For":
		f.forItems(x)
	case "Reduce", "Reduce2", "Reduce3", "Reduce4":
		f.nestedReduce(x)
	case "ReduceLanes":
		f.reduceLanes(x)
	case "Shares":
		return f.shares(x), true
	case "BroadcastFunc":
		return f.broadcastFunc(x), true
	case "Scan":
		f.nestedScan(x)
	case "ExclusiveScan":
		return number{v: f.prefix(x)}, true
	case "AllReduce":
		return f.allReduce(x), true
	case "Broadcast":
		return f.broadcast(x), true
	case "Single":
		f.ofGroup(x.Args[0])
		lit := f.functionOf(x.Args[1])
		f.branch(f.emit(ir.Eq, ir.Bool, f.rank(), f.integer(0)), func() { f.callWith(x, lit, nil) }, func() {})
	case "SingleValue":
		return f.singleValue(x), true
	case "Scratch", "MemberScratch":
		return f.scratch(x, o.Name() == "Scratch", args.At(0)), true
	default:
		f.refuse(x.Pos(), "", "a kernel cannot call team.%s", o.Name())
	}
	return &parts{}, true
}
