package simd

import (
	"cmp"
	"unsafe"

	"github.com/gokkos/gokkos/internal/kind"
)

// kernels are those of one operation and level for values of type T. A nil one does not
// exist.
type kernels[T any] struct {
	fold   func(lanes *[Lanes]T, x []T) // takes whole rows of x: see Fold
	join   func(dst, x []T)             // takes len(dst) rows of lanes, at least one: see Join
	reduce func(x []T) T                // takes whole rows of x, at least one: see Reduce
	leaves func(dst, x []T, leaf int)   // takes len(dst) leaves, at least one: see Leaves
}

type table[T any] [levels][ops]kernels[T]

// An element is a type of numbers that there are kernels for, whatever its name.
type element int

const (
	other element = iota
	isFloat64
	isFloat32
	isInt64
	isInt32
	isUint64
	isUint32
)

// elementOf returns what T is for an operation: integers that are not ordered need no sign.
// The compiler knows the type, and drops the branches of others.
func elementOf[T kind.Number](op Op) element {
	size, unsigned := unsafe.Sizeof(*new(T)), kind.IsUnsigned[T]() && (op == Min || op == Max)
	switch {
	case kind.IsComplex[T]():
		return other
	case kind.IsFloat[T]() && size == 8:
		return isFloat64
	case kind.IsFloat[T]():
		return isFloat32
	case size == 8 && unsigned:
		return isUint64
	case size == 8:
		return isInt64
	case size == 4 && unsigned:
		return isUint32
	case size == 4:
		return isInt32
	}
	return other
}

// Fold joins x[k] into lanes[k%Lanes] for the whole rows at the beginning of x. It
// returns how many values it took: a multiple of Lanes, and 0 if there is no kernel
// for the operation, the type or the number of lanes.
func Fold[T kind.Number](op Op, lanes, x []T) int {
	if len(lanes) != Lanes || len(x) < Lanes {
		return 0
	}
	return foldAll(elementOf[T](op), op, first(lanes), first(x), len(x))
}

// foldAll is Fold of n values, compiled once for all names of types.
func foldAll(e element, op Op, lanes, x unsafe.Pointer, n int) int {
	switch e {
	case isFloat64:
		return fold(&float64s[level][op], lanes, x, n)
	case isFloat32:
		return fold(&float32s[level][op], lanes, x, n)
	case isInt64:
		return fold(&int64s[level][op], lanes, x, n)
	case isInt32:
		return fold(&int32s[level][op], lanes, x, n)
	case isUint64:
		return fold(&uint64s[level][op], lanes, x, n)
	case isUint32:
		return fold(&uint32s[level][op], lanes, x, n)
	}
	return 0
}

// fold is Fold with kernels for U, which the values are made of.
func fold[U any](k *kernels[U], lanes, x unsafe.Pointer, n int) int {
	if k.fold == nil {
		return 0
	}
	n &^= Lanes - 1
	l, v := (*[Lanes]U)(lanes), unsafe.Slice((*U)(x), n)
	if most := callValues[U](); n > most {
		inPieces(n, most, func(begin, end int) { k.fold(l, v[begin:end]) })
	} else {
		k.fold(l, v)
	}
	return n
}

// as returns x as a slice of U, which is what T is made of.
func as[U, T any](x []T) []U { return unsafe.Slice((*U)(unsafe.Pointer(&x[0])), len(x)) }

// first returns where the values of x are.
func first[T any](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

// Join joins lanes that have been folded with the operation into lanes[0]: lane l with
// lane l+h for h a half, a quarter, and so on of Lanes. The other lanes stay as they
// are. It returns false, and does nothing, if there is no kernel for the operation, the
// type or the number of lanes.
func Join[T kind.Number](op Op, lanes []T) bool {
	return len(lanes) == Lanes && joinAll(elementOf[T](op), op, first(lanes), len(lanes))
}

// joinAll is Join of rows of lanes, n values. It leaves in lane k what row k comes to.
func joinAll(e element, op Op, lanes unsafe.Pointer, n int) bool {
	switch e {
	case isFloat64:
		return join(&float64s[level][op], lanes, n)
	case isFloat32:
		return join(&float32s[level][op], lanes, n)
	case isInt64:
		return join(&int64s[level][op], lanes, n)
	case isInt32:
		return join(&int32s[level][op], lanes, n)
	case isUint64:
		return join(&uint64s[level][op], lanes, n)
	case isUint32:
		return join(&uint32s[level][op], lanes, n)
	}
	return false
}

func join[U any](k *kernels[U], lanes unsafe.Pointer, n int) bool {
	if k.join == nil {
		return false
	}
	x := unsafe.Slice((*U)(lanes), n)
	k.join(x[:n/Lanes], x)
	return true
}

// Reduce returns the Min or the Max of x. It returns false if there is no kernel for the
// operation or the type, or if x has less than Lanes values.
func Reduce[T kind.Number](op Op, x []T) (result T, ok bool) {
	if len(x) < Lanes {
		return 0, false
	}
	ok = reduceAll(elementOf[T](op), op, first(x), len(x), unsafe.Pointer(&result))
	return result, ok
}

// reduceAll is Reduce of n values, whose result it writes.
func reduceAll(e element, op Op, x unsafe.Pointer, n int, result unsafe.Pointer) bool {
	switch e {
	case isFloat64:
		return reduce(&float64s[level][op], op, x, n, result)
	case isFloat32:
		return reduce(&float32s[level][op], op, x, n, result)
	case isInt64:
		return reduce(&int64s[level][op], op, x, n, result)
	case isInt32:
		return reduce(&int32s[level][op], op, x, n, result)
	case isUint64:
		return reduce(&uint64s[level][op], op, x, n, result)
	case isUint32:
		return reduce(&uint32s[level][op], op, x, n, result)
	}
	return false
}

func reduce[U cmp.Ordered](k *kernels[U], op Op, x unsafe.Pointer, n int, result unsafe.Pointer) bool {
	if k.reduce == nil {
		return false
	}
	v := unsafe.Slice((*U)(x), n)
	most, rows := callValues[U](), len(v)&^(Lanes-1)
	u := k.reduce(v[:min(most, rows)])
	join := func(x []U) {
		if next := k.reduce(x); op == Max {
			u = max(u, next)
		} else {
			u = min(u, next)
		}
	}
	if most < rows {
		inPieces(rows-most, most, func(begin, end int) { join(v[most:][begin:end]) })
	}
	if rows < len(v) {
		join(lastRow(v))
	}
	*(*U)(result) = u
	return true
}

// lastRow returns the last values of x as a row. Those that are in the row before it as well change no extreme.
func lastRow[T any](x []T) []T { return x[len(x)-Lanes:] }
