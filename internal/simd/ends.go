package simd

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/kind"
)

// both are the kernels of one level that find both ends of values, and reduce them otherwise in
// the same pass. Where a value is NaN, the ends are wrong, and the last result is NaN, or some
// square. An end that is zero may have the wrong sign.
type both[T any] struct {
	ends    func(x []T) (low, high, all T)                     // takes whole rows, at least one
	moments func(sums, squares, x []T, leaf int) (low, high T) // takes whole leaves of 32 lanes
}

// MinMax returns the Min and the Max of x. It returns false if there is no kernel for the type, or if x has less than
// Lanes values. It reads integers twice.
func MinMax[T kind.Number](x []T) (low, high T, ok bool) {
	if len(x) < Lanes {
		return low, high, false
	}
	switch elementOf[T](Min) {
	case isFloat64:
		l, h, ok := minMax64(first(x), len(x))
		return *(*T)(unsafe.Pointer(&l)), *(*T)(unsafe.Pointer(&h)), ok
	case isFloat32:
		l, h, ok := minMax32(first(x), len(x))
		return *(*T)(unsafe.Pointer(&l)), *(*T)(unsafe.Pointer(&h)), ok
	}
	if low, ok = Reduce(Min, x); ok {
		high, _ = Reduce(Max, x)
	}
	return low, high, ok
}

func minMax64(x unsafe.Pointer, n int) (low, high float64, ok bool) {
	return minMax(&bothFloat64[level], x, n)
}

func minMax32(x unsafe.Pointer, n int) (low, high float32, ok bool) {
	return minMax(&bothFloat32[level], x, n)
}

func minMax[U float32 | float64](k *both[U], x unsafe.Pointer, n int) (l, h U, ok bool) {
	if k.ends == nil {
		return l, h, false
	}
	v := unsafe.Slice((*U)(x), n)
	rows := len(v) &^ (Lanes - 1)
	l, h = v[0], v[0]
	join := func(x []U) {
		low, high, all := k.ends(x)
		low, high = exactEnds(x, low, high, all != all)
		l, h = min(l, low), max(h, high)
	}
	inPieces(rows, callValues[U](), func(begin, end int) { join(v[begin:end]) })
	if rows < len(v) {
		join(lastRow(v))
	}
	return l, h, true
}

// exactEnds returns the ends of whole rows, given those that a kernel has found. wrong says that
// they are.
func exactEnds[U float32 | float64](x []U, low, high U, wrong bool) (U, U) {
	if wrong || low == 0 {
		low, _ = Reduce(Min, x)
	}
	if wrong || high == 0 {
		high, _ = Reduce(Max, x)
	}
	return low, high
}

// TakesMoments reports whether there is a kernel of [Moments] for leaves of that length.
func TakesMoments[T kind.Number](leaf, lanes int) bool {
	if leaf&(leaf-1) != 0 || leaf/8 < Lanes || lanes != Lanes {
		return false
	}
	switch elementOf[T](Sum) {
	case isFloat64:
		return bothFloat64[level].moments != nil && leaf <= callValues[float64]()
	case isFloat32:
		return bothFloat32[level].moments != nil && leaf <= callValues[float32]()
	}
	return false
}

// Moments is [Leaves] by Sum and by SumSq, and MinMax of these leaves, in one pass. sums and squares
// have the same length.
func Moments[T kind.Number](sums, squares, x []T, leaf, lanes int) (low, high T, n int) {
	squares = squares[:len(sums)]
	if n = min(len(sums), len(x)/leaf); n == 0 || !TakesMoments[T](leaf, lanes) {
		return low, high, 0
	}
	sums, squares, x = sums[:n], squares[:n], x[:n*leaf]
	switch elementOf[T](Sum) {
	case isFloat64:
		return moments(&bothFloat64[level], sums, squares, x, leaf)
	case isFloat32:
		return moments(&bothFloat32[level], sums, squares, x, leaf)
	}
	return low, high, 0
}

func moments[U float32 | float64, T kind.Number](k *both[U], sums, squares, x []T, leaf int) (low, high T, n int) {
	s, q, v := as[U](sums), as[U](squares), as[U](x)
	l, h := v[0], v[0]
	inPieces(len(s), callValues[U]()/leaf, func(begin, end int) {
		q, v := q[begin:end], v[begin*leaf:end*leaf]
		low, high := k.moments(s[begin:end], q, v, leaf)
		low, high = exactEnds(v, low, high, hasNaN(q))
		l, h = min(l, low), max(h, high)
	})
	return *(*T)(unsafe.Pointer(&l)), *(*T)(unsafe.Pointer(&h)), len(s)
}

func hasNaN[U float32 | float64](x []U) bool {
	for _, v := range x {
		if v != v {
			return true
		}
	}
	return false
}
