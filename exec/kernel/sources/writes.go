package sources

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
)

// Written reports whether a file of the package may write an array of the package, of which only the name is
// known: also a file of tests, of any build, or of assembly.
func (f *Folder) Written(pkg, name string) bool {
	for _, file := range f.all() {
		if file.Syntax == nil || file.Syntax.Name.Name != pkg {
			continue
		}
		if Writes(file.Syntax, func(id *ast.Ident) bool { return id.Name == name }) != nil {
			return true
		}
	}
	return InAssembly(f.path, name) != ""
}

// InAssembly returns the name of a file of assembly that has a name of the package, or that cannot be read,
// "" if there is none.
func InAssembly(folder, name string) string {
	paths, _ := filepath.Glob(filepath.Join(folder, "*.s"))
	for _, path := range paths {
		if text, err := os.ReadFile(path); err != nil || bytes.Contains(text, []byte("·"+name)) {
			return filepath.Base(path)
		}
	}
	return ""
}

// Writes returns where a file may write an array, nil if nowhere: is reports whether a name is that of the
// array.
func Writes(file *ast.File, is func(id *ast.Ident) bool) (at *ast.Ident) {
	var around []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && at == nil && is(id) && written(id, around) {
			at = id
		}
		around = append(around, n)
		return true
	})
	return at
}

// written reports whether an array may be written where it stands: where it, or an element, is assigned to,
// or anything is done with it as a place in memory.
func written(id *ast.Ident, around []ast.Node) bool {
	var x ast.Expr = id
	for _, n := range slices.Backward(around) {
		switch n := n.(type) {
		case *ast.ParenExpr:
			x = n
			continue
		case *ast.IndexExpr:
			if n.X == x {
				x = n
				continue
			}
		case *ast.AssignStmt:
			return slices.Contains(n.Lhs, x)
		case *ast.IncDecStmt:
			return true
		case *ast.RangeStmt:
			return n.Key == x || n.Value == x
		case *ast.UnaryExpr:
			return n.Op == token.AND
		case *ast.SliceExpr:
			return n.X == x
		case *ast.SelectorExpr: // a method may have its address
			return n.X == x
		}
		return false
	}
	return false
}
