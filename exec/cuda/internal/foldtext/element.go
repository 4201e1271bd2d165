package foldtext

import (
	"fmt"
	"math"
	"reflect"
)

// An element is a type of values.
type element struct {
	kind     reflect.Kind
	size     int
	class    class
	unsigned bool
}

// elementOf returns the element of a kind. It is not ok if there is no text for values of it.
func elementOf(k reflect.Kind) (e element, ok bool) {
	switch k {
	case reflect.Float64:
		return element{k, 8, f64, false}, true
	case reflect.Float32:
		return element{k, 4, f32, false}, true
	case reflect.Int, reflect.Int64:
		return element{k, 8, b64, false}, true
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return element{k, 8, b64, true}, true
	case reflect.Int32, reflect.Int16, reflect.Int8:
		return element{k, map[reflect.Kind]int{reflect.Int32: 4, reflect.Int16: 2, reflect.Int8: 1}[k], b32, false}, true
	case reflect.Uint32, reflect.Uint16, reflect.Uint8:
		return element{k, map[reflect.Kind]int{reflect.Uint32: 4, reflect.Uint16: 2, reflect.Uint8: 1}[k], b32, true}, true
	case reflect.Bool:
		return element{k, 1, b32, true}, true
	}
	return element{}, false
}

func (e element) float() bool { return e.class == f64 || e.class == f32 }

// memory returns the type that loads have: they extend to the register.
func (e element) memory() string {
	switch {
	case e.float():
		return string(e.class)
	case e.unsigned || e.size >= 4:
		return fmt.Sprintf("u%d", 8*e.size)
	}
	return fmt.Sprintf("s%d", 8*e.size)
}

// arithmetic returns the type that additions have: "f64", "s32".
func (e element) arithmetic() string {
	if e.float() {
		return string(e.class)
	}
	return "s" + string(e.class)[1:]
}

// compared returns the type that comparisons have, with or without signs.
func (e element) compared() string {
	if e.unsigned {
		return "u" + string(e.class)[1:]
	}
	return e.arithmetic()
}

// literal returns a number as a constant.
func (e element) literal(bits uint64) string {
	switch e.class {
	case f64:
		return fmt.Sprintf("0d%016X", bits)
	case f32:
		return fmt.Sprintf("0f%08X", uint32(bits))
	case b32:
		return fmt.Sprint(int32(bits))
	}
	return fmt.Sprintf("0x%x", bits)
}

// one, least and most return the bits of 1 and of the ends of the range, infinities of floats.
func (e element) one() uint64 {
	switch e.class {
	case f64:
		return math.Float64bits(1)
	case f32:
		return uint64(math.Float32bits(1))
	}
	return 1
}

func (e element) least() uint64 {
	switch {
	case e.class == f64:
		return math.Float64bits(math.Inf(-1))
	case e.class == f32:
		return uint64(math.Float32bits(float32(math.Inf(-1))))
	case e.unsigned:
		return 0
	}
	return math.MaxUint64 << (8*e.size - 1)
}

func (e element) most() uint64 {
	switch {
	case e.class == f64:
		return math.Float64bits(math.Inf(1))
	case e.class == f32:
		return uint64(math.Float32bits(float32(math.Inf(1))))
	case e.unsigned:
		return math.MaxUint64 >> (64 - 8*e.size)
	}
	return math.MaxUint64 >> (65 - 8*e.size)
}

// narrow brings an integer that has wrapped back to its range.
func (a *asm) narrow(e element, x string) string {
	if e.float() || e.size >= 4 {
		return x
	}
	bits := fmt.Sprint(32 - 8*e.size)
	shift := "shr.s32"
	if e.unsigned {
		shift = "shr.u32"
	}
	return a.To(b32, shift, a.To(b32, "shl.b32", x, bits), bits)
}

// add and multiply round once.
func (a *asm) add(e element, x, y string) string {
	if e.float() {
		return a.To(e.class, "add.rn."+e.arithmetic(), x, y)
	}
	return a.To(e.class, "add."+e.arithmetic(), x, y)
}

func (a *asm) sub(e element, x, y string) string {
	return a.To(e.class, "sub.rn."+e.arithmetic(), x, y)
}

