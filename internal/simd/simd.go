// Package simd joins values into the lanes of a leaf with the vector instructions of
// the processor: lanes stay in registers, and a row of values, one for each lane, is
// joined at a time. A lane takes its values in their order, so the bits are those of
// the loop in Go, NaN signs and payloads apart.
//
// There are kernels for AVX2 and for AVX-512, chosen when the program starts. Other
// processors and programs built with the tag noasm have none: whoever calls [Fold],
// [Join] or [Reduce] has a loop in Go for the values that they leave.
package simd

//go:generate go -C _generate run . -out ../zkernels_amd64.s -stubs ../zkernels_amd64.go -pkg simd

// Lanes is the number of lanes that kernels are for.
const Lanes = 32

// An Op says how a value x is joined into a lane.
type Op int

// The operations. Min and Max are those of Go, which let NaN propagate and take -0 as
// less than +0. There are kernels of Sum, Min and Max for floats and integers of 4 and
// 8 bytes, of SumSq, Norm1 and AMax for floats, and of And, Or and Xor for integers. SumAndSq is for
// [Nodes] alone.
const (
	Sum      Op = iota // lane += x
	SumSq              // lane += x*x, the product rounded
	Norm1              // lane += |x|
	Min                // lane = min(lane, x)
	Max                // lane = max(lane, x)
	AMax               // lane = max(lane, |x|), where a lane has no sign
	And                // lane &= x
	Or                 // lane |= x
	Xor                // lane ^= x
	SumAndSq           // Sum and SumSq in one pass
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

// InUse returns the level that kernels use.
func InUse() Level { return level }

// Limit makes kernels use no more than the level l, until undo is called, and returns
// the level that they use. It is for tests: nothing may call Fold at the same time.
func Limit(l Level) (use Level, undo func()) {
	before := level
	level = min(l, supported)
	return level, func() { level = before }
}
