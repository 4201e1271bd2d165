package front

import (
	"go/ast"
	"go/printer"
	"go/token"
	"strings"
)

// nodeText returns the text of a declaration without its comments: what its code depends on.
func nodeText(fset *token.FileSet, d *ast.FuncDecl) string {
	plain := *d
	plain.Doc = nil
	var b strings.Builder
	if err := printer.Fprint(&b, fset, &plain); err != nil {
		return err.Error()
	}
	return b.String()
}
