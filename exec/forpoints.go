package exec

import "github.com/gokkos/gokkos/policy"

// The loops of functors that get a point of up to four dimensions. A short index is made in
// registers, where forEach has it in memory: a sixth of the time of a short functor. Runs that
// go along another dimension than the last one are left to forEach.
type (
	forPoints2 struct{ forEach[policy.Index2] }
	forPoints3 struct{ forEach[policy.Index3] }
	forPoints4 struct{ forEach[policy.Index4] }
)

func (l forPoints2) runs(runs []policy.Run) {
	f := l.forEach
	var at policy.Index2
	done := false
	defer locate(&at, &done)
	for q := range runs {
		r := &runs[q]
		if r.Dim != 1 {
			l.forEach.runs(runs[q : q+1])
			continue
		}
		i, j := r.At[0], r.At[1]
		end := j + r.Len
		at = policy.Index2{I: i, J: j}
		for ; end-j >= 4; j += 4 {
			at.J = j
			f(policy.Index2{I: i, J: j})
			at.J = j + 1
			f(policy.Index2{I: i, J: j + 1})
			at.J = j + 2
			f(policy.Index2{I: i, J: j + 2})
			at.J = j + 3
			f(policy.Index2{I: i, J: j + 3})
		}
		for ; j < end; j++ {
			at.J = j
			f(policy.Index2{I: i, J: j})
		}
	}
	done = true
}

func (l forPoints3) runs(runs []policy.Run) {
	f := l.forEach
	var at policy.Index3
	done := false
	defer locate(&at, &done)
	for q := range runs {
		r := &runs[q]
		if r.Dim != 2 {
			l.forEach.runs(runs[q : q+1])
			continue
		}
		i, j, k := r.At[0], r.At[1], r.At[2]
		end := k + r.Len
		at = policy.Index3{I: i, J: j, K: k}
		for ; end-k >= 4; k += 4 {
			at.K = k
			f(policy.Index3{I: i, J: j, K: k})
			at.K = k + 1
			f(policy.Index3{I: i, J: j, K: k + 1})
			at.K = k + 2
			f(policy.Index3{I: i, J: j, K: k + 2})
			at.K = k + 3
			f(policy.Index3{I: i, J: j, K: k + 3})
		}
		for ; k < end; k++ {
			at.K = k
			f(policy.Index3{I: i, J: j, K: k})
		}
	}
	done = true
}

func (l forPoints4) runs(runs []policy.Run) {
	f := l.forEach
	var at policy.Index4
	done := false
	defer locate(&at, &done)
	for q := range runs {
		r := &runs[q]
		if r.Dim != 3 {
			l.forEach.runs(runs[q : q+1])
			continue
		}
		i, j, k, l := r.At[0], r.At[1], r.At[2], r.At[3]
		end := l + r.Len
		at = policy.Index4{I: i, J: j, K: k, L: l}
		for ; end-l >= 4; l += 4 {
			at.L = l
			f(policy.Index4{I: i, J: j, K: k, L: l})
			at.L = l + 1
			f(policy.Index4{I: i, J: j, K: k, L: l + 1})
			at.L = l + 2
			f(policy.Index4{I: i, J: j, K: k, L: l + 2})
			at.L = l + 3
			f(policy.Index4{I: i, J: j, K: k, L: l + 3})
		}
		for ; l < end; l++ {
			at.L = l
			f(policy.Index4{I: i, J: j, K: k, L: l})
		}
	}
	done = true
}

// forRows is the loop of a functor that gets a row of points of that rank. Rows of two to four dimensions have loops
// of their own: one that is made in memory, of pieces, waits until these are stored.
type forRows[I any] struct {
	forEach[I]
	rank int
}

func (l forRows[I]) runs(runs []policy.Run) {
	var r *policy.Run
	done := false
	defer locateRow(&r, l.rank, &done)
	for n := range runs {
		r = &runs[n]
		l.forEach(rowOf[I](r, l.rank))
	}
	done = true
}

type (
	forRows2 func(policy.Row[policy.Index2])
	forRows3 func(policy.Row[policy.Index3])
	forRows4 func(policy.Row[policy.Index4])
)

func (f forRows2) span(begin, end int) { f.runs([]policy.Run{span(begin, end)}) }
func (f forRows3) span(begin, end int) { f.runs([]policy.Run{span(begin, end)}) }
func (f forRows4) span(begin, end int) { f.runs([]policy.Run{span(begin, end)}) }

func (f forRows2) runs(runs []policy.Run) {
	var r *policy.Run
	done := false
	defer locateRow(&r, 2, &done)
	for n := range runs {
		r = &runs[n]
		f(policy.Row[policy.Index2]{At: policy.Index2{I: r.At[0], J: r.At[1]}, Span: spanOf(r)})
	}
	done = true
}

func (f forRows3) runs(runs []policy.Run) {
	var r *policy.Run
	done := false
	defer locateRow(&r, 3, &done)
	for n := range runs {
		r = &runs[n]
		f(policy.Row[policy.Index3]{At: policy.Index3{I: r.At[0], J: r.At[1], K: r.At[2]}, Span: spanOf(r)})
	}
	done = true
}

func (f forRows4) runs(runs []policy.Run) {
	var r *policy.Run
	done := false
	defer locateRow(&r, 4, &done)
	for n := range runs {
		r = &runs[n]
		f(policy.Row[policy.Index4]{At: policy.Index4{I: r.At[0], J: r.At[1], K: r.At[2], L: r.At[3]}, Span: spanOf(r)})
	}
	done = true
}
