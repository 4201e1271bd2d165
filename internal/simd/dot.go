package simd

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/kind"
)

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
	return dotAll(elementOf[T](Sum), first(lanes), first(x), first(y), len(x))
}

// dotAll is Dot of n products.
func dotAll(e element, lanes, x, y unsafe.Pointer, n int) int {
	switch e {
	case isFloat64:
		return dot(&dotsFloat64[level], lanes, x, y, n)
	case isFloat32:
		return dot(&dotsFloat32[level], lanes, x, y, n)
	}
	return 0
}

func dot[U any](d *dots[U], lanes, x, y unsafe.Pointer, n int) int {
	if d.rows == nil {
		return 0
	}
	n &^= Lanes - 1
	l, v, w := (*[Lanes]U)(lanes), unsafe.Slice((*U)(x), n), unsafe.Slice((*U)(y), n)
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
	return dotLeavesAll(elementOf[T](Sum), first(dst), first(x), first(y), n, leaf)
}

// dotLeavesAll is DotLeaves of n leaves.
func dotLeavesAll(e element, dst, x, y unsafe.Pointer, n, leaf int) int {
	switch e {
	case isFloat64:
		return dotLeaves(&dotsFloat64[level], dst, x, y, n, leaf)
	case isFloat32:
		return dotLeaves(&dotsFloat32[level], dst, x, y, n, leaf)
	}
	return 0
}

func dotLeaves[U any](k *dots[U], dst, x, y unsafe.Pointer, n, leaf int) int {
	most := callValues[U]() / leaf
	if k.leaves == nil || most == 0 {
		return 0
	}
	d, v, w := unsafe.Slice((*U)(dst), n), unsafe.Slice((*U)(x), n*leaf), unsafe.Slice((*U)(y), n*leaf)
	if n > most {
		inPieces(n, most, func(begin, end int) {
			k.leaves(d[begin:end], v[begin*leaf:end*leaf], w[begin*leaf:end*leaf], leaf)
		})
	} else {
		k.leaves(d, v, w, leaf)
	}
	return n
}
