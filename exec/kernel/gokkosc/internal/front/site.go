package front

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// placed lowers a functor where it stands.
func (w *world) placed(p *packages.Package, f *find.Functor, of instance) (*Kernel, error) {
	l := w.lowering(p)
	site := w.site(p, f)
	l.site, l.captures, l.types = site, map[any]tree{}, of.types
	out := &Kernel{Func: site.Name + of.suffix, Pos: l.position(site.Expr.Pos()), Imports: l.imports, Site: site}
	site.Types = of.String()
	out, err := l.lower(out, func() error { return l.inPlace(p, site, out) })
	if err == nil && out.Refused != nil {
		out.Others = w.otherReasons(p, f, of, out.Refused)
	}
	return out, err
}

// otherReasons returns why a functor is refused, but for the first reason.
func (w *world) otherReasons(p *packages.Package, f *find.Functor, of instance, first *Refusal) (others []*Refusal) {
	l := w.lowering(p)
	l.site, l.captures, l.types = w.site(p, f), map[any]tree{}, of.types
	l.k = &ir.Kernel{Setup: &ir.Block{}, Body: &ir.Block{}}
	l.cur = l.k.Body
	for _, r := range l.survey(func() { l.inPlace(p, l.site, &Kernel{}) }) {
		if *r != *first {
			others = append(others, r)
		}
	}
	return others
}

// inPlace lowers a functor where it stands.
func (l *lowering) inPlace(p *packages.Package, site *Site, out *Kernel) error {
	l.at = site.Expr.Pos()
	sig, ok := p.TypesInfo.TypeOf(site.Expr).Underlying().(*types.Signature)
	if !ok || !site.Known() {
		l.refuse(site.Expr.Pos(), "give the launch a literal, a function or a method", "%s gets a functor from elsewhere", site.Launch)
	}
	of := find.Subst(sig, l.types)
	l.nameable(site.Expr, of, "the functor")
	out.Result = l.typeString(of)
	site.Body = l.body(site, sig)
	if lit := site.Literal(); lit != nil {
		if r := l.world.broken(p, lit); r != nil {
			return r
		}
		l.functor(body{l.pkg, sig, lit.Pos(), lit.Body.List, l.types})
	} else {
		l.declared(site, sig)
	}
	if l.surveyed == nil {
		l.finish()
	}
	return nil
}

// site returns where a functor stands.
func (w *world) site(p *packages.Package, f *find.Functor) *Site {
	s := &Site{Functor: f, Name: siteName(f), Path: w.path(p, f.File)}
	s.From, s.To, s.Top = w.in(s.Path, f.Expr.Pos()), w.in(s.Path, f.Expr.End()), w.in(s.Path, f.File.Package)
	return s
}

// in returns a position in a file. A //line of the file may name another one, which is relative
// to its folder.
func (w *world) in(path string, at token.Pos) token.Position {
	p := w.fset.Position(at)
	if !filepath.IsAbs(p.Filename) {
		p.Filename = filepath.Join(filepath.Dir(path), p.Filename)
	}
	return p
}

// declared lowers a functor that is a function, or a method of a value.
func (l *lowering) declared(site *Site, sig *types.Signature) {
	at := site.Expr.Pos()
	o, sel := site.Function()
	p, d, err := l.world.declOf(l.pkg, o)
	if err != nil {
		l.refuse(at, "", "the functor is %s: %v", fullName(o), err)
	}
	def := p.TypesInfo.Defs[d.Name].(*types.Func)
	args, recvArgs := site.TypeArgs(), (*types.TypeList)(nil)
	if sel != nil {
		recv, of := l.receiver(site, sel, def)
		l.set(def.Signature().Recv(), recv)
		recvArgs = of.TypeArgs()
	}
	f := &frame{lowering: l, types: l.types}
	if p != l.pkg {
		l.outside = at
	}
	l.calls = append(l.calls, def)
	l.functor(body{p, def.Signature(), d.Pos(), d.Body.List, f.typeArgs(def, args, recvArgs)})
	l.calls = nil
}

// receiver returns the receiver of a method value, which Go evaluates where the value is made, and the type
// that has the method.
func (l *lowering) receiver(site *Site, sel *types.Selection, def *types.Func) (tree, *types.Named) {
	x := site.Expr.(*ast.SelectorExpr).X
	_, byPointer := def.Signature().Recv().Type().(*types.Pointer)
	expr, t := types.ExprString(x), find.Subst(sel.Recv(), l.types)
	if !plain(x) {
		l.hold(site, x, sel, byPointer)
		expr = heldName
		if _, isPointer := t.Underlying().(*types.Pointer); byPointer && !isPointer {
			t = types.NewPointer(t)
		}
	}
	for _, k := range sel.Index()[:len(sel.Index())-1] {
		if q, ok := t.Underlying().(*types.Pointer); ok {
			t = q.Elem()
		}
		field := t.Underlying().(*types.Struct).Field(k)
		expr, t = expr+"."+field.Name(), field.Type()
	}
	if types.IsInterface(t) {
		l.refuse(x.Pos(), "", "the functor is a method of an interface")
	}
	p, isPointer := t.Underlying().(*types.Pointer)
	of := t
	if isPointer {
		of = p.Elem()
	}
	named, ok := types.Unalias(of).(*types.Named)
	if !ok {
		l.refuse(x.Pos(), "", "the functor is a method of a type without a name")
	}
	l.nameable(x, t, "the receiver")
	name := def.Signature().Recv().Name()
	if name == "" || name == "_" {
		name = "receiver"
	}
	switch {
	case byPointer && !isPointer:
		n := len(l.k.Params)
		l.capture(name, types.NewPointer(t), Capture{Expr: "&" + expr})
		return &pointer{n, nil, t, nil}, named
	case isPointer && !byPointer:
		return l.capture(name, of, Capture{Expr: "*" + expr}), named
	}
	return l.capture(name, t, Capture{Expr: expr}), named
}

