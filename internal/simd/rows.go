package simd

import (
	"unsafe"

	"github.com/gokkos/gokkos/internal/kind"
)

//go:generate go -C _generate run . -rows -out ../zrows_amd64.s -stubs ../zrows_amd64.go -pkg simd

// Rows join values side by side: those of row r are x[r*stride], x[r*stride+1] and so on.
// The bits are those of the loop in Go, NaN signs and payloads apart.
type Rows[T any] struct {
	// Add sets dst[j] = dst[j] op x[r*stride+j] for all j and r < rows, in the order of
	// r; nil if there are no rows for the operation or the type.
	Add func(dst, x []T, stride, rows int)
	// Join sets dst[j] = dst[j] op src[j] for all j, by the operation that joins lanes.
	// src is at least as long as dst.
	Join func(dst, src []T)
}

// RowsOf returns the rows of values that are joined by op, and lanes by join. They are for
// the operations and types of which there are kernels, and run on any processor.
func RowsOf[T kind.Number](op, join Op) Rows[T] {
	r := rowsBy(elementOf[T](op), elementOf[T](join), op, join)
	return *(*Rows[T])(unsafe.Pointer(&r)) // functions of slices are called alike, whatever the elements are
}

// hidden stands for the numbers that rows are of.
type hidden struct{}

func rowsBy(e, f element, op, join Op) Rows[hidden] {
	add, joinRows := rowsOf(e, op), rowsOf(f, join)
	if add == nil || joinRows == nil {
		return Rows[hidden]{}
	}
	return Rows[hidden]{add, func(dst, src []hidden) { joinRows(dst, src, 0, 1) }}
}

func rowsOf(e element, op Op) func(dst, x []hidden, stride, rows int) {
	switch e {
	case isFloat64:
		return rowsAs(&float64Rows, goFloats[float64](op), op)
	case isFloat32:
		return rowsAs(&float32Rows, goFloats[float32](op), op)
	case isInt64:
		return rowsAs(&int64Rows, goIntegers[int64](op), op)
	case isInt32:
		return rowsAs(&int32Rows, goIntegers[int32](op), op)
	}
	return nil
}

// A rowTable has the kernels of one level. They take whole vectors of the level.
type rowTable[T any] [ops]func(dst, x []T, stride, rows int)

// rowsAs returns rows of U, which it hides: by the kernel, and by loop for what is left.
func rowsAs[U any](tables *[levels]rowTable[U], loop func(dst, x []U), op Op) func(dst, x []hidden, stride, rows int) {
	if loop == nil {
		return nil
	}
	kernel, vector := tables[level][op], vectorBytes[level]/int(unsafe.Sizeof(*new(U)))
	f := func(d, x []U, stride, rows int) {
		if len(d) == 0 || rows <= 0 {
			return
		}
		v := x[:(rows-1)*stride+len(d)]
		if kernel != nil && len(d) >= vector {
			n := len(d) &^ (vector - 1)
			addIn(kernel, d[:n], v, stride, rows)
			d, v = d[n:], v[n:]
		}
		if len(d) > 0 {
			for r := range rows {
				loop(d, v[r*stride:])
			}
		}
	}
	return *(*func(dst, x []hidden, stride, rows int))(unsafe.Pointer(&f))
}

// addIn calls a kernel for some values of some rows at a time, in the order of the rows.
func addIn[U any](kernel func(dst, x []U, stride, rows int), dst, x []U, stride, rows int) {
	values := callValues[U]()
	if len(dst)*rows <= values && rows <= maxRows {
		kernel(dst, x, stride, rows)
		return
	}
	inPieces(len(dst), values, func(left, right int) {
		most := min(values/(right-left), maxRows)
		inPieces(rows, most, func(begin, end int) {
			kernel(dst[left:right], x[begin*stride+left:(end-1)*stride+right], stride, end-begin)
		})
	})
}

// maxRows is the most rows that a kernel takes in one call: each may be in a page of its own.
const maxRows = 512

// vectorBytes is the size of a vector by level.
var vectorBytes = [levels]int{None: 64, AVX2: 32, AVX512: 64}

// goReals returns the loop of an operation that floats and integers have.
func goReals[T float32 | float64 | int32 | int64](op Op) func(dst, x []T) {
	switch op {
	case Sum:
		return func(dst, x []T) {
			for j := range dst {
				dst[j] += x[j]
			}
		}
	case Min:
		return func(dst, x []T) {
			for j := range dst {
				dst[j] = min(dst[j], x[j])
			}
		}
	case Max:
		return func(dst, x []T) {
			for j := range dst {
				dst[j] = max(dst[j], x[j])
			}
		}
	}
	return nil
}

func goFloats[T float32 | float64](op Op) func(dst, x []T) {
	switch op {
	case SumSq:
		return func(dst, x []T) {
			for j := range dst {
				dst[j] += T(x[j] * x[j])
			}
		}
	case Norm1:
		return func(dst, x []T) {
			for j := range dst {
				dst[j] += max(x[j], -x[j])
			}
		}
	case AMax:
		return func(dst, x []T) {
			for j := range dst {
				dst[j] = max(dst[j], max(x[j], -x[j]))
			}
		}
	}
	return goReals[T](op)
}

func goIntegers[T int32 | int64](op Op) func(dst, x []T) {
	switch op {
	case And:
		return func(dst, x []T) {
			for j := range dst {
				dst[j] &= x[j]
			}
		}
	case Or:
		return func(dst, x []T) {
			for j := range dst {
				dst[j] |= x[j]
			}
		}
	case Xor:
		return func(dst, x []T) {
			for j := range dst {
				dst[j] ^= x[j]
			}
		}
	}
	return goReals[T](op)
}
