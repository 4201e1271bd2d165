package ir

import "math"

// An Op is the operation that computes a value.
type Op uint8

// The operations. x, y, z stand for the arguments, in order.
const (
	Invalid Op = iota

	// Leaves.
	Const   // Bits, see [Value.Float] and [Value.Int]
	Uniform // Kernel.Scalars[Index]
	Coord   // coordinate Index of the first item of a run, of type i64; see [Index]
	Stop    // the coordinate behind the last item of a row, of type i64
	Item    // the index of the item, of type i64
	Arg     // a parameter of the block that it stands in
	Result  // result Index of x, an If or a Loop

	// Arithmetic of floats and integers. Integers wrap around, floats round once to their type.
	Add
	Sub
	Mul
	Neg
	Div     // truncated as in Go if of integers; x by 0 is 0 then, which a check before it keeps from being seen
	Rem     // of integers; x by 0 is x
	MulHigh // the upper half of the product of i64 without signs
	Min     // of floats: Go's, with its NaN and -0
	Max

	// Integers, and bool where marked.
	And // bool too: both are computed
	Or  // bool too
	Xor // bool too
	AndNot
	Not // bool too
	Shl // y is any integer and taken as unsigned; shifts of the width and more give 0
	Shr // y as in Shl; shifts in the sign unless Unsigned

	// Comparisons, of type bool. There is no greater: arguments are exchanged.
	Eq
	Ne
	Lt
	Le

	// Functions of f64, as in package math.
	Sqrt // f32 too
	Abs  // f32 too
	Floor
	Ceil
	Trunc
	RoundEven
	Copysign
	FMA

	// Conversions.
	Conv // to Type; Unsigned says that the integer of the two has no sign
	Bits // the same bits as a float or integer of the same size
	Select

	Call // result Index of the function of Go that Func names, see [Function]

	// Memory. Index is an index of Kernel.Mems, x an i64 that counts elements.
	Load
	Store  // y
	Atomic // see [Value.Becomes]
	Check  // the item stops unless x < y as unsigned integers; of type none

	// Scatters. Index is an index of Kernel.Accesses.
	Cells   // an extent of the cells, of type i64, see [Value.Extent]; 0 if they have another rank
	Combine // contributes to the cell of an index, which is in range, by the method Func

	// Control.
	If   // x is the condition; blocks then and else; their yields are the results
	Loop // arguments are the first carried values; blocks head and body

	// Teams: of kernels [ByMember]. Level is Index.
	Member // the rank of the member in its team, of type i64
	Meet   // a barrier
	Each   // the member's items of 0 to x-1; the block has an item as its parameter
	Fold   // the same, and accumulators that begin as the arguments behind x; results are the joined accumulators
	Gather // x of all members joined
	Prefix // x of the members before this one joined, see [Scan]; then their identity, and the number of members that have an x
	Pass   // x of the member with rank y

	// Threads of cards: of kernels [ByThread].
	Lane   // the vector lane that the thread is of its member, of type i64
	Wait   // the threads of a member come here before one goes on
	Across // x of the thread that is lane y of the member, modulo the number of lanes
	Joined // x and y joined as accumulator Index of the launch
	Apart  // whether members leave their accumulators of the launch apart

	numOps
)

// An opInfo has the facts about an operation for the verifier and the passes.
type opInfo struct {
	name string
	args int // number of arguments, or -1 if it varies
	rule func(v *Value) bool
	pure bool // no effect, depends on its arguments alone
}

