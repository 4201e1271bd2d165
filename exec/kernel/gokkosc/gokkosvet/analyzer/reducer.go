package analyzer

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/gokkosvet/internal/witness"
)

// loses has the report for each verdict on a join that loses values to zero.
var loses = map[witness.Verdict]string{
	witness.Lost: "the identity of this reducer is not zero: give it with reducers.Init, " +
		"or use a reducer of package builtin",
	witness.Compares: "this join compares its values, and zero, the identity without reducers.Init, " +
		"takes part: give the identity with reducers.Init, as +Inf for a minimum, " +
		"or use a reducer of package builtin",
}

// reducers reports the calls of reducers.New whose joins lose values.
func (c *checker) reducers() {
	c.program.Reducers(func(at token.Pos, v witness.Verdict, init bool) {
		text := loses[v]
		if init {
			text = "the value that reducers.Init sets is no identity: this join loses values that are joined to it"
		}
		c.reportAt(at, at, text)
	})
}

// joinMethod checks the Join of a reducer that takes its Init from reducers.Base, which sets zero. Zero is a
// valid identity for a maximum of numbers that are not negative, so a comparison in Join is no mistake.
func (c *checker) joinMethod(decl *ast.FuncDecl) {
	f, ok := c.pass.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok || decl.Name.Name != "Join" || decl.Recv == nil || decl.Body == nil {
		return
	}
	init, _, _ := types.LookupFieldOrMethod(f.Signature().Recv().Type(), true, c.pass.Pkg, "Init")
	m, ok := init.(*types.Func)
	if !ok || m.Pkg() == nil || m.Pkg().Path() != module+"reducers" ||
		!isNamed(m.Signature().Recv().Type(), "reducers", "Base") {
		return
	}
	if c.program.Join(f) != witness.Neutral {
		c.report(decl.Name, "the identity of this reducer is not zero, and the Init of reducers.Base sets zero: give it an Init")
	}
}
