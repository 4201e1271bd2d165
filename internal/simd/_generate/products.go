package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// multiply writes the kernel that multiplies rows.
func multiply(v vec) {
	v.text(v.named("mul"), "func(dst, x, y []T)", " takes whole rows of slices of one length:",
		"for k := range dst {", "\tdst[k] = x[k] * y[k]", "}")
	dst, n := rows("dst")
	x, y := Load(Param("x").Base(), GP64()), Load(Param("y").Base(), GP64())
	TESTQ(n, n)
	JZ(LabelRef("done"))
	row := lanes * v.elem.bytes
	Label("row")
	for n := 0; n < row; n += v.bytes() {
		t := v.load(Mem{Base: x, Disp: n})
		v.mul(Mem{Base: y, Disp: n}, t, t)
		VMOVUPD(t, Mem{Base: dst, Disp: n})
	}
	for _, at := range []Register{x, y, dst} {
		ADDQ(U32(row), at)
	}
	DECQ(n)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	Label("done")
	RET()
}

// dot writes the kernel that joins the products of rows into lanes.
func dot(v vec) {
	v.text(v.named("dot"), "func(lanes *[32]T, x, y []T)", " takes whole rows of slices of one length:",
		"for k := range x {", "\tlanes[k%32] += T(x[k] * y[k])", "}")
	at := Load(Param("lanes"), GP64())
	x, n := rows("x")
	y := Load(Param("y").Base(), GP64())
	TESTQ(n, n)
	JZ(LabelRef("done"))
	acc := v.row(at)
	Label("row")
	for n, a := range acc {
		t := v.load(Mem{Base: x, Disp: n * v.bytes()})
		v.mul(Mem{Base: y, Disp: n * v.bytes()}, t, t)
		v.add(t, a, a)
	}
	for _, at := range []Register{x, y} {
		ADDQ(U32(lanes*v.elem.bytes), at)
	}
	DECQ(n)
	JNZ(LabelRef("row"))
	for n, a := range acc {
		VMOVUPD(a, Mem{Base: at, Disp: n * v.bytes()})
	}
	VZEROUPPER()
	Label("done")
	RET()
}
