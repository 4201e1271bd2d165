package team

import "cmp"

// The index types are structs, because the compiler keeps these in registers and arrays
// not. Package policy names them too: its boxes have the same indices.
type (
	// Index2 is a point of a [ThreadRange2] or a policy.MDRange2.
	Index2 struct{ I, J int }
	// Index3 is a point of a [ThreadRange3] or a policy.MDRange3.
	Index3 struct{ I, J, K int }
	// Index4 is a point of a policy.MDRange4.
	Index4 struct{ I, J, K, L int }
	// Index5 is a point of a policy.MDRange5.
	Index5 struct{ I, J, K, L, M int }
	// Index6 is a point of a policy.MDRange6.
	Index6 struct{ I, J, K, L, M, N int }
)

// Compare orders indices by I first, then by J. It returns -1, 0 or +1.
func (a Index2) Compare(b Index2) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) }

// Compare orders indices by I first, then by J and K. It returns -1, 0 or +1.
func (a Index3) Compare(b Index3) int {
	return cmp.Or(Index2{a.I, a.J}.Compare(Index2{b.I, b.J}), cmp.Compare(a.K, b.K))
}

// Compare orders indices by I first, then by J to L. It returns -1, 0 or +1.
func (a Index4) Compare(b Index4) int {
	return cmp.Or(Index3{a.I, a.J, a.K}.Compare(Index3{b.I, b.J, b.K}), cmp.Compare(a.L, b.L))
}

// Compare orders indices by I first, then by J to M. It returns -1, 0 or +1.
func (a Index5) Compare(b Index5) int {
	return cmp.Or(Index4{a.I, a.J, a.K, a.L}.Compare(Index4{b.I, b.J, b.K, b.L}), cmp.Compare(a.M, b.M))
}

// Compare orders indices by I first, then by J to N. It returns -1, 0 or +1.
func (a Index6) Compare(b Index6) int {
	return cmp.Or(Index5{a.I, a.J, a.K, a.L, a.M}.Compare(Index5{b.I, b.J, b.K, b.L, b.M}), cmp.Compare(a.N, b.N))
}
