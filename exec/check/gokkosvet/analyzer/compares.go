package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

const noComparedIdentity = "this join compares its values, and zero, the identity without reducers.Init, takes part: give the identity " +
	"with reducers.Init, as +Inf for a minimum, or use a reducer of package builtin"

// A join is a function that has two values, or what is made of them: those of dst and of src.
type join struct {
	*checker
	of [2]map[types.Object]bool
}

// compares reports whether a join decides by the order of numbers of its two values, and so by a zero that no item
// has given. A join that asks one of its values whether it is empty knows.
func (c *checker) compares(typ *ast.FuncType, body *ast.BlockStmt) bool {
	var values []types.Object
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			values = append(values, c.pass.TypesInfo.Defs[name])
		}
	}
	if len(values) != 2 {
		return false
	}
	j := &join{c, [2]map[types.Object]bool{{values[0]: true}, {values[1]: true}}}
	compared, asks := j.look(body, 0)
	return compared && !asks
}

// look looks at the body of a join, and of functions of the package that it calls.
func (j *join) look(body *ast.BlockStmt, depth int) (compared, asks bool) {
	j.spread(body)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			asks = asks || j.alone(n.Cond)
		case *ast.ForStmt:
			asks = asks || n.Cond != nil && j.alone(n.Cond)
		case *ast.CaseClause:
			asks = asks || slices.ContainsFunc(n.List, j.alone)
		case *ast.SliceExpr:
			asks = asks || n.High != nil && j.alone(n.High)
		case *ast.RangeStmt:
			_, isSlice := j.pass.TypesInfo.TypeOf(n.X).Underlying().(*types.Slice)
			asks = asks || isSlice && j.alone(n.X)
		case *ast.BinaryExpr:
			compared = compared || j.orders(n)
		case *ast.CallExpr:
			within, empty := j.call(n, depth)
			compared, asks = compared || within, asks || empty
		}
		return true
	})
	return compared, asks
}

// orders reports whether an expression compares a number of one value with one of the other. Zero is the least of the
// numbers without a sign, and of texts: only what keeps the lesser of them needs another identity.
func (j *join) orders(n *ast.BinaryExpr) bool {
	less, more := n.X, n.Y
	switch n.Op {
	case token.LSS, token.LEQ:
	case token.GTR, token.GEQ:
		less, more = more, less
	default:
		return false
	}
	a, b := j.side(less), j.side(more)
	if a < 0 || b < 0 || a == b || j.lengths(n) {
		return false
	}
	return j.basic(less, types.IsNumeric) && !j.basic(less, types.IsUnsigned) || a == 1
}

// call reports whether a call compares the two values, and whether it asks one whether it is empty.
func (j *join) call(call *ast.CallExpr, depth int) (compared, asks bool) {
	args := slices.Clone(call.Args)
	if name := j.builtin(call); name == "min" || name == "max" {
		return (name == "min" || !j.basic(call, types.IsUnsigned|types.IsString)) && j.both(args), false
	}
	if f := j.callee(call); f != nil && f.Pkg() != nil {
		switch path := f.Pkg().Path() + "." + f.Name(); path {
		case "math.Min", "math.Max", "cmp.Compare", "cmp.Less", "strings.Compare", "bytes.Compare":
			return j.both(args), false
		}
	}
	decl := j.declared(call.Fun)
	if decl == nil || decl.Body == nil || depth == 4 {
		return false, false
	}
	inner := &join{j.checker, [2]map[types.Object]bool{{}, {}}}
	fields := slices.Clone(decl.Type.Params.List)
	if decl.Recv != nil {
		if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			args, fields = append([]ast.Expr{s.X}, args...), append(slices.Clone(decl.Recv.List), fields...)
		}
	}
	k := 0
	for _, field := range fields {
		for _, name := range field.Names {
			if k < len(args) {
				if side := j.side(args[k]); side >= 0 {
					inner.of[side][j.pass.TypesInfo.Defs[name]] = true
				}
			}
			k++
		}
	}
	return inner.look(decl.Body, depth+1)
}

// both reports whether one argument is of one value and another one of the other.
func (j *join) both(args []ast.Expr) bool {
	is := func(side int) func(e ast.Expr) bool { return func(e ast.Expr) bool { return j.side(e) == side } }
	return slices.ContainsFunc(args, is(0)) && slices.ContainsFunc(args, is(1))
}

// side returns which of the two values an expression is made of: 0 for dst, 1 for src, -1 for none or both.
func (j *join) side(e ast.Node) int {
	var used [2]bool
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			o := j.pass.TypesInfo.ObjectOf(id)
			used[0], used[1] = used[0] || j.of[0][o], used[1] || j.of[1][o]
		}
		return true
	})
	switch used {
	case [2]bool{true, false}:
		return 0
	case [2]bool{false, true}:
		return 1
	}
	return -1
}

// alone reports whether a part of a condition is of one of the values: it may be how the join knows a zero. The length
// of an array says nothing.
func (j *join) alone(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			return j.alone(x.X) || j.alone(x.Y)
		}
		if call, ok := ast.Unparen(x.Y).(*ast.CallExpr); ok && j.pass.TypesInfo.Types[call].Value != nil {
			return j.side(x.X) >= 0
		}
	}
	return j.side(e) >= 0
}

// lengths reports whether a comparison is one of lengths, which zero values have, too.
func (j *join) lengths(n *ast.BinaryExpr) bool {
	is := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && (j.builtin(call) == "len" || j.builtin(call) == "cap")
	}
	return is(n.X) || is(n.Y)
}

// spread finds the variables that are made of one of the values.
func (j *join) spread(body *ast.BlockStmt) {
	mark := func(left ast.Expr, right ast.Node) bool {
		id, ok := left.(*ast.Ident)
		if !ok {
			return false
		}
		o, side := j.pass.TypesInfo.ObjectOf(id), j.side(right)
		if o == nil || side < 0 || j.of[0][o] || j.of[1][o] {
			return false
		}
		j.of[side][o] = true
		return true
	}
	for grown := true; grown; {
		grown = false
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for k, left := range n.Lhs {
					grown = mark(left, n.Rhs[min(k, len(n.Rhs)-1)]) || grown
				}
			case *ast.RangeStmt:
				grown = mark(n.Value, n.X) || grown
			}
			return true
		})
	}
}
