package team

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
