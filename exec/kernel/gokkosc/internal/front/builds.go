package front

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// Loops are for the builds that have all files that the loops are made of. In others constructors return closures.

// A Build is what a build must fulfil to have a declaration.
type Build struct {
	Only       []string // constraints, all of which hold
	Loops      []string // those of Only that builds may break in which loops run
	Name, File string   // of the declaration
}

func (b *Build) String() string { return strings.Join(b.Only, " && ") }

// noteBuild notes what a build must fulfil to have a declaration, if not all builds have its file. No loops run with
// the race detector, nor where views check indices, but the code for cards does: views there never check dimensions.
func (l *lowering) noteBuild(p *packages.Package, folder *sources.Folder, file, name string) {
	tags := releases(l.pkg.Module)
	if p.PkgPath == memoryPath {
		tags["gokkos_bounds"] = false
	}
	b := Build{Only: only(folder.Constraint(file), tags), Name: name, File: file}
	tags["race"], tags["gokkos_bounds"] = false, false
	b.Loops = only(folder.Constraint(file), tags)
	if len(b.Only) > 0 {
		l.builds = append(l.builds, b)
	}
}

// only returns the constraints that are joined by && in one, without those that some tags fulfil.
func only(x constraint.Expr, tags map[string]bool) (list []string) {
	switch x := x.(type) {
	case nil:
		return nil
	case *constraint.AndExpr:
		return append(only(x.X, tags), only(x.Y, tags)...)
	}
	if !sources.Fulfilled(&constraint.NotExpr{X: x}, tags) {
		return nil
	}
	if _, ok := x.(*constraint.OrExpr); ok {
		return []string{"(" + x.String() + ")"}
	}
	return []string{x.String()}
}

// releases returns the tags go1.N that all versions of Go have that can build a module.
func releases(m *packages.Module) map[string]bool {
	tags, last := map[string]bool{}, 0
	if m != nil {
		fmt.Sscanf(m.GoVersion, "1.%d", &last)
	}
	for n := range last {
		tags[fmt.Sprintf("go1.%d", n+1)] = true
	}
	return tags
}

// Constraints returns the build constraints of all that kernels are made of, for files of loops or for files of texts
// for devices.
func (p *Package) Constraints(loops bool) []string {
	var only []string
	for _, k := range p.Kernels {
		for _, b := range k.Builds {
			if of := map[bool][]string{false: b.Only, true: b.Loops}; k.IR != nil {
				only = append(only, of[loops]...)
			}
		}
	}
	slices.Sort(only)
	return slices.Compact(only)
}

// sameInAll returns an error if a length in the signature of a constructor is not the same in all builds, as the
// generated constructor has its value.
func (l *lowering) sameInAll(p *packages.Package, d *ast.FuncDecl) error {
	ast.Inspect(d.Type, func(n ast.Node) bool {
		if array, ok := n.(*ast.ArrayType); ok && array.Len != nil {
			l.noteNames(p, array.Len, true)
		}
		return true
	})
	if len(l.builds) == 0 {
		return nil
	}
	b := &l.builds[0]
	return fmt.Errorf("gokkosc: %v: %s has a parameter of a length that only builds with %v have, because of %s in %s; "+
		"give its type a name", l.world.fset.Position(d.Pos()), d.Name.Name, b, b.Name, b.File)
}
