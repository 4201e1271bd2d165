package machine

import (
	"math"
	"math/big"
	"math/bits"
)

// An operation computes a value. Its signature has the result and then the operands. d and f are floats in
// .f64 and .f32 registers, l and w integers in .b64 and .b32 registers. h is an integer in a .b16 register,
// and p a predicate; L and W any of 64 and 32 bits.
type operation struct {
	sig string
	do  func(x, y, z uint64) uint64
}

// unspecified is the result of an instruction if PTX leaves the result open.
const unspecified = 0xdeadbeefcafef00d

// table is the instructions that compute a value, as the PTX ISA says.
var table = map[string]*operation{}

func put(name, sig string, do func(x, y, z uint64) uint64) { table[name] = &operation{sig, do} }

func bool1(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func init() {
	moves()
	doubles()
	singles()
	conversions()
	for _, b := range []uint{32, 64} {
		integers(b)
	}
	predicates()
}

func moves() {
	for name, sig := range map[string]string{"mov.f64": "dd", "mov.f32": "ff", "mov.b64": "LL", "mov.b32": "WW", "mov.pred": "pp", "cvta.to.global.u64": "ll"} {
		put(name, sig, func(x, _, _ uint64) uint64 { return x })
	}
	for name, sig := range map[string]string{"selp.f64": "dddp", "selp.f32": "fffp", "selp.b64": "lllp", "selp.b32": "wwwp"} {
		put(name, sig, func(x, y, z uint64) uint64 {
			if z != 0 {
				return x
			}
			return y
		})
	}
}

func predicates() {
	put("and.pred", "ppp", func(x, y, _ uint64) uint64 { return x & y })
	put("or.pred", "ppp", func(x, y, _ uint64) uint64 { return x | y })
	put("xor.pred", "ppp", func(x, y, _ uint64) uint64 { return x ^ y })
	put("not.pred", "pp", func(x, _, _ uint64) uint64 { return x ^ 1 })
}

func f(x uint64) float64  { return math.Float64frombits(x) }
func b(x float64) uint64  { return math.Float64bits(x) }
func g(x uint64) float32  { return math.Float32frombits(uint32(x)) }
func b4(x float32) uint64 { return uint64(math.Float32bits(x)) }

// least is min.f64: of a number and a NaN it is the number.
func least(x, y float64) float64 {
	switch {
	case math.IsNaN(x):
		return y
	case math.IsNaN(y):
		return x
	}
	return math.Min(x, y)
}

// comparisons are the comparisons of floats: the last three are true of NaNs, or ask for them.
var comparisons = map[string]func(x, y float64) bool{
	"eq":  func(x, y float64) bool { return x == y },
	"lt":  func(x, y float64) bool { return x < y },
	"le":  func(x, y float64) bool { return x <= y },
	"gt":  func(x, y float64) bool { return x > y },
	"ge":  func(x, y float64) bool { return x >= y },
	"equ": func(x, y float64) bool { return !(x < y || x > y) },
	"neu": func(x, y float64) bool { return x != y },
	"nan": func(x, y float64) bool { return x != x || y != y },
}

func doubles() {
	put("add.rn.f64", "ddd", func(x, y, _ uint64) uint64 { return b(f(x) + f(y)) })
	put("sub.rn.f64", "ddd", func(x, y, _ uint64) uint64 { return b(f(x) - f(y)) })
	put("mul.rn.f64", "ddd", func(x, y, _ uint64) uint64 { return b(f(x) * f(y)) })
	put("div.rn.f64", "ddd", func(x, y, _ uint64) uint64 { return b(f(x) / f(y)) })
	put("fma.rn.f64", "dddd", func(x, y, z uint64) uint64 { return b(math.FMA(f(x), f(y), f(z))) })
	put("sqrt.rn.f64", "dd", func(x, _, _ uint64) uint64 { return b(math.Sqrt(f(x))) })
	put("neg.f64", "dd", func(x, _, _ uint64) uint64 { return x ^ 1<<63 })
	put("abs.f64", "dd", func(x, _, _ uint64) uint64 { return x &^ (1 << 63) })
	put("copysign.f64", "ddd", func(x, y, _ uint64) uint64 { return y&^(1<<63) | x&(1<<63) })
	put("min.f64", "ddd", func(x, y, _ uint64) uint64 { return b(least(f(x), f(y))) })
	put("max.f64", "ddd", func(x, y, _ uint64) uint64 { return b(-least(-f(x), -f(y))) })
	put("cvt.rmi.f64.f64", "dd", func(x, _, _ uint64) uint64 { return b(math.Floor(f(x))) })
	put("cvt.rpi.f64.f64", "dd", func(x, _, _ uint64) uint64 { return b(math.Ceil(f(x))) })
	put("cvt.rzi.f64.f64", "dd", func(x, _, _ uint64) uint64 { return b(math.Trunc(f(x))) })
	put("cvt.rni.f64.f64", "dd", func(x, _, _ uint64) uint64 { return b(math.RoundToEven(f(x))) })
	for name, do := range comparisons {
		put("setp."+name+".f64", "pdd", func(x, y, _ uint64) uint64 { return bool1(do(f(x), f(y))) })
		put("setp."+name+".f32", "pff", func(x, y, _ uint64) uint64 { return bool1(do(float64(g(x)), float64(g(y)))) })
	}
}

func singles() {
	put("add.rn.f32", "fff", func(x, y, _ uint64) uint64 { return b4(g(x) + g(y)) })
	put("sub.rn.f32", "fff", func(x, y, _ uint64) uint64 { return b4(g(x) - g(y)) })
	put("mul.rn.f32", "fff", func(x, y, _ uint64) uint64 { return b4(g(x) * g(y)) })
	put("div.rn.f32", "fff", func(x, y, _ uint64) uint64 { return b4(g(x) / g(y)) })
	put("sqrt.rn.f32", "ff", func(x, _, _ uint64) uint64 { return b4(float32(math.Sqrt(float64(g(x))))) })
	put("neg.f32", "ff", func(x, _, _ uint64) uint64 { return x ^ 1<<31 })
	put("abs.f32", "ff", func(x, _, _ uint64) uint64 { return x &^ (1 << 31) })
	put("min.f32", "fff", func(x, y, _ uint64) uint64 { return b4(float32(least(float64(g(x)), float64(g(y))))) })
	put("max.f32", "fff", func(x, y, _ uint64) uint64 { return b4(float32(-least(-float64(g(x)), -float64(g(y))))) })
}

// rounded returns an integer as the nearest float of so many bits of significand, as bits.
func rounded(x *big.Int, single bool) uint64 {
	if single {
		y, _ := new(big.Float).SetInt(x).Float32()
		return b4(y)
	}
	y, _ := new(big.Float).SetInt(x).Float64()
	return b(y)
}

// signed returns the lower bits of a register as an integer with a sign.
func signed(x uint64, width uint) int64 { return int64(x<<(64-width)) >> (64 - width) }

func conversions() {
	for name, from := range map[string]struct {
		sig   byte
		value func(x uint64) *big.Int
	}{
		"s64": {'l', func(x uint64) *big.Int { return big.NewInt(int64(x)) }},
		"u64": {'l', func(x uint64) *big.Int { return new(big.Int).SetUint64(x) }},
		"s32": {'w', func(x uint64) *big.Int { return big.NewInt(signed(x, 32)) }},
		"u32": {'w', func(x uint64) *big.Int { return big.NewInt(int64(uint32(x))) }},
	} {
		put("cvt.rn.f64."+name, "d"+string(from.sig), func(x, _, _ uint64) uint64 { return rounded(from.value(x), false) })
		put("cvt.rn.f32."+name, "f"+string(from.sig), func(x, _, _ uint64) uint64 { return rounded(from.value(x), true) })
	}
	put("cvt.rn.f32.f64", "fd", func(x, _, _ uint64) uint64 { return b4(float32(f(x))) })
	put("cvt.f64.f32", "df", func(x, _, _ uint64) uint64 { return b(float64(g(x))) })
	put("cvt.u16.u32", "hw", func(x, _, _ uint64) uint64 { return x & math.MaxUint16 })
	put("cvt.f32.f16", "fh", func(x, _, _ uint64) uint64 { return b4(half(x)) })
	put("cvt.rzi.s64.f64", "ld", func(x, _, _ uint64) uint64 { return clamped(f(x), math.MinInt64, 0x1p63, math.MaxInt64) })
	put("cvt.rzi.s64.f32", "lf", func(x, _, _ uint64) uint64 { return clamped(float64(g(x)), math.MinInt64, 0x1p63, math.MaxInt64) })
	put("cvt.rzi.u64.f64", "ld", func(x, _, _ uint64) uint64 { return clamped(f(x), 0, 0x1p64, math.MaxUint64) })
	put("cvt.rzi.u64.f32", "lf", func(x, _, _ uint64) uint64 { return clamped(float64(g(x)), 0, 0x1p64, math.MaxUint64) })
	put("cvt.u64.u32", "lw", func(x, _, _ uint64) uint64 { return x })
	put("cvt.s64.s32", "lw", func(x, _, _ uint64) uint64 { return uint64(signed(x, 32)) })
	put("cvt.u32.u64", "wl", func(x, _, _ uint64) uint64 { return uint64(uint32(x)) })
	put("mul.wide.u32", "lww", func(x, y, _ uint64) uint64 { return x * y })
	put("mul.hi.u64", "lll", func(x, y, _ uint64) uint64 { high, _ := bits.Mul64(x, y); return high })
	put("popc.b32", "ww", func(x, _, _ uint64) uint64 { return uint64(bits.OnesCount64(x)) })
	put("popc.b64", "wl", func(x, _, _ uint64) uint64 { return uint64(bits.OnesCount64(x)) })
}

// half returns the value of a float of 16 bits.
func half(x uint64) float32 {
	exponent, fraction := x>>10&31, float64(x&1023)
	y := math.Ldexp(1024+fraction, int(exponent)-25)
	switch {
	case exponent == 0:
		y = math.Ldexp(fraction, -24)
	case exponent == 31 && fraction == 0:
		y = math.Inf(1)
	case exponent == 31:
		y = math.NaN()
	}
	if x>>15 == 1 {
		y = -y
	}
	return float32(y)
}

// clamped returns a float as an integer from low up to below high, of which most is the largest.
func clamped(x, low, high float64, most uint64) uint64 {
	switch {
	case math.IsNaN(x):
		return unspecified
	case x <= low:
		return uint64(int64(low))
	case x >= high:
		return most
	}
	n, _ := big.NewFloat(x).Int(nil)
	if n.Sign() < 0 {
		return uint64(n.Int64())
	}
	return n.Uint64()
}

// integers are the operations of integers, given their number of bits.
func integers(width uint) {
	r, raw, s, u := "l", ".b64", ".s64", ".u64"
	if width == 32 {
		r, raw, s, u = "w", ".b32", ".s32", ".u32"
	}
	mask := ^uint64(0) >> (64 - width)
	two := func(name string, do func(x, y uint64) uint64) {
		put(name, r+r+r, func(x, y, _ uint64) uint64 { return do(x, y) & mask })
	}
	of := func(x uint64) int64 { return signed(x, width) }
	two("add"+s, func(x, y uint64) uint64 { return x + y })
	two("sub"+s, func(x, y uint64) uint64 { return x - y })
	two("mul.lo"+s, func(x, y uint64) uint64 { return x * y })
	two("and"+raw, func(x, y uint64) uint64 { return x & y })
	two("or"+raw, func(x, y uint64) uint64 { return x | y })
	two("xor"+raw, func(x, y uint64) uint64 { return x ^ y })
	two("min"+s, func(x, y uint64) uint64 { return uint64(min(of(x), of(y))) })
	two("max"+s, func(x, y uint64) uint64 { return uint64(max(of(x), of(y))) })
	two("min"+u, func(x, y uint64) uint64 { return min(x, y) })
	two("max"+u, func(x, y uint64) uint64 { return max(x, y) })
	put("neg"+s, r+r, func(x, _, _ uint64) uint64 { return -x & mask })
	put("not"+raw, r+r, func(x, _, _ uint64) uint64 { return ^x & mask })
	divisions(r, s, u, width)
	// Counts have 32 bits, and are the width where they are more.
	put("shl"+raw, r+r+"w", func(x, n, _ uint64) uint64 { return x << min(n, uint64(width)) & mask })
	put("shr"+u, r+r+"w", func(x, n, _ uint64) uint64 { return x >> min(n, uint64(width)) })
	put("shr"+s, r+r+"w", func(x, n, _ uint64) uint64 { return uint64(of(x)>>min(n, uint64(width))) & mask })
	for name, do := range map[string]func(a, b int64) bool{
		"eq": func(a, b int64) bool { return a == b }, "ne": func(a, b int64) bool { return a != b },
		"lt": func(a, b int64) bool { return a < b }, "le": func(a, b int64) bool { return a <= b },
		"gt": func(a, b int64) bool { return a > b }, "ge": func(a, b int64) bool { return a >= b },
	} {
		put("setp."+name+s, "p"+r+r, func(x, y, _ uint64) uint64 { return bool1(do(of(x), of(y))) })
		// Without signs they are compared as signed ones half the range away.
		put("setp."+name+u, "p"+r+r, func(x, y, _ uint64) uint64 { return bool1(do(int64(x^1<<63), int64(y^1<<63))) })
	}
}

func divisions(r, s, u string, width uint) {
	mask := ^uint64(0) >> (64 - width)
	sign := uint64(1) << (width - 1)
	for _, d := range []struct {
		name     string
		signed   func(x, y int64) int64
		unsigned func(x, y uint64) uint64
	}{
		{"div", func(x, y int64) int64 { return x / y }, func(x, y uint64) uint64 { return x / y }},
		{"rem", func(x, y int64) int64 { return x % y }, func(x, y uint64) uint64 { return x % y }},
	} {
		put(d.name+s, r+r+r, func(x, y, _ uint64) uint64 {
			if y == 0 || x == sign && y == mask {
				return unspecified & mask
			}
			return uint64(d.signed(signed(x, width), signed(y, width))) & mask
		})
		put(d.name+u, r+r+r, func(x, y, _ uint64) uint64 {
			if y == 0 {
				return unspecified & mask
			}
			return d.unsigned(x, y)
		})
	}
}