// plain reports whether an expression has the same value twice, and does nothing: a variable or a field.
func plain(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return plain(x.X)
	case *ast.StarExpr:
		return plain(x.X)
	}
	return false
}

// siteName returns the name of the generated constructor of a functor: "functor_main_19_68".
func siteName(f *find.Functor) string {
	at := f.Package.Fset.PositionFor(f.Expr.Pos(), false)
	file := strings.TrimSuffix(at.Filename[strings.LastIndexByte(at.Filename, '/')+1:], ".go")
	var name strings.Builder // another one for each file
	for _, r := range file {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			name.WriteRune(r)
		} else {
			fmt.Fprintf(&name, "_%x_", r)
		}
	}
	return fmt.Sprintf("functor_%s_%d_%d", &name, at.Line, at.Column)
}

// An instance has the type arguments of the declaration around a functor.
type instance struct {
	types  map[*types.TypeParam]types.Type
	suffix string // suffix of the constructor's name
}

// instances returns the instances of a functor. Without instances in the program, the list has one instance
// without types.
func instances(of []map[*types.TypeParam]types.Type) (list []instance) {
	if len(of) == 0 {
		return []instance{{}}
	}
	for n, types := range of {
		i := instance{types: types}
		if len(types) > 0 {
			i.suffix = "of" + strconv.Itoa(n+1)
		}
		list = append(list, i)
	}
	return list
}

// String returns the types, in the order of their parameters.
func (i instance) String() string {
	var params []*types.TypeParam
	for p := range i.types {
		params = append(params, p)
	}
	slices.SortFunc(params, func(a, b *types.TypeParam) int { return a.Index() - b.Index() })
	var list []string
	for _, p := range params {
		list = append(list, p.Obj().Name()+" = "+types.TypeString(i.types[p], func(p *types.Package) string { return p.Name() }))
	}
	return strings.Join(list, ", ")
}

// Go builds a package that has tests twice, with tests and without. Functors in files of both builds are
// lowered once. Functors in test files form a package of their own, whose generated files are test files. An
// external test package forms another one.

// places lowers the functors of packages in place, and adds them to the packages. It may add packages, too.
func (w *world) places(pkgs []*packages.Package, out []*Package) ([]*Package, error) {
	of, seen := w.functors(pkgs), map[token.Position]bool{}
	for _, p := range pkgs {
		for _, f := range of[p] {
			at := w.fset.PositionFor(f.Expr.Pos(), false)
			if seen[at] {
				continue
			}
			seen[at] = true
			all, err := w.inPlace(p, f)
			if err != nil {
				return nil, err
			}
			isTest := sources.IsTest(w.path(p, f.File))
			n := slices.IndexFunc(out, func(q *Package) bool { return q.Path == p.PkgPath && q.Tests == isTest })
			if n < 0 {
				n, out = len(out), append(out, w.unit(p))
				out[n].Tests = isTest
				if p.PkgPath == p.ForTest+"_test" {
					out[n].NoAssembly = "Go takes no assembly in package " + p.Name + ", which has tests alone; move the functor to the package that it tests"
				}
			}
			if out[n].Source == nil {
				out[n].Source = &Source{w, p}
			}
			out[n].Kernels = append(out[n].Kernels, all...)
		}
	}
	return out, nil
}

// unit returns a package without kernels.
func (w *world) unit(p *packages.Package) *Package {
	q := &Package{Name: p.Name, Path: p.PkgPath, Imported: map[string]bool{}, Sources: &sources.Folder{}}
	if len(p.GoFiles) == 0 {
		return q
	}
	q.Dir = filepath.Dir(p.GoFiles[0])
	q.Sources = w.folder(q.Dir, true)
	if c := w.usesC(p, q.Dir); c != "" {
		q.NoAssembly = c + ` imports "C", and Go takes no assembly beside cgo; move the kernel to a package without`
	}
	return q
}

// functors returns the functors of packages, and notes what type parameters stand for.
func (w *world) functors(pkgs []*packages.Package) map[*packages.Package][]*find.Functor {
	var list []*find.Package
	from, of := map[*find.Package]*packages.Package{}, map[*packages.Package][]*find.Functor{}
	for _, p := range pkgs {
		q := &find.Package{Path: p.PkgPath, Info: p.TypesInfo, Fset: p.Fset}
		for _, file := range p.Syntax {
			if !w.isGenerated(p, file) {
				q.Files = append(q.Files, file)
			}
		}
		list, from[q] = append(list, q), p
	}
	found, _ := find.Functors(list, nil)
	for _, f := range found {
		p := from[f.Package]
		of[p] = append(of[p], f)
	}
	w.instances = find.NewInstances(list)
	return of
}

// inPlace lowers a functor in place, once for each instance. The constructors of all instances get the same
// arguments.
func (w *world) inPlace(p *packages.Package, f *find.Functor) (all []*Kernel, err error) {
	var first *Site
	for _, of := range instances(w.instances.Of(f.Package, f.Within)) {
		k, err := w.placed(p, f, of)
		if err != nil {
			return nil, err
		}
		switch {
		case k.IR == nil:
		case first == nil:
			first = k.Site
		case !slices.Equal(first.Captures, k.Site.Captures):
			k.Refused, k.IR = &Refusal{Pos: k.Pos, Reason: "it captures otherwise than with other types"}, nil
		}
		all = append(all, k)
	}
	return all, nil
}
