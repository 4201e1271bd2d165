package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// index writes the kernel that looks for a value from the front or from the back.
func index(v vec, last bool) {
	name, loop := v.named("index"), "for k := 0; k < len(x); k++ {"
	if last {
		name, loop = v.named("lastIndex"), "for k := len(x) - 1; k >= 0; k-- {"
	}
	v.text(name, "func(x []T, value T) int", " takes whole rows, and returns the first index of the row of k, or -1:",
		loop, "\tif x[k] == value {", "\t\treturn k &^ 31", "\t}", "}", "return -1")
	x, n := rows("x")
	row := lanes * v.elem.bytes
	begin := GP64()
	MOVQ(x, begin)
	value := v.reg()
	first := XMM()
	if v.elem.bytes == 8 {
		VMOVQ(Load(Param("value"), GP64()), first)
		VPBROADCASTQ(first, value)
	} else {
		VMOVD(Load(Param("value"), GP32()), first)
		VPBROADCASTD(first, value)
	}
	if last {
		end := GP64()
		MOVQ(n, end)
		SHLQ(Imm(log2(row)), end)
		ADDQ(end, x)
	}
	TESTQ(n, n)
	JZ(LabelRef("none"))
	Label("row")
	if last {
		SUBQ(U32(row), x)
	}
	v.anyEqual(x, value)
	JNZ(LabelRef("found"))
	if !last {
		ADDQ(U32(row), x)
	}
	DECQ(n)
	JNZ(LabelRef("row"))
	Label("none")
	none := GP64()
	MOVQ(I32(-1), none)
	Store(none, ReturnIndex(0))
	VZEROUPPER()
	RET()
	Label("found")
	SUBQ(begin, x)
	SHRQ(Imm(log2(v.elem.bytes)), x)
	Store(x, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// anyEqual clears the zero flag if a value of the row at x is equal to those of value.
func (v vec) anyEqual(x Register, value VecVirtual) {
	if v.wide {
		mask := K()
		for n := 0; n < lanes*v.elem.bytes; n += v.bytes() {
			m := mask
			if n > 0 {
				m = K()
			}
			v.pick(nil, nil, VPCMPEQQ, VPCMPEQD)(Mem{Base: x, Disp: n}, value, m)
			if n > 0 {
				KORW(m, mask, mask)
			}
		}
		KORTESTW(mask, mask)
		return
	}
	var all VecVirtual
	for n := 0; n < lanes*v.elem.bytes; n += v.bytes() {
		t := v.reg()
		v.pick(nil, nil, VPCMPEQQ, VPCMPEQD)(Mem{Base: x, Disp: n}, value, t)
		if all == nil {
			all = t
		} else {
			VPOR(t, all, all)
		}
	}
	VPTEST(all, all)
}
