package generate

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A package may declare names that generated files take from Go or from an import. Many packages have a max
// older than Go's, and a package may have a type kernel. Generated files then call other functions, and
// import under other names.

// extremes are functions that take the place of min and max of Go, in the file of the constructors.
var extremes = map[string]string{
	"min": "\n// kernelMin is min of Go, which the package has something else for.\nfunc kernelMin[T cmp.Ordered](list ...T) T { return slices.Min(list) }\n",
	"max": "\n// kernelMax is max of Go, which the package has something else for.\nfunc kernelMax[T cmp.Ordered](list ...T) T { return slices.Max(list) }\n",
}

// imported are names of packages that generated files import.
var imported = []string{"kernel", "math", "policy", "unsafe", "views"}

// otherName returns the name that takes the place of a hidden one: kernelMin, kernelViews.
func otherName(name string) string { return "kernel" + strings.ToUpper(name[:1]) + name[1:] }

// hides returns the names that generated files need and the package declares: min, max, or names in imported.
func (c *Package) hides() (names []string) {
	for _, name := range append([]string{"max", "min"}, imported...) {
		if c.Sources.DeclaredIn(c.Name, name) != "" {
			names = append(names, name)
		}
	}
	return names
}

// otherNames renames the hidden names in a generated file, see otherName.
func otherNames(text []byte, hidden []string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("gokkosc: generated code: %w", err)
	}
	var edits []edit
	rename := func(at token.Pos, name, other string) {
		edits = append(edits, edit{fset.Position(at).Offset, name, other})
	}
	isImport := map[string]bool{}
	for _, spec := range file.Imports {
		of, err := strconv.Unquote(spec.Path.Value)
		if name := path.Base(of); err == nil && spec.Name == nil && slices.Contains(hidden, name) {
			isImport[name] = true
			rename(spec.Path.Pos(), "", otherName(name)+" ")
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && extremes[id.Name] != "" && slices.Contains(hidden, id.Name) {
				rename(id.Pos(), id.Name, otherName(id.Name))
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && isImport[id.Name] {
				rename(id.Pos(), id.Name, otherName(id.Name))
			}
		}
		return true
	})
	return apply(text, edits), nil
}

// An edit puts a text into a file, in place of another one.
type edit struct {
	at       int
	old, new string
}

// apply makes edits. Several at a place stand in their order.
func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var out bytes.Buffer
	from := 0
	for _, e := range edits {
		out.Write(text[from:e.at])
		out.WriteString(e.new)
		from = e.at + len(e.old)
	}
	out.Write(text[from:])
	return out.Bytes()
}
