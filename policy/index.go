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

// A row writer fills dst with the points at, at+step, at+2*step, ...

func row2(dst []Index2, at, step point) {
	x := Index2{I: at[0], J: at[1]}
	di, dj := step[0], step[1]
	for k := range dst {
		dst[k] = x
		x.I, x.J = x.I+di, x.J+dj
	}
}

func row3(dst []Index3, at, step point) {
	x := Index3{I: at[0], J: at[1], K: at[2]}
	di, dj, dk := step[0], step[1], step[2]
	for k := range dst {
		dst[k] = x
		x.I, x.J, x.K = x.I+di, x.J+dj, x.K+dk
	}
}

func row4(dst []Index4, at, step point) {
	x := Index4{I: at[0], J: at[1], K: at[2], L: at[3]}
	for k := range dst {
		dst[k] = x
		x.I, x.J, x.K, x.L = x.I+step[0], x.J+step[1], x.K+step[2], x.L+step[3]
	}
}

func row5(dst []Index5, at, step point) {
	x := Index5{I: at[0], J: at[1], K: at[2], L: at[3], M: at[4]}
	for k := range dst {
		dst[k] = x
		x.I, x.J, x.K, x.L = x.I+step[0], x.J+step[1], x.K+step[2], x.L+step[3]
		x.M += step[4]
	}
}

func row6(dst []Index6, at, step point) {
	x := Index6{I: at[0], J: at[1], K: at[2], L: at[3], M: at[4], N: at[5]}
	for k := range dst {
		dst[k] = x
		x.I, x.J, x.K, x.L = x.I+step[0], x.J+step[1], x.K+step[2], x.L+step[3]
		x.M, x.N = x.M+step[4], x.N+step[5]
	}
}
