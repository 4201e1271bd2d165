package cardtest

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// EntryPoints returns the names of the exported functions of the package in a folder that take
// a view, in order, for a test that none was forgotten.
func EntryPoints(t testing.TB, folder string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, folder+"/"+f.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() && takesView(fset, f.Type) {
				names = append(names, f.Name.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// takesView reports whether a parameter or a type parameter of a function is a view.
func takesView(fset *token.FileSet, f *ast.FuncType) bool {
	var text strings.Builder
	for _, list := range []*ast.FieldList{f.TypeParams, f.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			_ = printer.Fprint(&text, fset, field.Type) // to memory
			text.WriteByte(' ')
		}
	}
	return strings.Contains(text.String(), "Viewer[") || strings.Contains(text.String(), "View[") || strings.Contains(text.String(), "ViewOf[")
}
