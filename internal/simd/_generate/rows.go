package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// unroll is the number of vectors of which a loop takes all the rows at a time.
const unroll = 4

// writeRows writes the kernels that join rows side by side.
func writeRows() {
	for _, k := range kernels {
		for _, e := range k.elems {
			if e == uint64s || e == uint32s {
				continue
			}
			for _, wide := range []bool{false, true} {
				k.sideBySide(vec{elem: e, wide: wide})
			}
		}
	}
}

// sideBySide writes the kernel that joins rows side by side.
func (k kernel) sideBySide(v vec) {
	v.text(v.named(k.name+"Row"), "func(dst, x []T, stride, rows int)",
		fmt.Sprintf(" takes a multiple of %d values, and a row at least:", v.bytes()/v.elem.bytes),
		"for r := range rows {", "\tfor j := range dst {",
		"\t\t"+strings.NewReplacer("lanes[l]", "dst[j]", "x[k]", "x[r*stride+j]").Replace(k.loop),
		"\t}", "}")
	dst := Load(Param("dst").Base(), GP64())
	n := Load(Param("dst").Len(), GP64())
	x := Load(Param("x").Base(), GP64())
	stride := Load(Param("stride"), GP64())
	rows := Load(Param("rows"), GP64())
	SHLQ(Imm(log2(v.elem.bytes)), stride)
	join, turn := k.turned(v)
	// some takes all the rows of some vectors, which stay in registers.
	some := func(label string, vectors int) {
		at, left := GP64(), GP64()
		MOVQ(x, at)
		MOVQ(rows, left)
		var acc []VecVirtual
		for m := range vectors {
			a := v.load(Mem{Base: dst, Disp: m * v.bytes()})
			turn(a)
			acc = append(acc, a)
		}
		Label(label)
		for m, a := range acc {
			join(a, Mem{Base: at, Disp: m * v.bytes()})
		}
		ADDQ(stride, at)
		DECQ(left)
		JNZ(LabelRef(label))
		for m, a := range acc {
			turn(a)
			VMOVUPD(a, Mem{Base: dst, Disp: m * v.bytes()})
		}
		ADDQ(U32(uint32(vectors*v.bytes())), dst)
		ADDQ(U32(uint32(vectors*v.bytes())), x)
		SUBQ(U32(uint32(vectors*v.bytes()/v.elem.bytes)), n)
	}
	Label("some")
	CMPQ(n, U32(uint32(unroll*v.bytes()/v.elem.bytes)))
	JL(LabelRef("one"))
	some("someRows", unroll)
	JMP(LabelRef("some"))
	Label("one")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	some("oneRows", 1)
	JMP(LabelRef("one"))
	Label("done")
	VZEROUPPER()
	RET()
}
