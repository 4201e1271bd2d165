package analyzer

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

const (
	kernelDirective = "//gokkos:kernel"

	// kernelMaker is the generated function to which generated code passes each kernel.
	kernelMaker = "kernelMaker"
)

// stale reports compiled kernels of the package that are not made of the present sources.
func (c *checker) stale() {
	for _, file := range c.pass.Files {
		path := c.path(file)
		if filepath.Base(path) != sources.Generated+".go" {
			continue
		}
		if stale := sources.Stale(filepath.Dir(path), c.pass.Pkg.Path()); stale != "" {
			c.report(file.Name, stale)
		}
		c.kernels(file)
	}
}

func (c *checker) path(file *ast.File) string {
	return c.pass.Fset.PositionFor(file.Package, false).Filename
}

// kernels compares the marked functions with the kernels in a generated file, and reports differences.
func (c *checker) kernels(generated *ast.File) {
	made := map[string]bool{}
	ast.Inspect(generated, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 {
			fun, _ := call.Fun.(*ast.Ident)
			if kernel, ok := call.Args[0].(*ast.Ident); ok && fun != nil && fun.Name == kernelMaker {
				made[kernel.Name] = true
			}
		}
		return true
	})
	for _, d := range c.declared {
		is := d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool {
			return strings.TrimSpace(c.Text) == kernelDirective
		})
		what := ""
		switch {
		case d.Recv != nil || strings.HasSuffix(c.pass.Fset.PositionFor(d.Pos(), false).Filename, "_test.go"):
		case is && !made[d.Name.Name] && c.constructs(d):
			what = "is new"
		case !is && made[d.Name.Name]:
			what = "is no kernel any more"
		}
		if what != "" {
			c.report(d.Name, fmt.Sprintf("the compiled kernels of package %[1]s are of an older source: %[2]s %[3]s; "+
				"go generate %[1]s makes them anew", c.pass.Pkg.Path(), d.Name.Name, what))
		}
	}
}

// constructs reports whether a generated function can have the parameters of a kernel.
func (c *checker) constructs(d *ast.FuncDecl) bool {
	f := c.pass.TypesInfo.Defs[d.Name].(*types.Func).Signature()
	unnamed := func(v *types.Var) bool { return v.Name() == "" || v.Name() == "_" }
	return f.TypeParams() == nil && !f.Variadic() && f.Results().Len() == 1 &&
		!slices.ContainsFunc(slices.Collect(f.Params().Variables()), unnamed)
}
