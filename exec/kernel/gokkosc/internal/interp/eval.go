package interp

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/gokkos/gokkos/exec/kernel/gokkosc/internal/ir"
)

// Eval returns the bits of a value of a pure operation, from the bits of its arguments. An f32 or an i32 has
// its bits in the lower 32, and a bool is 0 or 1.
func Eval(v *ir.Value, x [3]uint64) uint64 {
	t := v.Type
	if len(v.Args) > 0 {
		t = v.Args[0].Type
	}
	switch v.Op {
	case ir.Conv:
		return convert(t, v.Type, v.Unsigned, x[0])
	case ir.Bits:
		return x[0]
	case ir.Select:
		if x[0] != 0 {
			return x[1]
		}
		return x[2]
	case ir.Shl, ir.Shr:
		return shift(v, x[0], x[1])
	case ir.Call:
		return call(v, x)
	case ir.MulHigh:
		high, _ := bits.Mul64(x[0], x[1])
		return high
	}
	switch t {
	case ir.F64:
		return double(v.Op, math.Float64frombits(x[0]), math.Float64frombits(x[1]), math.Float64frombits(x[2]))
	case ir.F32:
		return single(v.Op, math.Float32frombits(uint32(x[0])), math.Float32frombits(uint32(x[1])))
	case ir.I64:
		if v.Unsigned {
			return ordered(v.Op, x[0], x[1], func(z uint64) uint64 { return z })
		}
		return ordered(v.Op, int64(x[0]), int64(x[1]), func(z int64) uint64 { return uint64(z) })
	case ir.I32:
		if v.Unsigned {
			return ordered(v.Op, uint32(x[0]), uint32(x[1]), func(z uint32) uint64 { return uint64(z) })
		}
		return ordered(v.Op, int32(x[0]), int32(x[1]), func(z int32) uint64 { return uint64(uint32(z)) })
	}
	return boolean(v.Op, x[0], x[1])
}

func f64(x float64) uint64 { return math.Float64bits(x) }
func f32(x float32) uint64 { return uint64(math.Float32bits(x)) }

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func double(op ir.Op, x, y, z float64) uint64 {
	switch op {
	case ir.Sqrt:
		return f64(math.Sqrt(x))
	case ir.Abs:
		return f64(math.Abs(x))
	case ir.Floor:
		return f64(math.Floor(x))
	case ir.Ceil:
		return f64(math.Ceil(x))
	case ir.Trunc:
		return f64(math.Trunc(x))
	case ir.RoundEven:
		return f64(math.RoundToEven(x))
	case ir.Copysign:
		return f64(math.Copysign(x, y))
	case ir.FMA:
		return f64(math.FMA(x, y, z))
	}
	return float(op, x, y, f64)
}

func single(op ir.Op, x, y float32) uint64 {
	switch op {
	case ir.Sqrt:
		return f32(float32(math.Sqrt(float64(x))))
	case ir.Abs:
		return f32(float32(math.Abs(float64(x))))
	}
	return float(op, x, y, f32)
}

// float computes what f64 and f32 have in common.
func float[T float32 | float64](op ir.Op, x, y T, bits func(T) uint64) uint64 {
	switch op {
	case ir.Add:
		return bits(x + y)
	case ir.Sub:
		return bits(x - y)
	case ir.Mul:
		return bits(x * y)
	case ir.Div:
		return bits(x / y)
	case ir.Neg:
		return bits(-x)
	case ir.Min:
		return bits(min(x, y))
	case ir.Max:
		return bits(max(x, y))
	}
	return compare(op, x, y)
}

func compare[T int32 | int64 | uint32 | uint64 | float32 | float64](op ir.Op, x, y T) uint64 {
	switch op {
	case ir.Eq:
		return truth(x == y)
	case ir.Ne:
		return truth(x != y)
	case ir.Lt:
		return truth(x < y)
	case ir.Le:
		return truth(x <= y)
	}
	panic(fmt.Sprintf("interp: %s of a %T", op, x))
}

// ordered computes operations of integers.
func ordered[T int32 | int64 | uint32 | uint64](op ir.Op, x, y T, bits func(T) uint64) uint64 {
	switch op {
	case ir.Add:
		return bits(x + y)
	case ir.Sub:
		return bits(x - y)
	case ir.Mul:
		return bits(x * y)
	case ir.Neg:
		return bits(-x)
	case ir.Div:
		if y == 0 {
			return 0
		}
		return bits(x / y)
	case ir.Rem:
		if y == 0 {
			return bits(x)
		}
		return bits(x % y)
	case ir.Min:
		return bits(min(x, y))
	case ir.Max:
		return bits(max(x, y))
	case ir.And:
		return bits(x & y)
	case ir.Or:
		return bits(x | y)
	case ir.Xor:
		return bits(x ^ y)
	case ir.AndNot:
		return bits(x &^ y)
	case ir.Not:
		return bits(^x)
	}
	return compare(op, x, y)
}

func boolean(op ir.Op, x, y uint64) uint64 {
	switch op {
	case ir.And:
		return x & y
	case ir.Or:
		return x | y
	case ir.Xor, ir.Ne:
		return x ^ y
	case ir.Eq:
		return x ^ y ^ 1
	case ir.Not:
		return x ^ 1
	}
	panic(fmt.Sprintf("interp: %s of bools", op))
}

func shift(v *ir.Value, x, count uint64) uint64 {
	if v.Type == ir.I32 {
		switch {
		case v.Op == ir.Shl:
			return uint64(uint32(x) << count)
		case v.Unsigned:
			return uint64(uint32(x) >> count)
		}
		return uint64(uint32(int32(x) >> count))
	}
	switch {
	case v.Op == ir.Shl:
		return x << count
	case v.Unsigned:
		return x >> count
	}
	return uint64(int64(x) >> count)
}

// convert returns a number as one of another type.
func convert(from, to ir.Type, unsigned bool, x uint64) uint64 {
	switch from {
	case ir.F64:
		return fromFloat(math.Float64frombits(x), to, unsigned)
	case ir.F32:
		return fromFloat(math.Float32frombits(uint32(x)), to, unsigned)
	case ir.I32:
		if !unsigned {
			return fromInt(int32(x), to)
		}
		return fromInt(uint32(x), to)
	}
	if unsigned {
		return fromInt(x, to)
	}
	return fromInt(int64(x), to)
}

func fromFloat[T float32 | float64](x T, to ir.Type, unsigned bool) uint64 {
	switch {
	case to == ir.F64:
		return f64(float64(x))
	case to == ir.F32:
		return f32(float32(x))
	case to == ir.I64 && unsigned:
		return uint64(x)
	case to == ir.I64:
		return uint64(int64(x))
	case unsigned:
		return uint64(uint32(x))
	}
	return uint64(uint32(int32(x)))
}

func fromInt[T int32 | int64 | uint32 | uint64](x T, to ir.Type) uint64 {
	switch to {
	case ir.F64:
		return f64(float64(x))
	case ir.F32:
		return f32(float32(x))
	case ir.I64:
		return uint64(x)
	}
	return uint64(uint32(x))
}
