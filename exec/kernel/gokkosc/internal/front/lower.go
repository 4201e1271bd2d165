package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// lowering is the state while a kernel is made.
type lowering struct {
	world   *world
	pkg     *packages.Package // of the constructor
	k       *ir.Kernel
	scalars map[string]*ir.Value
	consts  map[constKey]*ir.Value
	imports map[string]string

	cur      *ir.Block
	vars     map[any]tree // *types.Var, *flag, accumulator
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

// A frame is a function whose body is being lowered.
type frame struct {
	*lowering
	pkg     *packages.Package
	types   map[*types.TypeParam]types.Type
	results []types.Type
	named   []*types.Var // results with names
	ret     *flag
	values  []*flag      // results so far
	exits   []*exit      // what break and continue lead to, innermost last
	known   map[any]tree // variables of others
	setup   bool         // the part of the constructor before its literal

	earlier       accesses     // than the statement
	read, changed map[any]bool // by the statement so far: values of variables, and variables by calls
}

// kernel lowers a kernel. It returns an error if there can be no generated constructor.
func (w *world) kernel(p *packages.Package, d *ast.FuncDecl) (*Kernel, error) {
	l := w.lowering(p)
	out := &Kernel{Func: d.Name.Name, Pos: l.position(d.Name.Pos()), Imports: l.imports}
	for _, c := range d.Doc.List {
		if !strings.HasPrefix(c.Text, "//go:") && !strings.HasPrefix(c.Text, "//gokkos:") {
			out.Doc = append(out.Doc, c.Text)
		}
	}
	def, ok := p.TypesInfo.Defs[d.Name].(*types.Func)
	if !ok {
		out.Refused = &Refusal{Pos: out.Pos, Reason: d.Name.Name + " is declared twice"}
		return out, nil
	}
	return l.lower(out, func() error {
		out.Result = l.signature(def.Signature())
		if err := l.sameInAll(p, d); err != nil && out.Result != "" {
			return err
		}
		if r := w.broken(p, d); r != nil {
			return r
		}
		l.constructor(d)
		return nil
	})
}

// lowering returns what lowers a kernel of a package.
func (w *world) lowering(p *packages.Package) *lowering {
	return &lowering{
		world: w, pkg: p, rounds: 1, scalars: map[string]*ir.Value{}, consts: map[constKey]*ir.Value{}, imports: map[string]string{},
		vars: map[any]tree{}, order: map[any]int{}, captured: map[*types.Var]bool{}, summands: map[*ir.Value]token.Pos{}, products: map[ir.Type]token.Pos{},
		noted: map[declared]bool{},
	}
}

// lower completes a kernel by a function that lowers it.
func (l *lowering) lower(out *Kernel, f func() error) (*Kernel, error) {
	l.k = &ir.Kernel{Name: out.Func, Pos: out.Pos, Setup: &ir.Block{}, Body: &ir.Block{}}
	l.cur = l.k.Body
	err := func() (err error) {
		defer caught(&err)
		if l.site != nil {
			defer internal(l.position(l.site.Expr.Pos()))
		}
		if err := f(); err != nil {
			return err
		}
		if err := l.k.Verify(); err != nil {
			panic("gokkosc: " + err.Error() + "\n" + l.k.String())
		}
		return nil
	}()
	out.Params, out.Value = l.k.Params, l.returned
	out.MadeOf, out.Builds, out.Fuses = l.decls, l.builds, l.fuses
	if len(l.further) > 0 {
		out.Params = l.k.Params[:len(l.k.Params)-len(l.further)]
	}
	if err != nil {
		r, ok := err.(*Refusal)
		if !ok {
			return nil, err
		}
		out.Refused = r
		return out, nil
	}
	out.IR = l.k
	return out, nil
}

// signature notes the parameters, up to one without a name, and returns the type of what is returned: "" if
// there can be no function of the same parameters that returns as much.
func (l *lowering) signature(sig *types.Signature) (result string) {
	if sig.Recv() != nil || sig.TypeParams().Len() > 0 || sig.Variadic() {
		return ""
	}
	for n := range sig.Params().Len() {
		v := sig.Params().At(n)
		if v.Name() == "" || v.Name() == "_" {
			return ""
		}
		l.k.Params = append(l.k.Params, ir.Param{Name: v.Name(), Type: l.typeString(v.Type())})
	}
	if sig.Results().Len() != 1 {
		return ""
	}
	return l.typeString(sig.Results().At(0).Type())
}

// constructor lowers the functor that a constructor returns.
func (l *lowering) constructor(d *ast.FuncDecl) {
	l.at = d.Name.Pos()
	l.madeOf(l.pkg, d)
	f := l.pkg.TypesInfo.Defs[d.Name].(*types.Func)
	sig := f.Signature()
	switch {
	case d.Recv != nil:
		l.refuse(d.Pos(), "make it a function of what it captures", "constructor %s is a method", d.Name.Name)
	case sig.TypeParams().Len() > 0:
		l.refuse(d.Pos(), "write one for each type, which calls a generic function: that is inlined", "constructor %s is generic", d.Name.Name)
	case sig.Variadic():
		l.refuse(d.Pos(), "take a slice", "constructor %s is variadic", d.Name.Name)
	case d.Body == nil:
		l.refuse(d.Pos(), "", "constructor %s has no body", d.Name.Name)
	}
	if len(l.k.Params) < sig.Params().Len() {
		l.refuse(d.Pos(), "give it one", "parameter %d of constructor %s has no name", len(l.k.Params), d.Name.Name)
	}
	for n := range sig.Params().Len() {
		v := sig.Params().At(n)
		l.set(v, l.param(n, nil, v.Type()))
		l.captured[v] = true
	}
	lit := l.setUp(d)
	l.functor(body{l.pkg, l.pkg.TypesInfo.TypeOf(lit).(*types.Signature), lit.Pos(), lit.Body.List, nil})
	l.finish()
}

// setUp lowers what a constructor does before it returns its literal, and returns that.
func (l *lowering) setUp(d *ast.FuncDecl) *ast.FuncLit {
	f := &frame{lowering: l, pkg: l.pkg, setup: true, ret: l.newFlag("returned")}
	list := d.Body.List
	if len(list) == 0 {
		l.refuse(d.Pos(), "", "constructor %s returns nothing", d.Name.Name)
	}
	for _, s := range list[:len(list)-1] {
		switch s := s.(type) {
		case *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt:
			if lit := literalIn(s); lit != nil {
				l.refuse(lit.Pos(), "return the literal itself, as the last statement: nothing it captures can change behind it", "constructor %s keeps its functor in a variable", d.Name.Name)
			}
			f.stmt(s)
		default:
			l.refuse(s.Pos(), "compute numbers there, or pass them as parameters", "constructor %s has a statement before its literal that is no assignment", d.Name.Name)
		}
	}
	l.k.Body.Walk(func(v *ir.Value) {
		if v.Op.Accesses() || v.Op == ir.Check {
			at := list[0].Pos()
			l.refuse(at, "do it in the functor", "constructor %s looks into memory, or does what can fail, before its literal", d.Name.Name)
		}
	})
	ret, ok := list[len(list)-1].(*ast.ReturnStmt)
	if ok && len(ret.Results) == 1 {
		if lit, ok := ast.Unparen(ret.Results[0]).(*ast.FuncLit); ok {
			for v := range l.vars {
				if v, ok := v.(*types.Var); ok {
					l.captured[v] = true
				}
			}
			return lit
		}
	}
	l.refuse(list[len(list)-1].Pos(), "end it with return func(i int) { ... }", "constructor %s does not return a function literal", d.Name.Name)
	return nil
}

func literalIn(n ast.Node) (lit *ast.FuncLit) {
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok && lit == nil {
			lit = f
		}
		return lit == nil
	})
	return lit
}

