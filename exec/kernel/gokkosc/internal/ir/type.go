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

	// In memory only: a load extends them to i32, with their sign or zeros, a store truncates.
	I8
	U8
	I16
	U16
)

var typeNames = [...]string{"none", "f64", "f32", "i64", "i32", "bool", "i8", "u8", "i16", "u16"}

func (t Type) String() string { return typeNames[t] }

// IsFloat reports whether t is f64 or f32.
func (t Type) IsFloat() bool { return t == F64 || t == F32 }

// IsInt reports whether t is i64 or i32.
func (t Type) IsInt() bool { return t == I64 || t == I32 }

// Bytes returns the size of an element of that type in memory.
func (t Type) Bytes() int { return [...]int{0, 8, 4, 8, 4, 1, 1, 1, 2, 2}[t] }

// Go returns the type of Go that has the same values, on a 64-bit machine.
func (t Type) Go() string {
	return [...]string{"", "float64", "float32", "int", "int32", "bool", "int8", "uint8", "int16", "uint16"}[t]
}

// Value returns the type of the values of elements of type t: t, unless these are narrower than all values.
func (t Type) Value() Type {
	if t.IsNarrow() {
		return I32
	}
	return t
}

// IsNarrow reports whether t is one of memory only.
func (t Type) IsNarrow() bool { return t > Bool }
