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

var (
	kind2 = pointKind[Index2]{index2, row2, linear2}
	kind3 = pointKind[Index3]{index3, row3, linear3}
	kind4 = pointKind[Index4]{index4, row4, linear4}
	kind5 = pointKind[Index5]{index5, row5, linear5}
	kind6 = pointKind[Index6]{index6, row6, linear6}
)

func index2(at point) Index2 { return Index2{I: at[0], J: at[1]} }
func index3(at point) Index3 { return Index3{I: at[0], J: at[1], K: at[2]} }
func index4(at point) Index4 { return Index4{I: at[0], J: at[1], K: at[2], L: at[3]} }
func index5(at point) Index5 { return Index5{I: at[0], J: at[1], K: at[2], L: at[3], M: at[4]} }
func index6(at point) Index6 {
	return Index6{I: at[0], J: at[1], K: at[2], L: at[3], M: at[4], N: at[5]}
}

// index returns a point as an index.
func (p *MDRangePolicy[I, B]) index(at point) (i I) {
	if p.kind != nil { // as it is in the zero value
		i = p.kind.index(at)
	}
	return i
}

func row2(dst []Index2, at, step point) {
	x := index2(at)
	di, dj := step[0], step[1]
	for k := range dst {
		dst[k] = x
		x.I, x.J = x.I+di, x.J+dj
	}
}

func row3(dst []Index3, at, step point) {
	x := index3(at)
	di, dj, dk := step[0], step[1], step[2]
	for k := range dst {
		dst[k] = x
		x.I, x.J, x.K = x.I+di, x.J+dj, x.K+dk
	}
}

func row4(dst []Index4, at, step point) {
	x := index4(at)
	for k := range dst {
		dst[k] = x
		x.I, x.J, x.K, x.L = x.I+step[0], x.J+step[1], x.K+step[2], x.L+step[3]
	}
}

func row5(dst []Index5, at, step point) {
	x := index5(at)
	for k := range dst {
		dst[k] = x
		x.I, x.J, x.K, x.L = x.I+step[0], x.J+step[1], x.K+step[2], x.L+step[3]
		x.M += step[4]
	}
}

func row6(dst []Index6, at, step point) {
	x := index6(at)
	for k := range dst {
		dst[k] = x
		x.I, x.J, x.K, x.L = x.I+step[0], x.J+step[1], x.K+step[2], x.L+step[3]
		x.M, x.N = x.M+step[4], x.N+step[5]
	}
}
