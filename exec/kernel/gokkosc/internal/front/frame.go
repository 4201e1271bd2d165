package front

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// A syntax lowers expressions and statements, with one method for each kind. These methods lower their
// operands and inner statements through the syntax.
type syntax interface {
	expr(f *frame, x ast.Expr) tree
	stmts(f *frame, list []ast.Stmt) flow
}

// lowering is the state while a kernel is made.
type lowering struct {
	syntax
	world   *world
	pkg     *packages.Package // of the constructor, or of the functor in place
	k       *ir.Kernel
	scalars map[string]*ir.Value
	consts  map[constKey]*ir.Value
	imports map[string]string

	cur      *ir.Block
	vars     map[any]tree // by *types.Var, *flag, accumulator or scratchUsed
	log      []change     // changes of vars: a block undoes its own changes
	order    map[any]int  // numbers of variables, in the order in which they were set first
	at       token.Pos    // position of the expression or statement that is lowered
	outside  token.Pos    // position of the call that left the constructor's package; none within it
	captured map[*types.Var]bool
	stores   int                     // number of stores so far, to memory and accumulators
	touched  accesses                // number of operations on memory so far
	ofOwn    ownOrder                // of the statement
	stored   []int                   // memories of the item's own to which the call that is inlined has stored
	loads    int                     // number of loads so far, of memory and accumulators in expressions
	alone    ast.Expr                // a call that is a statement, or the whole right side of an assignment
	summands map[*ir.Value]token.Pos // summands of sums, with positions of the sums
	products map[ir.Type]token.Pos   // positions of products that are stored, by type

	further  []int        // numbers of parameters that are no captures
	team     int          // number of the parameter that is the team, if items are teams
	league   *ir.Value    // rank of the team in its league
	looping  int          // number of loops around the statement
	returned *ir.Returned // value that the functor returns, or nil

	folds    bool                   // branches on conditions computed from constants are decided here
	rounds   int                    // product of the rounds of loops that are written out around the statement
	calls    []*types.Func          // functions that are being inlined, outermost first
	literals []*ast.FuncLit         // literals that are being inlined, outermost first
	decls    []sources.Declaration  // see [Kernel.MadeOf]
	builds   []Build                // see [Kernel.Builds]
	extents  map[cellsKey]*ir.Value // of cells of scatters
	noted    map[declared]bool      // declarations that the kernel is made of

	fuses           token.Position // see [Kernel.Fuses]
	unfused         string         // see [Kernel.Unfused]
	complexProducts []token.Pos
	types           map[*types.TypeParam]types.Type // type arguments of the declaration around a functor in place
	site            *Site                           // nil of a constructor
	far             map[string]*records             // records behind pointers in memory, by type
	surveyed        *[]*Refusal                     // why statements are refused; nil unless all reasons are looked for
	captures        map[any]tree                    // of a functor in place, by *types.Var, or by the name of a variable of a package
}

// A change is a variable as it was before it was set or forgotten.
type change struct {
	key   any
	was   tree
	there bool // the variable was set before
}

// A frame is a function whose body is being lowered.
type frame struct {
	*lowering
	pkg     *packages.Package
	types   map[*types.TypeParam]types.Type
	results []types.Type
	named   []*types.Var // results with names
	ret     *flag
	values  []*flag // variables of the results
	exits   []*exit // targets of break and continue, innermost last
	mark    int     // length of the log when the function was entered
	setup   bool    // the statements of a constructor in front of its literal are lowered

	earlier       accesses     // number of operations on memory in front of the statement
	read, changed map[any]bool // variables whose values the statement has taken so far, and variables that its calls have changed
}

// An accesses counts operations on memory, by the type of the elements.
type accesses struct{ loads, atomics [ir.Bool + 1]int }

// A declared is a name in a declaration.
type declared struct {
	ast.Node
	name  string
	whole bool
}

type constKey struct {
	t    ir.Type
	bits uint64
}

// emit appends a value to the current block.
func (l *lowering) emit(op ir.Op, t ir.Type, args ...*ir.Value) *ir.Value {
	v := l.k.NewValue(op, t, args...)
	v.Pos = l.here(l.at)
	l.cur.Values = append(l.cur.Values, v)
	if v.Writes() {
		l.stores++
	}
	return v
}

// expr lowers an expression.
func (f *frame) expr(x ast.Expr) tree { return f.syntax.expr(f, x) }

// stmts lowers statements. If a statement may jump, the statements after it run unless it has jumped.
func (f *frame) stmts(list []ast.Stmt) flow { return f.syntax.stmts(f, list) }

// stmt lowers a statement.
func (f *frame) stmt(s ast.Stmt) flow { return f.stmts([]ast.Stmt{s}) }

// in lowers something into a block, and returns the variables that the block has set, with their values at
// its end. Then it restores the variables from before the block.
func (l *lowering) in(b *ir.Block, f func()) map[any]tree {
	cur, mark := l.cur, len(l.log)
	l.cur = b
	f()
	after := map[any]tree{}
	for _, c := range l.log[mark:] {
		if t, ok := l.vars[c.key]; ok {
			after[c.key] = t
		}
	}
	l.undo(mark)
	l.cur = cur
	return after
}

// undo restores the variables to the time when the log had a length.
func (l *lowering) undo(mark int) {
	for _, c := range slices.Backward(l.log[mark:]) {
		if c.there {
			l.vars[c.key] = c.was
		} else {
			delete(l.vars, c.key)
		}
	}
	l.log = l.log[:mark]
}

// behind returns a variable behind a block, which has set those given.
func (l *lowering) behind(set map[any]tree, key any) tree {
	if t, ok := set[key]; ok {
		return t
	}
	return l.vars[key]
}

// here returns a position in the constructor's package. For a position in another package it returns the
// position of the call that led to that package.
func (l *lowering) here(at token.Pos) token.Position {
	if l.outside.IsValid() {
		at = l.outside
	}
	return l.position(at)
}

// position returns a position with the name of its file, without the folder.
func (l *lowering) position(at token.Pos) token.Position {
	p := l.world.fset.Position(at)
	p.Filename = p.Filename[strings.LastIndexByte(p.Filename, '/')+1:]
	p.Offset = 0
	return p
}

// refuse ends the lowering of a kernel.
func (l *lowering) refuse(at token.Pos, help, format string, a ...any) {
	r := &Refusal{l.here(at), fmt.Sprintf(format, a...), help}
	if l.outside.IsValid() {
		r.Reason = fmt.Sprintf("in %s, %v: %s", fullName(l.calls[len(l.calls)-1]), l.position(at), r.Reason)
	}
	panic(r)
}

func (f *frame) typeOf(x ast.Expr) types.Type { return f.subst(f.pkg.TypesInfo.TypeOf(x)) }

// subst returns a type with the arguments of the function's type parameters.
func (f *frame) subst(t types.Type) types.Type { return find.Subst(t, f.types) }

// typeString returns a type as the kernel's package writes it.
func (l *lowering) typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == l.pkg.PkgPath {
			return ""
		}
		name := l.world.importName(p, l.pkg.Types.Scope())
		l.imports[p.Path()] = name
		return name
	})
}
