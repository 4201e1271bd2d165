package ir

// A Type is the type of a value: a number of a certain size, or a truth value. Integers have no
// sign; operations that need one say so, see [Value.Unsigned].
type Type uint8

// The types of values.
const (
	None Type = iota // of operations without a result
	F64
	F32
	I64
	I32
	Bool
)

var typeNames = [...]string{"none", "f64", "f32", "i64", "i32", "bool"}

func (t Type) String() string { return typeNames[t] }

// IsFloat reports whether t is f64 or f32.
func (t Type) IsFloat() bool { return t == F64 || t == F32 }

// IsInt reports whether t is i64 or i32.
func (t Type) IsInt() bool { return t == I64 || t == I32 }

// Bytes returns the size of an element of that type in memory.
func (t Type) Bytes() int { return [...]int{0, 8, 4, 8, 4, 1}[t] }

// Go returns the type of Go that has the same values, on a 64-bit machine.
func (t Type) Go() string { return [...]string{"", "float64", "float32", "int", "int32", "bool"}[t] }
