// Package kind says what kind of numbers a type is, whatever its name: by what its arithmetic
// does, where the type is known to be one of numbers, and else by reflection. [Product] has the same bits on all processors.
package kind

import (
	"reflect"
	"unsafe"
)

// Real is any type of numbers that can be ordered.
type Real interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64
}

// Number is any type of numbers.
type Number interface {
	Real | ~complex64 | ~complex128
}

// What follows is a constant as soon as the compiler knows the size of T and how it computes,
// as it does in the code that it makes for each: branches that do not apply are dropped, and
// no time is lost in a loop.

// IsInteger reports whether T is an integer type.
func IsInteger[T Number]() bool { return T(1)/2 == 0 }

// IsUnsigned reports whether T is an unsigned integer type.
func IsUnsigned[T Number]() bool { return IsInteger[T]() && (T(0)-1)/2 != 0 }

// IsFloat reports whether T is a floating-point type.
func IsFloat[T Number]() bool { return !IsInteger[T]() && !IsComplex[T]() }

// IsComplex reports whether T is a complex type: only these are larger than what they are
// aligned to, but for numbers of 8 bytes on 32-bit processors.
func IsComplex[T Number]() bool {
	var x T
	if unsafe.Sizeof(x) == 8 && unsafe.Alignof(uint64(0)) == 4 {
		return isComplex64[T]()
	}
	return unsafe.Sizeof(x) != unsafe.Alignof(x)
}

// isComplex64 is IsComplex of types of 8 bytes: the parts of a complex64 have 24 bits, so that
// 2^24 + 1 is rounded.
func isComplex64[T Number]() bool {
	x := T(64)
	x *= x * x * x
	return x+1 == x
}

// A Kind is a kind of numbers.
type Kind uint8

// The kinds. None is that of all types that are not of numbers.
const (
	None Kind = iota
	Signed
	Unsigned
	Float
	Complex
)

// Of returns the kind of any type.
func Of(t reflect.Type) Kind {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Signed
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return Unsigned
	case reflect.Float32, reflect.Float64:
		return Float
	case reflect.Complex64, reflect.Complex128:
		return Complex
	}
	return None
}
