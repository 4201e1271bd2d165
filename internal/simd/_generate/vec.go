package main

import (
	"math/bits"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A vec is a register full of values, as its methods compute with them: dst = b op a,
// where only a may be in memory. They are AVX2 instructions, or AVX512F if wide.
type vec struct {
	elem
	wide bool
	half bool // half of one of AVX2
}

func (v vec) bytes() int {
	switch {
	case v.wide:
		return 64
	case v.half:
		return 16
	}
	return 32
}

func (v vec) isa() string {
	if v.wide {
		return "AVX512"
	}
	return "AVX2"
}

func (v vec) reg() VecVirtual {
	switch {
	case v.wide:
		return ZMM()
	case v.half:
		return XMM()
	}
	return YMM()
}

func (v vec) load(x Op) VecVirtual {
	r := v.reg()
	VMOVUPD(x, r)
	return r
}

// magnitude returns a constant that has all bits but the sign.
func (v vec) magnitude() VecVirtual {
	return v.shifted(v.pick(VPSRLQ, VPSRLD, nil, nil), 1)
}

// sign returns a constant that has only the sign.
func (v vec) sign() VecVirtual {
	shift := VPSLLQ
	if v.elem.bytes == 4 {
		shift = VPSLLD
	}
	return v.shifted(shift, 8*v.elem.bytes-1)
}

func (v vec) shifted(shift func(...Op), bits int) VecVirtual {
	ones := v.reg()
	if v.wide {
		VPTERNLOGQ(Imm(0xff), ones, ones, ones)
	} else {
		VPCMPEQD(ones, ones, ones)
	}
	shift(Imm(uint64(bits)), ones, ones)
	return ones
}

// pick returns the instruction for the type: float64, float32, int64, int32. It is
// the same for unsigned integers, unless they are ordered.
func (v vec) pick(f64, f32, i64, i32 func(...Op)) func(...Op) {
	switch v.elem {
	case float64s:
		return f64
	case float32s:
		return f32
	case int64s, uint64s:
		return i64
	}
	return i32
}

func (v vec) add(a, b, dst Op) { v.pick(VADDPD, VADDPS, VPADDQ, VPADDD)(a, b, dst) }

func (v vec) mul(a, b, dst Op) { v.pick(VMULPD, VMULPS, nil, nil)(a, b, dst) }

func (v vec) min(a, b, dst Op) {
	switch {
	case !v.float && v.elem.bytes == 8 && !v.wide:
		v.choose(a, b, dst, false)
		return
	case v.elem == uint64s:
		VPMINUQ(a, b, dst)
		return
	case v.elem == uint32s:
		VPMINUD(a, b, dst)
		return
	}
	v.pick(VMINPD, VMINPS, VPMINSQ, VPMINSD)(a, b, dst)
}

func (v vec) max(a, b, dst Op) {
	switch {
	case !v.float && v.elem.bytes == 8 && !v.wide:
		v.choose(a, b, dst, true)
		return
	case v.elem == uint64s:
		VPMAXUQ(a, b, dst)
		return
	case v.elem == uint32s:
		VPMAXUD(a, b, dst)
		return
	}
	v.pick(VMAXPD, VMAXPS, VPMAXSQ, VPMAXSD)(a, b, dst)
}

// choose is min or max of int64, which AVX2 has no instruction for.
func (v vec) choose(a, b, dst Op, greater bool) {
	x, takes := v.load(a), v.reg()
	if greater {
		VPCMPGTQ(b, x, takes) // x > b
	} else {
		VPCMPGTQ(x, b, takes)
	}
	VBLENDVPD(takes, x, b, dst)
}

func (v vec) and(a, b, dst Op) { v.logic(VPANDQ, VANDPD, VPAND, a, b, dst) }
func (v vec) or(a, b, dst Op)  { v.logic(VPORQ, VORPD, VPOR, a, b, dst) }
func (v vec) xor(a, b, dst Op) { v.logic(VPXORQ, VXORPD, VPXOR, a, b, dst) }

// logic is a bitwise instruction, of AVX2 one that suits the unit where the values
// are. The wide one for floats is not in AVX512F.
func (v vec) logic(wide, float func(...Op), integer func(a, b, dst Op), a, b, dst Op) {
	switch {
	case v.wide:
		wide(a, b, dst)
	case v.float:
		float(a, b, dst)
	default:
		integer(a, b, dst)
	}
}

// name returns the name of the function for the type and the instruction set.
func (v vec) named(name string) string { return name + v.title() + v.isa() }

// text begins a function and says in its comment what it computes.
func (v vec) text(name, signature string, takes string, loop ...string) {
	TEXT(name, NOSPLIT, strings.ReplaceAll(signature, "T", v.elem.name))
	Pragma("noescape")
	doc := []string{name + takes, ""}
	for _, line := range loop {
		doc = append(doc, "\t"+line)
	}
	Doc(doc...)
}

// log2 returns the exponent of a power of two.
func log2(n int) uint64 { return uint64(bits.TrailingZeros(uint(n))) }
