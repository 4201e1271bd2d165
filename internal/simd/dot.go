package simd

import "github.com/gokkos/gokkos/internal/kind"

// dots are the kernels of products that are added up, of one level.
type dots[T any] struct {
	rows   func(lanes *[Lanes]T, x, y []T) // takes whole rows: see Dot
	leaves func(dst, x, y []T, leaf int)   // takes len(dst) leaves, at least one: see DotLeaves
}

// Dot is [Fold] by Sum of the products x[k]*y[k], each rounded. x and y have the same length.
func Dot[T kind.Number](lanes, x, y []T) int {
	y = y[:len(x)]
	if len(lanes) != Lanes || len(x) < Lanes {
		return 0
	}
	switch elementOf[T](Sum) {
	case isFloat64:
		return dot(&dotsFloat64[level], lanes, x, y)
	case isFloat32:
		return dot(&dotsFloat32[level], lanes, x, y)
	}
	return 0
}

func dot[U, T any](d *dots[U], lanes, x, y []T) int {
	if d.rows == nil {
		return 0
	}
	n := len(x) &^ (Lanes - 1)
	l, v, w := (*[Lanes]U)(as[U](lanes)), as[U](x[:n]), as[U](y[:n])
	inPieces(n, callValues[U](), func(begin, end int) { d.rows(l, v[begin:end], w[begin:end]) })
	return n
}

// DotLeaves is [Leaves] by Sum of the products x[k]*y[k], each rounded. x and y have the same
// length.
func DotLeaves[T kind.Number](dst, x, y []T, leaf, lanes int) int {
	y = y[:len(x)]
	n := leavesOf(dst, x, leaf, lanes)
	if n == 0 {
		return 0
	}
	dst, x, y = dst[:n], x[:n*leaf], y[:n*leaf]
	switch elementOf[T](Sum) {
	case isFloat64:
		return dotLeaves(&dotsFloat64[level], dst, x, y, leaf)
	case isFloat32:
		return dotLeaves(&dotsFloat32[level], dst, x, y, leaf)
	}
	return 0
}

func dotLeaves[U, T any](k *dots[U], dst, x, y []T, leaf int) int {
	most := callValues[U]() / leaf
	if k.leaves == nil || most == 0 {
		return 0
	}
	d, v, w := as[U](dst), as[U](x), as[U](y)
	if len(d) > most {
		inPieces(len(d), most, func(begin, end int) {
			k.leaves(d[begin:end], v[begin*leaf:end*leaf], w[begin*leaf:end*leaf], leaf)
		})
	} else {
		k.leaves(d, v, w, leaf)
	}
	return len(dst)
}
