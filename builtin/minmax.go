package builtin

import (
	"github.com/gokkos/gokkos/internal/simd"
	"github.com/gokkos/gokkos/reducers"
	"github.com/gokkos/gokkos/reducers/concept"
)

// Min joins by min; its identity is the largest value of T, +Inf for floats.
// NaN propagates and -0 is less than +0, as with Go's min.
func Min[T Real](result *T) Reduction[T, T] { return minimum[T]{reducers.Into(result)} }

type minimum[T Real] struct{ reducers.Base[T] }

func (minimum[T]) Init(val *T) { *val = most[T]() }

func (minimum[T]) Join(dst, src *T) { *dst = min(*dst, *src) }

func (minimum[T]) JoinLanes(lanes []T) {
	if !simd.Join(simd.Min, lanes) {
		joinHalves(lanes, func(dst *T, src T) { *dst = min(*dst, src) })
	}
}

func (minimum[T]) Traits() concept.Traits[T] { return exact[T]() }

func (r minimum[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (minimum[T]) AddValues(lanes []T, first int, x []T) { minLanes(lanes, first, x) }

func minLanes[T Real](lanes []T, _ int, x []T) {
	x = x[simd.Fold(simd.Min, lanes, x):]
	if len(lanes) == 4 {
		x = minQuads((*[4]T)(lanes), x)
	}
	rows := inRows(len(x), len(lanes))
	for l := 0; l < len(lanes) && l < rows; l += octet {
		lo, hi := halves(lanes, l)
		p, q := load(lo), load(hi)
		for k := l; k < rows; k += len(lanes) {
			u, v := halves(x, k)
			p, q = min4(p, u), min4(q, v)
		}
		p.store(lo)
		q.store(hi)
	}
	for k := rows; k < len(x); k++ {
		l := k & (len(lanes) - 1)
		lanes[l] = min(lanes[l], x[k])
	}
}

// minQuads is minLanes of whole rows for four lanes, and returns the values that are left.
func minQuads[T Real](lanes *[4]T, x []T) []T {
	q := load(lanes)
	for ; len(x) >= 4; x = x[4:] {
		q = min4(q, (*[4]T)(x))
	}
	q.store(lanes)
	return x
}

func min4[T Real](q quad[T], x *[4]T) quad[T] {
	return quad[T]{min(q.a, x[0]), min(q.b, x[1]), min(q.c, x[2]), min(q.d, x[3])}
}

// Max joins by max; its identity is the smallest value of T, -Inf for floats.
// NaN propagates and +0 is greater than -0, as with Go's max.
func Max[T Real](result *T) Reduction[T, T] { return maximum[T]{reducers.Into(result)} }

type maximum[T Real] struct{ reducers.Base[T] }

func (maximum[T]) Init(val *T) { *val = least[T]() }

func (maximum[T]) Join(dst, src *T) { *dst = max(*dst, *src) }

func (maximum[T]) JoinLanes(lanes []T) { joinMaxima(lanes) }

func (maximum[T]) Traits() concept.Traits[T] { return exact[T]() }

func (r maximum[T]) Fold() reducers.Fold[T] { return reducers.NewFold[T, T](r, nil) }

func (maximum[T]) AddValues(lanes []T, first int, x []T) { maxLanes(lanes, first, x) }

func maxLanes[T Real](lanes []T, _ int, x []T) {
	x = x[simd.Fold(simd.Max, lanes, x):]
	if len(lanes) == 4 {
		x = maxQuads((*[4]T)(lanes), x)
	}
	rows := inRows(len(x), len(lanes))
	for l := 0; l < len(lanes) && l < rows; l += octet {
		lo, hi := halves(lanes, l)
		p, q := load(lo), load(hi)
		for k := l; k < rows; k += len(lanes) {
			u, v := halves(x, k)
			p, q = max4(p, u), max4(q, v)
		}
		p.store(lo)
		q.store(hi)
	}
	for k := rows; k < len(x); k++ {
		l := k & (len(lanes) - 1)
		lanes[l] = max(lanes[l], x[k])
	}
}

// joinMaxima joins lanes by max.
func joinMaxima[T Real](lanes []T) {
	if !simd.Join(simd.Max, lanes) {
		joinHalves(lanes, func(dst *T, src T) { *dst = max(*dst, src) })
	}
}

// maxQuads is maxLanes of whole rows for four lanes, and returns the values that are left.
func maxQuads[T Real](lanes *[4]T, x []T) []T {
	q := load(lanes)
	for ; len(x) >= 4; x = x[4:] {
		q = max4(q, (*[4]T)(x))
	}
	q.store(lanes)
	return x
}

func max4[T Real](q quad[T], x *[4]T) quad[T] {
	return quad[T]{max(q.a, x[0]), max(q.b, x[1]), max(q.c, x[2]), max(q.d, x[3])}
}

// MinMaxVal is the smallest and the largest of some values. If there are none,
// Min is the largest value of T and Max the smallest.
type MinMaxVal[T Real] struct{ Min, Max T }

// Add joins the value x.
func (v *MinMaxVal[T]) Add(x T) { v.Min, v.Max = min(v.Min, x), max(v.Max, x) }

// MinMax joins by min and max side by side; see [Min] and [Max].
func MinMax[T Real](result *MinMaxVal[T]) Reduction[MinMaxVal[T], T] {
	return minMax[T]{reducers.Into(result)}
}

type minMax[T Real] struct{ reducers.Base[MinMaxVal[T]] }

func (minMax[T]) Init(val *MinMaxVal[T]) { val.Min, val.Max = most[T](), least[T]() }

func (minMax[T]) Join(dst, src *MinMaxVal[T]) {
	dst.Min, dst.Max = min(dst.Min, src.Min), max(dst.Max, src.Max)
}

func (minMax[T]) JoinLanes(lanes []MinMaxVal[T]) {
	joinHalves(lanes, func(dst *MinMaxVal[T], src MinMaxVal[T]) {
		dst.Min, dst.Max = min(dst.Min, src.Min), max(dst.Max, src.Max)
	})
}

func (minMax[T]) Traits() concept.Traits[MinMaxVal[T]] { return exact[MinMaxVal[T]]() }

func (r minMax[T]) Fold() reducers.Fold[T] { return reducers.NewFold[MinMaxVal[T], T](r, nil) }

// AddValues uses one lane: the order of joins is no matter.
func (minMax[T]) AddValues(lanes []MinMaxVal[T], _ int, x []T) { lanes[0].addAll(x) }

// addAll joins the values x.
func (v *MinMaxVal[T]) addAll(x []T) {
	for len(x) > 0 {
		n := min(len(x), piece)
		low, high, ok := simd.MinMax(x[:n])
		if !ok {
			break
		}
		v.Min, v.Max = min(v.Min, low), max(v.Max, high)
		x = x[n:]
	}
	for _, x := range x {
		v.Add(x)
	}
}