func (a *asm) multiply(e element, x, y string) string {
	if e.float() {
		return a.To(e.class, "mul.rn."+e.arithmetic(), x, y)
	}
	return a.To(e.class, "mul.lo."+e.arithmetic(), x, y)
}

// extreme is Go's min or max: PTX orders the zeros as well, but drops a NaN. Its minimum of float64 is several instructions:
// a comparison is fewer, with the sign where both are 0.
func (a *asm) extreme(e element, name, x, y string) string {
	t := e.arithmetic()
	switch e.class {
	case f64:
		less, sign := "lt", "or.b32"
		if name == "max" {
			less, sign = "gt", "and.b32"
		}
		first := a.To(pred, "or.pred", a.To(pred, "setp."+less+"."+t, x, y), a.To(pred, "setp.nan."+t, x, x))
		equal := a.To(pred, "setp.eq."+t, x, y)
		_, xs := a.Halves(x)
		_, ys := a.Halves(y)
		low, high := a.Halves(a.To(f64, "selp.f64", x, y, first))
		high = a.To(b32, "selp.b32", a.To(b32, sign, xs, ys), high, equal)
		return a.To(f64, "mov.b64", fmt.Sprintf("{%s, %s}", low, high))
	case f32:
		least := a.To(e.class, name+"."+t, x, y)
		nan := a.To(e.class, "add.rn."+t, x, y)
		return a.To(e.class, "selp."+t, nan, least, a.To(pred, "setp.nan."+t, x, y))
	}
	return a.To(e.class, name+"."+e.compared(), x, y)
}

// absolute is |x|, of the least integer itself. The maximum of x and -x will not do: of that and a third number ptxas
// drops -x.
func (a *asm) absolute(e element, x string) string {
	switch {
	case e.float():
		return a.To(e.class, "abs."+e.arithmetic(), x)
	case e.unsigned:
		return x
	}
	sign := a.To(e.class, "shr."+e.arithmetic(), x, 8*e.class.Bytes()-1)
	flipped := a.To(e.class, "xor."+string(e.class), x, sign)
	return a.narrow(e, a.To(e.class, "sub."+e.arithmetic(), flipped, sign))
}

// key returns an integer that is ordered as values are, with -0 below 0 and NaN at the end that it is found at: the
// least of all where the minimum is looked for, else the most.
func (a *asm) key(e element, x string, least bool) string {
	c, bits := b32, 32
	if e.class.Bytes() == 8 {
		c, bits = b64, 64
	}
	if !e.float() {
		return x
	}
	raw := a.To(c, "mov."+string(c), x)
	sign := a.To(c, fmt.Sprintf("shr.s%d", bits), raw, bits-1)
	ordered := a.To(c, "xor."+string(c), raw, a.To(c, fmt.Sprintf("shr.u%d", bits), sign, "1"))
	nan := integer(c, false).literal(integer(c, false).most())
	if least {
		nan = integer(c, false).literal(integer(c, false).least())
	}
	return a.To(c, "selp."+string(c), nan, ordered, a.To(pred, "setp.nan."+e.arithmetic(), x, x))
}

// value returns the bits of a float that has a key.
func (e element) value(key uint64) uint64 {
	switch {
	case e.class == f64 && (key == 1<<63 || key == 1<<63-1):
		return math.Float64bits(math.NaN())
	case e.class == f64:
		return key ^ uint64(int64(key)>>63)>>1
	case e.class == f32 && (uint32(key) == 1<<31 || uint32(key) == 1<<31-1):
		return uint64(math.Float32bits(float32(math.NaN())))
	case e.class == f32:
		return uint64(uint32(key) ^ uint32(int32(key)>>31)>>1)
	}
	return key
}

// integer returns the element of the integers in a class.
func integer(c class, unsigned bool) element {
	if c == b64 {
		return element{reflect.Int64, 8, b64, unsigned}
	}
	return element{reflect.Int32, 4, b32, unsigned}
}

// keyed returns the element of the keys of values.
func (e element) keyed() element {
	switch e.class {
	case f64:
		return integer(b64, false)
	case f32:
		return integer(b32, false)
	}
	return e
}
