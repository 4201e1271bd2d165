package generate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A package may have a min or a max of its own, as many have from before Go had them. Generated files then call others.

// extremes are functions that take their place, in the file of the constructors.
var extremes = map[string]string{
	"min": "\n// kernelMin is min of Go, which the package has something else for.\nfunc kernelMin[T cmp.Ordered](list ...T) T { return slices.Min(list) }\n",
	"max": "\n// kernelMax is max of Go, which the package has something else for.\nfunc kernelMax[T cmp.Ordered](list ...T) T { return slices.Max(list) }\n",
}

// otherName returns the name of such a function: kernelMin.
func otherName(name string) string { return "kernel" + strings.ToUpper(name[:1]) + name[1:] }

// hides returns those of min and max that the package declares.
func (c *Package) hides() (names []string) {
	for name := range extremes {
		if c.Sources.DeclaredIn(c.Name, name) != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ownExtremes lets a generated file call other functions than those that the package hides.
func ownExtremes(text []byte, hidden []string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("gokkosc: generated code: %w", err)
	}
	var at []int
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && slices.Contains(hidden, id.Name) {
				at = append(at, fset.Position(id.Pos()).Offset)
			}
		}
		return true
	})
	var out bytes.Buffer
	from := 0
	slices.Sort(at)
	for _, n := range at {
		out.Write(text[from:n])
		out.WriteString(otherName(string(text[n : n+3])))
		from = n + 3
	}
	out.Write(text[from:])
	return out.Bytes(), nil
}
