package front

import (
	"go/token"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
	"github.com/gokkos/gokkos/exec/kernel/sources"
)

// A package that has tests is built twice, with these and without. Functors of the files that both have are lowered once, and
// those of test files are a package of their own, whose generated files are test files. Tests from outside are one, too.

// places lowers the functors of packages where they stand, and adds them to packages, of which there may be more then.
func (w *world) places(pkgs []*packages.Package, out []*Package) ([]*Package, error) {
	of, seen := w.functors(pkgs), map[token.Position]bool{}
	for _, p := range pkgs {
		for _, f := range of[p] {
			at := w.fset.PositionFor(f.Expr.Pos(), false)
			if seen[at] {
				continue
			}
			seen[at] = true
			all, err := w.inPlace(p, f)
			if err != nil {
				return nil, err
			}
			isTest := sources.IsTest(w.path(p, f.File))
			n := slices.IndexFunc(out, func(q *Package) bool { return q.Path == p.PkgPath && q.Tests == isTest })
			if n < 0 {
				n, out = len(out), append(out, w.unit(p))
				out[n].Tests = isTest
				if p.PkgPath == p.ForTest+"_test" {
					out[n].NoAssembly = "Go takes no assembly in package " + p.Name + ", which has tests alone; move the functor to the package that it tests"
				}
			}
			out[n].Kernels = append(out[n].Kernels, all...)
		}
	}
	return out, nil
}

// unit returns a package without kernels.
func (w *world) unit(p *packages.Package) *Package {
	q := &Package{Name: p.Name, Path: p.PkgPath, Imported: map[string]bool{}, Sources: &sources.Folder{}}
	if len(p.GoFiles) == 0 {
		return q
	}
	q.Dir = filepath.Dir(p.GoFiles[0])
	q.Sources = w.folder(q.Dir, true)
	if c := w.usesC(p, q.Dir); c != "" {
		q.NoAssembly = c + ` imports "C", and Go takes no assembly beside cgo; move the kernel to a package without`
	}
	return q
}

// functors returns the functors of packages, and notes what type parameters stand for.
func (w *world) functors(pkgs []*packages.Package) map[*packages.Package][]*find.Functor {
	var list []*find.Package
	from, of := map[*find.Package]*packages.Package{}, map[*packages.Package][]*find.Functor{}
	for _, p := range pkgs {
		q := &find.Package{Path: p.PkgPath, Info: p.TypesInfo, Fset: p.Fset}
		for _, file := range p.Syntax {
			if !w.isGenerated(p, file) {
				q.Files = append(q.Files, file)
			}
		}
		list, from[q] = append(list, q), p
	}
	found, _ := find.Functors(list, nil)
	for _, f := range found {
		p := from[f.Package]
		of[p] = append(of[p], f)
	}
	w.instances = find.NewInstances(list)
	return of
}

// inPlace lowers a functor where it stands, for all types that type parameters stand for. All get the same arguments.
func (w *world) inPlace(p *packages.Package, f *find.Functor) (all []*Kernel, err error) {
	var first *Site
	for _, of := range instances(w.instances.Of(f.Package, f.Within)) {
		k, err := w.placed(p, f, of)
		if err != nil {
			return nil, err
		}
		switch {
		case k.IR == nil:
		case first == nil:
			first = k.Site
		case !slices.Equal(first.Captures, k.Site.Captures):
			k.Refused, k.IR = &Refusal{Pos: k.Pos, Reason: "it captures otherwise than with other types"}, nil
		}
		all = append(all, k)
	}
	return all, nil
}