// maxAccumulators is how many accumulators a reduction can have.
const maxAccumulators = 4

// A body is that of a functor.
type body struct {
	pkg  *packages.Package
	sig  *types.Signature
	at   token.Pos
	list []ast.Stmt

	types map[*types.TypeParam]types.Type
}

// functor lowers a functor.
func (l *lowering) functor(b body) {
	sig := b.sig
	if sig.Params().Len() == 1 && sig.Results().Len() == 1 {
		l.valued(b)
		return
	}
	f := &frame{lowering: l, pkg: b.pkg, types: b.types, ret: l.newFlag("returned")}
	const forms = "expected func(i int), or func(i int, acc *T) with up to 4 accumulators, or func(i int, acc *T, final bool), or a policy.Span, a policy.Index2 to Index6, a policy.Row of one or a *team.Member in place of the int; or a func(x T) V, in place of a function that owns its loop over slices, too"
	accumulators := sig.Params().Len() - 1
	if accumulators == 2 && l.ofScan(sig) {
		accumulators = 1
	}
	if sig.Params().Len() == 0 || sig.Params().Len() > 1+maxAccumulators || sig.Results().Len() > 0 {
		l.refuse(b.at, forms, "the functor is a %s", l.typeString(sig))
	}
	index := sig.Params().At(0)
	t, ok := l.index(index)
	if !ok {
		l.refuse(b.at, forms, "the functor has an index of type %s", l.typeString(index.Type()))
	}
	l.set(index, t)
	for n := range accumulators {
		v := sig.Params().At(n + 1)
		p, ok := f.subst(v.Type()).(*types.Pointer)
		if !ok {
			l.refuse(v.Pos(), forms, "the functor has a parameter of type %s", l.typeString(v.Type()))
		}
		l.k.Lanes = append(l.k.Lanes, ir.Lanes{Name: v.Name(), GoType: l.typeString(p.Elem()), Basic: p.Elem().Underlying().String(), Size: int(l.pkg.TypesSizes.Sizeof(p.Elem()))})
		if f.staysInMemory(v, p.Elem(), b.list) {
			if l.k.Scan {
				l.refuse(v.Pos(), "accumulate a few numbers", "the functor of a scan has an accumulator of type %s in memory", l.typeString(p.Elem()))
			}
			addr := l.accumulatorAt(n, v)
			l.set(v, far{addr, p.Elem()})
			l.set(accumulator{n}, number{v: addr})
			continue
		}
		l.set(v, accumulator{n})
		l.set(accumulator{n}, l.accumulated(n, v, p.Elem(), nil, 0, false))
	}
	f.stmts(b.list)
}

