package analyzer

import (
	"maps"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/gokkosvet/internal/witness"
	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/find"
)

// functors is the analyzer that finds the functors of a package as gokkosc does, by what flows to launches. A package that imports
// it has its own functors behind the functions, fields and variables which the fact names.
var functors = &analysis.Analyzer{
	Name:       "gokkosfunctors",
	Doc:        "find the functors of gokkos, for the analyzer gokkos",
	Run:        found,
	FactTypes:  []analysis.Fact{new(reached)},
	ResultType: reflect.TypeFor[[]*find.Functor](),
}

// reached is a fact of a package: what leads to launches in it, in the order of names.
type reached struct{ Names, Launches []string }

func (*reached) AFact() {}

func found(pass *analysis.Pass) (any, error) {
	others, launches := find.Reached{}, false
	for _, fact := range pass.AllPackageFacts() {
		of := fact.Fact.(*reached)
		for k, name := range of.Names {
			others[name] = of.Launches[k]
		}
	}
	for _, p := range pass.Pkg.Imports() {
		launches = launches || p.Path() == module+"exec" || p.Path() == module+"views/tensor"
	}
	if !launches && len(others) == 0 {
		return []*find.Functor(nil), nil
	}
	p := &find.Package{Path: pass.Pkg.Path(), Files: pass.Files, Info: pass.TypesInfo, Fset: pass.Fset}
	list, by := find.Functors([]*find.Package{p}, others)
	maps.DeleteFunc(by, func(name, _ string) bool { return others[name] != "" })
	if names := slices.Sorted(maps.Keys(by)); len(names) > 0 {
		fact := &reached{Names: names}
		for _, name := range names {
			fact.Launches = append(fact.Launches, by[name])
		}
		pass.ExportPackageFact(fact)
	}
	return list, nil
}

// passed returns the functors that are functions of the package.
func passed(list []*find.Functor) (all []witness.Passed) {
	for _, f := range list {
		if f.Known() {
			of, _ := f.Function()
			if of != nil {
				of = of.Origin()
			}
			all = append(all, witness.Passed{Literal: f.Literal(), Func: of, Launch: f.Launch})
		}
	}
	return all
}
