package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// A functor that kernels cannot be made of may still be a loop: its body is copied to a loop beside it, as it
// stands, and Go compiles the copy.
//
//	exec.ParallelFor(p, functor_main_19_68(
//		func(i int) { y[i] = f(x[i]) },
//		func(at *int, begin, end int) { for item := begin; item < end; item++ { *at = item; i := item; { y[i] = f(x[i]) } } }))
//
// A return goes on with the next item.

// The loop of a declared function or method stands behind the declaration, as another function or method:
//
//	func (s *solver) step(i int) { s.y[i] = f(s.x[i]) }; func (s *solver) functor_main_19_68_each(at *int, begin, end int) { ... }

// A Body is a functor whose body can be copied to a loop.
type Body struct {
	From, To token.Position // of the body, with its braces
	Path     string         // of the file
	Top      token.Position // of the file's package clause
	Rank     int            // number of coordinates of the index; 0 of an int
	Named    string         // name of the index, or ""
	Index    string         // type of the index, as the file names it
	IndexIn  string         // type of the index in generated files
	Accs     []BodyAcc      // accumulators
	Returns  []token.Position
	Declared *BodyOf // nil of a literal
}

// A BodyOf is a declared function or method whose body is copied.
type BodyOf struct {
	Receiver string // receiver of a method, as the file names it: "(s *solver)"
	Copied   string // name of a receiver that the body changes, so that each item has a copy; else ""
	Of       string // text in front of the method's name at the functor's place: "s."
}

// A BodyAcc is an accumulator of a functor whose body is copied.
type BodyAcc struct {
	Named string // its name, or ""
	Type  string // its type, as the file names it
	In    string // its type in generated files
}

// body returns the body of a functor in place, or nil if a loop cannot have it as it stands.
func (l *lowering) body(site *Site, sig *types.Signature) *Body {
	if site.Accepted || !l.world.config.Rounded || sig.Results().Len() > 0 || sig.Params().Len() > 5 {
		return nil // where Go fuses products, it may fuse other ones in the copy
	}
	b := &Body{Path: site.Path, Top: site.Top}
	var typ *ast.FuncType
	var block *ast.BlockStmt
	if lit := site.Literal(); lit != nil {
		typ, block = lit.Type, lit.Body
	} else if d := l.declaredHere(site, b); d != nil {
		typ, block = d.Type, d.Body
	} else {
		return nil
	}
	b.From, b.To = l.world.in(b.Path, block.Pos()), l.world.in(b.Path, block.End())
	if !l.parameters(b, typ, sig) || !l.copies(block, b) || !l.predeclared(block, "int", "len") {
		return nil
	}
	return b
}

// declaredHere returns the declaration of a functor that is a function or a method of the functor's package. It
// returns nil if the package's other files cannot have a copy of it, or if the receiver cannot be evaluated twice.
func (l *lowering) declaredHere(site *Site, b *Body) *ast.FuncDecl {
	o, sel := site.Function()
	if o == nil || o.Pkg() != l.pkg.Types || o.Signature().TypeParams().Len() > 0 || o.Signature().RecvTypeParams().Len() > 0 {
		return nil
	}
	p, d, err := l.world.declOf(l.pkg, o)
	if err != nil || p != l.pkg {
		return nil
	}
	n := slices.IndexFunc(p.Syntax, func(f *ast.File) bool { return f.FileStart <= d.Pos() && d.Pos() < f.FileEnd })
	if n < 0 || l.world.isGenerated(p, p.Syntax[n]) {
		return nil
	}
	b.Path, b.Declared = l.world.path(p, p.Syntax[n]), &BodyOf{}
	b.Top = l.world.in(b.Path, p.Syntax[n].Package)
	if sources.IsTest(b.Path) != sources.IsTest(site.Path) { // generated files of tests and of the package differ
		return nil
	}
	if sel == nil {
		return d
	}
	x := site.Expr.(*ast.SelectorExpr).X
	if !plain(x) {
		return nil
	}
	recv, name := d.Recv.List[0], ""
	if len(recv.Names) > 0 {
		name = recv.Names[0].Name
		if v, ok := p.TypesInfo.Defs[recv.Names[0]].(*types.Var); ok && changedIn(p.TypesInfo, d)[v] {
			b.Declared.Copied = name
		}
	}
	b.Declared.Of, b.Declared.Receiver = types.ExprString(x)+".", "("+name+" "+types.ExprString(recv.Type)+")"
	return d
}

// parameters notes the parameters of a functor whose body is copied, and reports whether a loop can have them.
func (l *lowering) parameters(b *Body, typ *ast.FuncType, sig *types.Signature) bool {
	var names, typed []ast.Expr
	for _, field := range typ.Params.List {
		if len(field.Names) == 0 {
			names, typed = append(names, ast.NewIdent("_")), append(typed, field.Type)
		}
		for _, id := range field.Names {
			names, typed = append(names, id), append(typed, field.Type)
		}
	}
	named := func(n int) string {
		if id := names[n].(*ast.Ident); id.Name != "_" {
			return id.Name
		}
		return ""
	}
	index := sig.Params().At(0).Type()
	if !types.Identical(index, types.Typ[types.Int]) {
		if b.Rank = rankOf(index); b.Rank < 2 || b.Rank > 4 {
			return false
		}
	}
	b.Index, b.Named, b.IndexIn = types.ExprString(typed[0]), named(0), l.typeString(index)
	for n, t := range typed[1:] {
		star, ok := ast.Unparen(t).(*ast.StarExpr)
		if !ok { // a type with a name for the pointer, or final of a scan
			return false
		}
		elem := sig.Params().At(n + 1).Type().(*types.Pointer).Elem()
		if !types.Identical(find.Subst(elem, l.types), elem) {
			return false // the loop would need a type parameter, and is attached outside of the function
		}
		b.Accs = append(b.Accs, BodyAcc{named(n + 1), types.ExprString(star.X), l.typeString(elem)})
		if strings.ContainsAny(b.Accs[n].Type, "{\n") {
			return false
		}
	}
	return true
}

// predeclared reports whether names mean in a body what they mean in the universe: the loop around the copy has them.
func (l *lowering) predeclared(body *ast.BlockStmt, names ...string) bool {
	scope := l.pkg.Types.Scope().Innermost(body.Lbrace)
	for _, name := range names {
		if scope == nil {
			return false
		}
		if _, o := scope.LookupParent(name, body.Lbrace); o != types.Universe.Lookup(name) {
			return false
		}
	}
	return true
}

// copies reports whether the body of a functor does in a loop what it does in a function, and notes where it returns.
func (l *lowering) copies(body *ast.BlockStmt, b *Body) bool {
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt: // runs at the end of the function
			ok = false
		case *ast.ReturnStmt:
			b.Returns = append(b.Returns, l.world.in(b.Path, n.Pos()))
		case *ast.Ident:
			if o, is := l.pkg.TypesInfo.Uses[n].(*types.Builtin); is && o.Name() == "recover" {
				ok = false
			}
		}
		return ok
	})
	ast.Inspect(body, func(n ast.Node) bool {
		if d, is := n.(*ast.GenDecl); is && d.Tok == token.TYPE { // the copy would have another type
			ok = false
		}
		return ok
	})
	return ok
}
