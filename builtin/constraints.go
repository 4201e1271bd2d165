package builtin

import (
	"math"

	"github.com/gokkos/gokkos/internal/kind"
)

// The element types of the reducers. Named types count as what they are made of.
type (
	// Integer is any integer type.
	Integer interface {
		~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
	}
	// Float is any floating-point type.
	Float interface{ ~float32 | ~float64 }
	// Complex is any complex type.
	Complex interface{ ~complex64 | ~complex128 }
	// Real is any type of numbers that can be ordered.
	Real interface{ Integer | Float }
	// Number is any type of numbers.
	Number interface{ Real | Complex }
)

// least returns the smallest value of T: -Inf if T is a float.
func least[T Real]() T {
	switch {
	case kind.IsFloat[T]():
		inf := math.Inf(-1)
		return T(inf)
	case kind.IsUnsigned[T]():
		return 0
	}
	return -most[T]() - 1
}

// most returns the largest value of T: +Inf if T is a float.
func most[T Real]() T {
	switch {
	case kind.IsFloat[T]():
		inf := math.Inf(+1)
		return T(inf)
	case kind.IsUnsigned[T]():
		return T(0) - 1
	}
	m := int64(math.MaxInt64)
	for int64(T(m)) != m {
		m >>= 8
	}
	return T(m)
}

// abs returns |x|. The absolute value of the smallest integer of a type is that
// integer, as it wraps.
func abs[T Real](x T) T {
	if kind.IsUnsigned[T]() {
		return x
	}
	return max(x, -x)
}