var ops = [numOps]opInfo{
	Invalid: {"invalid", 0, func(*Value) bool { return false }, false},
	Const:   {"const", 0, func(v *Value) bool { return v.Type != None }, true},
	Uniform: {"uniform", 0, func(v *Value) bool { return v.Type != None }, true},
	Coord:   {"coord", 0, func(v *Value) bool { return v.Type == I64 }, true},
	Stop:    {"stop", 0, func(v *Value) bool { return v.Type == I64 }, true},
	Item:    {"item", 0, func(v *Value) bool { return v.Type == I64 }, true},
	Arg:     {"arg", 0, func(v *Value) bool { return v.Type != None }, false},
	Result:  {"result", 1, func(v *Value) bool { return v.Args[0].Op == If || v.Args[0].Op == Loop || v.Args[0].Op == Fold }, false},

	Add:     {"add", 2, numbers, true},
	Sub:     {"sub", 2, numbers, true},
	Mul:     {"mul", 2, numbers, true},
	Neg:     {"neg", 1, numbers, true},
	Div:     {"div", 2, numbers, true},
	Rem:     {"rem", 2, integers, true},
	MulHigh: {"mulhigh", 2, func(v *Value) bool { return likeArgs(v) && v.Type == I64 }, true},
	Min:     {"min", 2, numbers, true},
	Max:     {"max", 2, numbers, true},

	And:    {"and", 2, bits, true},
	Or:     {"or", 2, bits, true},
	Xor:    {"xor", 2, bits, true},
	AndNot: {"andnot", 2, integers, true},
	Not:    {"not", 1, bits, true},
	Shl:    {"shl", 2, shift, true},
	Shr:    {"shr", 2, shift, true},

	Eq: {"eq", 2, compared, true},
	Ne: {"ne", 2, compared, true},
	Lt: {"lt", 2, ordered, true},
	Le: {"le", 2, ordered, true},

	Sqrt:      {"sqrt", 1, floats, true},
	Abs:       {"abs", 1, floats, true},
	Floor:     {"floor", 1, doubles, true},
	Ceil:      {"ceil", 1, doubles, true},
	Trunc:     {"trunc", 1, doubles, true},
	RoundEven: {"roundeven", 1, doubles, true},
	Copysign:  {"copysign", 2, doubles, true},
	FMA:       {"fma", 3, doubles, true},

	Conv: {"conv", 1, func(v *Value) bool {
		from := v.Args[0].Type
		return isNumber(from) && isNumber(v.Type) && from != v.Type
	}, true},
	Bits: {"bits", 1, func(v *Value) bool {
		from := v.Args[0].Type
		return from.Bytes() == v.Type.Bytes() && (from.IsFloat() && v.Type.IsInt() || from.IsInt() && v.Type.IsFloat())
	}, true},
	Select: {"select", 3, func(v *Value) bool {
		return v.Args[0].Type == Bool && v.Args[1].Type == v.Type && v.Args[2].Type == v.Type
	}, true},

	Call: {"call", -1, called, true},

	Load:   {"load", 1, func(v *Value) bool { return v.Args[0].Type == I64 && v.Type != None }, false},
	Store:  {"store", 2, func(v *Value) bool { return v.Args[0].Type == I64 && v.Type == None }, false},
	Atomic: {"atomic", -1, isAtomic, false},
	Check: {"check", 2, func(v *Value) bool {
		return v.Args[0].Type == I64 && v.Args[1].Type == I64 && v.Type == None
	}, false},

	Cells:   {"cells", 0, func(v *Value) bool { return v.Type == I64 }, true},
	Combine: {"combine", -1, isCombine, false},

	Member: {"member", 0, func(v *Value) bool { return v.Type == I64 }, true},
	Meet:   {"meet", 0, func(v *Value) bool { return v.Type == None }, false},
	Each:   {"each", -1, func(v *Value) bool { return v.Type == None }, false},
	Fold:   {"fold", -1, func(v *Value) bool { return v.Type == None }, false},
	Gather: {"gather", 1, func(v *Value) bool { return likeArgs(v) }, false},
	Prefix: {"prefix", 3, func(v *Value) bool {
		return v.Type == v.Args[0].Type && v.Type == v.Args[1].Type && v.Args[2].Type == I64
	}, false},
	Pass:   {"pass", 2, oneOf, false},
	Lane:   {"lane", 0, func(v *Value) bool { return v.Type == I64 }, true},
	Wait:   {"wait", 0, func(v *Value) bool { return v.Type == None }, false},
	Across: {"across", 2, oneOf, false},
	Joined: {"joined", 2, likeArgs, false},
	Apart:  {"apart", 0, func(v *Value) bool { return v.Type == Bool }, false},

	If:   {"if", 1, func(v *Value) bool { return v.Args[0].Type == Bool && v.Type == None }, false},
	Loop: {"loop", -1, func(v *Value) bool { return v.Type == None }, false},
}

func (o Op) String() string { return ops[o].name }

// Pure reports whether the value depends on its arguments alone, and computing it has no effect. A pure value
// may be computed anywhere, even in places that Go would not reach.
func (o Op) Pure() bool { return ops[o].pure }

func isNumber(t Type) bool { return t.IsFloat() || t.IsInt() }

// same reports whether all arguments have one type.
func same(v *Value) bool {
	for _, a := range v.Args {
		if a.Type != v.Args[0].Type {
			return false
		}
	}
	return true
}

func likeArgs(v *Value) bool { return same(v) && v.Type == v.Args[0].Type }

// oneOf is the rule of a value that is the first argument of another thread.
func oneOf(v *Value) bool { return v.Type == v.Args[0].Type && v.Args[1].Type == I64 }

func numbers(v *Value) bool  { return likeArgs(v) && isNumber(v.Type) }
func integers(v *Value) bool { return likeArgs(v) && v.Type.IsInt() }
func floats(v *Value) bool   { return likeArgs(v) && v.Type.IsFloat() }
func doubles(v *Value) bool  { return likeArgs(v) && v.Type == F64 }
func bits(v *Value) bool     { return likeArgs(v) && (v.Type.IsInt() || v.Type == Bool) }
func compared(v *Value) bool { return same(v) && v.Type == Bool }
func ordered(v *Value) bool  { return compared(v) && isNumber(v.Args[0].Type) }

func shift(v *Value) bool {
	return v.Type == v.Args[0].Type && v.Type.IsInt() && v.Args[1].Type.IsInt()
}

// Float returns the value of a constant of type f64 or f32.
func (v *Value) Float() float64 {
	if v.Type == F32 {
		return float64(math.Float32frombits(uint32(v.Bits)))
	}
	return math.Float64frombits(v.Bits)
}

// IsRange reports whether a check's limit is at most 2⁶³, as lengths are. If the first and the last of some
// numbers pass such a check, all between them do. The question whether a divisor is 0 has the limit 2⁶⁴-1,
// which leaves out one number in the middle.
func (v *Value) IsRange() bool {
	limit := v.Args[1]
	return limit.Op != Const || limit.Bits <= 1<<63
}

// Addresses exceeds all addresses less 1. The address of nil, less 1, exceeds it.
const Addresses = 1 << 62

// Asked returns the failure that a check asks for, as "an index may be out of range".
func (v *Value) Asked() string {
	x, limit := v.Args[0], v.Args[1]
	switch {
	case x.Op == Const && limit.Op == Const:
		return "the kernel may panic"
	case limit.Op == Const && limit.Bits == 1<<64-1:
		return "a divisor may be 0"
	case limit.Op == Const && limit.Bits == 1<<63:
		return "a number may be negative"
	case limit.Op == Const && limit.Bits == Addresses:
		return "a pointer may be nil"
	}
	return "an index may be out of range"
}

// Int returns the value of a constant of type i64 or i32, with its sign, and 0 or 1 of a bool.
func (v *Value) Int() int64 {
	if v.Type == I32 {
		return int64(int32(v.Bits))
	}
	return int64(v.Bits)
}
