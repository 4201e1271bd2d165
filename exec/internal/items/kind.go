package items

import (
	"reflect"
	"strings"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// indexKind is what there is to know of an index type, and of the policy's.
type indexKind struct {
	known bool
	Rank  int  // number of coordinates, or 0 if runs cannot have such indices
	Row   bool // an index is a row of such points
	Ours  bool // the policy is one of package policy, whose runs are right
}

// KindOf returns what there is to know of an index type I and a policy type P.
func KindOf[I, P any]() indexKind {
	path := reflect.TypeFor[policy.RangePolicy]().PkgPath()
	k := indexKind{known: true, Rank: launch.RankOf(reflect.TypeFor[I]()), Ours: reflect.TypeFor[P]().PkgPath() == path}
	if !k.Ours && embedsRuns(reflect.TypeFor[P]()) {
		k.Rank = 0
	}
	if i := reflect.TypeFor[I](); i.PkgPath() == path && strings.HasPrefix(i.Name(), "Row[") {
		k.Rank, k.Row = launch.RankOf(i.Field(0).Type), true
	}
	return k
}

// embedsRuns reports whether a policy embeds one with runs: the runs may be those of that one,
// and the indices its own.
func embedsRuns(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	runs := reflect.TypeFor[policy.Runs]()
	for k := range t.NumField() {
		f := t.Field(k)
		if f.Anonymous && (f.Type.Implements(runs) || reflect.PointerTo(f.Type).Implements(runs) || embedsRuns(f.Type)) {
			return true
		}
	}
	return false
}

// TakesRuns reports whether a loop may run the items of a policy run by run.
func (k indexKind) TakesRuns() bool { return k.Ours && k.Rank > 0 }
