package front

import (
	"fmt"
	"go/build/constraint"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// Loops are for the builds that have all files that the loops are made of. In others constructors return closures.

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
