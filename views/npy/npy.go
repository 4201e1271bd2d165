// Package npy reads and writes tensors of numbers and of bool in NumPy's .npy
// format, little-endian.
//
// [ReadFile] and [WriteFile] do it in one call, for slices in C order;
// [ReadViewFile] and [WriteViewFile] for views, in C or Fortran order. [Map]
// leaves the data in the file, whose pages come into memory as they are used.
//
// A program that wants to look at the type and the shape before it commits to
// the data calls [ReadHeader] and then [ReadData]. One that wants to know early
// whether it may write, or to follow the writing, calls [Create] and then
// [Write] or [WriteView].
//
// A file is input that may be damaged or forged. What its header says is never
// believed before the bytes are there: memory is taken as data comes in.
//
// Source: NumPy Enhancement Proposal 1, and the module numpy.lib.format.
package npy

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// magic begins every file; two bytes of version follow it.
const magic = "\x93NUMPY"

// Element is the element types of this package.
type Element interface {
	float32 | float64 | bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// Type is an element type, spelled as in a file.
type Type string

// The types that can be read and written.
const (
	Bool    Type = "|b1"
	Int8    Type = "|i1"
	Int16   Type = "<i2"
	Int32   Type = "<i4"
	Int64   Type = "<i8"
	Uint8   Type = "|u1"
	Uint16  Type = "<u2"
	Uint32  Type = "<u4"
	Uint64  Type = "<u8"
	Float32 Type = "<f4"
	Float64 Type = "<f8"
)

var names = map[Type]string{
	Bool: "bool", Int8: "int8", Int16: "int16", Int32: "int32", Int64: "int64",
	Uint8: "uint8", Uint16: "uint16", Uint32: "uint32", Uint64: "uint64",
	Float32: "float32", Float64: "float64",
}

const expectedTypes = "bool, int8 to int64, uint8 to uint64, float32 or float64"

// TypeOf returns the Type of T.
func TypeOf[T Element]() Type {
	switch any(*new(T)).(type) {
	case bool:
		return Bool
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case float32:
		return Float32
	}
	return Float64
}

// Size returns the bytes of an element, 0 if the type is none of this package's.
func (t Type) Size() int {
	if names[t] == "" {
		return 0
	}
	return int(t[2] - '0')
}

// String returns the type's name in Go.
func (t Type) String() string {
	if name := names[t]; name != "" {
		return name
	}
	return strconv.Quote(string(t))
}

// Header is what a file says of its data. A Shape of length 0 is a single
// number; a length of 0 in it is a tensor without elements. The order of the
// elements is C order, the last index fastest, or Fortran order, the first one.
type Header struct {
	Type    Type
	Shape   []int
	Fortran bool
}

// Items returns the number of elements, or an error if the type is none of this
// package's, if a length is negative or if the data would have more bytes than
// an int can count.
func (h Header) Items() (int, error) {
	size := h.Type.Size()
	if size == 0 {
		return 0, fmt.Errorf("npy: data of type %v, expected %s", h.Type, expectedTypes)
	}
	items := uint(1)
	for k, n := range h.Shape {
		if n < 0 {
			return 0, fmt.Errorf("npy: length %d in dimension %d, expected at least 0", n, k)
		}
		if n == 0 {
			items = 0
		}
	}
	for _, n := range h.Shape {
		if items == 0 {
			return 0, nil // however long the other dimensions are
		}
		hi, lo := bits.Mul(items, uint(n))
		if hi != 0 || lo > uint(math.MaxInt/size) {
			return 0, fmt.Errorf("npy: a %v tensor of shape %v has more bytes than an int can count", h.Type, h.Shape)
		}
		items = lo
	}
	return int(items), nil
}
