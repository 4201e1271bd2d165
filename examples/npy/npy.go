// Package npy reads and writes tensors of float32 and float64 in NumPy's .npy
// format: little-endian, C order, the whole tensor in memory.
//
// [ReadFile] and [WriteFile] do it in one call. A program that wants to look at
// the type and the shape before it commits to the data calls [ReadHeader] and
// then [ReadData]. One that wants to know early whether it may write, or to
// follow the writing, calls [Create] and then [Write].
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

// Float is the element types of this package.
type Float interface{ float32 | float64 }

// Type is an element type, spelled as in a file.
type Type string

// The types that can be read and written.
const (
	Float32 Type = "<f4"
	Float64 Type = "<f8"
)

// TypeOf returns the Type of T.
func TypeOf[T Float]() Type {
	if _, ok := any(T(0)).(float32); ok {
		return Float32
	}
	return Float64
}

// Size returns the bytes of an element.
func (t Type) Size() int {
	if t == Float32 {
		return 4
	}
	return 8
}

// String returns the type's name in Go.
func (t Type) String() string {
	switch t {
	case Float32:
		return "float32"
	case Float64:
		return "float64"
	}
	return strconv.Quote(string(t))
}

// Header is what a file says of its data. A Shape of length 0 is a single
// number; a length of 0 in it is a tensor without elements.
type Header struct {
	Type  Type
	Shape []int
}

// Items returns the number of elements, or an error if a length is negative or
// the data would have more bytes than an int can count.
func (h Header) Items() (int, error) {
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
		if hi != 0 || lo > uint(math.MaxInt/h.Type.Size()) {
			return 0, fmt.Errorf("npy: a %v tensor of shape %v has more bytes than an int can count", h.Type, h.Shape)
		}
		items = lo
	}
	return int(items), nil
}
