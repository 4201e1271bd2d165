package policy

import "github.com/gokkos/gokkos/team"

// The index types of the multi-dimensional policies, which are those of package team's
// ranges. Each has a method Compare, which orders points by I first, then by J, and so on,
// and returns -1, 0 or +1.
type (
	// Index2 is a struct{ I, J int }: a point of an [MDRange2].
	Index2 = team.Index2
	// Index3 is a struct{ I, J, K int }: a point of an [MDRange3].
	Index3 = team.Index3
	// Index4 is a struct{ I, J, K, L int }: a point of an [MDRange4].
	Index4 = team.Index4
	// Index5 is a struct{ I, J, K, L, M int }: a point of an [MDRange5].
	Index5 = team.Index5
	// Index6 is a struct{ I, J, K, L, M, N int }: a point of an [MDRange6].
	Index6 = team.Index6
)

// pointKind is what a policy does with points of its rank.
type pointKind[I any] struct {
	index  func(at point) I
	row    func(dst []I, at, step point) // fills dst with the points at, at+step, at+2*step, ...
	linear func(i I, lower, extent *point) int
}

// index returns a point as an index.
func (p *MDRangePolicy[I, B]) index(at point) (i I) {
	if p.kind != nil { // as it is in the zero value
		i = p.kind.index(at)
	}
	return i
}
