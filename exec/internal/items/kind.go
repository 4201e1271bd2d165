package items

import (
	"reflect"
	"strings"

	"github.com/gokkos/gokkos/exec/internal/launch"
	"github.com/gokkos/gokkos/policy"
)

// indexKind describes an index type and a policy type.
type indexKind struct {
	known bool // the other fields are set
	Rank  int  // coordinates of a point; 0: runs cannot have such indices
	Row   bool // an index is a row of such points
	Ours  bool // the policy is of package policy, so its runs need no check
}

// KindOf describes index type I and policy type P.
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

// embedsRuns reports whether a policy embeds one that has runs. The runs may then be the embedded policy's,
// while the indices are not.
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

// TakesRuns reports whether a compiled loop may run the items run by run.
func (k indexKind) TakesRuns() bool { return k.Ours && k.Rank > 0 }
