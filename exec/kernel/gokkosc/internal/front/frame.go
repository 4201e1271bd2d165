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

// A syntax lowers expressions and statements by what lowers each kind of them. These lower their parts by it.
type syntax interface {
	expr(f *frame, x ast.Expr) tree
	stmts(f *frame, list []ast.Stmt) flow
}

// lowering is the state while a kernel is made.
type lowering struct {
	syntax
	world   *world
	pkg     *packages.Package // of the constructor
	k       *ir.Kernel
	scalars map[string]*ir.Value
	consts  map[constKey]*ir.Value
	imports map[string]string

	cur      *ir.Block
	vars     map[any]tree // *types.Var, *flag, accumulator
	log      []change     // of vars, so that what a block sets is found and undone without a look at all of them
	order    map[any]int  // of variables, by when they were set first
	at       token.Pos    // of what is lowered
	outside  token.Pos    // of the call that has led out of the constructor's package, if one has
	captured map[*types.Var]bool
	stores   int                     // so far, to memory and accumulators
	touched  accesses                // memory, so far
	loads    int                     // so far, of memory and accumulators in expressions
	alone    ast.Expr                // a call that is a statement, or all of what is assigned
	summands map[*ir.Value]token.Pos // what is added to something, and where
	products map[ir.Type]token.Pos   // products that are stored, by their type

	further  []int        // others
	team     int          // which of them is the team, if items are teams
	league   *ir.Value    // its rank
	looping  int          // loops around what is lowered
	returned *ir.Returned // what the functor returns, or nil

	folds    bool                  // conditions that are computed from constants are
	rounds   int                   // of loops that are written out around what is lowered, in all
	calls    []*types.Func         // that are being inlined
	literals []*ast.FuncLit        // that are, too
	decls    []sources.Declaration // see [Kernel.MadeOf]
	builds   []Build               // see [Kernel.Builds]
	noted    map[declared]bool     // what the kernel is made of

	fuses    token.Position                  // see [Kernel.Fuses]
	types    map[*types.TypeParam]types.Type // what those of the declaration around a functor in place stand for
	site     *Site                           // nil of a constructor
	far      map[string]*records             // what pointers in memory lead to, by type
	surveyed *[]*Refusal                     // why statements are refused; nil unless all reasons are looked for
	captures map[any]tree                    // of a functor in place, by *types.Var, or by the name of a variable of a package
}

// A change is a variable as it was before it was set or forgotten.
type change struct {
	key   any
	was   tree
	there bool // it was a variable
}

// A frame is a function whose body is being lowered.
type frame struct {
	*lowering
	pkg     *packages.Package
	types   map[*types.TypeParam]types.Type
	results []types.Type
	named   []*types.Var // results with names
	ret     *flag
	values  []*flag // results so far
	exits   []*exit // what break and continue lead to, innermost last
	mark    int     // length of the log when the function was entered
	setup   bool    // the part of the constructor before its literal

	earlier       accesses     // than the statement
	read, changed map[any]bool // by the statement so far: values of variables, and variables by calls
}

// An accesses has numbers of operations on memory, by the type of the elements.
type accesses struct{ loads, atomics [ir.Bool + 1]int }

// declared is a declaration, and one of the names in it.
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

// stmts lowers statements. Those behind one that may jump are run unless it has.
func (f *frame) stmts(list []ast.Stmt) flow { return f.syntax.stmts(f, list) }

// stmt lowers a statement.
func (f *frame) stmt(s ast.Stmt) flow { return f.stmts([]ast.Stmt{s}) }

// in lowers something into a block, and returns the variables that it has set, as they are behind it. All are again what
// they were before.
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

// undo makes the variables what they were when the log had a length.
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

// here returns a position in the constructor's package: of a function of another one, that of its call.
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
