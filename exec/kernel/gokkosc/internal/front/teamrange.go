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

	whole *teamRange // for Shares: the range whose shares are the items
	first *ir.Value  // for a share: the rank of the member that has the share
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

// mostItems is an upper bound for the items of a range that a loop takes, so that counters do not overflow.
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

// rangeOf returns the range if an expression yields its items: r.All().
func (f *frame) rangeOf(x ast.Expr) (r *teamRange, ok bool) {
	fn, sel, ok := f.called(x, "All")
	if !ok {
		return nil, false
	}
	if named, ok := types.Unalias(sel.Recv()).(*types.Named); !ok || !isOf(named, teamPath, "Range") {
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

// rangeItems lowers a range statement over the items of a range.
func (f *frame) rangeItems(s *ast.RangeStmt, r *teamRange, label string) flow {
	return f.items(r, s, label, func(j tree) flow {
		f.rangeVars(s, func() tree { return j }, nil)
		return f.stmts(s.Body.List)
	})
}

// forItems lowers team.For.
func (f *frame) forItems(x *ast.CallExpr) {
	r, lit := f.ranged(x.Args[0]), f.functionOf(x.Args[1])
	f.items(r, x, "", func(j tree) flow {
		f.callWith(x, lit, []tree{j})
		return onward
	})
}

// items lowers a loop over the items of a range that the member takes. The loop becomes an Each if it sets no
// variable of the member, and if no jump leaves it.
func (f *frame) items(r *teamRange, node ast.Node, label string, body func(j tree) flow) flow {
	if r.level == ir.OverVector {
		return f.strided(node, node, label, f.integer(0), r.n, f.integer(1), func(j *ir.Value) flow { return body(f.itemOf(r, j)) })
	}
	e := &exit{label: label, brk: f.newFlag("broken"), cont: f.newFlag("continued")}
	f.exits = append(f.exits, e)
	leavers := f.leavers(node, e)
	f.exits = f.exits[:len(f.exits)-1]
	if _, isCall := node.(*ast.CallExpr); isCall { // jumps stay in the functor
		leavers = nil
	}
	rank := r.first
	if rank == nil {
		if len(f.assigned(node))+len(leavers) == 0 {
			return f.eachItem(r, e, body)
		}
		rank = f.rank()
	}
	size := f.teamSize()
	if r.level == ir.OverThreads {
		return f.strided(node, node, label, rank, r.n, size, func(j *ir.Value) flow { return body(f.itemOf(r, j)) })
	}
	if len(leavers) > 0 {
		f.refuse(node.Pos(), "put the condition into the loop", "a loop over a TeamVectorRange is left early")
	}
	lanes := f.ofTeam(ir.VectorLength...)
	stride := f.emit(ir.Mul, ir.I64, size, lanes)
	return f.strided(node, node, "", f.emit(ir.Mul, ir.I64, rank, lanes), r.n, stride, func(b *ir.Value) flow {
		end := f.emit(ir.Min, ir.I64, r.n, f.emit(ir.Add, ir.I64, b, lanes))
		return f.strided(node, node, label, b, end, f.integer(1), func(j *ir.Value) flow { return body(f.itemOf(r, j)) })
	})
}

// eachItem lowers the items of a range as an Each: its items share only memory.
func (f *frame) eachItem(r *teamRange, e *exit, body func(j tree) flow) flow {
	v := f.k.NewValue(ir.Each, ir.None, r.n)
	v.Pos, v.Index, v.Blocks = f.here(f.at), int(r.level), []*ir.Block{{}}
	j := f.k.NewValue(ir.Arg, ir.I64)
	v.Blocks[0].Params = []*ir.Value{j}
	f.looping++
	f.exits = append(f.exits, e)
	f.in(v.Blocks[0], func() {
		f.set(e.cont, number{v: f.truth(false)})
		body(f.itemOf(r, j))
	})
	f.exits = f.exits[:len(f.exits)-1]
	f.looping--
	f.cur.Values = append(f.cur.Values, v)
	return onward
}

// strided lowers a loop over from, from+step, ... below to, which takes items.
func (f *frame) strided(node, rest ast.Node, label string, from, to, step *ir.Value, body func(j *ir.Value) flow) flow {
	return f.counting(loop{label: label, node: node, rest: rest}, "j", from, to, func() *ir.Value { return step }, false, body)
}
