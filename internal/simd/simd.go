// Package simd joins values into the lanes of a leaf with the vector instructions of
// the processor: lanes stay in registers, and a row of values, one for each lane, is
// joined at a time. A lane takes its values in their order, so the bits are those of
// the loop in Go, NaN signs and payloads apart.
//
// There are kernels for AVX2 and for AVX-512, chosen when the program starts. Other
// processors and programs built with the tag noasm have none: whoever calls [Fold] has
// a loop in Go for the values that it leaves.
package simd

import "unsafe"

//go:generate go -C _generate run . -out ../zkernels_amd64.s -stubs ../zkernels_amd64.go -pkg simd

// Lanes is the number of lanes that kernels are for.
const Lanes = 32

// An Op says how a value x is joined into a lane.
type Op int

// The operations. Min and Max are those of Go, which let NaN propagate and take -0 as
// less than +0. There are kernels of Sum, Min and Max for floats and integers of 4 and
// 8 bytes, unless Min and Max are of unsigned integers, of SumSq, Norm1 and AMax for
// floats, and of And, Or and Xor for integers.
const (
	Sum   Op = iota // lane += x
	SumSq           // lane += x*x, the product rounded
	Norm1           // lane += |x|
	Min             // lane = min(lane, x)
	Max             // lane = max(lane, x)
	AMax            // lane = max(lane, |x|), where a lane has no sign
	And             // lane &= x
	Or              // lane |= x
	Xor             // lane ^= x
	ops
)

// A Level is a set of instructions.
type Level int

// The levels, each of which includes those before it.
const (
	None Level = iota
	AVX2
	AVX512
	levels
)

func (l Level) String() string { return [...]string{"none", "AVX2", "AVX-512"}[l] }

// level is what kernels use.
var level = supported

// Limit makes kernels use no more than the level l, until undo is called, and returns
// the level that they use. It is for tests: nothing may call Fold at the same time.
func Limit(l Level) (use Level, undo func()) {
	before := level
	level = min(l, supported)
	return level, func() { level = before }
}

// A table has the kernels of one level for values of type T. A kernel takes whole
// rows of x and joins x[k] into lanes[k%Lanes].
type table[T any] [ops]func(lanes *[Lanes]T, x []T)

// Number is any type of numbers.
type Number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// Fold joins x[k] into lanes[k%Lanes] for the whole rows at the beginning of x. It
// returns how many values it took: a multiple of Lanes, and 0 if there is no kernel
// for the operation, the type or the number of lanes.
func Fold[T Number](op Op, lanes, x []T) int {
	if len(lanes) != Lanes || len(x) < Lanes {
		return 0
	}
	// The compiler knows these, and drops the branches of other types.
	var zero, minus T = 0, 0
	minus--
	size := unsafe.Sizeof(zero)
	switch fraction, complex := T(1)/2 != 0, size != unsafe.Alignof(zero); {
	case complex:
		return 0
	case fraction && size == 8:
		return run(&float64s, op, lanes, x)
	case fraction:
		return run(&float32s, op, lanes, x)
	}
	if unsigned := minus/2 != 0; unsigned && (op == Min || op == Max) {
		return 0
	}
	switch size {
	case 8:
		return run(&int64s, op, lanes, x)
	case 4:
		return run(&int32s, op, lanes, x)
	}
	return 0
}

// run is Fold with kernels for U, which is of the same kind and size as T.
func run[U, T any](tables *[levels]table[U], op Op, lanes, x []T) int {
	kernel := tables[level][op]
	if kernel == nil {
		return 0
	}
	n := len(x) &^ (Lanes - 1)
	kernel((*[Lanes]U)(unsafe.Pointer(&lanes[0])), unsafe.Slice((*U)(unsafe.Pointer(&x[0])), n))
	return n
}
