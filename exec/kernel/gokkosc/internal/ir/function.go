package ir

import (
	"maps"
	"math"
	mathbits "math/bits"
	"reflect"
	"slices"
	"strings"
)

// A Function is one of package math or math/bits that a Call calls: it is the same function that the closure
// calls. A function does not panic, and its results depend on its arguments alone.
type Function struct {
	Of      reflect.Value
	Sums    bool // Go may inline it and fuse a product among its arguments with a sum in it
	Product bool // Go may inline it and fuse the product that it returns with a sum behind it
}

// FunctionOf returns the function with that name, such as "math.Exp" and "math/bits.Len64"; nil if a Call cannot call it.
func FunctionOf(name string) *Function {
	f := functions[name]
	if f == nil {
		return nil
	}
	return &Function{reflect.ValueOf(f), sums[name], product[name]}
}

// Functions returns the names of all functions that a Call calls, sorted.
func Functions() []string { return slices.Sorted(maps.Keys(functions)) }

// Params returns the types of the values of the function's parameters.
func (f *Function) Params() (types []Type) {
	for t := range f.Of.Type().Ins() {
		types = append(types, typeOfKind[t.Kind()])
	}
	return types
}

// Results returns the types of the values of the function's results.
func (f *Function) Results() (types []Type) {
	for t := range f.Of.Type().Outs() {
		types = append(types, typeOfKind[t.Kind()])
	}
	return types
}

// IsOfBits reports whether a Call is of a function of package math/bits: it is cheap, and the same on all CPUs.
func (v *Value) IsOfBits() bool { return strings.HasPrefix(v.Func, "math/bits.") }

var typeOfKind = map[reflect.Kind]Type{
	reflect.Float64: F64, reflect.Float32: F32, reflect.Int: I64, reflect.Int64: I64, reflect.Uint: I64, reflect.Uint64: I64,
	reflect.Int32: I32, reflect.Uint32: I32, reflect.Uint16: I32, reflect.Uint8: I32, reflect.Bool: Bool,
}

// called reports whether a Call has the types of its function.
func called(v *Value) bool {
	f := FunctionOf(v.Func)
	if f == nil {
		return false
	}
	params, results := f.Params(), f.Results()
	if len(v.Args) != len(params) || v.Index < 0 || v.Index >= len(results) || v.Type != results[v.Index] {
		return false
	}
	for n, a := range v.Args {
		if a.Type != params[n] {
			return false
		}
	}
	return true
}

var (
	sums    = map[string]bool{"math.Dim": true, "math.Modf": true, "math.Erfcinv": true}
	product = map[string]bool{"math.Log10": true, "math.Pow10": true}
)

// functions are the functions that a Call may call. Functions that have operations of their own are not among
// them, nor are the quotients of math/bits, which panic.
var functions = map[string]any{
	"math.Acos": math.Acos, "math.Acosh": math.Acosh, "math.Asin": math.Asin, "math.Asinh": math.Asinh, "math.Atan": math.Atan,
	"math.Atan2": math.Atan2, "math.Atanh": math.Atanh, "math.Cbrt": math.Cbrt, "math.Cos": math.Cos, "math.Cosh": math.Cosh,
	"math.Dim": math.Dim, "math.Erf": math.Erf, "math.Erfc": math.Erfc, "math.Erfcinv": math.Erfcinv, "math.Erfinv": math.Erfinv,
	"math.Exp": math.Exp, "math.Exp2": math.Exp2, "math.Expm1": math.Expm1, "math.Frexp": math.Frexp, "math.Gamma": math.Gamma,
	"math.Hypot": math.Hypot, "math.Ilogb": math.Ilogb, "math.J0": math.J0, "math.J1": math.J1, "math.Jn": math.Jn,
	"math.Ldexp": math.Ldexp, "math.Lgamma": math.Lgamma, "math.Log": math.Log, "math.Log10": math.Log10, "math.Log1p": math.Log1p,
	"math.Log2": math.Log2, "math.Logb": math.Logb, "math.Max": math.Max, "math.Min": math.Min, "math.Mod": math.Mod,
	"math.Modf": math.Modf, "math.Nextafter": math.Nextafter, "math.Nextafter32": math.Nextafter32, "math.Pow": math.Pow,
	"math.Pow10": math.Pow10, "math.Remainder": math.Remainder, "math.Round": math.Round, "math.Sin": math.Sin,
	"math.Sincos": math.Sincos, "math.Sinh": math.Sinh, "math.Tan": math.Tan, "math.Tanh": math.Tanh, "math.Y0": math.Y0,
	"math.Y1": math.Y1, "math.Yn": math.Yn,

	"math/bits.LeadingZeros": mathbits.LeadingZeros, "math/bits.LeadingZeros8": mathbits.LeadingZeros8,
	"math/bits.LeadingZeros16": mathbits.LeadingZeros16, "math/bits.LeadingZeros32": mathbits.LeadingZeros32,
	"math/bits.LeadingZeros64": mathbits.LeadingZeros64, "math/bits.TrailingZeros": mathbits.TrailingZeros,
	"math/bits.TrailingZeros8": mathbits.TrailingZeros8, "math/bits.TrailingZeros16": mathbits.TrailingZeros16,
	"math/bits.TrailingZeros32": mathbits.TrailingZeros32, "math/bits.TrailingZeros64": mathbits.TrailingZeros64,
	"math/bits.OnesCount": mathbits.OnesCount, "math/bits.OnesCount8": mathbits.OnesCount8, "math/bits.OnesCount16": mathbits.OnesCount16,
	"math/bits.OnesCount32": mathbits.OnesCount32, "math/bits.OnesCount64": mathbits.OnesCount64, "math/bits.Len": mathbits.Len,
	"math/bits.Len8": mathbits.Len8, "math/bits.Len16": mathbits.Len16, "math/bits.Len32": mathbits.Len32, "math/bits.Len64": mathbits.Len64,
	"math/bits.Reverse": mathbits.Reverse, "math/bits.Reverse8": mathbits.Reverse8, "math/bits.Reverse16": mathbits.Reverse16,
	"math/bits.Reverse32": mathbits.Reverse32, "math/bits.Reverse64": mathbits.Reverse64, "math/bits.ReverseBytes": mathbits.ReverseBytes,
	"math/bits.ReverseBytes16": mathbits.ReverseBytes16, "math/bits.ReverseBytes32": mathbits.ReverseBytes32,
	"math/bits.ReverseBytes64": mathbits.ReverseBytes64, "math/bits.RotateLeft8": mathbits.RotateLeft8,
	"math/bits.RotateLeft16": mathbits.RotateLeft16, "math/bits.Add": mathbits.Add, "math/bits.Add32": mathbits.Add32,
	"math/bits.Add64": mathbits.Add64, "math/bits.Sub": mathbits.Sub, "math/bits.Sub32": mathbits.Sub32, "math/bits.Sub64": mathbits.Sub64,
	"math/bits.Mul": mathbits.Mul, "math/bits.Mul32": mathbits.Mul32,
}
