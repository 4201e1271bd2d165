package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"
)

// newReducer looks at a reducer that is made of a function.
func (c *checker) newReducer(call *ast.CallExpr) {
	if c.called(call, "reducers") != "New" || len(call.Args) < 2 || call.Ellipsis != token.NoPos {
		return
	}
	for _, option := range call.Args[2:] {
		made, ok := c.value(option).(*ast.CallExpr)
		if !ok || c.called(made, "reducers") != "Final" {
			return // it may be Init
		}
	}
	if join := c.function(call.Args[1]); join != nil {
		switch c.zeroIs(join, false) {
		case lost:
			c.report(call, noIdentity)
		case decided:
			c.report(call, noComparedIdentity)
		}
	}
}

// joinMethod looks at the Join of a reducer whose Init is that of reducers.Base, which sets zero. Zero
// may be the identity of a maximum that is told by a comparison: that of numbers which are not negative.
func (c *checker) joinMethod(decl *ast.FuncDecl) {
	f, ok := c.pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || decl.Name.Name != "Join" || decl.Recv == nil || decl.Body == nil {
		return
	}
	init, _, _ := types.LookupFieldOrMethod(f.Signature().Recv().Type(), true, c.pass.Pkg, "Init")
	if m, ok := init.(*types.Func); !ok || m.Pkg() == nil || m.Pkg().Path() != module+"reducers" || !isNamed(m.Signature().Recv().Type(), "reducers", "Base") {
		return
	}
	if c.zeroIs(&function{typ: decl.Type, body: decl.Body}, true) != 0 {
		c.report(decl.Name, "the identity of this reducer is not zero, and the Init of reducers.Base sets zero: give it an Init")
	}
}
