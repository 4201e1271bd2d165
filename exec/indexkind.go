package exec

import (
	"reflect"
	"strings"

	"github.com/gokkos/gokkos/policy"
)

// indexKind is what there is to know of an index type, and of the policy's.
type indexKind struct {
	known bool
	rank  int  // number of coordinates, or 0 if runs cannot have such indices
	row   bool // an index is a row of such points
	ours  bool // the policy is one of package policy, whose runs are right
}

// kindOf returns what there is to know of an index type I and a policy type P.
func kindOf[I, P any]() indexKind {
	path := reflect.TypeFor[policy.RangePolicy]().PkgPath()
	k := indexKind{known: true, rank: rankOf(reflect.TypeFor[I]()), ours: reflect.TypeFor[P]().PkgPath() == path}
	if !k.ours && embedsRuns(reflect.TypeFor[P]()) {
		k.rank = 0
	}
	if i := reflect.TypeFor[I](); i.PkgPath() == path && strings.HasPrefix(i.Name(), "Row[") {
		k.rank, k.row = rankOf(i.Field(0).Type), true
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

// takesRuns reports whether a loop may run the items of a policy run by run.
func (k indexKind) takesRuns() bool { return k.ours && k.rank > 0 }
