package front

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// lowering returns what lowers a kernel of a package.
func (w *world) lowering(p *packages.Package) *lowering {
	return &lowering{
		syntax: grammar{}, world: w, pkg: p, rounds: 1, scalars: map[string]*ir.Value{}, consts: map[constKey]*ir.Value{}, imports: map[string]string{},
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
	out.MadeOf, out.Builds, out.Fuses, out.Unfused = l.decls, l.builds, l.fuses, l.unfused
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

// functor lowers a functor.
func (l *lowering) functor(b body) {
	sig := b.sig
	if sig.Params().Len() == 1 && sig.Results().Len() == 1 {
		l.valued(b)
		return
	}
	if sig.Params().Len() == 1 && sig.Results().Len() == 0 {
		if acc, ok := isLanes(sig.Params().At(0).Type()); ok {
			l.lanes(b, acc)
			return
		}
	}
	f := &frame{lowering: l, pkg: b.pkg, types: b.types, ret: l.newFlag("returned")}
	const forms = "expected func(i int), or func(i int, acc *T) with up to 4 accumulators, or func(i int, acc *T, final bool), or a policy.Span, a policy.Index2 to Index6, a policy.Row of one or a *team.Member in place of the int; or an exec.Lanes, or a func(x T) V, in place of a function that owns its loop over slices, too"
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
		f.accumulator(n, v, p.Elem(), b.list)
	}
	f.stmts(b.list)
}

// accumulator adds accumulator n of a functor, which statements use through a variable.
func (f *frame) accumulator(n int, v *types.Var, elem types.Type, list []ast.Stmt) {
	l := f.lowering
	l.k.Lanes = append(l.k.Lanes, ir.Lanes{Name: v.Name(), GoType: l.typeString(elem), Basic: elem.Underlying().String(), Size: int(l.pkg.TypesSizes.Sizeof(elem))})
	if f.staysInMemory(v, elem, list) {
		if l.k.Scan {
			l.refuse(v.Pos(), "accumulate a few numbers", "the functor of a scan has an accumulator of type %s in memory", l.typeString(elem))
		}
		addr := l.accumulatorAt(n, v)
		l.set(v, far{addr, elem})
		l.set(accumulator{n}, number{v: addr})
		return
	}
	l.set(v, accumulator{n})
	l.set(accumulator{n}, l.accumulated(n, v, elem, nil, 0, false))
}

// ofScan reports whether a functor is the functor of a scan. It then makes the kernel a scan.
func (l *lowering) ofScan(sig *types.Signature) bool {
	index, final := sig.Params().At(0), sig.Params().At(2)
	l.k.Scan = types.Identical(index.Type(), types.Typ[types.Int]) && types.Identical(final.Type(), types.Typ[types.Bool])
	if l.k.Scan {
		l.set(final, number{v: l.scalar(l.add("final", types.Typ[types.Bool]), nil, ir.Bool, "bool")})
	}
	return l.k.Scan
}

// valued lowers a functor that returns a value.
func (l *lowering) valued(b body) {
	x, result := b.sig.Params().At(0), b.sig.Results().At(0)
	f := &frame{lowering: l, pkg: b.pkg, types: b.types}
	of, to := f.subst(x.Type()), f.subst(result.Type())
	index, isIndex := l.index(x)
	if l.k.Index.Row || l.k.Team != ir.NoTeam {
		l.refuse(b.at, "return the value of a point, or store those of a row or a span in a slice", "the functor returns a value of a %s", l.typeString(of))
	}
	l.returned = &ir.Returned{Index: isIndex, Of: l.typeString(of), Type: l.typeString(to)}
	var item *ir.Value
	if isIndex {
		l.set(x, index)
		along, isInt := index.(number)
		if !isInt {
			along.v = l.item("")
		}
		first := l.scalar(l.add("first", types.Typ[types.Int]), nil, ir.I64, "int")
		l.at = b.at
		item = l.emit(ir.Sub, ir.I64, along.v, first)
	} else {
		item = l.item("")
		src := l.furtherSlice("src", x, of)
		l.emit(ir.Check, ir.None, item, src.len)
		l.set(x, f.loadAt(src, item))
	}
	dst := l.furtherSlice("dst", result, to)
	f.returnsTo(b.sig)
	f.stmts(b.list)
	n := f.numberResult(b, result)
	l.at = b.at
	l.emit(ir.Check, ir.None, item, dst.len)
	l.emit(ir.Store, ir.None, item, n.v).Index = dst.mem
}

// numberResult returns the value that the functor has returned.
func (f *frame) numberResult(b body, result *types.Var) number {
	switch t := f.result().(type) {
	case number:
		return t
	case bad:
		f.refuse(b.at, t.help, "a kernel cannot have %s", t.reason)
	}
	f.refuse(b.at, numberTypes, "a kernel cannot compute with %s", f.typeString(result.Type()))
	return number{}
}

// furtherSlice adds a slice.
func (l *lowering) furtherSlice(name string, of *types.Var, elem types.Type) *slice {
	if _, ok := elemType(elem); !ok {
		l.refuse(of.Pos(), numberTypes, "the functor is a function of or to a %s", l.typeString(elem))
	}
	t := types.NewSlice(elem)
	n := l.add(name, t)
	return l.sliceParam(n, nil, t, t).(*lazySlice).get()
}
