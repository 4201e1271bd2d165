package front

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A functor that kernels cannot be made of may still be a loop: its body is copied to a loop beside it, as it
// stands, and Go compiles the copy.
//
//	exec.ParallelFor(p, functor_main_19_68(
//		func(i int) { y[i] = f(x[i]) },
//		func(at *int, begin, end int) { for item := begin; item < end; item++ { *at = item; i := item; { y[i] = f(x[i]) } } }))
//
// A return goes on with the next item.

// A Body is a functor whose body can be copied to a loop.
type Body struct {
	From, To token.Position // of the body, with its braces
	Rank     int            // number of coordinates of the index; 0 of an int
	Named    string         // name of the index, or ""
	Index    string         // type of the index, as the file names it
	IndexIn  string         // type of the index in generated files
	Accs     []BodyAcc      // accumulators
	Returns  []token.Position
}

// A BodyAcc is an accumulator of a functor whose body is copied.
type BodyAcc struct {
	Named string // its name, or ""
	Type  string // its type, as the file names it
	In    string // its type in generated files
}

// body returns the body of a functor in place, or nil if a loop cannot have it as it stands.
func (l *lowering) body(site *Site, sig *types.Signature) *Body {
	lit := site.Literal()
	if lit == nil || len(l.types) > 0 || site.Accepted || !l.world.config.Rounded || sig.Results().Len() > 0 || sig.Params().Len() > 5 {
		return nil // where Go fuses products, it may fuse other ones in the copy
	}
	var names, typed []ast.Expr
	for _, field := range lit.Type.Params.List {
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
	b := &Body{From: l.world.in(site, lit.Body.Pos()), To: l.world.in(site, lit.Body.End())}
	index := sig.Params().At(0).Type()
	if !types.Identical(index, types.Typ[types.Int]) {
		if b.Rank = rankOf(index); b.Rank < 2 || b.Rank > 4 {
			return nil
		}
	}
	b.Index, b.Named, b.IndexIn = types.ExprString(typed[0]), named(0), l.typeString(index)
	for n, t := range typed[1:] {
		star, ok := ast.Unparen(t).(*ast.StarExpr)
		if !ok { // a type with a name for the pointer, or final of a scan
			return nil
		}
		elem := sig.Params().At(n + 1).Type().(*types.Pointer).Elem()
		b.Accs = append(b.Accs, BodyAcc{named(n + 1), types.ExprString(star.X), l.typeString(elem)})
		if strings.ContainsAny(b.Accs[n].Type, "{\n") {
			return nil
		}
	}
	if !l.copies(lit, b) || !l.predeclared(lit, "int", "len") {
		return nil
	}
	return b
}

// predeclared reports whether names mean in a literal what they mean in the universe: the loop around the copy has them.
func (l *lowering) predeclared(lit *ast.FuncLit, names ...string) bool {
	scope := l.pkg.Types.Scope().Innermost(lit.Body.Lbrace)
	for _, name := range names {
		if scope == nil {
			return false
		}
		if _, o := scope.LookupParent(name, lit.Body.Lbrace); o != types.Universe.Lookup(name) {
			return false
		}
	}
	return true
}

// copies reports whether the body of a literal does in a loop what it does in a function, and notes where it returns.
func (l *lowering) copies(lit *ast.FuncLit, b *Body) bool {
	ok := true
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt: // runs at the end of the function
			ok = false
		case *ast.ReturnStmt:
			b.Returns = append(b.Returns, l.world.in(l.site, n.Pos()))
		case *ast.Ident:
			if o, is := l.pkg.TypesInfo.Uses[n].(*types.Builtin); is && o.Name() == "recover" {
				ok = false
			}
		}
		return ok
	})
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if d, is := n.(*ast.GenDecl); is && d.Tok == token.TYPE { // the copy would have another type
			ok = false
		}
		return ok
	})
	return ok
}