// ofScan reports whether a functor is that of a scan, and makes the kernel one.
func (l *lowering) ofScan(sig *types.Signature) bool {
	index, final := sig.Params().At(0), sig.Params().At(2)
	l.k.Scan = types.Identical(index.Type(), types.Typ[types.Int]) && types.Identical(final.Type(), types.Typ[types.Bool])
	if l.k.Scan {
		l.set(final, number{v: l.scalar(l.add("final", types.Typ[types.Bool]), nil, ir.Bool, "bool")})
	}
	return l.k.Scan
}

// finish completes the kernel.
func (l *lowering) finish() {
	var out []*ir.Value
	var products []token.Pos
	for n := range l.k.Lanes {
		t := l.vars[accumulator{n}]
		for n, mark := range marks(t) {
			if v := leaves(t)[n]; v != nil { // not where a slice begins
				out, products = append(out, v), append(products, mark)
			}
		}
	}
	for n, arg := range l.k.Body.Params {
		l.noProductCarried(arg, number{out[n], products[n]})
		l.k.Body.Yield = append(l.k.Body.Yield, out[n])
	}
	l.furtherLast()
	l.notShared()
	l.tablesLast()
	slices.Sort(l.k.Inlined)
	l.k.Inlined = slices.Compact(l.k.Inlined)
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

// in lowers something into a block, and returns the variables behind it; those before are
// restored.
func (l *lowering) in(b *ir.Block, f func()) map[any]tree {
	cur, vars := l.cur, l.vars
	l.cur, l.vars = b, clone(vars)
	f()
	after := l.vars
	l.cur, l.vars = cur, vars
	return after
}

func clone(vars map[any]tree) map[any]tree {
	c := make(map[any]tree, len(vars))
	for k, v := range vars {
		c[k] = v
	}
	return c
}
