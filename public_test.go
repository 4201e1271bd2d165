package gokkos

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Signatures, fields and aliases of public packages name public types: nobody outside can name
// another one, and go doc shows nothing of it.
func TestPublicNamesArePublic(t *testing.T) {
	imports := exports(t, token.NewFileSet())
	found := map[string]string{}
	for pkg := range layers {
		if pkg == "." || internal(pkg) || isCommand(pkg) {
			continue
		}
		p, err := imports.Import(module + pkg)
		require.NoError(t, err, pkg)
		maps.Copy(found, hiddenIn(p))
	}
	assert.Empty(t, found)
}

// isCommand reports whether a package is a program, which exports nothing.
func isCommand(pkg string) bool {
	_, err := os.Stat(filepath.Join(pkg, "main.go"))
	return err == nil
}

// Each way to name an internal type is seen, and what nobody outside sees is not.
func TestHiddenNamesAreFound(t *testing.T) {
	const source = `package x

import "github.com/gokkos/gokkos/internal/memory"

type (
	Alias          = memory.Region
	OfAlias        []Alias
	Field          struct{ A memory.Region }
	Unseen         struct{ a memory.Region }
	Embedding      struct{ memory.Region }
	Inner          struct{ inner }
	inner          struct{ A map[int]memory.Region }
	Promise        interface{ F() chan memory.Region }
	Limit[T limit] struct{}
	limit          interface{ int | memory.Region }
	Box[T any]     struct{}
	Recursive      struct{ Next *Recursive }
)

func (Unseen) F(a ...memory.Region) {}
func (Unseen) f(memory.Region)      {}

func Result() (_ Box[*memory.Region], _ error) { return }
func Local() (r inner)                        { return }

var Func func([2]memory.Region)
var local memory.Region
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", source, parser.SkipObjectResolution)
	require.NoError(t, err)
	config := types.Config{Importer: exports(t, fset)}
	p, err := config.Check(module+"x", fset, []*ast.File{file}, nil)
	require.NoError(t, err)
	want := map[string]string{}
	for _, at := range []string{"Alias", "Field.A", "Embedding.Region", "Inner.inner.A", "Promise.F", "Limit", "Unseen.F", "Result", "Local.A", "Func"} {
		want["x."+at] = "memory.Region"
	}
	assert.Equal(t, want, hiddenIn(p))
}

// The documentation of a name shows what it has.
func TestGoDocShows(t *testing.T) {
	for name, want := range map[string]string{
		"policy.Launch":     "func (l Launch) WithContext(ctx context.Context) Launch",
		"policy.Index2":     "struct{ I, J int }",
		"policy.Index6":     "struct{ I, J, K, L, M, N int }",
		"team.Index3":       "type Index3 struct{ I, J, K int }",
		"team.ThreadRange2": "Range[Index2]",
		"views.DeepCopy":    "on ...policy.Launch",
	} {
		output, err := exec.Command("go", "doc", module+name).CombinedOutput()
		require.NoError(t, err, name)
		assert.Contains(t, string(output), want, name)
	}
}

func internal(pkg string) bool {
	return slices.Contains(strings.Split(strings.TrimPrefix(pkg, module), "/"), "internal")
}

// hiddenIn returns the declarations of a package that name an internal type, with that type.
func hiddenIn(p *types.Package) map[string]string {
	found := map[string]string{}
	for _, name := range p.Scope().Names() {
		if token.IsExported(name) {
			x := walker{seen: map[types.Type]bool{}, found: found}
			x.declaration(p.Name()+"."+name, p.Scope().Lookup(name))
		}
	}
	return found
}

// A walker goes through what a declaration shows of itself to other packages.
type walker struct {
	seen  map[types.Type]bool
	found map[string]string // declaration or member: internal type
}

func (x *walker) declaration(at string, object types.Object) {
	if _, ok := object.(*types.TypeName); ok {
		switch t := object.Type().(type) {
		case *types.Alias:
			x.parameters(at, t.TypeParams())
			x.visit(at, t.Rhs())
			return
		case *types.Named:
			x.definition(at, t)
			return
		}
	}
	x.visit(at, object.Type())
}

// definition goes through the members of a type.
func (x *walker) definition(at string, t *types.Named) {
	if x.seen[t] {
		return
	}
	x.seen[t] = true
	x.parameters(at, t.TypeParams())
	x.visit(at, t.Underlying())
	for m := range t.Methods() {
		if m.Exported() {
			x.visit(at+"."+m.Name(), m.Type())
		}
	}
}

func (x *walker) parameters(at string, list *types.TypeParamList) {
	for p := range list.TypeParams() {
		x.visit(at, p.Constraint())
	}
}

// name looks at the name of a type, with its arguments.
func (x *walker) name(at string, name *types.TypeName, arguments *types.TypeList) {
	if name.Pkg() != nil && internal(name.Pkg().Path()) {
		x.found[at] = name.Pkg().Name() + "." + name.Name()
	}
	for t := range arguments.Types() {
		x.visit(at, t)
	}
}

// visit goes through a type where it is used.
func (x *walker) visit(at string, t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		x.name(at, t.Obj(), t.TypeArgs())
	case *types.Named:
		x.name(at, t.Obj(), t.TypeArgs())
		if p := t.Obj().Pkg(); p != nil && strings.HasPrefix(p.Path(), module) && !internal(p.Path()) && !t.Obj().Exported() {
			x.definition(at, t.Origin()) // whose own declaration nobody sees
		}
	case *types.Signature:
		x.parameters(at, t.TypeParams())
		x.visit(at, t.Params())
		x.visit(at, t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			x.visit(at, v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				x.visit(at+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if m.Exported() {
				x.visit(at+"."+m.Name(), m.Type())
			}
		}
		for e := range t.EmbeddedTypes() {
			x.visit(at, e)
		}
	case *types.Union:
		for term := range t.Terms() {
			x.visit(at, term.Type())
		}
	case *types.Map:
		x.visit(at, t.Key())
		x.visit(at, t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		x.visit(at, t.Elem())
	}
}
