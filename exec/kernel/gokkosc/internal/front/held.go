package front

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A method value such as Axpy{a, x, y}.Step has a receiver that is no variable. The program may evaluate the
// receiver once only, so a variable holds it:
//
//	func() func(int) { receiver := Axpy{a, x, y}; return functor_main_19_68(receiver, receiver.Step) }()

// A Held is the receiver of a method value, if a variable holds it.
type Held struct {
	Address bool           // the variable holds the receiver's address
	End     token.Position // of the receiver
	Type    string         // type of the functor, as the file with the functor names it
	Value   string         // the method value of the variable
}

// heldName is the name of that variable.
const heldName = "receiver"

// hold lets a variable hold the receiver of a functor.
func (l *lowering) hold(site *Site, x ast.Expr, sel *types.Selection, byPointer bool) {
	const help = "keep it in a variable"
	if len(sel.Index()) > 1 {
		l.refuse(x.Pos(), help, "the functor is a method of a part of the value of an expression")
	}
	names, unnamed := map[*types.Package]string{l.pkg.Types: ""}, ""
	for _, spec := range site.File.Imports {
		if name := l.pkg.TypesInfo.PkgNameOf(spec); name != nil && name.Name() != "_" {
			names[name.Imported()] = name.Name()
			if name.Name() == "." {
				names[name.Imported()] = ""
			}
		}
	}
	typ := types.TypeString(l.pkg.TypesInfo.TypeOf(site.Expr), func(p *types.Package) string {
		if _, ok := names[p]; !ok {
			unnamed = p.Path()
		}
		return names[p]
	})
	if unnamed != "" {
		l.refuse(x.Pos(), help, "the functor is a method of the value of an expression, in a file that does not import %s", unnamed)
	}
	_, isPointer := sel.Recv().Underlying().(*types.Pointer)
	site.Held = &Held{byPointer && !isPointer, l.world.fset.Position(x.End()), typ, heldName + "." + sel.Obj().Name()}
}
