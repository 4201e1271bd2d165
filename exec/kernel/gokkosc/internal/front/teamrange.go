package front

import (
	"go/ast"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// A teamRange is a range of a team: number of items, and lengths if it has several dimensions.
type teamRange struct {
	level   ir.Level
	typ     types.Type // of an item
	n       *ir.Value
	lengths []*ir.Value

	whole *teamRange // of Shares: the range whose shares are the items
	first *ir.Value  // of a share: the rank of the member whose it is
}

func (r *teamRange) leaves() []*ir.Value {
	out := append([]*ir.Value{r.n}, r.lengths...)
	if r.first != nil {
		out = append(out, r.first)
	}
	if r.whole != nil {
		out = append(out, r.whole.leaves()...)
	}
	return out
}

func (r *teamRange) with(take func() *ir.Value) tree {
	s := &teamRange{level: r.level, typ: r.typ, n: take()}
	for range r.lengths {
		s.lengths = append(s.lengths, take())
	}
	if r.first != nil {
		s.first = take()
	}
	if r.whole != nil {
		s.whole = r.whole.with(take).(*teamRange)
	}
	return s
}

func (r *teamRange) differs(_ *ir.Kernel, other tree) (says, help string) {
	if s, ok := other.(*teamRange); ok && (r.level != s.level || !types.Identical(r.typ, s.typ)) {
		return "is one of several ranges", "use each where it is made"
	}
	return "", ""
}

// ofTeam returns a number that all teams of a launch have in common.
func (l *lowering) ofTeam(path ...ir.Step) *ir.Value { return l.scalar(l.team, path, ir.I64, "int") }

func (l *lowering) teamSize() *ir.Value { return l.ofTeam(ir.TeamSize...) }

// dim returns a length of the team in a dimension.
func (l *lowering) dim(n int) *ir.Value {
	return l.ofTeam(ir.Step{Kind: ir.Field, Field: "Shape"}, ir.Step{Kind: ir.Field, Field: "Dims"}, ir.Step{Kind: ir.Elem, N: n})
}

func (f *frame) rank() *ir.Value { return f.emit(ir.Member, ir.I64) }

// ofGroup refuses groups that are not the team.
func (f *frame) ofGroup(x ast.Expr) {
	if _, ok := f.expr(x).(member); !ok {
		f.refuse(x.Pos(), "use the team", "a kernel cannot have groups that are no team")
	}
}

// mostItems is above the number of items of a range that loops take: counters do not wrap around.
const mostItems = 1 << 62

// makeRange lowers a range.
func (f *frame) makeRange(x *ast.CallExpr, name string, o *types.Func) tree {
	f.ofGroup(x.Args[0])
	level := map[string]ir.Level{"ThreadRange": ir.OverThreads, "VectorRange": ir.OverVector, "TeamVectorRange": ir.OverBoth}[name]
	of := types.Unalias(o.Signature().Results().At(0).Type()).(*types.Named).TypeArgs().At(0)
	r := &teamRange{level: level, typ: of}
	for _, a := range x.Args[1:] {
		n := f.numberOf(f.expr(a), a).v
		f.at = a.Pos()
		limit := []int{mostItems, 1 << 31, 1 << 20}[len(x.Args)-2]
		f.emit(ir.Check, ir.None, n, f.integer(limit))
		if r.lengths = append(r.lengths, n); r.n == nil {
			r.n = n
		} else {
			r.n = f.emit(ir.Mul, ir.I64, r.n, n)
		}
	}
	return r
}

// itemOf returns item j of a range as a tree.
func (f *frame) itemOf(r *teamRange, j *ir.Value) tree {
	if r.whole != nil {
		share := *r.whole
		share.first = j
		return &share
	}
	if len(r.lengths) == 1 {
		return number{v: j}
	}
	p := &parts{typ: r.typ, list: make([]tree, len(r.lengths))}
	for d := len(r.lengths) - 1; d > 0; d-- {
		p.list[d] = number{v: f.emit(ir.Rem, ir.I64, j, r.lengths[d])}
		j = f.emit(ir.Div, ir.I64, j, r.lengths[d])
	}
	p.list[0] = number{v: j}
	return p
}

// rangeOf returns the range whose items an expression yields: r.All().
func (f *frame) rangeOf(x ast.Expr) (r *teamRange, ok bool) {
	call, isCall := ast.Unparen(x).(*ast.CallExpr)
	if !isCall {
		return nil, false
	}
	fn, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isMethod {
		return nil, false
	}
	sel := f.pkg.TypesInfo.Selections[fn]
	if sel == nil || sel.Kind() != types.MethodVal || sel.Obj().Name() != "All" {
		return nil, false
	}
	named, isNamed := types.Unalias(sel.Recv()).(*types.Named)
	if !isNamed || !isOf(named, teamPath, "Range") {
		return nil, false
	}
	return f.ranged(fn.X), true
}

// ranged lowers an expression that is a range.
func (f *frame) ranged(x ast.Expr) *teamRange {
	r, ok := f.expr(x).(*teamRange)
	if !ok {
		f.refuse(x.Pos(), "", "a kernel cannot have %s here", f.typeString(f.typeOf(x)))
	}
	return r
}

// functionOf returns a functor as a literal.
func (f *frame) functionOf(x ast.Expr) *function {
	fn, ok := f.expr(x).(*function)
	if !ok || fn.lit == nil {
		f.refuse(x.Pos(), "give it a literal", "a nested pattern gets a functor from elsewhere")
	}
	return fn
}
