package front

import (
	"go/ast"
	"go/printer"
	"go/token"
	"strings"
)

// nodeText returns the text of a function without its comments, or of an expression: what code depends on.
func nodeText(fset *token.FileSet, n ast.Node) string {
	if d, ok := n.(*ast.FuncDecl); ok {
		plain := *d
		plain.Doc = nil
		n = &plain
	}
	var b strings.Builder
	if err := printer.Fprint(&b, fset, n); err != nil {
		return err.Error()
	}
	return b.String()
}
