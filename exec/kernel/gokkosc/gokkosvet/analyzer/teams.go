package analyzer

import (
	"fmt"
	"go/ast"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// collectives are the packages with collective functions.
var collectives = []string{"team", "team/group"}

// ranked finds the variables that differ between members: values computed from a rank, and indices of ranges
// that members divide.
func (f *functor) ranked() {
	f.ranks, f.subRanks = map[types.Object]bool{}, map[types.Object]bool{}
	for grown := true; grown; {
		grown = false
		mark := func(e ast.Expr, from ast.Node) {
			id, ok := e.(*ast.Ident)
			if !ok || from == nil {
				return
			}
			o := f.pass.TypesInfo.ObjectOf(id)
			if o == nil {
				return
			}
			if !f.ranks[o] && f.differs(from, f.ranks, "Member", "SubGroup") {
				f.ranks[o], grown = true, true
			}
			if !f.subRanks[o] && f.differs(from, f.subRanks, "SubGroup") {
				f.subRanks[o], grown = true, true
			}
		}
		for at := range f.body.Preorder((*ast.AssignStmt)(nil), (*ast.RangeStmt)(nil)) {
			switch n := at.Node().(type) {
			case *ast.AssignStmt:
				for k, left := range n.Lhs {
					if len(n.Rhs) == len(n.Lhs) {
						mark(left, n.Rhs[k])
					}
				}
			case *ast.RangeStmt:
				mark(n.Key, n.X)
			}
		}
	}
}

// differs reports whether an expression may differ between members of a group because it depends on a rank.
func (f *functor) differs(n ast.Node, known map[types.Object]bool, ranked ...string) (found bool) {
	if f.mentions(n, func(o types.Object) bool { return o != nil && known[o] }) {
		return true
	}
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !found
		}
		if f.uniform(call) {
			return false
		}
		switch c := f.callee(call); {
		case !isOf(c, "team"):
		case c.Name() == "Rank":
			recv := c.Signature().Recv()
			found = found || recv != nil && slices.ContainsFunc(ranked, func(name string) bool { return isNamed(recv.Type(), "team", name) })
		case c.Name() == "ThreadRange" || c.Name() == "TeamVectorRange":
			found = found || slices.Contains(ranked, "Member")
		}
		return !found
	})
	return found
}

// uniform reports whether a call returns the same value to all members of its group.
func (f *functor) uniform(call *ast.CallExpr) bool {
	name := f.called(call, collectives...)
	return slices.Contains([]string{"All", "Any", "SingleValue"}, name) ||
		strings.HasPrefix(name, "AllReduce") || strings.HasPrefix(name, "Broadcast") || strings.HasPrefix(name, "Joint") && !strings.Contains(name, "Scan")
}

// meets reports a barrier or a collective that only some members reach.
func (f *functor) meets(at inspector.Cursor, call *ast.CallExpr) {
	name, of := f.meeting(call)
	if name == "" {
		return
	}
	known, ranked := f.ranks, []string{"Member", "SubGroup"}
	if of == "SubGroup" {
		known, ranked = f.subRanks, ranked[1:]
	}
	some := f.ofSome(at, of)
	for n := range f.conditions(at) {
		some = some || f.differs(n, known, ranked...)
	}
	if some {
		f.report(call, fmt.Sprintf("only some members reach this %s: the others would wait for ever", name))
	}
}

// meeting returns the name of a call that waits for the other members of a group, or "". The result of names
// the type of the group: Member or SubGroup.
func (f *functor) meeting(call *ast.CallExpr) (name, of string) {
	c := f.callee(call)
	if !isOf(c, collectives...) {
		return "", ""
	}
	group := call.Fun
	if recv := c.Signature().Recv(); recv != nil {
		s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || c.Name() != "Barrier" {
			return "", ""
		}
		group = s.X
	} else if len(call.Args) > 0 && c.Name() != "Single" && !strings.Contains(c.Name(), "Scratch") && !strings.HasSuffix(strings.TrimRight(c.Name(), "23456"), "Range") {
		group = call.Args[0]
	}
	for _, of := range []string{"Member", "SubGroup"} {
		if t := f.pass.TypesInfo.TypeOf(group); t != nil && isNamed(t, "team", of) {
			return c.Name(), of
		}
	}
	return "", ""
}

// ofSome reports whether a node is in a functor that only some members run at a time. Such a functor belongs
// to a nested range that members divide, or to team.Single.
func (f *functor) ofSome(at inspector.Cursor, of string) bool {
	for _, call := range f.nested(at) {
		if strings.HasPrefix(f.called(call, "team"), "Single") || of == "Member" && (f.spreads(call.Args[0], "ThreadRange") || f.spreads(call.Args[0], "TeamVectorRange")) {
			return true
		}
	}
	return false
}

// nested yields the literals around a node that are arguments of calls of [collectives], from the inside out,
// with these calls.
func (f *functor) nested(at inspector.Cursor) iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	return func(yield func(lit inspector.Cursor, call *ast.CallExpr) bool) {
		for lit := range at.Enclosing((*ast.FuncLit)(nil)) {
			if lit.Node().Pos() <= f.body.Node().Pos() {
				return
			}
			call, ok := lit.Parent().Node().(*ast.CallExpr)
			if ok && f.called(call, collectives...) != "" && !yield(lit, call) {
				return
			}
		}
	}
}

// spreads reports whether an expression is a nested range whose name contains part, or a variable that is set
// to such a range.
func (f *functor) spreads(e ast.Expr, part string) (is bool) {
	is = f.isRange(e, part)
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		for at := range f.body.Preorder((*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil)) {
			eachSet(at.Node(), func(left, to ast.Expr) {
				of, ok := left.(*ast.Ident)
				is = is || ok && to != nil && f.pass.TypesInfo.ObjectOf(of) == f.pass.TypesInfo.ObjectOf(id) && f.isRange(to, part)
			})
		}
	}
	return is
}

func (f *functor) isRange(e ast.Expr, part string) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && strings.Contains(f.called(call, "team"), part)
}
